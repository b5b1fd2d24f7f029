#include "builtins/shell/escapes.h"

#include <cstring>

#include "base/utf8.h"

namespace nacre::builtins {

namespace {

constexpr bool is_octal(char c) { return c >= '0' && c <= '7'; }

constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Escape one_byte(char c, size_t length) {
  Escape e;
  e.bytes[0] = c;
  e.size = 1;
  e.length = length;
  return e;
}

// Octal digits from `at`, at most `most`; the value is cut to a byte.
Escape octal(std::string_view s, size_t pos, size_t at, int most) {
  unsigned value = 0;
  while (most-- > 0 && at < s.size() && is_octal(s[at])) value = value * 8 + (s[at++] - '0');
  return one_byte(static_cast<char>(value), at - pos);
}

// \xHH, \uHHHH, \UHHHHHHHH.
Escape hexadecimal(std::string_view s, size_t pos) {
  char letter = s[pos + 1];
  int most = letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
  size_t at = pos + 2;
  uint32_t value = 0;
  for (; most > 0 && at < s.size() && hex_value(s[at]) >= 0; --most)
    value = value << 4 | static_cast<uint32_t>(hex_value(s[at++]));
  if (at == pos + 2) {
    Escape e = one_byte('\\', 1);
    e.missing = letter;
    return e;
  }
  if (letter == 'x') return one_byte(static_cast<char>(value), at - pos);
  Escape e;
  e.length = at - pos;
  if (value > 0x7fffffff) return e;  // no such character: nothing is written
  std::string text;                  // at most six bytes, never on the heap
  base::append_utf8(text, value);
  e.size = static_cast<uint8_t>(text.size());
  std::memcpy(e.bytes, text.data(), text.size());
  return e;
}

}  // namespace

Escape decode_escape(std::string_view s, size_t pos, EscapeStyle style) {
  if (pos + 1 >= s.size()) return one_byte('\\', 1);
  char c = s[pos + 1];
  switch (c) {
    case 'a': return one_byte('\a', 2);
    case 'b': return one_byte('\b', 2);
    case 'E':
      if (style == EscapeStyle::gnu) return one_byte('\\', 1);
      [[fallthrough]];
    case 'e': return one_byte('\x1b', 2);
    case 'f': return one_byte('\f', 2);
    case 'n': return one_byte('\n', 2);
    case 'r': return one_byte('\r', 2);
    case 't': return one_byte('\t', 2);
    case 'v': return one_byte('\v', 2);
    case '\\': return one_byte('\\', 2);
    case '0':
      // echo -e and %b take three digits behind the zero.
      return style == EscapeStyle::format ? octal(s, pos, pos + 1, 3) : octal(s, pos, pos + 2, 3);
    case '1': case '2': case '3': case '4': case '5': case '6': case '7':
      if (style == EscapeStyle::echo) return one_byte('\\', 1);
      return octal(s, pos, pos + 1, 3);
    case 'u':
    case 'U':
      if (style == EscapeStyle::gnu) return one_byte('\\', 1);
      [[fallthrough]];
    case 'x': return hexadecimal(s, pos);
    case '"':
    case '\'':
    case '?':
      if (style != EscapeStyle::format) return one_byte('\\', 1);
      return one_byte(c, 2);
    case 'c': {
      if (style == EscapeStyle::format) return one_byte('\\', 1);
      Escape e;
      e.length = 2;
      e.stop = true;
      return e;
    }
    default: return one_byte('\\', 1);
  }
}

bool append_unescaped(std::string& out, std::string_view s, EscapeStyle style,
                      std::string* missing) {
  for (size_t pos = 0; pos < s.size();) {
    size_t slash = s.find('\\', pos);
    if (slash == std::string_view::npos) {
      out.append(s, pos);
      return true;
    }
    out.append(s, pos, slash - pos);
    Escape e = decode_escape(s, slash, style);
    if (e.stop) return false;
    if (e.missing && missing) *missing += e.missing;
    out.append(e.bytes, e.size);
    pos = slash + e.length;
  }
  return true;
}

}  // namespace nacre::builtins
