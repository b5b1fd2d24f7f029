#include "builtins/date/parse_date.h"

#include <cstdlib>
#include <string>

#include "builtins/date/date_tokens.h"

namespace nacre::builtins {

namespace {

using Token = DateTokenValue;
using enum DateToken;

struct Relative {
  int64_t year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  int64_t nanosecond = 0;
};

class Parser {
 public:
  Parser(std::string_view text, vfs::Timestamp now, const base::TimeZone& zone)
      : scanner_(text, zone), zone_(zone), now_(now) {
    base::CivilTime t = zone.civil(now.sec, now.nsec);
    year_ = t.year;
    month_ = t.month;
    day_ = t.day;
    hour_ = t.hour;
    minute_ = t.minute;
    second_ = t.second;
    nanosecond_ = now.nsec;
    daylight_ = t.daylight;
  }

  std::optional<vfs::Timestamp> run() {
    if (!advance() || !advance()) return std::nullopt;
    if (token_.kind == character && token_.c == '@') return timestamp();
    while (token_.kind != end)
      if (!item()) return std::nullopt;
    return result();
  }

 private:
  // token_ is the current token, ahead_ the one behind it.
  bool advance() {
    token_ = ahead_;
    return scanner_.next(ahead_);
  }
  bool is_char(const Token& t, char c) const { return t.kind == character && t.c == c; }
  static bool is_unit(const Token& t) { return t.kind >= unit_year && t.kind <= unit_second; }

  std::optional<vfs::Timestamp> timestamp() {
    if (!advance()) return std::nullopt;
    Token t = token_;
    if (t.kind < unsigned_number || t.kind > signed_decimal) return std::nullopt;
    if (!advance() || token_.kind != end) return std::nullopt;
    return vfs::Timestamp{t.value, t.nanosecond};
  }

  bool item() {
    switch (token_.kind) {
      case unsigned_number: return number_item();
      case signed_number: case signed_decimal: return relative_number();
      case unsigned_decimal: return relative_number();
      case month: return month_item();
      case day:
        set_weekday(0);
        if (!advance()) return false;
        return !is_char(token_, ',') || advance();
      case ordinal: {
        int64_t n = token_.value;
        if (!advance()) return false;
        if (token_.kind == day) {
          set_weekday(n);
          return advance();
        }
        return is_unit(token_) && relative_unit(n, 0);
      }
      case local_zone:
        ++zones_;
        local_zone_ = true;
        local_daylight_ = token_.value ? 1 : 0;
        if (!advance()) return false;
        if (token_.kind != dst) return true;
        local_daylight_ = 1;
        return advance();
      case zone: return zone_item();
      case daylight_zone:
        ++zones_;
        offset_ = static_cast<int32_t>(token_.value + 60) * 60;
        has_offset_ = true;
        return advance();
      case unit_year: case unit_month: case unit_day: case unit_hour: case unit_minute:
      case unit_second:
        return relative_unit(1, 0);
      case day_shift:
        ++relatives_;
        if (!add(relative_.day, token_.value, 1)) return false;
        return advance();
      case character:
        return token_.c == 'T' && zone_item();
      default: return false;
    }
  }

  void set_weekday(int64_t ordinal) {
    ++weekdays_;
    weekday_ordinal_ = ordinal;
    weekday_ = static_cast<int>(token_.value);
  }

  bool zone_item() {
    ++zones_;
    has_offset_ = true;
    offset_ = static_cast<int32_t>(token_.value) * 60;
    bool letter_t = token_.kind == character;
    if (!advance()) return false;
    if (token_.kind == dst && !letter_t) {
      offset_ += 3600;
      return advance();
    }
    if (token_.kind != signed_number) return true;
    if (is_unit(ahead_)) return relative_number();
    if (letter_t) return true;
    // UTC+3, UTC+5:30
    int32_t more;
    if (!zone_offset(more)) return false;
    offset_ += more;
    return true;
  }

  // +hh, +hhmm, +hh:mm; the current token is the signed number.
  bool zone_offset(int32_t& seconds) {
    Token t = token_;
    if (!advance()) return false;
    int64_t minutes;
    if (is_char(token_, ':')) {
      if (!advance() || token_.kind != unsigned_number) return false;
      if (t.value > 1000 || t.value < -1000 || token_.value > 1000) return false;
      minutes = t.value * 60 + (t.negative ? -token_.value : token_.value);
      if (!advance()) return false;
    } else {
      if (t.value > 100000 || t.value < -100000) return false;
      int64_t v = t.digits <= 2 ? t.value * 100 : t.value;
      minutes = v / 100 * 60 + v % 100;
    }
    if (minutes > 24 * 60 || minutes < -24 * 60) return false;
    seconds = static_cast<int32_t>(minutes) * 60;
    return true;
  }

