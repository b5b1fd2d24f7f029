// Broken-down time, and the time zones that POSIX's TZ strings describe.
//
// No file of the host is read: a TZ string is a rule ("EST5EDT,M3.2.0,M11.1.0",
// "<+03>-3"), a name for UTC, or a name that is not known. The last is UTC with
// the letters of the name as its abbreviation, as in the C library of a machine
// without zone files (TZ=Foo/Bar date +%Z gives Foo).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nacre::base {

struct CivilTime {
  int64_t year = 1970;
  int month = 0;  // 0 to 11
  int day = 1;    // 1 to 31
  int hour = 0, minute = 0, second = 0;
  int weekday = 4;  // 0 is Sunday
  int yearday = 0;  // 0 to 365
  int32_t nanosecond = 0;
  int32_t offset = 0;  // seconds east of UTC
  bool is_dst = false;
  std::string zone = "UTC";
};

class TimeZone {
 public:
  TimeZone() = default;  // UTC
  static TimeZone from_tz(std::string_view tz);

  struct Local {
    int32_t offset;
    bool is_dst;
    std::string_view name;
  };
  // What holds at a moment, in seconds since the epoch.
  Local at(int64_t seconds) const;

 private:
  enum class RuleKind : uint8_t { day_of_year, julian, month };
  // One half of the zone: its name and offset, and when it hands over to the
  // other half.
  struct Rule {
    std::string name;
    int32_t offset = 0;
    RuleKind kind = RuleKind::day_of_year;
    int month = 0, week = 0, day = 0;
    int32_t seconds = 0;
  };

  bool read_name(std::string_view& tz, Rule& rule);
  bool read_offset(std::string_view& tz, int which);
  static bool read_rule(std::string_view& tz, Rule& rule, int which);
  static int64_t change_in(const Rule& rule, int64_t year);

  Rule standard_{"UTC"}, daylight_{"UTC"};
};

bool is_leap_year(int64_t year);
// Days from 1970-01-01 to the first of a month; month may be any number, counted
// from January of `year` (0).
int64_t days_to_month(int64_t year, int64_t month);

// False when the year does not fit the C library's struct tm (an int counted
// from 1900), where the tools say that the time is out of range.
bool civil_from_epoch(int64_t seconds, int32_t nanosecond, const TimeZone& zone, CivilTime& out);

// The moment at which the clocks of the zone show the given year to second,
// fields out of range being carried over, as mktime(3) with tm_isdst = -1. In
// the hour that is skipped the offset before it counts on (date(1) refuses such
// times: compare with civil_from_epoch); in the hour that comes twice the first
// is meant west of Greenwich, the second east of it. nullopt when it does not
// fit.
std::optional<int64_t> epoch_from_civil(const CivilTime& civil, const TimeZone& zone);

}  // namespace nacre::base
