#include "builtins/shell/printf_time.h"

#include "base/numbers.h"

namespace nacre::builtins {

namespace {

constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};

struct Civil {
  int64_t year;
  int month, day;            // from 1
  int weekday, day_of_year;  // from 0
  int hour, minute, second;
};

constexpr bool is_leap(int64_t y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }

// The proleptic Gregorian calendar, from days since the epoch (years start in
// March, so that leap days come last).
Civil civil_time(int64_t seconds) {
  int64_t days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) rest += 86400, --days;
  Civil t{};
  t.hour = static_cast<int>(rest / 3600);
  t.minute = static_cast<int>(rest / 60 % 60);
  t.second = static_cast<int>(rest % 60);
  t.weekday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  int64_t z = days + 719468;
  int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  int64_t day_of_era = z - era * 146097;
  int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_march_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t march_month = (5 * day_of_march_year + 2) / 153;
  t.day = static_cast<int>(day_of_march_year - (153 * march_month + 2) / 5 + 1);
  t.month = static_cast<int>(march_month < 10 ? march_month + 3 : march_month - 9);
  t.year = year_of_era + era * 400 + (t.month <= 2);
  constexpr int kBefore[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  t.day_of_year = kBefore[t.month - 1] + t.day - 1 + (t.month > 2 && is_leap(t.year));
  return t;
}

// ISO 8601 week and the year it belongs to.
int iso_week(const Civil& t, int64_t& year) {
  int monday_based = (t.weekday + 6) % 7;
  int week = (t.day_of_year - monday_based + 10) / 7;
  year = t.year;
  auto weeks_in = [](int64_t y) {
    auto last_weekday = [](int64_t n) { return (n + n / 4 - n / 100 + n / 400) % 7; };
    return last_weekday(y) == 4 || last_weekday(y - 1) == 3 ? 53 : 52;
  };
  if (week < 1) return weeks_in(--year);
  if (week > weeks_in(year)) {
    ++year;
    return 1;
  }
  return week;
}

class TimeWriter {
 public:
  TimeWriter(std::string& out, int64_t seconds)
      : out_(out), seconds_(seconds), t_(civil_time(seconds)) {}

  void write(std::string_view format) {
    for (size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%' || i + 1 == format.size()) {
        out_ += format[i];
        continue;
      }
      size_t start = i++;
      // Flags and width of glibc: _ - 0 ^ # and digits; E and O change nothing here.
      Field field;
      for (; i < format.size(); ++i) {
        char c = format[i];
        if (c == '_' || c == '-' || (c == '0' && field.width < 0)) field.pad = c;
        else if (c == '^') field.upper = true;
        else if (c == '#') field.swap = true;
        else if (c >= '0' && c <= '9' && field.width < 1000)
          field.width = (field.width < 0 ? 0 : field.width * 10) + (c - '0');
        else break;
      }
      if (i < format.size() && (format[i] == 'E' || format[i] == 'O')) ++i;
      if (i >= format.size() || !conversion(format[i], field)) out_ += format.substr(start, i - start + 1);
    }
  }

 private:
  struct Field {
    char pad = 0;
    bool upper = false, swap = false;
    int width = -1;
  };

  void number(int64_t v, int width, char pad, const Field& f) {
    if (f.pad) pad = f.pad;
    if (f.width >= 0) width = f.width;
    std::string digits = base::int_text(v < 0 ? -v : v);
    if (v < 0) out_ += '-';
    if (pad != '-')
      for (int n = static_cast<int>(digits.size()) + (v < 0); n < width; ++n)
        out_ += pad == '_' ? ' ' : '0';
    out_ += digits;
  }
  void text(std::string_view s, const Field& f) {
    for (int n = static_cast<int>(s.size()); n < f.width; ++n) out_ += f.pad == '0' ? '0' : ' ';
    for (char c : s) {
      bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
      if (lower && f.upper) c = static_cast<char>(c - 32);
      else if (f.swap && lower) c = static_cast<char>(c - 32);
      else if (f.swap && upper) c = static_cast<char>(c + 32);
      out_ += c;
    }
  }
  void composed(std::string_view format, const Field& f) {
    std::string inner;
    TimeWriter(inner, seconds_).write(format);
    text(inner, f);
  }