  // An item that starts with a number without a sign.
  bool number_item() {
    Token n = token_;
    if (!advance()) return false;
    switch (token_.kind) {
      case meridian: return set_time(n.value, 0, 0, 0, true);
      case character:
        if (token_.c == ':') return clock_time(n);
        if (token_.c == '/') return slashed_date(n);
        break;
      case day:
        set_weekday(n.value);
        return advance();
      case month: return day_month(n);
      case signed_number: {
        if (is_unit(ahead_)) {
          if (!bare_number(n)) return false;
          return relative_number();
        }
        if (ahead_.kind == signed_number) return iso_date(n);
        // An hour with a zone.
        ++times_;
        hour_ = n.value;
        minute_ = second_ = 0;
        nanosecond_ = 0;
        meridian_ = 2;
        return zone_after_time();
      }
      default:
        if (is_unit(token_)) return relative_unit(n.value, 0);
    }
    return bare_number(n);
  }

  bool zone_after_time() {
    ++zones_;
    has_offset_ = true;
    return zone_offset(offset_);
  }

  // A number that stands alone: a year, a date or a time, by its length.
  bool bare_number(const Token& n) {
    if (dates_ && year_digits_ == 0 && !relatives_ && (times_ || n.digits > 2)) {
      year_ = n.value;
      year_digits_ = n.digits;
      return true;
    }
    if (n.digits > 4) {
      ++dates_;
      day_ = n.value % 100;
      month_ = n.value / 100 % 100;
      year_ = n.value / 10000;
      year_digits_ = n.digits - 4;
      return true;
    }
    ++times_;
    hour_ = n.digits <= 2 ? n.value : n.value / 100;
    minute_ = n.digits <= 2 ? 0 : n.value % 100;
    second_ = 0;
    nanosecond_ = 0;
    meridian_ = 2;
    return true;
  }

  bool set_time(int64_t h, int64_t m, int64_t s, int32_t ns, bool take_meridian) {
    ++times_;
    hour_ = h;
    minute_ = m;
    second_ = s;
    nanosecond_ = ns;
    meridian_ = 2;
    if (!take_meridian || token_.kind != meridian) return true;
    meridian_ = static_cast<int>(token_.value);
    return advance();
  }

  // hh:mm[:ss[.frac]] with AM/PM or a zone; the current token is the colon.
  bool clock_time(const Token& h) {
    if (!advance() || token_.kind != unsigned_number) return false;
    int64_t m = token_.value, s = 0;
    int32_t ns = 0;
    if (!advance()) return false;
    if (is_char(token_, ':')) {
      if (!advance()) return false;
      if (token_.kind != unsigned_number && token_.kind != unsigned_decimal) return false;
      s = token_.value;
      ns = token_.nanosecond;
      if (!advance()) return false;
    }
    bool with_meridian = token_.kind == meridian;
    if (!set_time(h.value, m, s, ns, true)) return false;
    return with_meridian || token_.kind != signed_number || zone_after_time();
  }

  bool slashed_date(const Token& first) {
    if (!advance() || token_.kind != unsigned_number) return false;
    Token second = token_;
    ++dates_;
    if (!advance()) return false;
    if (!is_char(token_, '/')) {
      month_ = first.value;
      day_ = second.value;
      return true;
    }
    if (!advance() || token_.kind != unsigned_number) return false;
    if (first.digits >= 4) {
      year_ = first.value;
      year_digits_ = first.digits;
      month_ = second.value;
      day_ = token_.value;
    } else {
      month_ = first.value;
      day_ = second.value;
      year_ = token_.value;
      year_digits_ = token_.digits;
    }
    return advance();
  }

  // 2 Jan, 2 Jan 2024, 2-jan-2024; the current token is the month.
  bool day_month(const Token& d) {
    ++dates_;
    day_ = d.value;
    month_ = token_.value;
    if (!advance()) return false;
    if (token_.kind == signed_number && !is_unit(ahead_)) {
      year_ = -token_.value;
      year_digits_ = token_.digits;
      return advance();
    }
    if (token_.kind == unsigned_number && followed_by_nothing_of_its_own()) {
      year_ = token_.value;
      year_digits_ = token_.digits;
      return advance();
    }
    return true;
  }

