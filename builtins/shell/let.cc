// let: evaluates each argument as arithmetic.
#include "builtins/shell/getopt.h"
#include "interp/arith.h"
#include "interp/expansion_failure.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Outcome;
using interp::Process;

extern const Command command_let;

namespace {

int let_builtin(Process& p, CommandContext& ctx) {
  interp::Args args = ctx.args.subspan(1);
  if (!args.empty() && args[0] == "--help") {
    print_builtin_help(ctx, command_let);
    return 2;
  }
  if (!args.empty() && args[0] == "--") args = args.subspan(1);
  if (args.empty()) {
    interp::builtin_error(p, "let", "expression expected");
    return 1;
  }
  int64_t value = 0;
  for (std::string_view text : args) {
    if (!interp::eval_arith_text(p, text, value, "let: ")) {
      // An error of let itself is only a status; what an expansion inside it
      // raised stays.
      if (interp::expression_failed(p)) p.failure = Outcome();
      return 1;
    }
  }
  return value == 0;
}

}  // namespace

extern const Command command_let = {
    "let", "let arg [arg ...]",
    "let: let arg [arg ...]\n"
    "    Evaluate each ARG as an arithmetic expression, as $(( )) does.\n"
    "    \n"
    "    Operators, in order of precedence:\n"
    "    \n"
    "    \tid++, id--, ++id, --id, -, +, !, ~\n"
    "    \t**\n"
    "    \t*, /, %\n"
    "    \t+, -\n"
    "    \t<<, >>\n"
    "    \t<=, >=, <, >\n"
    "    \t==, !=\n"
    "    \t&, then ^, then |\n"
    "    \t&&, then ||\n"
    "    \texpr ? expr : expr\n"
    "    \t=, *=, /=, %=, +=, -=, <<=, >>=, &=, ^=, |=\n"
    "    \texpr , expr\n"
    "    \n"
    "    Returns 1 when the last ARG is 0, otherwise 0.\n",
    CommandKind::builtin, nullptr, let_builtin};

}  // namespace nacre::builtins
