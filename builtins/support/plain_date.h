// Points of time written as numbers: touch -t, and the ISO forms and @SECONDS
// of touch -d. Times without a zone are in UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vfs/types.h"

namespace nacre::builtins {

// [[CC]YY]MMDDhhmm[.ss]; `now` (seconds since the epoch) gives a missing year.
std::optional<vfs::Timestamp> parse_stamp(std::string_view text, int64_t now);

// "2024-01-02", "2024-01-02 03:04:05.25 +0100", "20240102T0304Z", "@17.5", "now".
std::optional<vfs::Timestamp> parse_plain_date(std::string_view text, vfs::Timestamp now);

}  // namespace nacre::builtins
