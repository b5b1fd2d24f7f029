// unset: variables, elements, functions.
#include <string>

#include "base/numbers.h"
#include "builtins/shell/declaration.h"
#include "builtins/shell/getopt.h"
#include "interp/assign.h"
#include "interp/invoke.h"
#include "interp/process.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::FunctionDef;
using interp::Process;

extern const Command command_unset;

namespace {

int unset_function(Process& p, std::string_view name) {
  base::Symbol s = p.session.symbols.find(name);
  const FunctionDef* f = s == base::kNoSymbol ? nullptr : p.state.functions->find(s);
  if (!f) return 0;
  if (f->readonly) {
    interp::builtin_error(p, "unset", std::string(name) + ": cannot unset: readonly function");
    return 1;
  }
  base::writable(p.state.functions).set(s, {});
  return 0;
}

bool is_function(const Process& p, std::string_view name) {
  base::Symbol s = p.session.symbols.find(name);
  return s != base::kNoSymbol && p.state.functions->find(s);
}

int unset_one(Process& p, std::string_view argument, bool variables, bool functions,
              bool references) {
  if (functions) return unset_function(p, argument);
  Target t = parse_target(argument);
  const bool valid = base::is_identifier(t.name) && !t.has_value && !(references && t.has_subscript);
  if (!valid) {
    // Without -v a name that can be no variable's is looked for among functions.
    if (!variables) return unset_function(p, argument);
    invalid_identifier(p, "unset", argument);
    return 1;
  }
  if (!variables && !references && !t.has_subscript) {
    base::Symbol s = p.session.symbols.find(t.name);
    if ((s == base::kNoSymbol || !p.state.vars.find(s)) && is_function(p, argument))
      return unset_function(p, argument);
  }
  return interp::unset_target(p, argument, "unset", references);
}

int unset_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_unset, "fnv");
  bool functions = false, variables = false, references = false;
  while (char c = options.next()) {
    if (c == 'f') functions = true;
    else if (c == 'v') variables = true;
    else references = true;
  }
  if (options.failed()) return options.status();
  if (functions && variables) {
    interp::builtin_error(p, "unset", "cannot simultaneously unset a function and a variable");
    return 1;
  }
  if (functions) references = false;
  int status = 0;
  for (std::string_view name : options.rest()) {
    status |= unset_one(p, name, variables, functions, references);
    if (p.failure.unwinding()) return status;
  }
  return status;
}

}  // namespace

extern const Command command_unset = {
    "unset", "unset [-f] [-v] [-n] [name ...]",
    "unset: unset [-f] [-v] [-n] [name ...]\n"
    "    Remove variables, elements of arrays, or functions.\n"
    "    \n"
    "    Options:\n"
    "      -f\tthe NAMEs are functions\n"
    "      -v\tthe NAMEs are variables\n"
    "      -n\tremove the name reference itself, not what it points to\n"
    "    \n"
    "    Without options a NAME that is no variable is looked for among functions.\n"
    "    \n"
    "    Returns 0 unless an option is wrong or a NAME is readonly.\n",
    CommandKind::special, nullptr, unset_builtin};

}  // namespace nacre::builtins
