// %(FORMAT)T of printf.
#pragma once

#include <string>
#include <string_view>

#include "interp/process.h"

namespace nacre::builtins {

// `seconds` since the epoch in the time zone of TZ; -1 is now, -2 the start of
// the shell.
void append_printf_time(interp::Process& p, std::string& out, std::string_view format,
                        int64_t seconds);

}  // namespace nacre::builtins
