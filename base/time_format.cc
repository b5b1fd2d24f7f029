#include "base/time_format.h"

#include <algorithm>
#include <cstdlib>

#include "base/numbers.h"

namespace nacre::base {

namespace {

constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};

// What stands between % and the letter.
struct Conversion {
  char pad = 0;        // one of _ - 0 +
  bool upper = false;  // ^
  bool change_case = false;  // #
  int width = -1;
  char modifier = 0;   // E or O
};

struct IsoWeek {
  int64_t year;
  int week;
};

// Days of ISO 8601's first week before `yearday`; negative before it.
int iso_week_days(int yearday, int weekday) {
  int big = 3 * 7;  // enough to keep the dividend of % positive
  return yearday - (yearday - weekday + 4 + big) % 7 + 4 - 1;
}

IsoWeek iso_week(const CivilTime& t) {
  int64_t year = t.year;
  int days = iso_week_days(t.yearday, t.weekday);
  if (days < 0) {
    --year;
    days = iso_week_days(t.yearday + (is_leap_year(year) ? 366 : 365), t.weekday);
  } else {
    int next = iso_week_days(t.yearday - (is_leap_year(year) ? 366 : 365), t.weekday);
    if (next >= 0) {
      ++year;
      days = next;
    }
  }
  return {year, days / 7 + 1};
}

class Formatter {
 public:
  Formatter(std::string& out, const CivilTime& t, TimeDialect dialect, LengthCheck check)
      : out_(out), t_(t), gnu_(dialect == TimeDialect::gnu), check_(check) {}

  // `outer` gives case and year padding to what a composed conversion is made of.
  void format(std::string_view f, bool upper, char year_pad, int year_width);

 private:
  size_t read_conversion(std::string_view f, size_t i, Conversion& c);
  bool convert_modified(char letter, const Conversion& c);
  bool convert(char letter, std::string_view f, size_t& i, Conversion& c);
  void text(std::string_view s, const Conversion& c, bool upper, bool lower = false);
  void number(int digits, bool negative, uint64_t value, Conversion c, bool sign = false,
              unsigned colons = 0);
  void yearish(int digits, bool negative, uint64_t value, Conversion c);
  void composed(std::string_view f, const Conversion& c, TimeDialect dialect = TimeDialect::libc,
                char year_pad = 0, int year_width = -1);
  void nanoseconds(Conversion c);
  bool zone_offset(int colons, const Conversion& c);
  void pad(int64_t n, char c) {
    if (n <= 0) return;
    check_(n);
    out_.append(static_cast<size_t>(n), c);
  }
  int hour12() const { return t_.hour % 12 == 0 ? 12 : t_.hour % 12; }

