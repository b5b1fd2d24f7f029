// caller: where the running function or sourced file was called.
#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/invoke.h"
#include "interp/variables.h"

namespace nacre::builtins {

extern const interp::Command command_caller;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

namespace {

int caller_builtin(Process& p, CommandContext& ctx) {
  // The three arrays tell it, as bash has them.
  interp::WellKnown& names = p.session.names;
  std::string line_buffer, source_buffer, name_buffer;
  std::string_view line, source, name;
  bool called = interp::read_element(p, names.bash_lineno, int64_t{0}, line, line_buffer);
  std::string_view ignored;
  called = called && interp::read_element(p, names.bash_source, int64_t{0}, ignored, source_buffer);
  if (!called) return 1;
  BuiltinOptions options(p, ctx, command_caller, "");
  options.next();
  if (options.failed()) return options.status();
  Args operands = options.rest();
  if (operands.empty()) {
    if (!interp::read_element(p, names.bash_source, int64_t{1}, source, source_buffer))
      source = "NULL";
    ctx.out << line << " " << source << "\n";
    return 0;
  }
  auto level = base::parse_legal_number(operands[0]);
  if (!level) {
    say_invalid_number(p, "caller", operands[0]);
    return interp::builtin_usage(p, command_caller);
  }
  if (*level < 0 || *level == INT64_MAX) return 1;
  if (!interp::read_element(p, names.bash_lineno, *level, line, line_buffer) ||
      !interp::read_element(p, names.bash_source, *level + 1, source, source_buffer) ||
      !interp::read_element(p, names.funcname, *level + 1, name, name_buffer))
    return 1;
  ctx.out << line << " " << name << " " << source << "\n";
  return 0;
}

}  // namespace

const Command command_caller = {
    "caller", "caller [expr]",
    "caller: caller [expr]\n"
    "    Print where the running function was called.\n"
    "    \n"
    "    Without EXPR, print \"LINE FILENAME\".  With EXPR, a number, print \"LINE\n"
    "    FUNCTION FILENAME\" for the call that many levels up, as a trace of the\n"
    "    stack needs it; 0 is the innermost.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless no function is running or there are fewer levels.\n",
    CommandKind::builtin, nullptr, caller_builtin};

}  // namespace nacre::builtins
