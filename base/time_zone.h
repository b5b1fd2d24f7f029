// Calendar time and time zones, without the C library's global TZ.
//
// A TimeZone is made from the text that a script has in TZ. Zones are known by
// their present rules: a name ("Europe/Paris") stands for the POSIX rule that
// holds there today, for all years.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nacre::base {

// A point of time in some zone. Months and days count from 1; weekday 0 is
// Sunday; yearday 0 is the first of January.
struct CivilTime {
  int64_t year = 1970;
  int month = 1, day = 1, hour = 0, minute = 0, second = 0;
  int32_t nanosecond = 0;
  int weekday = 4, yearday = 0;
  int32_t utc_offset = 0;      // seconds east of Greenwich
  bool daylight = false;
  std::string zone = "UTC";    // abbreviation
};

// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
int64_t days_from_civil(int64_t year, int month, int day);
bool is_leap_year(int64_t year);
int days_in_month(int64_t year, int month);

class TimeZone {
 public:
  // UTC.
  TimeZone() = default;
  // The meaning of TZ=text; "" is UTC, and so is what is no zone, under the
  // name that it begins with (as in glibc).
  static TimeZone parse(std::string_view text);

  // The calendar time of `seconds` since the epoch.
  CivilTime civil(int64_t seconds, int32_t nanosecond = 0) const;
  // Seconds since the epoch of year..second in this zone (fields may be out of
  // range, as for mktime). `daylight`: 1 summer time, 0 not, -1 what holds
  // then. nullopt when the year does not fit.
  std::optional<int64_t> seconds(const CivilTime& local, int daylight = -1) const;

  std::string_view standard_name() const { return standard_.name; }
  std::string_view daylight_name() const { return daylight_.name; }
  bool has_daylight() const { return has_daylight_; }

 private:
  struct Kind {
    std::string name = "UTC";
    int32_t offset = 0;
  };
  struct Change {
    enum class Form : uint8_t { julian, day_of_year, month_week } form = Form::month_week;
    int month = 0, week = 0, day = 0;
    int32_t time = 2 * 3600;
  };

  bool parse_posix(std::string_view s);
  int64_t change_at(const Change& change, int64_t year) const;
  bool is_daylight(int64_t seconds) const;

  Kind standard_, daylight_;
  bool has_daylight_ = false;
  Change start_, end_;
};

}  // namespace nacre::base