  std::string& out_;
  const CivilTime& t_;
  bool gnu_;
  LengthCheck check_;
  bool outer_upper_ = false;
  char year_pad_ = 0;
  int year_width_ = -1;
};

void Formatter::text(std::string_view s, const Conversion& c, bool upper, bool lower) {
  // In the C library - stops only the padding of numbers.
  if ((c.pad != '-' || !gnu_) && c.width > 0)
    pad(c.width - static_cast<int64_t>(s.size()), c.pad == '0' || c.pad == '+' ? '0' : ' ');
  for (char ch : s) {
    if (lower && ch >= 'A' && ch <= 'Z') ch |= 0x20;
    else if (upper && ch >= 'a' && ch <= 'z') ch &= ~0x20;
    out_ += ch;
  }
}

// The bits of `colons` say before which digits, from the right, a colon stands.
void Formatter::number(int digits, bool negative, uint64_t value, Conversion c, bool sign,
                       unsigned colons) {
  char buf[48];
  char* p = buf + sizeof buf;
  do {
    if (colons & 1) *--p = ':';
    colons >>= 1;
    *--p = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0 || colons != 0);
  std::string_view text(p, buf + sizeof buf - p);
  if (c.pad == 0) c.pad = '0';
  // In the C library the width can only add to the usual number of digits.
  int width = c.width < 0 ? digits : gnu_ || c.pad == '-' ? c.width : std::max(c.width, digits);
  char sign_char = negative ? '-' : sign ? '+' : 0;
  int64_t padding = width - (sign_char != 0) - static_cast<int64_t>(text.size());
  if (c.pad == '-' && (gnu_ || c.width < 0)) padding = 0;
  bool spaces = c.pad == '_' || c.pad == '-';
  if (spaces) pad(padding, ' ');
  if (sign_char) out_ += sign_char;
  if (!spaces) pad(padding, '0');
  out_ += text;
}

void Formatter::yearish(int digits, bool negative, uint64_t value, Conversion c) {
  if (!gnu_) return number(1, negative, value, c);
  if (c.pad == 0) c.pad = year_pad_;
  bool sign = c.pad == '+' && ((digits == 2 ? 99u : 9999u) < value || digits < c.width);
  number(digits, negative, value, c, sign);
}

// %D, %F and so on: the pieces are formatted on their own, then padded.
void Formatter::composed(std::string_view f, const Conversion& c, TimeDialect dialect,
                         char year_pad, int year_width) {
  std::string inner;
  Formatter formatter(inner, t_, dialect, check_);
  formatter.format(f, c.upper || outer_upper_, year_pad, year_width);
  text(inner, c, c.upper || outer_upper_);
}

void Formatter::nanoseconds(Conversion c) {
  constexpr int kDigits = 9;
  int n = t_.nanosecond;
  int width = c.width <= 0 ? kDigits : c.width;
  int digits = kDigits;
  while (width < digits || (digits > 1 && n % 10 == 0)) {
    --digits;
    n /= 10;
  }
  char buf[kDigits];
  for (int i = digits; i > 0; --i) {
    buf[i - 1] = static_cast<char>('0' + n % 10);
    n /= 10;
  }
  out_.append(buf, static_cast<size_t>(digits));
  if (c.pad != '-') pad(width - digits, c.pad == '_' ? ' ' : '0');
}

bool Formatter::zone_offset(int colons, const Conversion& c) {
  int diff = t_.offset;
  bool negative = diff < 0 || (diff == 0 && t_.zone.starts_with('-'));
  auto magnitude = static_cast<unsigned>(std::abs(diff));
  unsigned hours = magnitude / 3600, minutes = magnitude / 60 % 60, seconds = magnitude % 60;
  // As short as it can be.
  if (colons == 3) colons = seconds ? 2 : minutes ? 1 : 3;
  switch (colons) {
    case 0:
      if (gnu_) {
        number(5, negative, hours * 100 + minutes, c, true);
      } else {
        text(negative ? "-" : "+", c, false);
        number(4, false, hours * 100 + minutes, c);
      }
      return true;
    case 1: number(6, negative, hours * 100 + minutes, c, true, 04); return true;
    case 2:
      number(9, negative, hours * 10000 + minutes * 100 + seconds, c, true, 024);
      return true;
    case 3: number(3, negative, hours, c, true); return true;
    default: return false;
  }
}

// Reads flags, width and modifier; the place of the letter.
size_t Formatter::read_conversion(std::string_view f, size_t i, Conversion& c) {
  for (;; ++i) {
    char ch = i < f.size() ? f[i] : '\0';
    if (ch == '_' || ch == '-' || ch == '0' || (ch == '+' && gnu_)) c.pad = ch;
    else if (ch == '^') c.upper = true;
    else if (ch == '#') c.change_case = true;
    else break;
  }
  if (i < f.size() && f[i] >= '0' && f[i] <= '9') {
    int64_t width = 0;
    for (; i < f.size() && f[i] >= '0' && f[i] <= '9'; ++i)
      width = std::min<int64_t>(INT32_MAX, width * 10 + (f[i] - '0'));
    c.width = static_cast<int>(width);
  }
  if (i < f.size() && (f[i] == 'E' || f[i] == 'O')) c.modifier = f[i++];
  return i;
}

// Writes one conversion whose letter is at f[i]; may move i (for %:z). False
// when it is not one.
bool Formatter::convert(char letter, std::string_view f, size_t& i, Conversion& c) {
  bool e = c.modifier == 'E', o = c.modifier == 'O';
  bool upper = c.upper || outer_upper_;
  const int64_t year = t_.year;
  auto u = [](int64_t v) { return static_cast<uint64_t>(v < 0 ? -v : v); };
  auto two_digits = [&](int64_t y) {
    if (gnu_) yearish(2, false, u(y) % 100, c);
    else number(2, false, static_cast<uint64_t>((y % 100 + 100) % 100), c);
  };
  auto spaced = [&] {
    if (c.pad == 0) c.pad = '_';
    return c;
  };
  switch (letter) {
    case 'a':
    case 'A':
      if (c.modifier) return false;
      text(letter == 'a' ? kDays[t_.weekday].substr(0, 3) : kDays[t_.weekday], c,
           upper || c.change_case);
      return true;
    case 'b':
    case 'h':
    case 'B':
      if (e) return false;
      text(letter == 'B' ? kMonths[t_.month] : kMonths[t_.month].substr(0, 3), c,
           upper || c.change_case);
      return true;
    case 'c':
      if (o) return false;
      composed("%a %b %e %H:%M:%S %Y", c);
      return true;
    case 'C': {
      // The C library's century is rounded down, gnulib's towards zero.
      int64_t century = year / 100 - (!gnu_ && year % 100 < 0);
      yearish(2, year < 0, u(century), c);
      return true;
    }
    case 'x':
      if (o) return false;
      composed("%m/%d/%y", c);
      return true;
    case 'D':
      if (c.modifier) return false;
      composed("%m/%d/%y", c, gnu_ ? TimeDialect::gnu : TimeDialect::libc, c.pad);
      return true;
    case 'd':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(t_.day), c);
      return true;
    case 'e':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(t_.day), spaced());
      return true;
    case 'F': {
      if (c.modifier) return false;
      if (!gnu_) {
        composed("%Y-%m-%d", c);
        return true;
      }
      char year_pad = c.pad;
      int year_width;
      if (c.pad == 0 && c.width < 0) {
        year_pad = '+';
        year_width = 4;
      } else {
        year_width = std::max(0, c.width - 6);
      }
      composed("%Y-%m-%d", c, TimeDialect::gnu, year_pad, year_width);
      return true;
    }
    case 'H':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(t_.hour), c);
      return true;
    case 'I':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(hour12()), c);
      return true;
    case 'k':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(t_.hour), spaced());
      return true;
    case 'l':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(hour12()), spaced());
      return true;
    case 'j':
      if (e) return false;
      number(3, false, static_cast<uint64_t>(t_.yearday + 1), c);
      return true;
    case 'm':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(t_.month + 1), c);
      return true;
    case 'M':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(t_.minute), c);
      return true;
    case 'n':
      text("\n", c, false);
      return true;
    case 'N':
      if (!gnu_ || e) return false;
      nanoseconds(c);
      return true;
    case 'p':
    case 'P':
      text(t_.hour >= 12 ? "PM" : "AM", c, upper && !c.change_case,
           letter == 'P' || c.change_case);
      return true;
    case 'q':
      if (!gnu_) return false;
      number(1, false, static_cast<uint64_t>(t_.month / 3 + 1), c);
      return true;
    case 'r':
      composed("%I:%M:%S %p", c);
      return true;
    case 'R':
      composed("%H:%M", c);
      return true;
    case 's': {
      int64_t days = days_to_month(t_.year, t_.month) + t_.day - 1;
      int64_t seconds = days * 86'400 + t_.hour * 3600 + t_.minute * 60 + t_.second - t_.offset;
      if (!gnu_ && c.pad == 0) c.pad = '_';
      number(1, seconds < 0, u(seconds), c);
      return true;
    }
    case 'S':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(t_.second), c);
      return true;
    case 't':
      text("\t", c, false);
      return true;
    case 'X':
      if (o) return false;
      [[fallthrough]];
    case 'T':
      composed("%H:%M:%S", c);
      return true;
    case 'u':
      number(1, false, static_cast<uint64_t>((t_.weekday + 6) % 7 + 1), c);
      return true;
    case 'U':
      if (e) return false;
      number(2, false, static_cast<uint64_t>((t_.yearday - t_.weekday + 7) / 7), c);
      return true;
    case 'W':
      if (e) return false;
      number(2, false, static_cast<uint64_t>((t_.yearday - (t_.weekday + 6) % 7 + 7) / 7), c);
      return true;
    case 'w':
      if (e) return false;
      number(1, false, static_cast<uint64_t>(t_.weekday), c);
      return true;
    case 'V':
      if (e) return false;
      number(2, false, static_cast<uint64_t>(iso_week(t_).week), c);
      return true;
    case 'g': {
      if (e) return false;
      two_digits(iso_week(t_).year);
      return true;
    }
    case 'G': {
      if (e) return false;
      int64_t y = iso_week(t_).year;
      yearish(4, y < 0, u(y), c);
      return true;
    }
    case 'Y':
      if (o) return false;
      if (year_width_ >= 0 && c.width < 0) c.width = year_width_;
      yearish(4, year < 0, u(year), c);
      return true;
    case 'y':
      two_digits(year);
      return true;
    case 'Z':
      text(t_.zone, c, upper && !c.change_case, c.change_case);
      return true;
    case ':': {
      if (!gnu_) return false;
      size_t colons = 1;
      while (i + colons < f.size() && f[i + colons] == ':') ++colons;
      if (i + colons >= f.size() || f[i + colons] != 'z') return false;
      i += colons;
      return zone_offset(static_cast<int>(colons), c);
    }
    case 'z':
      return zone_offset(0, c);
    default:
      return false;
  }
}

