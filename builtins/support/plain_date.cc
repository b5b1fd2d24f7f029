#include "builtins/support/plain_date.h"

namespace nacre::builtins {

namespace {

// Days since 1970-01-01 in the proleptic Gregorian calendar.
int64_t days_before(int64_t year, int month, int day) {
  // Years start in March, so that the leap day is a year's last.
  year -= month <= 2;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t of_era = year - era * 400;
  int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t year_of(int64_t seconds) {
  int64_t days = (seconds >= 0 ? seconds : seconds - 86399) / 86400;
  int64_t year = 1970 + days / 365;
  while (days_before(year, 1, 1) > days) --year;
  while (days_before(year + 1, 1, 1) <= days) ++year;
  return year;
}

bool valid_date(int64_t year, int month, int day) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1) return false;
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return day <= kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

struct Scanner {
  std::string_view s;

  bool skip(char c) {
    if (s.empty() || s[0] != c) return false;
    s.remove_prefix(1);
    return true;
  }
  void blanks() {
    while (skip(' ') || skip('\t')) {
    }
  }
  // Exactly `digits` digits.
  bool number(size_t digits, int& value) {
    if (s.size() < digits) return false;
    value = 0;
    for (size_t i = 0; i < digits; ++i) {
      if (s[i] < '0' || s[i] > '9') return false;
      value = value * 10 + (s[i] - '0');
    }
    s.remove_prefix(digits);
    return true;
  }
  size_t digits() const {
    size_t n = 0;
    while (n < s.size() && s[n] >= '0' && s[n] <= '9') ++n;
    return n;
  }
  // Digits behind a point; what is beyond nanoseconds is dropped.
  bool fraction(int32_t& nanoseconds) {
    size_t n = digits();
    if (n == 0) return false;
    nanoseconds = 0;
    for (size_t i = 0; i < 9; ++i) nanoseconds = nanoseconds * 10 + (i < n ? s[i] - '0' : 0);
    s.remove_prefix(n);
    return true;
  }
};

std::optional<vfs::Timestamp> parse_epoch(Scanner in) {
  bool negative = in.skip('-');
  if (!negative) in.skip('+');
  size_t n = in.digits();
  if (n == 0 || n > 18) return std::nullopt;
  vfs::Timestamp t;
  for (size_t i = 0; i < n; ++i) t.sec = t.sec * 10 + (in.s[i] - '0');
  in.s.remove_prefix(n);
  if ((in.skip('.') || in.skip(',')) && !in.fraction(t.nsec)) return std::nullopt;
  in.blanks();
  if (!in.s.empty()) return std::nullopt;
  if (negative) {
    t.sec = -t.sec;
    if (t.nsec) {
      --t.sec;
      t.nsec = 1000000000 - t.nsec;
    }
  }
  return t;
}

// Z, UTC, GMT, +HH, +HHMM, +HH:MM; seconds east of Greenwich.
bool parse_offset(Scanner& in, int64_t& offset) {
  offset = 0;
  for (std::string_view name : {"Z", "z", "UTC", "GMT"}) {
    if (in.s != name) continue;
    in.s = {};
    return true;
  }
  bool east = in.skip('+');
  if (!east && !in.skip('-')) return false;
  int hours = 0, minutes = 0;
  if (!in.number(2, hours)) return false;
  if (in.skip(':') || !in.s.empty())
    if (!in.number(2, minutes)) return false;
  offset = (hours * 60 + minutes) * 60;
  if (!east) offset = -offset;
  return hours <= 24 && minutes < 60;
}

}  // namespace

std::optional<vfs::Timestamp> parse_stamp(std::string_view text, int64_t now) {
  Scanner in{text};
  int century = -1, yy = -1, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  size_t n = in.digits();
  if (n != 8 && n != 10 && n != 12) return std::nullopt;
  if (n == 12) in.number(2, century);
  if (n >= 10) in.number(2, yy);
  in.number(2, month);
  in.number(2, day);
  in.number(2, hour);
  in.number(2, minute);
  if (in.skip('.') && !in.number(2, second)) return std::nullopt;
  if (!in.s.empty()) return std::nullopt;
  int64_t year = yy < 0 ? year_of(now) : yy;
  if (century >= 0) year += century * 100;
  else if (yy >= 0) year += yy >= 69 ? 1900 : 2000;
  if (!valid_date(year, month, day) || hour > 23 || minute > 59 || second > 60)
    return std::nullopt;
  return vfs::Timestamp{days_before(year, month, day) * 86400 + hour * 3600 + minute * 60 + second,
                        0};
}

std::optional<vfs::Timestamp> parse_plain_date(std::string_view text, vfs::Timestamp now) {
  Scanner in{text};
  in.blanks();
  while (!in.s.empty() && (in.s.back() == ' ' || in.s.back() == '\t')) in.s.remove_suffix(1);
  if (in.s == "now") return now;
  if (in.skip('@')) return parse_epoch(in);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  int32_t nanoseconds = 0;
  size_t n = in.digits();
  if (n != 4 && n != 8) return std::nullopt;
  in.number(4, year);
  bool dashes = n == 4;
  if (dashes && !in.skip('-')) return std::nullopt;
  if (!in.number(2, month)) return std::nullopt;
  if (dashes && !in.skip('-')) return std::nullopt;
  if (!in.number(2, day) || in.digits() != 0) return std::nullopt;
  int64_t offset = 0;
  if (!in.s.empty()) {
    if (!in.skip('T') && !in.skip('t') && !in.skip(' ')) return std::nullopt;
    in.blanks();
    if (in.digits() > 0) {
      if (!in.number(2, hour)) return std::nullopt;
      bool colon = in.skip(':');
      if (!in.number(2, minute)) return std::nullopt;
      if (colon && in.skip(':')) {
        if (!in.number(2, second)) return std::nullopt;
        if ((in.skip('.') || in.skip(',')) && !in.fraction(nanoseconds)) return std::nullopt;
      }
      if (in.digits() > 0) return std::nullopt;
    }
    in.blanks();
    if (!in.s.empty() && !parse_offset(in, offset)) return std::nullopt;
    if (!in.s.empty()) return std::nullopt;
  }
  if (!valid_date(year, month, day) || hour > 23 || minute > 59 || second > 60)
    return std::nullopt;
  return vfs::Timestamp{
      days_before(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset,
      nanoseconds};
}

}  // namespace nacre::builtins
