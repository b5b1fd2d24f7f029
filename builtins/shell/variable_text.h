// Variables and functions as `set`, `declare -p`, `export -p` and their kin
// print them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interp/process.h"

namespace nacre::builtins {

void sort_symbols(const interp::Process& p, std::vector<base::Symbol>& symbols);
std::vector<base::Symbol> sorted_functions(const interp::Process& p);
// Visible variables that `wanted(symbol, variable)` takes, sorted by name.
template <class F>
std::vector<base::Symbol> sorted_variables(const interp::Process& p, F&& wanted) {
  std::vector<base::Symbol> out;
  p.state.vars.for_each([&](base::Symbol s, const interp::Variable& v) {
    if (wanted(s, v)) out.push_back(s);
  });
  sort_symbols(p, out);
  return out;
}

// Letters of the attributes in bash's order ("aAfinrtxclu" without the f).
std::string attribute_letters(interp::VarAttrs attrs);
// ([0]="x" [1]="y") or ([k]="v" ).
void append_array_text(interp::Process& p, base::Symbol s, std::string& out);

// The variable as it shall be shown. Most dynamic variables (RANDOM, LINENO, ..)
// have a value only for who asks for them by name.
enum class Asked : uint8_t { in_a_list, by_name };

// name='value' with a newline, as `set` lists it; nothing when it has no value.
void append_set_line(interp::Process& p, base::Symbol s, std::string& out);
// declare -x name="value" with a newline.
void append_declare_line(interp::Process& p, base::Symbol s, Asked asked, std::string& out);
// The same in the lists of export and readonly; in posix mode, export name="value".
void append_attribute_line(interp::Process& p, base::Symbol s, std::string_view builtin,
                           std::string& out);

// name () \n{ ... } with a newline.
void append_function(interp::Process& p, const interp::FunctionDef& f, std::string& out);
// declare -fx name with a newline.
void append_function_attributes(interp::Process& p, const interp::FunctionDef& f,
                                std::string& out);

}  // namespace nacre::builtins
