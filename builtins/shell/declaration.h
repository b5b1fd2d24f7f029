// What declare, typeset, local, readonly and export have in common: attributes
// for one variable, given by name with or without a value.
#pragma once

#include <string_view>

#include "interp/command.h"
#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::builtins {

// An argument taken apart: NAME, NAME[SUB], NAME=VALUE, NAME[SUB]+=VALUE.
struct Target {
  std::string_view name;       // the whole argument when it is no assignment and no element
  std::string_view subscript;
  std::string_view value;
  bool has_subscript = false;
  bool has_value = false;
  bool append = false;
};
Target parse_target(std::string_view argument);

struct Declaration {
  std::string_view builtin;          // for messages
  interp::VarAttrs on = 0, off = 0;  // attributes to set and to clear
  bool local = false;                // `local`
  bool global = false;               // -g
  bool existing_local = false;       // with global: but a local of this function, when there is one
  bool inherit = false;              // -I
};

// Does what `declare` does to one argument; `tree` is not null when it was
// written as NAME=(...) (the argument is then NAME). 0, or 1 after a message;
// p.failure is set when the line is to be abandoned.
int declare_variable(interp::Process& p, const Declaration& d, std::string_view argument,
                     const parser::Assign* tree);

// The trees that stand beside ctx.args, from argument `first` on; null ones when
// the arguments did not come from a command line.
const parser::Assign* compound_assignment(const interp::Process& p, size_t index);

// "NAME: `x': not a valid identifier".
void invalid_identifier(interp::Process& p, std::string_view builtin, std::string_view text);

}  // namespace nacre::builtins
