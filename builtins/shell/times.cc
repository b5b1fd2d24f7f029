// times: processor time of the shell and of its children. A session has no
// processes of its own to measure and shall be deterministic: both are zero.
#include "builtins/shell/getopt.h"

namespace nacre::builtins {

extern const interp::Command command_times;

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

namespace {

int times_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_times, "");
  options.next();
  if (options.failed()) return options.status();
  ctx.out << "0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n";
  return 0;
}

}  // namespace

const Command command_times = {
    "times", "times",
    "times: times\n"
    "    Print the processor time used so far.\n"
    "    \n"
    "    The first line is user and system time of the shell, the second that of\n"
    "    the processes it has started.\n"
    "    \n"
    "    Exit Status:\n"
    "    Always 0.\n",
    CommandKind::special, nullptr, times_builtin};

}  // namespace nacre::builtins
