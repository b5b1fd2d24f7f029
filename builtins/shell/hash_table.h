// The table of commands that the shell has found (`hash`).
#pragma once

#include <string>
#include <string_view>

#include "interp/process.h"

namespace nacre::builtins {

// The remembered path, counted as a hit; null when there is none.
const std::string* hashed_path(interp::Process& p, std::string_view name);
void remember_path(interp::Process& p, std::string_view name, std::string_view path);

}  // namespace nacre::builtins
