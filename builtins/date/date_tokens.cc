#include "builtins/date/date_tokens.h"

#include <string>

namespace nacre::builtins {

namespace {

using enum DateToken;

struct Word {
  std::string_view text;
  DateToken kind;
  int value;
};

constexpr int hours(int h, int minutes = 0) { return h * 60 + (h < 0 ? -minutes : minutes); }

// Three letters stand for the whole name.
constexpr Word kNames[] = {
    {"JANUARY", month, 1},   {"FEBRUARY", month, 2}, {"MARCH", month, 3},
    {"APRIL", month, 4},     {"MAY", month, 5},      {"JUNE", month, 6},
    {"JULY", month, 7},      {"AUGUST", month, 8},   {"SEPTEMBER", month, 9},
    {"SEPT", month, 9},      {"OCTOBER", month, 10}, {"NOVEMBER", month, 11},
    {"DECEMBER", month, 12}, {"SUNDAY", day, 0},     {"MONDAY", day, 1},
    {"TUESDAY", day, 2},     {"TUES", day, 2},       {"WEDNESDAY", day, 3},
    {"WEDNES", day, 3},      {"THURSDAY", day, 4},   {"THUR", day, 4},
    {"THURS", day, 4},       {"FRIDAY", day, 5},     {"SATURDAY", day, 6},
};

constexpr Word kUnits[] = {
    {"YEAR", unit_year, 1},  {"MONTH", unit_month, 1},   {"FORTNIGHT", unit_day, 14},
    {"WEEK", unit_day, 7},   {"DAY", unit_day, 1},       {"HOUR", unit_hour, 1},
    {"MINUTE", unit_minute, 1}, {"MIN", unit_minute, 1}, {"SECOND", unit_second, 1},
    {"SEC", unit_second, 1},
};

constexpr Word kRelative[] = {
    {"TOMORROW", day_shift, 1}, {"YESTERDAY", day_shift, -1}, {"TODAY", day_shift, 0},
    {"NOW", day_shift, 0},      {"LAST", ordinal, -1},        {"THIS", ordinal, 0},
    {"NEXT", ordinal, 1},       {"FIRST", ordinal, 1},        {"THIRD", ordinal, 3},
    {"FOURTH", ordinal, 4},     {"FIFTH", ordinal, 5},        {"SIXTH", ordinal, 6},
    {"SEVENTH", ordinal, 7},    {"EIGHTH", ordinal, 8},       {"NINTH", ordinal, 9},
    {"TENTH", ordinal, 10},     {"ELEVENTH", ordinal, 11},    {"TWELFTH", ordinal, 12},
    {"AGO", ago, -1},           {"HENCE", ago, 1},
};

constexpr Word kUniversal[] = {{"GMT", zone, 0}, {"UT", zone, 0}, {"UTC", zone, 0}};

// Abbreviations in use, those of the United States winning.
constexpr Word kZones[] = {
    {"WET", zone, 0},           {"WEST", daylight_zone, 0}, {"BST", daylight_zone, 0},
    {"ART", zone, hours(-3)},   {"BRT", zone, hours(-3)},   {"BRST", daylight_zone, hours(-3)},
    {"NST", zone, hours(-3, 30)}, {"NDT", daylight_zone, hours(-3, 30)},
    {"AST", zone, hours(-4)},   {"ADT", daylight_zone, hours(-4)},
    {"CLT", zone, hours(-4)},   {"CLST", daylight_zone, hours(-4)},
    {"EST", zone, hours(-5)},   {"EDT", daylight_zone, hours(-5)},
    {"CST", zone, hours(-6)},   {"CDT", daylight_zone, hours(-6)},
    {"MST", zone, hours(-7)},   {"MDT", daylight_zone, hours(-7)},
    {"PST", zone, hours(-8)},   {"PDT", daylight_zone, hours(-8)},
    {"AKST", zone, hours(-9)},  {"AKDT", daylight_zone, hours(-9)},
    {"HST", zone, hours(-10)},  {"HAST", zone, hours(-10)},
    {"HADT", daylight_zone, hours(-10)}, {"SST", zone, hours(-12)},
    {"WAT", zone, hours(1)},    {"CET", zone, hours(1)},    {"CEST", daylight_zone, hours(1)},
    {"MET", zone, hours(1)},    {"MEZ", zone, hours(1)},    {"MEST", daylight_zone, hours(1)},
    {"MESZ", daylight_zone, hours(1)}, {"EET", zone, hours(2)},
    {"EEST", daylight_zone, hours(2)}, {"CAT", zone, hours(2)}, {"SAST", zone, hours(2)},
    {"EAT", zone, hours(3)},    {"MSK", zone, hours(3)},    {"MSD", daylight_zone, hours(3)},
    {"IST", zone, hours(5, 30)}, {"SGT", zone, hours(8)},   {"KST", zone, hours(9)},
    {"JST", zone, hours(9)},    {"GST", zone, hours(10)},   {"NZST", zone, hours(12)},
    {"NZDT", daylight_zone, hours(12)},
};

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <size_t n>
bool find(const Word (&words)[n], std::string_view text, DateTokenValue& token) {
  for (const Word& w : words) {
    if (w.text != text) continue;
    token.kind = w.kind;
    token.value = w.value;
    return true;
  }
  return false;
}

bool find_zone(std::string_view text, const base::TimeZone& local, DateTokenValue& token) {
  if (find(kUniversal, text, token)) return true;
  if (text == local.standard_name() || (local.has_daylight() && text == local.daylight_name())) {
    token.kind = local_zone;
    token.value = local.has_daylight() && text == local.daylight_name();
    return true;
  }
  return find(kZones, text, token);
}

}  // namespace

bool DateScanner::next(DateTokenValue& token) {
  token = {};
  while (true) {
    while (at_ < s_.size() && is_space(s_[at_])) ++at_;
    if (at_ >= s_.size()) return true;
    char c = s_[at_];
    if (is_digit(c)) return number(token, 0);
    if (c == '-' || c == '+') {
      int sign = c == '-' ? -1 : 1;
      do ++at_;
      while (at_ < s_.size() && is_space(s_[at_]));
      if (at_ < s_.size() && is_digit(s_[at_])) return number(token, sign);
      continue;  // a sign before no number is passed over
    }
    if (is_alpha(c)) {
      word(token);
      return true;
    }
    if (c != '(') {
      token.kind = character;
      token.c = c;
      ++at_;
      return true;
    }
    // A comment, with others inside.
    int depth = 0;
    do {
      if (at_ >= s_.size()) return true;
      if (s_[at_] == '(') ++depth;
      if (s_[at_] == ')') --depth;
      ++at_;
    } while (depth > 0);
  }
}

bool DateScanner::number(DateTokenValue& token, int sign) {
  size_t start = at_;
  int64_t value = 0;
  for (; at_ < s_.size() && is_digit(s_[at_]); ++at_) {
    int digit = s_[at_] - '0';
    if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
        __builtin_add_overflow(value, int64_t{sign < 0 ? -digit : digit}, &value))
      return false;
  }
  token.value = value;
  token.negative = sign < 0;
  token.digits = static_cast<int>(at_ - start);
  bool point = at_ + 1 < s_.size() && (s_[at_] == '.' || s_[at_] == ',') && is_digit(s_[at_ + 1]);
  if (!point) {
    token.kind = sign ? signed_number : unsigned_number;
    return true;
  }
  token.kind = sign ? signed_decimal : unsigned_decimal;
  ++at_;
  int32_t ns = 0;
  int places = 0;
  bool more = false;
  for (; at_ < s_.size() && is_digit(s_[at_]); ++at_, ++places) {
    if (places < 9) ns = ns * 10 + (s_[at_] - '0');
    else more |= s_[at_] != '0';
  }
  for (; places < 9; ++places) ns *= 10;
  // Towards minus infinity, as the seconds are.
  if (sign < 0) {
    ns += more;
    if (ns > 0) {
      if (__builtin_sub_overflow(token.value, int64_t{1}, &token.value)) return false;
      ns = 1'000'000'000 - ns;
    }
  }
  token.nanosecond = ns;
  return true;
}

