// What the files of the tree walk share among themselves; nobody else includes it.
#pragma once

#include "interp/evaluate.h"

namespace nacre::interp {

// before_command()'s status when the DEBUG trap asked to skip the command.
inline constexpr int kSkipCommand = -2;

// p.failure as an outcome (status 1 when nothing else is said), and clears it.
Outcome take_failure(Process& p);
// The process ends with `o`: its EXIT trap runs here, where bash runs it, with
// the functions and locals around it still alive.
Outcome leave(Process& p, Outcome o);
// A command that counts for set -e and ERR has ended: sets $?, runs the trap,
// may end the shell.
// A trap that the command itself has set does not count: `trapped` is what held
// before it.
Outcome settle(Process& p, Outcome o, bool trapped = true);
// Pending signals, LINENO, BASH_COMMAND and the DEBUG trap.
Outcome before_command(Process& p, const parser::Node& node);

Outcome run_simple(Process& p, const parser::SimpleCommand& c);
Outcome run_select(Process& p, const parser::For& node);

// `time`: measures from construction; report() prints.
class TimedSection {
 public:
  TimedSection(Process& p, bool active, bool posix);
  void report();

 private:
  Process& p_;
  int64_t start_ = 0;
  bool active_, posix_;
};

}  // namespace nacre::interp
