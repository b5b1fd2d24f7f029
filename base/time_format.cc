#include "base/time_format.h"

#include "base/numbers.h"

namespace nacre::base {

namespace {

constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// The year and week of ISO 8601.
struct IsoWeek {
  int64_t year;
  int week;
};
IsoWeek iso_week(const CivilTime& t) {
  int monday_based = (t.weekday + 6) % 7;
  int week = (t.yearday - monday_based + 10) / 7;
  if (week < 1) {
    int64_t year = t.year - 1;
    int days = is_leap_year(year) ? 366 : 365;
    return {year, (t.yearday + days - monday_based + 10) / 7};
  }
  int days = is_leap_year(t.year) ? 366 : 365;
  if (week == 53 && t.yearday - monday_based + 3 >= days) return {t.year + 1, 1};
  return {t.year, week};
}

class Formatter {
 public:
  Formatter(std::string& out, const CivilTime& time, int64_t seconds)
      : out_(out), t_(time), seconds_(seconds) {}

  void format(std::string_view f) {
    for (size_t i = 0; i < f.size(); ++i) {
      if (f[i] != '%') {
        out_ += f[i];
        continue;
      }
      size_t start = i;
      Spec spec;
      ++i;
      for (;; ++i) {
        char c = i < f.size() ? f[i] : '\0';
        if (c == '_' || c == '-' || c == '0' || c == '+') spec.pad = c;
        else if (c == '^') spec.upper = true;
        else if (c == '#') spec.swap = true;
        else break;
      }
      while (i < f.size() && f[i] >= '0' && f[i] <= '9') {
        if (spec.width < 0) spec.width = 0;
        spec.width = std::min(spec.width * 10 + (f[i] - '0'), kMaxWidth);
        ++i;
      }
      if (i < f.size() && (f[i] == 'E' || f[i] == 'O')) ++i;
      while (i < f.size() && f[i] == ':') {
        ++spec.colons;
        ++i;
      }
      if (i >= f.size() || !convert(f[i], spec)) {
        // No conversion: as it was written.
        size_t end = i < f.size() ? i + 1 : f.size();
        out_ += f.substr(start, end - start);
      }
    }
  }

 private:
  static constexpr int kMaxWidth = 4096;

  struct Spec {
    char pad = 0;
    bool upper = false, swap = false;
    int width = -1;
    int colons = 0;
  };

  void number(const Spec& spec, int64_t value, int digits, char pad = '0') {
    if (spec.pad == '-') {
      append_int(out_, value);
      return;
    }
    if (spec.pad == '_') pad = ' ';
    else if (spec.pad == '0' || spec.pad == '+') pad = '0';
    std::string text = int_text(value < 0 ? -value : value);
    int width = spec.width >= 0 ? spec.width : digits;
    bool sign = value < 0;
    bool plus = spec.pad == '+' && !sign && static_cast<int>(text.size()) > digits;
    if (plus) sign = true;
    int fill = width - static_cast<int>(text.size()) - sign;
    if (pad == ' ')
      for (; fill > 0; --fill) out_ += ' ';
    if (sign) out_ += plus ? '+' : '-';
    for (; fill > 0; --fill) out_ += '0';
    out_ += text;
  }

  // `swapped`: what # makes of it: upper case for names, lower for AM and zones.
  void text(const Spec& spec, std::string_view s, bool swap_to_lower) {
    bool zeros = spec.pad == '0' || spec.pad == '+';
    if (spec.pad != '-')
      for (int fill = spec.width - static_cast<int>(s.size()); fill > 0; --fill)
        out_ += zeros ? '0' : ' ';
    for (char c : s) {
      if (spec.swap) c = swap_to_lower ? lower(c) : upper(c);
      else if (spec.upper) c = upper(c);
      out_ += c;
    }
  }

  void composed(const Spec& spec, std::string_view f) {
    std::string inner;
    Formatter(inner, t_, seconds_).format(f);
    Spec plain = spec;
    plain.swap = false;
    plain.upper |= spec.swap;
    text(plain, inner, false);
  }

  void nanoseconds(const Spec& spec) {
    // The width is a number of digits from the left.
    int digits = spec.width > 0 ? spec.width : 9;
    std::string all = int_text(t_.nanosecond);
    all.insert(0, 9 - all.size(), '0');
    if (spec.width > 0 && digits < 9) all.resize(static_cast<size_t>(digits));
    if (spec.pad == '-' || spec.pad == '_') {
      // - takes trailing zeros away, _ makes them blanks.
      size_t last = all.find_last_not_of('0');
      size_t keep = last == all.npos ? 1 : last + 1;
      size_t had = all.size();
      all.resize(keep);
      if (spec.pad == '_') all.resize(had, ' ');
    }
    out_ += all;
    if (spec.pad != '-')
      for (int i = 9; i < digits; ++i) out_ += spec.pad == '_' ? ' ' : '0';
  }

