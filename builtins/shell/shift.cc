// shift: drops positional parameters from the front.
#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::Outcome;
using interp::ParamList;
using interp::Process;
using interp::Shopt;

extern const Command command_shift;

namespace {

// More arguments than can be: bash gives up the line (under -c, the whole text).
int too_many(Process& p) {
  interp::builtin_error(p, "shift", "too many arguments");
  p.failure = Outcome(1, p.runs_string ? Flow::exit : Flow::discard);
  return 1;
}

void drop(Process& p, size_t n) {
  // Shared lists (a subshell's) stay whole: only the start moves. Those that are
  // ours alone are compacted once half of them is gone, so that a loop of
  // shifts is linear and keeps no memory.
  p.state.param_base += n;
  base::Ref<ParamList>& list = p.state.params;
  if (list->unique() && p.state.param_base * 2 > list->values.size() &&
      p.state.param_base > 64) {
    list->values.erase(list->values.begin(),
                       list->values.begin() + static_cast<std::ptrdiff_t>(p.state.param_base));
    p.state.param_base = 0;
  }
}

int shift_builtin(Process& p, CommandContext& ctx) {
  interp::Args args = ctx.args.subspan(1);
  if (!args.empty() && args[0].starts_with('-')) {
    if (args[0] == "--help") {
      print_builtin_help(ctx, command_shift);
      return 2;
    }
    if (args[0] == "--") args = args.subspan(1);
  }
  int64_t n = 1;
  if (!args.empty()) {
    auto number = base::parse_legal_number(args[0]);
    if (!number) {
      interp::builtin_error(p, "shift", std::string(args[0]) + ": numeric argument required");
      return 1;
    }
    if (args.size() > 1) return too_many(p);
    n = *number;
  }
  if (n == 0) return 0;
  auto have = static_cast<int64_t>(p.state.param_count());
  if (n < 0 || (n > have && p.has(Shopt::shift_verbose)))
    interp::builtin_error(p, "shift", std::string(args.empty() ? "1" : args[0]) +
                                          ": shift count out of range");
  if (n < 0 || n > have) return 1;
  drop(p, static_cast<size_t>(n));
  return 0;
}

}  // namespace

extern const Command command_shift = {
    "shift", "shift [n]",
    "shift: shift [n]\n"
    "    Drop the first N positional parameters (1 when N is not given), so that\n"
    "    $N+1 becomes $1.\n"
    "    \n"
    "    Returns 1 when N is negative or greater than $#.\n",
    CommandKind::special, nullptr, shift_builtin};

}  // namespace nacre::builtins
