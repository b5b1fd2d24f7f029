// How a failed expansion unwinds. bash jumps to one of three places; here each
// is an Outcome left in p.failure for the evaluator.
#pragma once

#include "interp/process.h"

namespace nacre::interp {

// Drop the rest of the current command line; `eval` ends with status 1 and
// what follows it goes on (an arithmetic error in $((..)), "bad substitution").
inline void fail_discard(Process& p) { p.failure = Outcome(1, Flow::discard); }

// The same from inside a subscript, where bash cleans up to its top level:
// `eval`, `source` and the text of -c end too. Outcome::levels tells it from
// the other.
inline void fail_discard_all(Process& p) {
  p.failure = p.runs_string || p.parent ? Outcome(1, Flow::exit) : Outcome(1, Flow::discard, 1);
}

// ${x?word}, set -u, ${x@Z}: a shell that is not interactive ends. The status
// is 127 for the text of -c, 1 for a script and in a subshell.
inline void fail_exit(Process& p) {
  p.failure = Outcome(p.runs_string && !p.parent ? 127 : 1, Flow::exit);
}

}  // namespace nacre::interp
