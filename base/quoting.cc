// Quoting as bash does it; GNU messages are in gnu_quoting.cc.
#include "base/quoting.h"

#include "base/utf8.h"

namespace nacre::base {

namespace {

constexpr bool contains(std::string_view set, char c) {
  return set.find(c) != std::string_view::npos;
}

void append_octal(std::string& out, unsigned char c) {
  out += '\\';
  out += static_cast<char>('0' + (c >> 6));
  out += static_cast<char>('0' + (c >> 3 & 7));
  out += static_cast<char>('0' + (c & 7));
}

// The letter after \ for a control character, or 0.
constexpr char ansi_c_letter(unsigned char c) {
  switch (c) {
    case '\a': return 'a';
    case '\b': return 'b';
    case 0x1b: return 'E';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\v': return 'v';
    case '\\': return '\\';
    case '\'': return '\'';
    default: return 0;
  }
}

// A ~ or # counts only where the shell would look at it.
bool starts_tilde(std::string_view s, size_t i) {
  return s[i] == '~' && (i == 0 || s[i - 1] == '=' || s[i - 1] == ':');
}

}  // namespace

std::string single_quote(std::string_view s) {
  if (s == "'") return "\\'";
  std::string out = "'";
  for (char c : s) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  out += '\'';
  return out;
}

std::string ansi_c_quote(std::string_view s) {
  std::string out = "$'";
  for (size_t i = 0; i < s.size();) {
    Utf8Char c = decode_utf8(s, i);
    if (char letter = c.code < 0x80 ? ansi_c_letter(static_cast<unsigned char>(c.code)) : 0) {
      out += '\\';
      out += letter;
      ++i;
    } else if (!c.valid || !is_print(c.code)) {
      for (size_t end = i + c.size; i < end; ++i) append_octal(out, s[i]);
    } else {
      out.append(s, i, c.size);
      i += c.size;
    }
  }
  out += '\'';
  return out;
}

bool needs_ansi_c(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    Utf8Char c = decode_utf8(s, i);
    if (!c.valid || !is_print(c.code)) return true;
    i += c.size;
  }
  return false;
}

std::string declare_quote(std::string_view s) {
  if (needs_ansi_c(s)) return ansi_c_quote(s);
  std::string out = "\"";
  for (char c : s) {
    if (contains("$`\"\\", c)) out += '\\';
    out += c;
  }
  out += '"';
  return out;
}

std::string backslash_quote(std::string_view s) {
  if (s.empty()) return "''";
  if (needs_ansi_c(s)) return ansi_c_quote(s);
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (contains(" !\"$&'()*,;<>?[\\]^`{|}", s[i]) || (s[i] == '#' && i == 0) ||
        starts_tilde(s, i))
      out += '\\';
    out += s[i];
  }
  return out;
}

std::string at_q_quote(std::string_view s) {
  return needs_ansi_c(s) ? ansi_c_quote(s) : single_quote(s);
}

bool has_shell_metas(std::string_view s) {
  for (size_t i = 0; i < s.size(); ++i)
    if (contains(" \t\n'\"\\|&;()<>!{}*[?]^$`", s[i]) || (s[i] == '#' && i == 0) ||
        starts_tilde(s, i))
      return true;
  return false;
}

std::string quote_if_needed(std::string_view s) {
  if (s.empty()) return "''";
  if (needs_ansi_c(s)) return ansi_c_quote(s);
  if (has_shell_metas(s)) return single_quote(s);
  return std::string(s);
}

std::string xtrace_quote(std::string_view s) {
  if (s.empty()) return "''";
  if (has_shell_metas(s)) return single_quote(s);
  if (needs_ansi_c(s)) return ansi_c_quote(s);
  return std::string(s);
}

}  // namespace nacre::base
