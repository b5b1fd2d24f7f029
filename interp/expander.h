// The inside of expand.h: how its files see each other.
//
//   expand.cc           words and parts            expand_brace.cc  {a,b} {1..9}
//   word_builder.cc     splitting                  expand_tilde.cc  ~ ~user
//   expand_param.cc     $x ${x..}: values, lists   glob.cc          pathnames
//   param_operators.cc  the operators of one value
//   param_transform.cc  ${x@Q} and the others      param_indirect.cc  ${!x}
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interp/expand.h"
#include "interp/expansion_failure.h"
#include "interp/word_builder.h"
#include "parser/ast.h"

namespace nacre::interp {

// Where a part stands.
enum class Quote : uint8_t {
  none,     // in a word: literal text is not split
  operand,  // in the word of an unquoted ${x-word}: literal text is split too
  quoted,   // between double quotes
};

bool expand_parts(Process& p, std::span<const parser::WordPart> parts, Quote quote,
                  WordBuilder& out);
bool expand_param(Process& p, const parser::Param& param, Quote quote, WordBuilder& out);

// The value of a parameter that needs nothing but its text: $x "$x" $1 $? and
// so on without operator, subscript or set -u trouble. False when it is not
// such a case (nothing has happened then). The view may point into `buffer`
// and holds until the variable changes.
bool plain_value(Process& p, const parser::Param& param, std::string_view& out,
                 std::string& buffer);

// Braces of a word, straight into the list (charged before the first word).
bool expand_braces(Process& p, const parser::Word& word, FieldList& out);
// Where braces do not expand (here-strings, set +B): { and } are themselves.
bool expand_brace_as_written(Process& p, const parser::Brace& brace, Quote quote,
                             WordBuilder& out);
// One word without top-level braces.
bool expand_one_word(Process& p, std::span<const parser::WordPart> parts, FieldList& out);

// The directory of a tilde prefix ("" for ~, "user", "+", "-", "+2", ..).
// False when there is none and the text stays as it is.
bool tilde_directory(Process& p, std::string_view prefix, std::string& out);

// $(..) and $(<file), without trailing newlines.
bool expand_command(Process& p, const parser::CommandSub& sub, std::string& out);

// Counts expansions that run inside each other where the text, not the tree,
// decides the depth (${x@P}, subscripts in values).
class ExpansionDepth {
 public:
  explicit ExpansionDepth(Process& p);

 private:
  limits::DepthGuard guard_;
};

// A copy of the words that a parameter is called by in messages: x, a[1], $1.
std::string parameter_name(Process& p, const parser::Param& param);

}  // namespace nacre::interp
