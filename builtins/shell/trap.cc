// trap: actions for signals and for EXIT, DEBUG, ERR and RETURN.
#include <string>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/signal_table.h"
#include "interp/invoke.h"
#include "interp/jobs.h"
#include "interp/process.h"
#include "interp/traps.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

extern const Command command_trap;

namespace {

std::string_view signal_name(int signo) {
  switch (signo) {
    case interp::kTrapExit: return "EXIT";
    case interp::kTrapDebug: return "DEBUG";
    case interp::kTrapErr: return "ERR";
    case interp::kTrapReturn: return "RETURN";
    default: return interp::signal_by_number(signo)->name;
  }
}

void append_trap(const Process& p, int signo, std::string_view action, std::string& out) {
  std::string_view name = signal_name(signo);
  if (p.has(interp::SetOption::posix) && name.starts_with("SIG")) name.remove_prefix(3);
  out += "trap -- ";
  out += base::single_quote(action);
  out += ' ';
  out += name;
  out += '\n';
}

int invalid_signal(Process& p, CommandContext& ctx, std::string_view name) {
  ctx.out.flush();
  interp::builtin_error(p, "trap", std::string(name) + ": invalid signal specification");
  return 1;
}

int show(Process& p, CommandContext& ctx, Args names) {
  std::string out;
  int status = 0;
  if (names.empty()) {
    if (p.state.traps)
      for (const auto& [signo, action] : p.state.traps->actions)
        append_trap(p, signo, action.text, out);
    ctx.out.write(out);
    return 0;
  }
  for (std::string_view name : names) {
    int signo = interp::signal_by_name(name);
    if (signo < 0) {
      status = invalid_signal(p, ctx, name);
      continue;
    }
    if (!p.state.traps) continue;
    auto it = p.state.traps->actions.find(signo);
    if (it == p.state.traps->actions.end()) continue;
    out.clear();
    append_trap(p, signo, it->second.text, out);
    ctx.out.write(out);
  }
  return status;
}

int trap_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_trap, "lp");
  bool list = false, print = false;
  while (char c = options.next()) {
    if (c == 'l') list = true;
    else print = true;
  }
  if (options.failed()) return options.status();
  Args rest = options.rest();
  if (list) {
    std::string out;
    append_signal_table(out);
    ctx.out.write(out);
    return 0;
  }
  if (print || rest.empty()) return show(p, ctx, rest);

  std::string_view action = rest[0];
  Args names = rest.subspan(1);
  bool reset = action == "-";
  const bool posix = p.has(interp::SetOption::posix);
  // `trap INT` and `trap 2 15` reset: there is no action.
  const bool numbers = base::all_digits(action) && interp::signal_by_name(action) >= 0;
  const bool lone_signal =
      !posix && names.empty() && !reset && interp::signal_by_name(action) >= 0;
  if (numbers || lone_signal) {
    reset = true;
    names = rest;
  } else if (names.empty()) {
    return interp::builtin_usage(p, command_trap);
  }
  int status = 0;
  for (std::string_view name : names) {
    int signo = interp::signal_by_name(name);
    if (signo < 0) status = invalid_signal(p, ctx, name);
    else if (reset) interp::clear_trap(p, signo);
    else interp::set_trap(p, signo, action);
  }
  return status;
}

}  // namespace

extern const Command command_trap = {
    "trap", "trap [-lp] [[arg] signal_spec ...]",
    "trap: trap [-lp] [[arg] signal_spec ...]\n"
    "    Run ARG as a command when a signal comes.\n"
    "    \n"
    "    An empty ARG ignores the signals; `-', or no ARG before a single signal,\n"
    "    gives them back their default. Besides signals, by name with or without\n"
    "    SIG or by number, there are EXIT (0), when the shell ends; DEBUG, before\n"
    "    each command; RETURN, when a function or sourced file ends; and ERR, when\n"
    "    a command fails where `set -e' would act.\n"
    "    \n"
    "    Options:\n"
    "      -l\tlist the names and numbers of signals\n"
    "      -p\tshow the actions, all or those of each SIGNAL_SPEC\n"
    "    \n"
    "    Returns 0 unless a signal or an option is wrong.\n",
    CommandKind::special, nullptr, trap_builtin};

}  // namespace nacre::builtins