// gnulib hands %E and %O conversions of numbers to the C library without flags
// and width, and pads what comes back as text.
bool Formatter::convert_modified(char letter, const Conversion& c) {
  std::string_view letters = c.modifier == 'E' ? "CcXxYy" : "CdeHIklmMSuUVgGwWy";
  if (letter == 'C' && t_.year < 0) return false;
  if (letters.find(letter) == std::string_view::npos) return false;
  std::string inner;
  char plain[] = {'%', letter};
  Formatter(inner, t_, TimeDialect::libc, check_).format({plain, 2}, false, 0, -1);
  text(inner, c, c.upper || outer_upper_);
  return true;
}

void Formatter::format(std::string_view f, bool upper, char year_pad, int year_width) {
  outer_upper_ = upper;
  year_pad_ = year_pad;
  year_width_ = year_width;
  for (size_t i = 0; i < f.size();) {
    if (f[i] != '%') {
      size_t next = std::min(f.find('%', i), f.size());
      out_ += f.substr(i, next - i);
      i = next;
      continue;
    }
    size_t percent = i;
    Conversion c;
    i = read_conversion(f, i + 1, c);
    char letter = i < f.size() ? f[i] : '\0';
    if (letter == '%' && (i == percent + 1 || !gnu_)) {
      text("%", c, false);
      ++i;
      continue;
    }
    // With flags gnulib takes the % for the beginning of another conversion.
    if (letter == '%' || letter == '\0') {
      text(f.substr(percent, i - percent), c, c.upper);
      continue;
    }
    if (gnu_ && c.modifier && convert_modified(letter, c)) {
      ++i;
      continue;
    }
    if (convert(letter, f, i, c)) {
      ++i;
      continue;
    }
    ++i;
    text(f.substr(percent, i - percent), c, c.upper);
  }
}

}  // namespace

void append_time(std::string& out, std::string_view format, const CivilTime& time,
                 TimeDialect dialect, LengthCheck check) {
  Formatter(out, time, dialect, check).format(format, false, 0, -1);
}

}  // namespace nacre::base
