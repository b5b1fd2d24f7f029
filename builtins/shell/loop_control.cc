// break and continue.
#include <algorithm>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"

namespace nacre::builtins {

extern const interp::Command command_break;
extern const interp::Command command_continue;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::Outcome;
using interp::Process;

namespace {

int leave_loops(Process& p, CommandContext& ctx, const Command& command, Flow flow) {
  bool shown = false;
  Args operands = plain_operands(ctx, command, shown);
  if (shown) return 2;
  if (p.loop_depth == 0) {
    say(p, command.name, "only meaningful in a `for', `while', or `until' loop");
    return 0;
  }
  int64_t levels = 1;
  if (!operands.empty()) {
    auto n = base::parse_legal_number(operands[0]);
    if (!n) {
      say_need_number(p, command.name, operands[0]);
      p.failure = Outcome(128, Flow::exit);
      return 128;
    }
    if (operands.size() > 1) {
      say(p, command.name, "too many arguments");
      p.failure = Outcome(1, Flow::exit);
      return 1;
    }
    levels = *n;
  }
  if (levels <= 0) {
    // bash then leaves all loops.
    say(p, command.name, operands[0], "loop count out of range");
    p.failure = Outcome(1, Flow::break_, static_cast<uint16_t>(std::min(p.loop_depth, 0xffff)));
    return 1;
  }
  levels = std::min<int64_t>({levels, p.loop_depth, 0xffff});
  p.failure = Outcome(0, flow, static_cast<uint16_t>(levels));
  return 0;
}

int break_builtin(Process& p, CommandContext& ctx) {
  return leave_loops(p, ctx, command_break, Flow::break_);
}
int continue_builtin(Process& p, CommandContext& ctx) {
  return leave_loops(p, ctx, command_continue, Flow::continue_);
}

}  // namespace

const Command command_break = {
    "break", "break [n]",
    "break: break [n]\n"
    "    Leave a for, while, until or select loop.\n"
    "    \n"
    "    With N, leave that many loops around this command.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless N is less than 1.\n",
    CommandKind::special, nullptr, break_builtin};

const Command command_continue = {
    "continue", "continue [n]",
    "continue: continue [n]\n"
    "    Go on with the next turn of a for, while, until or select loop.\n"
    "    \n"
    "    With N, that of the Nth loop around this command.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless N is less than 1.\n",
    CommandKind::special, nullptr, continue_builtin};

}  // namespace nacre::builtins