  // Whether the number at hand is a year behind a month: the grammar takes it
  // as one unless what follows makes a time, date or count of it.
  bool followed_by_nothing_of_its_own() const {
    if (is_unit(ahead_) || ahead_.kind == meridian || ahead_.kind == day) return false;
    return !is_char(ahead_, ':') && !is_char(ahead_, '/');
  }

  // Jan 2, Jan 2, 2024, jan-2-2024
  bool month_item() {
    ++dates_;
    month_ = token_.value;
    if (!advance()) return false;
    if (token_.kind == signed_number && ahead_.kind == signed_number) {
      day_ = -token_.value;
      if (!advance()) return false;
      year_ = -token_.value;
      year_digits_ = token_.digits;
      return advance();
    }
    if (token_.kind != unsigned_number) return false;
    day_ = token_.value;
    if (!advance()) return false;
    if (!is_char(token_, ',')) return true;
    if (!advance() || token_.kind != unsigned_number) return false;
    year_ = token_.value;
    year_digits_ = token_.digits;
    return advance();
  }

  // yyyy-mm-dd[Ttime]; the current token is -mm.
  bool iso_date(const Token& y) {
    ++dates_;
    year_ = y.value;
    year_digits_ = y.digits;
    month_ = -token_.value;
    if (!advance()) return false;
    day_ = -token_.value;
    if (!advance()) return false;
    if (!is_char(token_, 'T')) return true;
    if (ahead_.kind != unsigned_number) return true;
    if (!advance()) return false;
    Token h = token_;
    if (!advance()) return false;
    if (is_char(token_, ':')) return clock_time(h);
    if (token_.kind == signed_number) {
      if (!set_time(h.value, 0, 0, 0, false)) return false;
      return zone_after_time();
    }
    return false;
  }

  // +3 days, 1.5 seconds: the current token is the number.
  bool relative_number() {
    Token n = token_;
    if (!advance()) return false;
    bool decimal = n.kind == signed_decimal || n.kind == unsigned_decimal;
    if (!is_unit(token_) || (decimal && token_.kind != unit_second)) return false;
    return relative_unit(n.value, n.nanosecond);
  }

  static bool add(int64_t& target, int64_t amount, int64_t factor) {
    int64_t product;
    return !__builtin_mul_overflow(amount, factor, &product) &&
           !__builtin_add_overflow(target, product, &target);
  }

  // The current token is a unit; AGO behind it turns the sign.
  bool relative_unit(int64_t count, int32_t ns) {
    ++relatives_;
    Token unit = token_;
    if (!advance()) return false;
    int64_t sign = 1;
    if (token_.kind == ago) {
      sign = token_.value;
      if (!advance()) return false;
    }
    int64_t factor = unit.value * sign;
    switch (unit.kind) {
      case unit_year: return add(relative_.year, count, factor);
      case unit_month: return add(relative_.month, count, factor);
      case unit_day: return add(relative_.day, count, factor);
      case unit_hour: return add(relative_.hour, count, factor);
      case unit_minute: return add(relative_.minute, count, factor);
      default:
        relative_.nanosecond += sign * ns;
        return add(relative_.second, count, factor);
    }
  }

  int64_t hour24() const {
    switch (meridian_) {
      case 0: return hour_ > 0 && hour_ < 12 ? hour_ : hour_ == 12 ? 0 : -1;
      case 1: return hour_ > 0 && hour_ < 12 ? hour_ + 12 : hour_ == 12 ? 12 : -1;
      default: return hour_ >= 0 && hour_ < 24 ? hour_ : -1;
    }
  }

