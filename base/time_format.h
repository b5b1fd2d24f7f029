// Texts of times: strftime as GNU date has it (flags _ - 0 + ^ #, widths, %N,
// %:z), in the C locale.
#pragma once

#include <string>
#include <string_view>

#include "base/time_zone.h"

namespace nacre::base {

// `seconds` is what %s prints.
void append_time(std::string& out, std::string_view format, const CivilTime& time,
                 int64_t seconds);

}  // namespace nacre::base
