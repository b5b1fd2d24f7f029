// strftime(3) in the C locale over a CivilTime, with the flags and widths of
// GNU: %_d %-d %05d %^a %#Z %+4Y %3N %:z.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/format.h"
#include "base/time_zone.h"

namespace nacre::base {

enum class TimeDialect : uint8_t {
  gnu,   // gnulib's, as date, ls, stat and du use it
  libc,  // the C library's (bash's printf %(..)T, gawk): no %N %q %:z
};

// Appends the formatted time. Conversions that are not known are copied. The
// check is asked before long paddings are made; it throws what it throws.
void append_time(std::string& out, std::string_view format, const CivilTime& time,
                 TimeDialect dialect, LengthCheck check);

}  // namespace nacre::base