  std::optional<vfs::Timestamp> result() {
    if (times_ > 1 || dates_ > 1 || weekdays_ > 1 || zones_ > 1) return std::nullopt;
    int64_t year = year_;
    if (year < 0) year = -year;
    if (year_digits_ == 2) year += year < 69 ? 2000 : 1900;
    base::CivilTime t;
    constexpr int64_t kFar = int64_t{1} << 31;
    if (year > kFar || month_ > kFar || day_ > kFar || minute_ > kFar || second_ > kFar)
      return std::nullopt;
    t.year = year;
    t.month = static_cast<int>(month_);
    t.day = static_cast<int>(day_);
    int32_t ns = nanosecond_;
    if (times_ || (relatives_ && !dates_ && !weekdays_)) {
      int64_t hour = hour24();
      if (hour < 0) return std::nullopt;
      t.hour = static_cast<int>(hour);
      t.minute = static_cast<int>(minute_);
      t.second = static_cast<int>(second_);
    } else {
      t.hour = t.minute = t.second = 0;
      ns = 0;
    }
    int daylight = dates_ || weekdays_ || times_ ? -1 : daylight_;
    if (local_zone_) daylight = local_daylight_;
    // Out of range is no date, and neither is a time that the clocks skip.
    if (t.month < 1 || t.month > 12 || t.day < 1 || t.day > base::days_in_month(year, t.month) ||
        t.minute > 59 || t.second > 59)
      return std::nullopt;
    std::optional<int64_t> start = zone_.seconds(t, daylight);
    if (!start) return std::nullopt;
    base::CivilTime there = zone_.civil(*start);
    if (there.hour != t.hour || there.minute != t.minute || there.day != t.day) {
      // In the zone that was named it may exist all the same.
      if (!has_offset_) return std::nullopt;
    }

    bool moved = false;
    if (weekdays_ && !dates_) {
      int64_t days = (weekday_ - there.weekday + 7) % 7;
      int64_t weeks =
          weekday_ordinal_ - (weekday_ordinal_ > 0 && there.weekday != weekday_ ? 1 : 0);
      if (!add(days, weeks, 7)) return std::nullopt;
      int64_t day = t.day;
      if (!add(day, days, 1) || day > kFar || day < -kFar) return std::nullopt;
      t.day = static_cast<int>(day);
      daylight = -1;
      moved = true;
    }
    if (relative_.year || relative_.month || relative_.day) {
      if (moved) {
        if (!(start = zone_.seconds(t, daylight))) return std::nullopt;
        base::CivilTime at = zone_.civil(*start);
        t.year = at.year;
        t.month = at.month;
        t.day = at.day;
      }
      int64_t y = t.year, m = t.month, d = t.day;
      if (!add(y, relative_.year, 1) || !add(m, relative_.month, 1) ||
          !add(d, relative_.day, 1) || y > kFar || y < -kFar || m > kFar || m < -kFar ||
          d > (kFar - 1) || d < -kFar)
        return std::nullopt;
      t.year = y;
      t.month = static_cast<int>(std::min<int64_t>(m, kFar - 1));
      t.day = static_cast<int>(d);
      moved = true;
    }
    if (moved && !(start = zone_.seconds(t, there.daylight && daylight < 0 ? 1 : daylight)))
      return std::nullopt;
    int64_t seconds = *start;
    if (has_offset_ && !add(seconds, int64_t{zone_.civil(seconds).utc_offset} - offset_, 1))
      return std::nullopt;
    int64_t sub = ns + relative_.nanosecond % 1'000'000'000;
    int64_t carry = relative_.nanosecond / 1'000'000'000;
    if (sub < 0) {
      sub += 1'000'000'000;
      --carry;
    } else if (sub >= 1'000'000'000) {
      sub -= 1'000'000'000;
      ++carry;
    }
    if (!add(seconds, relative_.hour, 3600) || !add(seconds, relative_.minute, 60) ||
        !add(seconds, relative_.second, 1) || !add(seconds, carry, 1))
      return std::nullopt;
    // What no calendar can show is no date either.
    if (seconds > (int64_t{1} << 55) || seconds < -(int64_t{1} << 55)) return std::nullopt;
    return vfs::Timestamp{seconds, static_cast<int32_t>(sub)};
  }

  DateScanner scanner_;
  const base::TimeZone& zone_;
  vfs::Timestamp now_;
  Token token_, ahead_;

  int64_t year_, month_, day_, hour_, minute_, second_;
  int32_t nanosecond_;
  int year_digits_ = 0;
  int meridian_ = 2;  // 0 AM, 1 PM, 2 none
  bool daylight_;
  int dates_ = 0, times_ = 0, weekdays_ = 0, zones_ = 0, relatives_ = 0;
  int64_t weekday_ordinal_ = 0;
  int weekday_ = 0;
  bool has_offset_ = false, local_zone_ = false;
  int local_daylight_ = 0;
  int32_t offset_ = 0;
  Relative relative_;
};

}  // namespace

std::optional<vfs::Timestamp> parse_date(std::string_view text, vfs::Timestamp now,
                                         const base::TimeZone& zone) {
  auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && is_space(text[0])) text.remove_prefix(1);
  if (text.starts_with("TZ=\"")) {
    std::string name;
    size_t i = 4;
    for (; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\') {
        ++i;
        if (i >= text.size() || (text[i] != '\\' && text[i] != '"')) return std::nullopt;
      }
      name += text[i];
    }
    if (i >= text.size()) return std::nullopt;
    base::TimeZone named = base::TimeZone::parse(name);
    return Parser(text.substr(i + 1), now, named).run();
  }
  return Parser(text, now, zone).run();
}

}  // namespace nacre::builtins
