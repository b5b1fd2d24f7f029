#include "builtins/support/floats.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace nacre::builtins {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

bool starts_with_word(std::string_view s, std::string_view word) {
  if (s.size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i)
    if (lower(s[i]) != word[i]) return false;
  return true;
}

// Powers of ten that a long double holds exactly.
constexpr int kExactPowers = 28;
constexpr auto kPowers = [] {
  struct { long double at[kExactPowers]; } t{};
  t.at[0] = 1;
  for (int i = 1; i < kExactPowers; ++i) t.at[i] = t.at[i - 1] * 10;
  return t;
}();

long double slow_value(std::string_view text, std::chars_format format) {
  long double value = 0;
  auto r = std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (r.ec != std::errc::result_out_of_range) return value;
  // from_chars does not say on which side: a negative exponent means too small.
  size_t e = text.find_first_of(format == std::chars_format::hex ? "pP" : "eE");
  bool small = e != text.npos ? e + 1 < text.size() && text[e + 1] == '-'
                              : text.find_first_not_of("0.") > text.find('.');
  return small ? 0.0L : std::numeric_limits<long double>::infinity();
}

}  // namespace

size_t scan_float(std::string_view s, long double& value) {
  size_t i = 0;
  while (i < s.size() && (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))) ++i;
  bool negative = false;
  if (i < s.size() && (s[i] == '+' || s[i] == '-')) negative = s[i++] == '-';
  std::string_view rest = s.substr(i);
  auto done = [&](long double v, size_t length) {
    value = negative ? -v : v;
    return i + length;
  };
  if (starts_with_word(rest, "infinity"))
    return done(std::numeric_limits<long double>::infinity(), 8);
  if (starts_with_word(rest, "inf")) return done(std::numeric_limits<long double>::infinity(), 3);
  if (starts_with_word(rest, "nan")) {
    size_t n = 3;
    if (n < rest.size() && rest[n] == '(') {
      size_t close = n + 1;
      while (close < rest.size() && (is_hex(rest[close]) || lower(rest[close]) > '`' ||
                                     rest[close] == '_') && rest[close] != ')')
        ++close;
      if (close < rest.size() && rest[close] == ')') n = close + 1;
    }
    return done(std::numeric_limits<long double>::quiet_NaN(), n);
  }
  bool hex = rest.size() > 2 && rest[0] == '0' && lower(rest[1]) == 'x' &&
             (is_hex(rest[2]) || (rest[2] == '.' && rest.size() > 3 && is_hex(rest[3])));
  size_t start = hex ? 2 : 0, n = start;
  uint64_t mantissa = 0;
  int digits = 0, fraction = 0;
  bool point = false, any = false;
  for (; n < rest.size(); ++n) {
    char c = rest[n];
    if (c == '.' && !point) {
      point = true;
    } else if (hex ? is_hex(c) : is_digit(c)) {
      any = true;
      if (!hex) {
        if (digits > 0 || c != '0') ++digits;
        if (digits <= 19) mantissa = mantissa * 10 + static_cast<uint64_t>(c - '0');
        fraction += point;
      }
    } else {
      break;
    }
  }
  if (!any) return 0;
  bool exponent = false;
  if (n + 1 < rest.size() && lower(rest[n]) == (hex ? 'p' : 'e')) {
    size_t e = n + 1;
    if (rest[e] == '+' || rest[e] == '-') ++e;
    if (e < rest.size() && is_digit(rest[e])) {
      while (e < rest.size() && is_digit(rest[e])) ++e;
      n = e;
      exponent = true;
    }
  }
  // Short decimal numbers: one exact division gives the correctly rounded value.
  if (!hex && !exponent && digits <= 19 && fraction < kExactPowers &&
      std::numeric_limits<long double>::digits >= 64)
    return done(static_cast<long double>(mantissa) / kPowers.at[fraction], n);
  std::string text(rest.substr(start, n - start));
  return done(slow_value(text, hex ? std::chars_format::hex : std::chars_format::general), n);
}

bool parse_float(std::string_view s, long double& value) {
  size_t n = scan_float(s, value);
  return n > 0 && n == s.size();
}

bool scan_duration(std::string_view s, long double& seconds) {
  size_t n = scan_float(s, seconds);
  if (n == 0 || n + 1 < s.size() || !(seconds >= 0)) return false;
  switch (n < s.size() ? s[n] : 's') {
    case 's': return true;
    case 'm': seconds *= 60; return true;
    case 'h': seconds *= 60 * 60; return true;
    case 'd': seconds *= 24 * 60 * 60; return true;
    default: return false;
  }
}

}  // namespace nacre::builtins
