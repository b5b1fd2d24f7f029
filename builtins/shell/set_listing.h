// What `set` without arguments prints (and `declare` without options).
#pragma once

#include <string>

#include "interp/process.h"

namespace nacre::builtins {

// All variables that have a value, then (outside posix mode) all functions.
void append_set_listing(interp::Process& p, std::string& out);

}  // namespace nacre::builtins
