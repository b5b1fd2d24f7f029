#include "builtins/support/float_format.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "base/quoting.h"

namespace nacre::builtins {

namespace {

// The digits without sign or padding.
std::string digits_of(long double v, const FloatConversion& c) {
  bool upper = c.type >= 'A' && c.type <= 'G';
  char type = upper ? static_cast<char>(c.type + 32) : c.type;
  std::string text;
  if (!std::isfinite(v)) {
    text = std::isnan(v) ? "nan" : "inf";
  } else {
    auto format = type == 'f'   ? std::chars_format::fixed
                  : type == 'e' ? std::chars_format::scientific
                  : type == 'a' ? std::chars_format::hex
                                : std::chars_format::general;
    int precision = c.precision;
    if (precision < 0 && type != 'a') precision = 6;
    // %f of the largest long double has 4933 digits before the point.
    size_t room = 64 + static_cast<size_t>(precision > 0 ? precision : 0) +
                  (type == 'f' ? 4940 : 0);
    text.resize(room);
    auto r = precision < 0 ? std::to_chars(text.data(), text.data() + room, v, format)
                           : std::to_chars(text.data(), text.data() + room, v, format, precision);
    text.resize(static_cast<size_t>(r.ptr - text.data()));
    if (type == 'a') text.insert(0, "0x");
    if (c.alternate) {
      size_t mantissa = text.find_first_of(type == 'a' ? "p" : "e");
      if (mantissa == text.npos) mantissa = text.size();
      if (text.substr(0, mantissa).find('.') == text.npos) text.insert(mantissa++, 1, '.');
      if (type == 'g') {
        // # keeps the zeros that %g takes away.
        size_t significant = 0;
        bool started = false;
        for (size_t i = 0; i < mantissa; ++i) {
          if (text[i] == '.') continue;
          if (text[i] != '0') started = true;
          significant += started;
        }
        if (!started) significant = 1;
        size_t want = static_cast<size_t>(precision == 0 ? 1 : precision);
        size_t at = text.find_first_of("e");
        if (at == text.npos) at = text.size();
        if (significant < want) text.insert(at, want - significant, '0');
      }
    }
  }
  if (upper)
    for (char& ch : text)
      if (ch >= 'a' && ch <= 'z') ch = static_cast<char>(ch - 32);
  return text;
}

}  // namespace

void append_float(std::string& out, long double v, const FloatConversion& c) {
  std::string text = digits_of(std::fabs(v), c);
  char sign = std::signbit(v) ? '-' : c.plus ? '+' : c.space ? ' ' : 0;
  size_t size = text.size() + (sign ? 1 : 0);
  size_t pad = c.width > 0 && static_cast<size_t>(c.width) > size
                   ? static_cast<size_t>(c.width) - size : 0;
  bool zeros = c.zero && !c.minus && std::isfinite(v);
  if (pad && !c.minus && !zeros) out.append(pad, ' ');
  if (sign) out += sign;
  if (zeros && pad) {
    bool hex = c.type == 'a' || c.type == 'A';
    if (hex) out.append(text, 0, 2);
    out.append(pad, '0');
    out.append(text, hex ? 2 : 0);
  } else {
    out.append(text);
  }
  if (pad && c.minus) out.append(pad, ' ');
}

bool FloatFormat::compile(std::string_view text, std::string& error) {
  std::string name = "format " + base::gnu_locale_quote(text);
  size_t i = 0;
  for (;; ++i) {
    if (i == text.size()) {
      error = name + " has no % directive";
      return false;
    }
    if (text[i] == '%') {
      if (i + 1 >= text.size() || text[i + 1] != '%') break;
      ++i;
    }
    prefix_ += text[i];
  }
  ++i;
  for (; i < text.size(); ++i) {
    char f = text[i];
    if (f == '-') conversion_.minus = true;
    else if (f == '+') conversion_.plus = true;
    else if (f == ' ') conversion_.space = true;
    else if (f == '#') conversion_.alternate = true;
    else if (f == '0') conversion_.zero = true;
    else if (f != '\'') break;
  }
  auto number = [&] {
    int n = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      if (n < 100000) n = n * 10 + (text[i] - '0');
    return n;
  };
  conversion_.width = number();
  if (i < text.size() && text[i] == '.') {
    ++i;
    conversion_.precision = number();
  }
  if (i < text.size() && text[i] == 'L') ++i;
  if (i >= text.size()) {
    error = name + " ends in %";
    return false;
  }
  if (std::string_view("aAeEfFgG").find(text[i]) == std::string_view::npos) {
    error = name + " has unknown %" + text[i] + " directive";
    return false;
  }
  conversion_.type = text[i++];
  for (; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 1 >= text.size() || text[i + 1] != '%') {
        error = name + " has too many % directives";
        return false;
      }
      ++i;
    }
    suffix_ += text[i];
  }
  return true;
}

void FloatFormat::append(std::string& out, long double value) const {
  out += prefix_;
  append_float(out, value, conversion_);
  out += suffix_;
}

}  // namespace nacre::builtins