void DateScanner::word(DateTokenValue& token) {
  constexpr size_t kLongest = 19;
  std::string w;
  for (; at_ < s_.size() && (is_alpha(s_[at_]) || s_[at_] == '.'); ++at_)
    if (w.size() < kLongest) w += s_[at_] >= 'a' && s_[at_] <= 'z' ? char(s_[at_] - 32) : s_[at_];
  if (w == "AM" || w == "A.M." || w == "PM" || w == "P.M.") {
    token.kind = meridian;
    token.value = w[0] == 'P';
    return;
  }
  bool short_form = w.size() == 3 || (w.size() == 4 && w[3] == '.');
  for (const Word& name : kNames) {
    if (short_form ? name.text.substr(0, 3) == std::string_view(w).substr(0, 3) : name.text == w) {
      token.kind = name.kind;
      token.value = name.value;
      return;
    }
  }
  if (find_zone(w, zone_, token)) return;
  if (w == "DST") {
    token.kind = dst;
    return;
  }
  if (find(kUnits, w, token)) return;
  if (w.back() == 'S' && find(kUnits, std::string_view(w).substr(0, w.size() - 1), token)) return;
  if (find(kRelative, w, token)) return;
  if (w.size() == 1) {
    char c = w[0];
    if (c == 'T') {
      token.kind = character;
      token.c = 'T';
      token.value = hours(-7);
      return;
    }
    if (c != 'J') {
      token.kind = zone;
      token.value = c <= 'I'   ? hours(c - 'A' + 1)
                    : c <= 'M' ? hours(c - 'K' + 10)
                    : c <= 'Y' ? hours(-(c - 'N' + 1))
                               : 0;
      return;
    }
  }
  // A zone with periods: E.S.T.
  std::string plain;
  for (char c : w)
    if (c != '.') plain += c;
  if (plain.size() != w.size() && find_zone(plain, zone_, token)) return;
  token.kind = unknown;
}

}  // namespace nacre::builtins
