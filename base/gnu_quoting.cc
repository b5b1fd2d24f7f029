// Quoting of names in the messages of the GNU tools (gnulib's quotearg, styles
// shell-escape, shell-escape-always, c and locale, in a UTF-8 locale).
//
// The shell styles write 'a b' and leave what is not printable to $'..' pieces
// between single-quoted ones: 'a'$'\n''b'. A name with single quotes and
// nothing else that is special in double quotes is written "it's" instead.
#include "base/quoting.h"
#include "base/utf8.h"

namespace nacre::base {

namespace {

constexpr bool contains(std::string_view set, char c) {
  return set.find(c) != std::string_view::npos;
}

constexpr char escape_letter(unsigned char c) {
  switch (c) {
    case '\a': return 'a';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\v': return 'v';
    default: return 0;
  }
}

void append_escaped_bytes(std::string& out, std::string_view bytes) {
  for (unsigned char c : bytes) {
    out += '\\';
    if (char letter = escape_letter(c)) {
      out += letter;
    } else {
      out += static_cast<char>('0' + (c >> 6));
      out += static_cast<char>('0' + (c >> 3 & 7));
      out += static_cast<char>('0' + (c & 7));
    }
  }
}

// What a name holds, as far as the choice of quotes depends on it.
struct Survey {
  bool needs_quotes = false;   // something a shell would look at
  bool single_quote = false;
  bool fits_double_quotes = true;  // nothing that is special inside "..", nor an escape
  bool ends_in_escape = false;     // the last piece would be a $'..' one
};

Survey survey_name(std::string_view s, bool colon_is_special) {
  Survey r;
  for (size_t i = 0; i < s.size();) {
    Utf8Char c = decode_utf8(s, i);
    bool escaped = false;
    if (c.code >= 0x80 || !c.valid) {
      if (!c.valid || !is_print(c.code)) {
        r.needs_quotes = true;
        r.fits_double_quotes = false;
        escaped = true;
      }
    } else if (char b = static_cast<char>(c.code); is_cntrl(c.code)) {
      r.needs_quotes = true;
      r.fits_double_quotes = false;
      escaped = true;
    } else if (b == '\'') {
      r.needs_quotes = r.single_quote = true;
    } else if (b == ' ' || ((b == '#' || b == '~') && i == 0) ||
               ((b == '{' || b == '}') && s.size() == 1)) {
      r.needs_quotes = true;
    } else if (contains("!\"$&()*;<=>[^`|\\?", b)) {
      r.needs_quotes = true;
      r.fits_double_quotes = false;
    } else if (contains("#~{}", b)) {
      r.fits_double_quotes = false;
    } else if (b == ':' && colon_is_special) {
      r.needs_quotes = true;
    }
    r.ends_in_escape = escaped;
    i += c.size;
  }
  return r;
}

std::string shell_escape(std::string_view s, const Survey& survey) {
  std::string out;
  if (survey.single_quote && survey.fits_double_quotes) {
    out += '"';
    out += s;
    out += '"';
    return out;
  }
  out = "'";
  bool escaping = false;
  // gnulib scans a name with a single quote twice and carries the state of the
  // first pass into the second: '''a'\'''$'\n' rather than 'a'\'''$'\n'.
  if (survey.single_quote && survey.ends_in_escape) out += "''";
  for (size_t i = 0; i < s.size();) {
    Utf8Char c = decode_utf8(s, i);
    std::string_view bytes = s.substr(i, c.size);
    i += c.size;
    if (!c.valid || !is_print(c.code)) {
      if (!escaping) out += "'$'";
      escaping = true;
      append_escaped_bytes(out, bytes);
    } else if (c.code == '\'') {
      // Leaves single quotes, and with them a $'..' piece.
      out += "'\\''";
      escaping = false;
    } else {
      if (escaping) out += "''";
      escaping = false;
      out += bytes;
    }
  }
  out += '\'';
  return out;
}

// The styles with one pair of quotes and C escapes inside.
std::string c_escape(std::string_view s, std::string_view open, std::string_view close) {
  std::string out(open);
  for (size_t i = 0; i < s.size();) {
    Utf8Char c = decode_utf8(s, i);
    std::string_view bytes = s.substr(i, c.size);
    if (!c.valid || !is_print(c.code)) append_escaped_bytes(out, bytes);
    else if (bytes == "\\" || s.substr(i).starts_with(close)) (out += '\\') += bytes;
    else out += bytes;
    i += c.size;
  }
  out += close;
  return out;
}

}  // namespace

std::string gnu_quote(std::string_view s) { return shell_escape(s, survey_name(s, false)); }

std::string gnu_quote_if_needed(std::string_view s) {
  Survey survey = survey_name(s, true);
  if (!survey.needs_quotes && !s.empty()) return std::string(s);
  return shell_escape(s, survey);
}

std::string gnu_quote_name(std::string_view s) {
  Survey survey = survey_name(s, false);
  if (!survey.needs_quotes && !s.empty()) return std::string(s);
  return shell_escape(s, survey);
}

std::string gnu_locale_quote(std::string_view s) { return c_escape(s, "\u2018", "\u2019"); }
std::string gnu_c_quote(std::string_view s) { return c_escape(s, "\"", "\""); }

}  // namespace nacre::base
