// The table that `trap -l` and `kill -l` print.
#pragma once

#include <string>

namespace nacre::builtins {

// " 1) SIGHUP\t 2) SIGINT\t ..", five a line.
void append_signal_table(std::string& out);

}  // namespace nacre::builtins
