// How a failed expansion or expression unwinds. bash jumps to one of several
// places; here each is an Outcome left in p.failure for the evaluator, and
// Outcome::levels tells the kinds of Flow::discard apart.
#pragma once

#include "interp/process.h"

namespace nacre::interp {

inline constexpr uint16_t kDiscardExpression = 0;
inline constexpr uint16_t kDiscardLine = 1;
inline constexpr uint16_t kDiscardAll = 2;

// An arithmetic expression did not evaluate. (( )), let and [[ -eq ]] make
// status 1 of it; an expansion makes fail_discard() of it.
inline void fail_expression(Process& p) {
  p.failure = Outcome(1, Flow::discard, kDiscardExpression);
}
inline bool expression_failed(const Process& p) {
  return p.failure.flow == Flow::discard && p.failure.levels == kDiscardExpression;
}

// Drop the rest of the current command line; `eval` ends with status 1 and
// what follows it goes on ("bad substitution", $((1/0))).
inline void fail_discard(Process& p) { p.failure = Outcome(1, Flow::discard, kDiscardLine); }

// The same from inside a subscript or the value of an integer variable, where
// bash cleans up to its top level: `eval`, `source` and the text of -c end too.
inline void fail_discard_all(Process& p) {
  p.failure = p.runs_string || p.is_subshell ? Outcome(1, Flow::exit)
                                        : Outcome(1, Flow::discard, kDiscardAll);
}

// ${x?word}, set -u, ${x@Z}: a shell that is not interactive ends. The status
// is 127 for the text of -c, 1 for a script and in a subshell.
inline void fail_exit(Process& p) {
  p.failure = Outcome(p.runs_string && !p.is_subshell ? 127 : 1, Flow::exit);
}

}  // namespace nacre::interp
