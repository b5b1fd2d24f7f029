// exit, logout, return: leave the shell or a function with a status.
#include <optional>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/invoke.h"

namespace nacre::builtins {

extern const interp::Command command_exit;
extern const interp::Command command_logout;
extern const interp::Command command_return;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::Outcome;
using interp::Process;
using interp::Shopt;

namespace {

// The status that an operand asks for, $? without one. A second operand is an
// error that ends a non-interactive shell (nullopt); a word that is no number
// gives 2 after a message.
std::optional<int> requested_status(Process& p, std::string_view name, Args operands) {
  // In a trap's action, what was true when it began.
  if (operands.empty()) return p.running_trap >= 0 && p.function_level == 0 ? p.trap_status : p.status;
  auto n = base::parse_legal_number(operands[0]);
  if (!n) {
    say_need_number(p, name, operands[0]);
    return 2;
  }
  if (operands.size() > 1) {
    say(p, name, "too many arguments");
    return std::nullopt;
  }
  return static_cast<int>(*n & 0xff);
}

int leave_shell(Process& p, std::string_view name, Args operands) {
  auto status = requested_status(p, name, operands);
  p.failure = Outcome(status.value_or(1), Flow::exit);
  return p.failure.status;
}

int exit_builtin(Process& p, CommandContext& ctx) {
  bool shown = false;
  Args operands = plain_operands(ctx, command_exit, shown);
  if (shown) return 2;
  return leave_shell(p, "exit", operands);
}

int logout_builtin(Process& p, CommandContext& ctx) {
  bool shown = false;
  Args operands = plain_operands(ctx, command_logout, shown);
  if (shown) return 2;
  if (!p.has(Shopt::login_shell)) {
    say(p, "logout", "not login shell: use `exit'");
    return 1;
  }
  return leave_shell(p, "logout", operands);
}

int return_builtin(Process& p, CommandContext& ctx) {
  bool shown = false;
  Args operands = plain_operands(ctx, command_return, shown);
  if (shown) return 2;
  auto status = requested_status(p, "return", operands);
  if (!status) {
    p.failure = Outcome(1, Flow::exit);
    return 1;
  }
  if (p.function_level == 0 && p.source_level == 0) {
    say(p, "return", "can only `return' from a function or sourced script");
    return 2;
  }
  p.status_before_return = p.status;
  p.failure = Outcome(*status, Flow::return_);
  return *status;
}

}  // namespace

const Command command_exit = {
    "exit", "exit [n]",
    "exit: exit [n]\n"
    "    Leave the shell.\n"
    "    \n"
    "    The shell ends with status N, or with that of the last command.\n",
    CommandKind::special, nullptr, exit_builtin};

const Command command_logout = {
    "logout", "logout [n]",
    "logout: logout [n]\n"
    "    Leave a login shell.\n"
    "    \n"
    "    The shell ends with status N, or with that of the last command; a shell\n"
    "    that is no login shell refuses.\n",
    CommandKind::builtin, nullptr, logout_builtin};

const Command command_return = {
    "return", "return [n]",
    "return: return [n]\n"
    "    Leave a function or a sourced file.\n"
    "    \n"
    "    Its caller goes on with status N, or with that of the last command that\n"
    "    ran in it.\n"
    "    \n"
    "    Exit Status:\n"
    "    N; 2 outside of functions and sourced files.\n",
    CommandKind::special, nullptr, return_builtin};

}  // namespace nacre::builtins
