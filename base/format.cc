#include "base/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace nacre::base {

namespace {

// Digits after the point that a long double can have; all further ones are 0.
constexpr int64_t kMaxFractionDigits = 16'500;
// Sign, digits before the point, point, fraction, exponent.
constexpr size_t kFloatBuffer = 4'950 + kMaxFractionDigits + 32;

// What is written, in the order in which it stands.
struct Pieces {
  std::string_view prefix;   // sign, 0x
  int64_t zeros = 0;         // between prefix and body
  std::string_view body;
  int64_t trailing_zeros = 0;
  std::string_view suffix;   // exponent
};

void append_pieces(std::string& out, const FormatSpec& spec, const Pieces& p, bool zero_pad,
                   LengthCheck check) {
  bool left = spec.left || spec.width < 0;
  int64_t width = spec.width < 0 ? -std::max(spec.width, -INT64_MAX) : spec.width;
  int64_t length = static_cast<int64_t>(p.prefix.size() + p.body.size() + p.suffix.size());
  if (__builtin_add_overflow(length, p.zeros, &length) ||
      __builtin_add_overflow(length, p.trailing_zeros, &length))
    length = INT64_MAX;
  check(std::max(length, width));
  int64_t pad = std::max<int64_t>(0, width - length);
  if (!left && !zero_pad) out.append(pad, ' ');
  out += p.prefix;
  if (!left && zero_pad) out.append(pad, '0');
  out.append(p.zeros, '0');
  out += p.body;
  out.append(p.trailing_zeros, '0');
  out += p.suffix;
  if (left) out.append(pad, ' ');
}

std::string_view sign_text(const FormatSpec& spec, bool negative) {
  if (negative) return "-";
  if (spec.plus) return "+";
  return spec.space ? " " : "";
}

// The digits of an integer with the precision's leading zeros.
void append_digits(std::string& out, const FormatSpec& spec, std::string_view prefix,
                   std::string_view digits, bool octal_zero, LengthCheck check) {
  Pieces p;
  p.prefix = prefix;
  bool none = spec.precision == 0 && digits == "0";
  p.body = none ? std::string_view() : digits;
  p.zeros = std::max<int64_t>(0, spec.precision - static_cast<int64_t>(p.body.size()));
  // %#o makes the first digit a zero.
  if (octal_zero && p.zeros == 0 && (p.body.empty() || p.body[0] != '0')) p.zeros = 1;
  append_pieces(out, spec, p, spec.zero && spec.precision < 0, check);
}

bool is_float_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
         c == '-';
}

// The C library writes the decimal point of the process's locale: whatever is
// not part of a number otherwise.
void restore_point(std::string& text) {
  size_t n = 0;
  bool in_point = false;
  for (char c : text) {
    if (is_float_char(c)) {
      text[n++] = c;
      in_point = false;
    } else if (!in_point) {
      text[n++] = '.';
      in_point = true;
    }
  }
  text.resize(n);
}

// The digits of a finite value without sign, width or padding.
std::string float_digits(const FormatSpec& spec, long double value, int precision) {
  char format[8];
  char* f = format;
  *f++ = '%';
  if (spec.alternate) *f++ = '#';
  if (precision >= 0) {
    *f++ = '.';
    *f++ = '*';
  }
  *f++ = 'L';
  *f++ = spec.conversion;
  *f = '\0';
  std::string text(64, '\0');
  for (;;) {
    // The format is made above from known letters.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int n = precision >= 0 ? snprintf(text.data(), text.size(), format, precision, value)
                           : snprintf(text.data(), text.size(), format, value);
#pragma GCC diagnostic pop
    if (n < 0) n = 0;
    bool fits = static_cast<size_t>(n) < text.size();
    if (!fits) {
      text.resize(std::min(static_cast<size_t>(n) + 1, kFloatBuffer));
      continue;
    }
    text.resize(n);
    break;
  }
  restore_point(text);
  return text;
}

}  // namespace

void append_signed(std::string& out, const FormatSpec& spec, int64_t value, LengthCheck check) {
  char buf[24];
  uint64_t magnitude = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  char* end = std::to_chars(buf, buf + sizeof buf, magnitude).ptr;
  append_digits(out, spec, sign_text(spec, value < 0), {buf, static_cast<size_t>(end - buf)},
                false, check);
}

void append_unsigned(std::string& out, const FormatSpec& spec, uint64_t value, LengthCheck check) {
  int radix = 10;
  std::string_view prefix;
  switch (spec.conversion) {
    case 'o': radix = 8; break;
    case 'x': radix = 16; prefix = "0x"; break;
    case 'X': radix = 16; prefix = "0X"; break;
    case 'b': radix = 2; prefix = "0b"; break;
  }
  char buf[72];
  char* end = std::to_chars(buf, buf + sizeof buf, value, radix).ptr;
  if (spec.conversion == 'X')
    for (char* c = buf; c != end; ++c)
      if (*c >= 'a') *c -= 32;
  if (!spec.alternate || value == 0) prefix = {};
  append_digits(out, spec, prefix, {buf, static_cast<size_t>(end - buf)},
                spec.alternate && spec.conversion == 'o', check);
}

void append_text(std::string& out, const FormatSpec& spec, std::string_view text,
                 LengthCheck check) {
  Pieces p;
  p.body = spec.precision >= 0
               ? text.substr(0, std::min<uint64_t>(static_cast<uint64_t>(spec.precision), text.size()))
               : text;
  append_pieces(out, spec, p, false, check);
}

void append_float(std::string& out, const FormatSpec& spec, long double value,
                  LengthCheck check) {
  bool upper = spec.conversion >= 'A' && spec.conversion <= 'Z';
  char kind = static_cast<char>(spec.conversion | 0x20);
  Pieces p;
  p.prefix = sign_text(spec, std::signbit(value));
  if (!std::isfinite(value)) {
    if (std::isnan(value)) p.body = upper ? "NAN" : "nan";
    else p.body = upper ? "INF" : "inf";
    append_pieces(out, spec, p, false, check);
    return;
  }
  int64_t precision = spec.precision;
  int64_t extra = std::max<int64_t>(0, precision - kMaxFractionDigits);
  check(precision < 0 ? 0 : precision);
  std::string digits =
      float_digits(spec, std::fabs(value), static_cast<int>(precision - extra));
  std::string_view rest = digits;
  std::string prefix(p.prefix);
  if (kind == 'a') {
    prefix += rest.substr(0, 2);
    rest.remove_prefix(2);
  }
  p.prefix = prefix;
  // %g drops trailing zeros unless it is asked to keep them.
  if (kind != 'g' || spec.alternate) p.trailing_zeros = extra;
  size_t exponent = std::string_view::npos;
  if (kind == 'a') exponent = rest.find(upper ? 'P' : 'p');
  else if (kind != 'f') exponent = rest.find(upper ? 'E' : 'e');
  p.body = rest.substr(0, exponent);
  if (exponent != std::string_view::npos) p.suffix = rest.substr(exponent);
  append_pieces(out, spec, p, spec.zero, check);
}

}  // namespace nacre::base
