// The values that parameters have: one text, or the elements of a list. What
// ${..}'s operators work on.
#pragma once

#include <string>
#include <string_view>

#include "interp/expander.h"

namespace nacre::interp {

// $@, $*, x[@] and x[*].
bool is_list(const parser::Param& param);
bool is_star(const parser::Param& param);

// What a negative subscript before the array's beginning does.
enum class BadSubscript : uint8_t {
  report,   // a message; the element is unset
  discard,  // ${#x[-9]}: the line ends
};

struct ScalarValue {
  bool set = false;
  BadSubscript on_bad_subscript = BadSubscript::report;
  std::string_view text;   // holds until the variable or `buffer` changes
  std::string buffer;
  // The text moves into the buffer, so that it outlives changes of the variable.
  void keep() {
    if (text.data() != buffer.data() || text.size() != buffer.size()) buffer.assign(text);
    text = buffer;
  }
};

// False after a failure (a subscript that does not evaluate).
bool read_scalar(Process& p, const parser::Param& param, ScalarValue& out);

// The variable behind an array reference, namerefs followed and dynamic arrays
// computed; null when there is none. `name` becomes the variable's own symbol.
const Variable* array_variable(Process& p, base::Symbol& name);

// Elements of a list in order, as copies. False when nothing is set (then the
// list is empty).
bool read_list(Process& p, const parser::Param& param, ValueList& values);
// Whether the list has a value at all (for - + = ?).
size_t list_size(Process& p, const parser::Param& param);

// Whether the locale's characters are bytes (LC_ALL, LC_CTYPE or LANG is C).
bool byte_locale(Process& p);
// ${#x}: the number of characters.
size_t count_units(Process& p, std::string_view text);

// The key of x[sub] where x is an associative array.
bool subscript_key(Process& p, const parser::Subscript& sub, std::string& key);

// "x: unbound variable" and how to unwind.
bool unbound(Process& p, std::string_view name);

// What ${!x} stands for: a parameter made at run time, or plain text.
struct Indirect {
  base::Arena arena;
  parser::Param param;
  bool is_text = false;    // ${!ref} of a nameref: the name itself
  std::string text;
};
// False after "invalid indirect expansion" and the like.
bool resolve_indirect(Process& p, const parser::Param& param, Indirect& out);

// --- operators of one value (param_operators.cc) ----------------------------
// The expanded pattern of # % / ^ , as text; "" when absent.
bool expand_pattern(Process& p, const parser::Word* word, TextBuffer& out);
void remove_matching(Process& p, std::string_view value, std::string_view pattern,
                     parser::ParamOp op, TextBuffer& out);
void replace_matching(Process& p, std::string_view value, std::string_view pattern,
                      std::string_view replacement, bool has_references, parser::ParamOp op,
                      TextBuffer& out);
void change_case(Process& p, std::string_view value, std::string_view pattern,
                 parser::ParamOp op, TextBuffer& out);

// --- ${x@..} (param_transform.cc) -------------------------------------------
bool valid_transform(char letter);
// Transformations that look at the value alone: Q E P U u L.
bool transform_text(Process& p, char letter, std::string_view value, TextBuffer& out);
// "declare -ir x='5'" and the letters "ir".
void append_attributes(const Variable& v, std::string& out);
void append_assignment(Process& p, base::Symbol name, const Variable& v,
                       const std::string_view* value, TextBuffer& out);
// The whole array as an assignment (@A), as one text of quoted pairs (@K).
void append_array_assignment(Process& p, base::Symbol name, const Variable& v, TextBuffer& out);
void append_quoted_pairs(const Variable& v, TextBuffer& out);

}  // namespace nacre::interp
