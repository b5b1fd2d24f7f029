#include "base/time_zone.h"

#include <algorithm>
#include <array>

namespace nacre::base {

namespace {

constexpr int64_t kDay = 86'400;
constexpr std::array<std::array<int16_t, 13>, 2> kMonthStart = {{
    {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
    {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
}};

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }
int64_t floor_mod(int64_t a, int64_t b) { return a - floor_div(a, b) * b; }

// Days from 1970-01-01 to January 1st of a year.
int64_t days_to_year(int64_t year) {
  int64_t y = year - 1;
  return 365 * (year - 1970) + (floor_div(y, 4) - 492) - (floor_div(y, 100) - 19) +
         (floor_div(y, 400) - 4);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// hh[:mm[:ss]]; false when there is no number. As sscanf's %hu, numbers wrap at
// 16 bits.
bool read_hms(std::string_view& s, uint16_t& hours, uint16_t& minutes, uint16_t& seconds) {
  uint16_t* const fields[] = {&hours, &minutes, &seconds};
  for (int k = 0; k < 3; ++k) {
    std::string_view rest = s;
    if (k > 0) {
      if (!rest.starts_with(':')) return true;
      rest.remove_prefix(1);
    }
    if (rest.empty() || !is_digit(rest[0])) return k > 0;
    uint16_t n = 0;
    while (!rest.empty() && is_digit(rest[0])) {
      n = static_cast<uint16_t>(n * 10 + (rest[0] - '0'));
      rest.remove_prefix(1);
    }
    *fields[k] = n;
    s = rest;
  }
  return true;
}

// A number of up to five digits at the front of s.
std::optional<int> read_small(std::string_view& s) {
  size_t n = 0;
  int value = 0;
  while (n < s.size() && is_digit(s[n])) {
    if (n >= 5) return std::nullopt;
    value = value * 10 + (s[n++] - '0');
  }
  if (n == 0) return std::nullopt;
  s.remove_prefix(n);
  return value;
}

}  // namespace

bool is_leap_year(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int64_t days_to_month(int64_t year, int64_t month) {
  year += floor_div(month, 12);
  return days_to_year(year) + kMonthStart[is_leap_year(year)][floor_mod(month, 12)];
}

bool TimeZone::read_name(std::string_view& tz, Rule& rule) {
  size_t n = 0;
  while (n < tz.size() && is_letter(tz[n])) ++n;
  if (n >= 3) {
    rule.name = tz.substr(0, n);
    tz.remove_prefix(n);
    return true;
  }
  if (n != 0 || !tz.starts_with('<')) return false;
  n = 1;
  while (n < tz.size() && (is_letter(tz[n]) || is_digit(tz[n]) || tz[n] == '+' || tz[n] == '-')) ++n;
  if (n < 4 || n >= tz.size() || tz[n] != '>') return false;
  rule.name = tz.substr(1, n - 1);
  tz.remove_prefix(n + 1);
  return true;
}

bool TimeZone::read_offset(std::string_view& tz, int which) {
  bool has_sign = !tz.empty() && (tz[0] == '+' || tz[0] == '-');
  if (which == 0 && !has_sign && (tz.empty() || !is_digit(tz[0]))) return false;
  int sign = -1;
  if (has_sign) {
    if (tz[0] == '-') sign = 1;
    tz.remove_prefix(1);
  }
  uint16_t hours = 0, minutes = 0, seconds = 0;
  if (read_hms(tz, hours, minutes, seconds)) {
    int32_t offset = std::min<int>(hours, 24) * 3600 + std::min<int>(minutes, 59) * 60 +
                     std::min<int>(seconds, 59);
    (which == 0 ? standard_ : daylight_).offset = sign * offset;
  } else if (which == 0) {
    return false;
  } else {
    daylight_.offset = standard_.offset + 3600;
  }
  return true;
}

// When a half of the year begins: Jn, n or Mm.w.d, each with /time.
bool TimeZone::read_rule(std::string_view& tz, Rule& rule, int which) {
  if (tz.starts_with(',')) tz.remove_prefix(1);
  if (tz.empty()) {
    // What holds in the United States.
    rule.kind = RuleKind::month;
    rule.month = which == 0 ? 3 : 11;
    rule.week = which == 0 ? 2 : 1;
    rule.day = 0;
  } else if (tz[0] == 'J' || is_digit(tz[0])) {
    rule.kind = tz[0] == 'J' ? RuleKind::julian : RuleKind::day_of_year;
    if (tz[0] == 'J') tz.remove_prefix(1);
    auto day = read_small(tz);
    if (!day || *day > 365 || (rule.kind == RuleKind::julian && *day == 0)) return false;
    rule.day = *day;
  } else if (tz[0] == 'M') {
    rule.kind = RuleKind::month;
    tz.remove_prefix(1);
    int* const fields[] = {&rule.month, &rule.week, &rule.day};
    for (int k = 0; k < 3; ++k) {
      if (k > 0) {
        if (!tz.starts_with('.')) return false;
        tz.remove_prefix(1);
      }
      auto n = read_small(tz);
      if (!n) return false;
      *fields[k] = *n;
    }
    if (rule.month < 1 || rule.month > 12 || rule.week < 1 || rule.week > 5 || rule.day > 6) {
      rule.month = 1;  // Out of range, and the rule is refused.
      return false;
    }
  } else {
    return false;
  }
  rule.seconds = 2 * 3600;
  if (tz.empty() || tz[0] == ',') return true;
  if (tz[0] != '/') {
    rule.seconds = 0;
    return false;
  }
  tz.remove_prefix(1);
  if (tz.empty()) {
    rule.seconds = 0;
    return false;
  }
  bool negative = tz[0] == '-';
  if (negative) tz.remove_prefix(1);
  uint16_t hours = 2, minutes = 0, seconds = 0;
  read_hms(tz, hours, minutes, seconds);
  rule.seconds = (negative ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
  return true;
}

TimeZone TimeZone::from_tz(std::string_view tz) {
  TimeZone zone;
  if (tz.starts_with(':')) tz.remove_prefix(1);
  if (tz.empty()) return zone;
  for (std::string_view utc : {"Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT",
                               "Universal", "Zulu"})
    if (tz == utc) return zone;
  for (std::string_view gmt : {"Etc/GMT", "Etc/Greenwich", "Greenwich"})
    if (tz == gmt) tz = "GMT";
  zone.standard_ = zone.daylight_ = Rule{};
  if (!zone.read_name(tz, zone.standard_) || !zone.read_offset(tz, 0)) {
    zone.daylight_ = zone.standard_;
    return zone;
  }
  if (tz.empty()) {
    zone.daylight_ = zone.standard_;
    return zone;
  }
  if (zone.read_name(tz, zone.daylight_)) zone.read_offset(tz, 1);
  // What cannot be read leaves the rules at their zeros, as in glibc.
  if (read_rule(tz, zone.standard_, 0)) read_rule(tz, zone.daylight_, 1);
  return zone;
}

int64_t TimeZone::change_in(const Rule& rule, int64_t year) {
  // glibc counts from 1970 for all years before it, so that none of them has
  // a change.
  int64_t first_day = days_to_year(year);
  int64_t day = year > 1970 ? first_day : 0;
  bool leap = is_leap_year(year);
  switch (rule.kind) {
    case RuleKind::julian:
      day += rule.day - 1 + (rule.day >= 60 && leap);
      break;
    case RuleKind::day_of_year:
      day += rule.day;
      break;
    case RuleKind::month: {
      int month = std::clamp(rule.month, 1, 12) - 1;
      int first = kMonthStart[leap][month];
      int length = kMonthStart[leap][month + 1] - first;
      int64_t weekday = floor_mod(first_day + first + 4, 7);
      int64_t d = floor_mod(rule.day - weekday, 7);
      for (int i = 1; i < rule.week && d + 7 < length; ++i) d += 7;
      day += first + d;
      break;
    }
  }
  return day * kDay - rule.offset + rule.seconds;
}

TimeZone::Local TimeZone::at(int64_t seconds) const {
  bool dst = false;
  if (standard_.offset != daylight_.offset || standard_.name != daylight_.name) {
    // The year that UTC is in; within a day of its end one year is as good.
    int64_t year = 1970 + floor_div(floor_div(seconds, kDay), 366);
    while (days_to_year(year + 1) * kDay <= seconds) ++year;
    int64_t to_dst = change_in(standard_, year), to_standard = change_in(daylight_, year);
    dst = to_dst > to_standard ? !(seconds >= to_standard && seconds < to_dst)
                               : seconds >= to_dst && seconds < to_standard;
  }
  const Rule& rule = dst ? daylight_ : standard_;
  return {rule.offset, dst, rule.name};
}

bool civil_from_epoch(int64_t seconds, int32_t nanosecond, const TimeZone& zone, CivilTime& out) {
  // The years of an int, with a year to spare for offsets.
  constexpr int64_t kMaxSeconds = (int64_t{INT32_MAX} + 1'000) * 366 * kDay;
  if (seconds > kMaxSeconds || seconds < -kMaxSeconds) return false;
  TimeZone::Local local = zone.at(seconds);
  int64_t shifted = seconds + local.offset;
  int64_t days = floor_div(shifted, kDay);
  int64_t rest = floor_mod(shifted, kDay);
  // 400 years are 146097 days.
  int64_t cycles = floor_div(days, 146'097);
  int64_t in_cycle = floor_mod(days, 146'097);
  int64_t year = 1970 + in_cycle / 366;
  while (days_to_year(year + 1) <= in_cycle) ++year;
  int yearday = static_cast<int>(in_cycle - days_to_year(year));
  year += cycles * 400;
  if (year - 1900 > INT32_MAX || year - 1900 < INT32_MIN) return false;
  const auto& months = kMonthStart[is_leap_year(year)];
  int month = 0;
  while (months[month + 1] <= yearday) ++month;
  out.year = year;
  out.month = month;
  out.day = yearday - months[month] + 1;
  out.hour = static_cast<int>(rest / 3600);
  out.minute = static_cast<int>(rest / 60 % 60);
  out.second = static_cast<int>(rest % 60);
  out.weekday = static_cast<int>(floor_mod(days + 4, 7));
  out.yearday = yearday;
  out.nanosecond = nanosecond;
  out.offset = local.offset;
  out.is_dst = local.is_dst;
  out.zone = local.name;
  return true;
}

std::optional<int64_t> epoch_from_civil(const CivilTime& civil, const TimeZone& zone) {
  constexpr int64_t kMaxYear = int64_t{INT32_MAX} + 2'000;
  if (civil.year > kMaxYear || civil.year < -kMaxYear) return std::nullopt;
  int64_t days = days_to_month(civil.year, civil.month) + civil.day - 1;
  int64_t wall = days * kDay + int64_t{civil.hour} * 3600 + int64_t{civil.minute} * 60 +
                 civil.second;
  // The offsets in force around the moment are the candidates. glibc begins
  // with the one that holds when the wall clock is read as UTC.
  for (int64_t around : {wall, wall - kDay, wall + kDay}) {
    int64_t t = wall - zone.at(around).offset;
    if (zone.at(t).offset + t == wall) return t;
  }
  return wall - zone.at(wall - kDay).offset;
}

}  // namespace nacre::base
