// Trap actions: when they run, and with which state around them.
#pragma once

#include "interp/process.h"

namespace nacre::interp {

// Runs the traps of signals that came in since the last command; a signal with
// its default action that is fatal gives Flow::exit.
Outcome run_pending_signals(Process& p);
inline Outcome check_signals(Process& p) {
  return p.pending_signals ? run_pending_signals(p) : Outcome();
}
// ERR, DEBUG, RETURN: `signo` is kTrapErr and so on. $? is kept. DEBUG gives
// the action's status (extdebug looks at it).
Outcome run_trap(Process& p, int signo);
// What `trap` does. The first change in a subshell drops what it inherited for show.
void set_trap(Process& p, int signo, std::string_view action);
void clear_trap(Process& p, int signo);
// True when a trap with a non-empty action is set and may run here.
bool has_trap(const Process& p, int signo);
bool ignores_signal(const Process& p, int signo);
// The EXIT trap, once.
void run_exit_trap(Process& p, int& status);
// A function is called: ERR, DEBUG and RETURN stay with the caller unless
// errtrace, functrace or the function's own attribute (`trace`) say otherwise.
void hide_traps_from_call(Process& p, bool trace);
// What a subshell does to its inherited traps.
void reset_traps_for_child(Process& p);

}  // namespace nacre::interp
