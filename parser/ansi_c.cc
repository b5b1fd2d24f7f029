// The escapes of $'..'.
#include "base/utf8.h"
#include "parser/grammar.h"

namespace nacre::parser {

namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reads up to `max` hex digits at `i`; the number of digits read.
int read_hex(std::string_view s, size_t& i, int max, uint32_t& value) {
  int n = 0;
  value = 0;
  while (n < max && i < s.size() && hex_value(s[i]) >= 0) {
    value = value * 16 + static_cast<uint32_t>(hex_value(s[i]));
    ++i;
    ++n;
  }
  return n;
}

}  // namespace

// A NUL ends the text, as it ends bash's strings: $'a\0b' is a.
void decode_ansi_c(std::string_view s, std::string& out) {
  for (size_t i = 0; i < s.size();) {
    char c = s[i++];
    if (c != '\\' || i == s.size()) {
      out += c;
      continue;
    }
    c = s[i++];
    uint32_t value = 0;
    switch (c) {
      case 'a': out += '\a'; break;
      case 'b': out += '\b'; break;
      case 'e': case 'E': out += '\x1b'; break;
      case 'f': out += '\f'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'v': out += '\v'; break;
      case '\\': case '\'': case '"': case '?': out += c; break;
      case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': {
        value = static_cast<uint32_t>(c - '0');
        for (int n = 1; n < 3 && i < s.size() && s[i] >= '0' && s[i] <= '7'; ++n)
          value = value * 8 + static_cast<uint32_t>(s[i++] - '0');
        value &= 0xff;
        if (value == 0) return;
        out += static_cast<char>(value);
        break;
      }
      case 'x': {
        // \x{..} takes any number of digits, of which the last byte counts.
        const bool braces = i < s.size() && s[i] == '{';
        size_t at = i + (braces ? 1 : 0);
        const int n = read_hex(s, at, braces ? INT32_MAX : 2, value);
        if (n == 0 && !braces) {
          out += "\\x";
          break;
        }
        i = at;
        if (braces && i < s.size() && s[i] == '}') ++i;
        value &= 0xff;
        if (value == 0) return;
        out += static_cast<char>(value);
        break;
      }
      case 'u': case 'U': {
        if (read_hex(s, i, c == 'u' ? 4 : 8, value) == 0) {
          out += '\\';
          out += c;
          break;
        }
        if (value == 0) return;
        if (value <= INT32_MAX) base::append_utf8(out, value);
        break;
      }
      case 'c': {
        if (i == s.size()) {
          out += "\\c";
          break;
        }
        c = s[i++];
        if (c == '\\' && i < s.size() && s[i] == '\\') ++i;
        const char control = c == '?' ? '\x7f' : static_cast<char>((c >= 'a' && c <= 'z' ? c - 32 : c) & 0x1f);
        if (control == 0) return;
        out += control;
        break;
      }
      default:
        out += '\\';
        out += c;
        break;
    }
  }
}

}  // namespace nacre::parser
