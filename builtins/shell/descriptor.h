// The descriptor that -u FD names (read, mapfile).
#pragma once

#include <string_view>

#include "interp/process.h"

namespace nacre::builtins {

// False after "NAME: x: invalid file descriptor specification" or
// "NAME: 9: invalid file descriptor: Bad file descriptor".
bool parse_descriptor(interp::Process& p, std::string_view builtin, std::string_view text, int& fd);

}  // namespace nacre::builtins
