// Runs one case in a child process, so that a crash, a hang or a leak of
// memory is one failed case and not the end of the suite.
#pragma once

#include <functional>
#include <string>

namespace nacre::tests {

// Calls `body` in a forked child; gives what it returned, and a line more when
// the child died, did not end within `seconds`, or held more memory than any
// limit of the case allows (`max_resident` bytes; 0: not looked at).
std::string run_in_child(const std::function<std::string()>& body, int seconds,
                         int64_t max_resident);

}  // namespace nacre::tests