  bool offset(const Spec& spec) {
    if (spec.colons > 3) return false;
    int32_t at = t_.utc_offset < 0 ? -t_.utc_offset : t_.utc_offset;
    int h = at / 3600, m = at / 60 % 60, s = at % 60;
    std::string rest;
    auto two = [&](int v) {
      rest += static_cast<char>('0' + v / 10);
      rest += static_cast<char>('0' + v % 10);
    };
    int colons = spec.colons;
    if (colons == 3) colons = s ? 2 : m ? 1 : -1;
    if (colons == 1 || colons == 2) rest += ':';
    if (colons >= 0) two(m);
    if (colons == 2) {
      rest += ':';
      two(s);
    }
    char sign = t_.utc_offset < 0 ? '-' : '+';
    std::string hours = int_text(h);
    int fill = spec.width - 1 - static_cast<int>(rest.size()) - static_cast<int>(hours.size());
    if (spec.width < 0 && spec.pad != '-' && spec.pad != '_')
      fill = 2 - static_cast<int>(hours.size());
    if (spec.pad == '_') {
      if (spec.width < 0) fill = 2 - static_cast<int>(hours.size());
      for (; fill > 0; --fill) out_ += ' ';
    }
    out_ += sign;
    if (spec.pad != '-')
      for (; fill > 0; --fill) out_ += '0';
    out_ += hours;
    out_ += rest;
    return true;
  }

  bool convert(char c, const Spec& spec) {
    if (spec.colons && c != 'z') return false;
    int hour12 = t_.hour % 12 == 0 ? 12 : t_.hour % 12;
    switch (c) {
      case '%': text(spec, "%", false); return true;
      case 'a': text(spec, kDays[t_.weekday].substr(0, 3), false); return true;
      case 'A': text(spec, kDays[t_.weekday], false); return true;
      case 'b': case 'h': text(spec, kMonths[t_.month - 1].substr(0, 3), false); return true;
      case 'B': text(spec, kMonths[t_.month - 1], false); return true;
      case 'c': composed(spec, "%a %b %e %H:%M:%S %Y"); return true;
      case 'C': number(spec, t_.year / 100 - (t_.year % 100 < 0), 2); return true;
      case 'd': number(spec, t_.day, 2); return true;
      case 'D': composed(spec, "%m/%d/%y"); return true;
      case 'e': number(spec, t_.day, 2, ' '); return true;
      case 'F': date(spec); return true;
      case 'g': number(spec, (iso_week(t_).year % 100 + 100) % 100, 2); return true;
      case 'G': number(spec, iso_week(t_).year, 4); return true;
      case 'H': number(spec, t_.hour, 2); return true;
      case 'I': number(spec, hour12, 2); return true;
      case 'j': number(spec, t_.yearday + 1, 3); return true;
      case 'k': number(spec, t_.hour, 2, ' '); return true;
      case 'l': number(spec, hour12, 2, ' '); return true;
      case 'm': number(spec, t_.month, 2); return true;
      case 'M': number(spec, t_.minute, 2); return true;
      case 'n': text(spec, "\n", false); return true;
      case 'N': nanoseconds(spec); return true;
      case 'p': text(spec, t_.hour < 12 ? "AM" : "PM", true); return true;
      case 'P': text(spec, t_.hour < 12 ? "am" : "pm", true); return true;
      case 'q': number(spec, (t_.month - 1) / 3 + 1, 1); return true;
      case 'r': composed(spec, "%I:%M:%S %p"); return true;
      case 'R': composed(spec, "%H:%M"); return true;
      case 's': number(spec, seconds_, 1); return true;
      case 'S': number(spec, t_.second, 2); return true;
      case 't': text(spec, "\t", false); return true;
      case 'T': case 'X': composed(spec, "%H:%M:%S"); return true;
      case 'u': number(spec, t_.weekday == 0 ? 7 : t_.weekday, 1); return true;
      case 'U': number(spec, (t_.yearday - t_.weekday + 7) / 7, 2); return true;
      case 'V': number(spec, iso_week(t_).week, 2); return true;
      case 'w': number(spec, t_.weekday, 1); return true;
      case 'W': number(spec, (t_.yearday - (t_.weekday + 6) % 7 + 7) / 7, 2); return true;
      case 'x': composed(spec, "%m/%d/%y"); return true;
      case 'y': number(spec, (t_.year % 100 + 100) % 100, 2); return true;
      case 'Y': number(spec, t_.year, 4); return true;
      case 'z': return offset(spec);
      case 'Z': text(spec, t_.zone, true); return true;
      default: return false;
    }
  }

  // %F: the width is that of the whole, and the year grows to fill it.
  void date(const Spec& spec) {
    Spec year;
    year.pad = spec.pad ? spec.pad : '+';
    if (spec.pad == 0) year.pad = 0;
    year.width = spec.width > 6 ? spec.width - 6 : spec.width >= 0 ? 0 : -1;
    number(year, t_.year, 4);
    Spec part;
    out_ += '-';
    number(part, t_.month, 2);
    out_ += '-';
    number(part, t_.day, 2);
  }

  std::string& out_;
  const CivilTime& t_;
  int64_t seconds_;
};

}  // namespace

void append_time(std::string& out, std::string_view format, const CivilTime& time,
                 int64_t seconds) {
  Formatter(out, time, seconds).format(format);
}

}  // namespace nacre::base