  bool conversion(char c, const Field& f) {
    int hour12 = t_.hour % 12 == 0 ? 12 : t_.hour % 12;
    int64_t iso_year;
    int week = iso_week(t_, iso_year);
    switch (c) {
      case 'a': text(kDays[t_.weekday].substr(0, 3), {f.pad, f.upper || f.swap, false, f.width}); break;
      case 'A': text(kDays[t_.weekday], {f.pad, f.upper || f.swap, false, f.width}); break;
      case 'b':
      case 'h':
        text(kMonths[t_.month - 1].substr(0, 3), {f.pad, f.upper || f.swap, false, f.width});
        break;
      case 'B': text(kMonths[t_.month - 1], {f.pad, f.upper || f.swap, false, f.width}); break;
      case 'c': composed("%a %b %e %H:%M:%S %Y", f); break;
      case 'C': number(t_.year / 100, 2, '0', f); break;
      case 'd': number(t_.day, 2, '0', f); break;
      case 'D': composed("%m/%d/%y", f); break;
      case 'e': number(t_.day, 2, '_', f); break;
      case 'F': composed("%Y-%m-%d", f); break;
      case 'g': number((iso_year % 100 + 100) % 100, 2, '0', f); break;
      case 'G': number(iso_year, 1, '0', f); break;
      case 'H': number(t_.hour, 2, '0', f); break;
      case 'I': number(hour12, 2, '0', f); break;
      case 'j': number(t_.day_of_year + 1, 3, '0', f); break;
      case 'k': number(t_.hour, 2, '_', f); break;
      case 'l': number(hour12, 2, '_', f); break;
      case 'm': number(t_.month, 2, '0', f); break;
      case 'M': number(t_.minute, 2, '0', f); break;
      case 'n': out_ += '\n'; break;
      case 'p': text(t_.hour < 12 ? "AM" : "PM", f); break;
      case 'P': text(t_.hour < 12 ? "am" : "pm", f); break;
      case 'r': composed("%I:%M:%S %p", f); break;
      case 'R': composed("%H:%M", f); break;
      case 's': number(seconds_, 1, '0', f); break;
      case 'S': number(t_.second, 2, '0', f); break;
      case 't': out_ += '\t'; break;
      case 'T':
      case 'X': composed("%H:%M:%S", f); break;
      case 'u': number(t_.weekday == 0 ? 7 : t_.weekday, 1, '0', f); break;
      case 'U': number((t_.day_of_year + 7 - t_.weekday) / 7, 2, '0', f); break;
      case 'V': number(week, 2, '0', f); break;
      case 'w': number(t_.weekday, 1, '0', f); break;
      case 'W': number((t_.day_of_year + 7 - (t_.weekday + 6) % 7) / 7, 2, '0', f); break;
      case 'x': composed("%m/%d/%y", f); break;
      case 'y': number((t_.year % 100 + 100) % 100, 2, '0', f); break;
      case 'Y': number(t_.year, 1, '0', f); break;
      case 'z': text("+0000", f); break;
      case 'Z': text("UTC", f); break;
      case '%': out_ += '%'; break;
      case '+': out_ += '+'; break;
      default: return false;
    }
    return true;
  }

  std::string& out_;
  int64_t seconds_;
  Civil t_;
};

}  // namespace

void append_printf_time(interp::Process& p, std::string& out, std::string_view format,
                        int64_t seconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  int64_t wall = p.session.clock->wall_now();
  if (seconds == -1) seconds = wall / kSecond;
  else if (seconds == -2)
    seconds = (wall - (p.session.clock->now() - p.state.seconds_base)) / kSecond;
  TimeWriter(out, seconds).write(format);
}

}  // namespace nacre::builtins
