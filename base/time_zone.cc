#include "base/time_zone.h"

#include <algorithm>
#include <iterator>

namespace nacre::base {

namespace {

struct ZoneName {
  std::string_view name, rule;
};
constexpr ZoneName kZones[] = {
#include "base/zone_names.inc"
};

constexpr int64_t kDay = 86400;
// Beyond these the arithmetic below could overflow.
constexpr int64_t kMaxYear = int64_t{1} << 33;

constexpr int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The pieces of a POSIX TZ string.
class Scanner {
 public:
  explicit Scanner(std::string_view s) : s_(s) {}
  bool done() const { return at_ == s_.size(); }
  char peek() const { return done() ? '\0' : s_[at_]; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  bool name(std::string& out) {
    size_t start = at_;
    if (take('<')) {
      size_t close = s_.find('>', at_);
      if (close == s_.npos) return false;
      out = s_.substr(at_, close - at_);
      at_ = close + 1;
      return out.size() >= 3;
    }
    while (is_alpha(peek())) ++at_;
    out = s_.substr(start, at_ - start);
    return out.size() >= 3;
  }

  bool number(int& out, int max) {
    size_t start = at_;
    out = 0;
    for (; is_digit(peek()); ++at_) out = std::min(out * 10 + (peek() - '0'), 1 << 20);
    return at_ > start && out <= max;
  }

  // An offset: the same form as a time, cut to 24:59:59 as in glibc.
  bool offset(int32_t& out) {
    int sign = 1;
    if (take('-')) sign = -1;
    else take('+');
    constexpr int kAny = 1 << 20;
    int h, m = 0, s = 0;
    if (!number(h, kAny)) return false;
    if (take(':') && number(m, kAny) && take(':')) number(s, kAny);
    out = sign * (std::min(h, 24) * 3600 + std::min(m, 59) * 60 + std::min(s, 59));
    return true;
  }

  // [+-]hh[:mm[:ss]]
  bool time(int32_t& out) {
    int sign = 1;
    if (take('-')) sign = -1;
    else take('+');
    int h, m = 0, s = 0;
    if (!number(h, 167)) return false;
    if (take(':')) {
      if (!number(m, 59)) return false;
      if (take(':') && !number(s, 59)) return false;
    }
    out = sign * (h * 3600 + m * 60 + s);
    return true;
  }

 private:
  std::string_view s_;
  size_t at_ = 0;
};

}  // namespace

int64_t days_from_civil(int64_t year, int month, int day) {
  // Years begin in March here, so that the leap day is the last of one.
  year -= month <= 2;
  int64_t era = floor_div(year, 400);
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

bool is_leap_year(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in_month(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap_year(year) ? 29 : kDays[month - 1];
}

bool TimeZone::parse_posix(std::string_view s) {
  Scanner in(s);
  int32_t west;
  if (!in.name(standard_.name) || !in.offset(west)) return false;
  standard_.offset = -west;
  if (in.done()) return true;
  if (!in.name(daylight_.name)) return false;
  has_daylight_ = true;
  daylight_.offset = standard_.offset + 3600;
  if (!in.done() && in.peek() != ',') {
    if (!in.offset(west)) return false;
    daylight_.offset = -west;
  }
  // Without rules those of the United States hold.
  start_ = {Change::Form::month_week, 3, 2, 0};
  end_ = {Change::Form::month_week, 11, 1, 0};
  if (in.done()) return true;
  for (Change* change : {&start_, &end_}) {
    if (!in.take(',')) return false;
    *change = {};
    if (in.take('M')) {
      if (!in.number(change->month, 12) || !in.take('.') || !in.number(change->week, 5) ||
          !in.take('.') || !in.number(change->day, 6) || change->month < 1 || change->week < 1)
        return false;
    } else {
      change->form = in.take('J') ? Change::Form::julian : Change::Form::day_of_year;
      if (!in.number(change->day, 365)) return false;
    }
    if (in.take('/') && !in.time(change->time)) return false;
  }
  return in.done();
}

TimeZone TimeZone::parse(std::string_view text) {
  TimeZone zone;
  if (text.starts_with(':')) text.remove_prefix(1);
  if (text.empty()) return zone;
  auto row = std::lower_bound(std::begin(kZones), std::end(kZones), text,
                              [](const ZoneName& z, std::string_view t) { return z.name < t; });
  if (row != std::end(kZones) && row->name == text) {
    zone.parse_posix(row->rule);
    return zone;
  }
  if (zone.parse_posix(text)) return zone;
  // As glibc: UTC under the letters that the text starts with.
  TimeZone utc;
  size_t n = 0;
  while (n < text.size() && is_alpha(text[n])) ++n;
  utc.standard_.name = n >= 3 ? text.substr(0, n) : std::string_view();
  return utc;
}

// Seconds since the epoch, in the time that is in force before the change.
int64_t TimeZone::change_at(const Change& change, int64_t year) const {
  int64_t first = days_from_civil(year, 1, 1);
  int64_t day = first;
  switch (change.form) {
    case Change::Form::julian:
      // The leap day is not counted.
      day = first + change.day - 1 + (is_leap_year(year) && change.day >= 60);
      break;
    case Change::Form::day_of_year:
      day = first + change.day;
      break;
    case Change::Form::month_week: {
      day = days_from_civil(year, change.month, 1);
      int64_t weekday = (day % 7 + 11) % 7;
      int64_t shift = (change.day - weekday + 7) % 7 + 7 * (change.week - 1);
      while (shift >= days_in_month(year, change.month)) shift -= 7;
      day += shift;
      break;
    }
  }
  return day * kDay + change.time;
}

bool TimeZone::is_daylight(int64_t seconds) const {
  if (!has_daylight_) return false;
  // The year in standard time will do: changes are not at its edges but in
  // zones where both rules agree there.
  int64_t local = seconds + standard_.offset;
  int64_t days = floor_div(local, kDay) + 719468;
  int64_t era = floor_div(days, 146097);
  int64_t in_era = days - era * 146097;
  int64_t year_of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  int64_t day_of_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t year = year_of_era + era * 400 + (day_of_year >= 306);
  int64_t begin = change_at(start_, year) - standard_.offset;
  int64_t end = change_at(end_, year) - daylight_.offset;
  if (begin < end) return seconds >= begin && seconds < end;
  return seconds >= begin || seconds < end;
}

CivilTime TimeZone::civil(int64_t seconds, int32_t nanosecond) const {
  CivilTime t;
  t.daylight = is_daylight(seconds);
  const Kind& kind = t.daylight ? daylight_ : standard_;
  t.utc_offset = kind.offset;
  t.zone = kind.name;
  t.nanosecond = nanosecond;
  int64_t local = seconds + kind.offset;
  int64_t day = floor_div(local, kDay);
  int64_t rest = local - day * kDay;
  t.hour = static_cast<int>(rest / 3600);
  t.minute = static_cast<int>(rest / 60 % 60);
  t.second = static_cast<int>(rest % 60);
  t.weekday = static_cast<int>(((day + 4) % 7 + 7) % 7);
  int64_t shifted = day + 719468;
  int64_t era = floor_div(shifted, 146097);
  int64_t in_era = shifted - era * 146097;
  int64_t year_of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  int64_t day_of_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t m = (5 * day_of_year + 2) / 153;
  t.day = static_cast<int>(day_of_year - (153 * m + 2) / 5 + 1);
  t.month = static_cast<int>(m < 10 ? m + 3 : m - 9);
  t.year = year_of_era + era * 400 + (t.month <= 2);
  t.yearday = static_cast<int>(day - days_from_civil(t.year, 1, 1));
  return t;
}

std::optional<int64_t> TimeZone::seconds(const CivilTime& local, int daylight) const {
  int64_t month0 = int64_t{local.month} - 1;
  int64_t year = local.year + floor_div(month0, 12);
  if (year > kMaxYear || year < -kMaxYear) return std::nullopt;
  int month = static_cast<int>(month0 - floor_div(month0, 12) * 12) + 1;
  int64_t wall = (days_from_civil(year, month, 1) + local.day - 1) * kDay +
                 int64_t{local.hour} * 3600 + int64_t{local.minute} * 60 + local.second;
  if (!has_daylight_) return wall - standard_.offset;
  int64_t as_standard = wall - standard_.offset, as_daylight = wall - daylight_.offset;
  bool standard_fits = !is_daylight(as_standard), daylight_fits = is_daylight(as_daylight);
  if (daylight == 1 && daylight_fits) return as_daylight;
  if (daylight == 0 && standard_fits) return as_standard;
  if (daylight_fits && daylight != 0) return as_daylight;
  if (standard_fits) return as_standard;
  if (daylight_fits) return as_daylight;
  return as_standard;  // a time that the clocks skip
}

}  // namespace nacre::base
