// Dates as people write them: date -d, touch -d, find -newermt.
//
// The grammar is that of gnulib's parse_datetime (info '(coreutils) Date input
// formats'): calendar dates, times of day, zones, weekdays, relative items,
// pure numbers, @seconds, TZ="..." in front. Items may come in any order; two
// dates, times, weekdays or zones are an error.
#pragma once

#include <optional>
#include <string_view>

#include "base/time_zone.h"
#include "vfs/types.h"

namespace nacre::builtins {

// What `text` means at `now` in `zone`; nullopt when it is no date.
std::optional<vfs::Timestamp> parse_date(std::string_view text, vfs::Timestamp now,
                                         const base::TimeZone& zone);

}  // namespace nacre::builtins
