// The backslash escapes of prompts (bash manual, 6.9), for ${x@P}. What they
// give is then expanded like text in double quotes, so values that come from
// the session (directories, names) are quoted against that.
#pragma once

#include <string>
#include <string_view>

#include "interp/process.h"

namespace nacre::interp {

void decode_prompt(Process& p, std::string_view text, std::string& out);

}  // namespace nacre::interp
