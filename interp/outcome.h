// How a command ended: its status, and whether control goes on behind it.
#pragma once

#include <cstdint>

namespace nacre::interp {

enum class Flow : uint8_t {
  next,       // go on
  break_,     // leave `levels` loops
  continue_,  // leave levels-1 loops, then go on with the next iteration
  return_,    // leave the function or sourced file
  discard,    // drop the rest of the current complete command (an expansion
              // error: bash goes on with the next line)
  exit,       // end the process (shell or subshell)
};

struct Outcome {
  int32_t status = 0;
  Flow flow = Flow::next;
  uint16_t levels = 0;

  Outcome() = default;
  Outcome(int s) : status(s) {}
  Outcome(int s, Flow f, uint16_t n = 0) : status(s), flow(f), levels(n) {}
  bool unwinding() const { return flow != Flow::next; }
};

}  // namespace nacre::interp
