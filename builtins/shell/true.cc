// true, false, : -- they take any arguments, --help included.
#include "interp/command.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

namespace {

int succeed(Process&, CommandContext&) { return 0; }
int fail(Process&, CommandContext&) { return 1; }
int utility_succeed(CommandContext&) { return 0; }
int utility_fail(CommandContext&) { return 1; }

}  // namespace

extern const Command command_true = {
    "true", "true",
    "true: true\n"
    "    Succeed: do nothing and return 0.\n",
    CommandKind::builtin, utility_succeed, succeed};

extern const Command command_false = {
    "false", "false",
    "false: false\n"
    "    Fail: do nothing and return 1.\n",
    CommandKind::builtin, utility_fail, fail};

extern const Command command_colon = {
    ":", ":",
    ":: :\n"
    "    The null command: expand its arguments, do nothing and return 0.\n",
    CommandKind::special, nullptr, succeed};

}  // namespace nacre::builtins
