#include "builtins/ls/name_style.h"

#include "base/quoting.h"
#include "base/utf8.h"

namespace nacre::builtins::ls {

namespace {

// Control characters and bytes that are no characters become question marks.
std::string masked(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size();) {
    base::Utf8Char c = base::decode_utf8(s, i);
    if (c.valid && base::is_print(c.code)) {
      out.append(s.substr(i, c.size));
    } else {
      int width = c.valid ? base::char_width(c.code) : 1;
      out.append(static_cast<size_t>(width < 1 ? 1 : width), '?');
    }
    i += c.size;
  }
  return out;
}

// -b: C escapes, and a backslash before blanks.
std::string escaped(std::string_view s, std::string_view special) {
  std::string quoted = base::gnu_c_quote(s);
  std::string out;
  // Inside "..", only \" is more than is wanted here.
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\' && quoted[i + 1] == '"') continue;
    if (quoted[i] == '\\') {
      out += quoted[i++];
      out += quoted[i];
      continue;
    }
    if (special.find(quoted[i]) != special.npos) out += '\\';
    out += quoted[i];
  }
  return out;
}

// What makes quotes necessary for a shell, without the escapes of $'..'.
bool shell_needs_quotes(std::string_view s) {
  if (s.empty() || s == "{" || s == "}") return true;
  if (s[0] == '#' || s[0] == '~') return true;
  return s.find_first_of(" \t\n\r\a\b\f\v!\"$&'()*;<=>[^`|\\?") != s.npos;
}

std::string shell_quoted(std::string_view s) {
  bool single = s.find('\'') != s.npos;
  // "it's" where nothing inside is special between double quotes.
  if (single && s.find_first_of("\t\n\r\a\b\f\v!\"$&()*;<=>[^`|\\?#~{}") == s.npos)
    return '"' + std::string(s) + '"';
  return base::single_quote(s);
}

}  // namespace

std::string styled_name(std::string_view name, const Settings& set, bool& is_quoted,
                        bool heading) {
  is_quoted = false;
  std::string out;
  switch (set.quoting) {
    case Quoting::literal:
      out = name;
      break;
    case Quoting::shell:
      is_quoted = shell_needs_quotes(name) || (heading && name.find(':') != name.npos);
      out = is_quoted ? shell_quoted(name) : std::string(name);
      break;
    case Quoting::shell_always: out = shell_quoted(name); break;
    case Quoting::shell_escape:
      out = heading ? base::gnu_quote_if_needed(name) : base::gnu_quote_name(name);
      is_quoted = out != name;
      break;
    case Quoting::shell_escape_always: out = base::gnu_quote(name); break;
    case Quoting::c: out = base::gnu_c_quote(name); break;
    case Quoting::escape: {
      std::string special = " ";
      if (heading) special += ':';
      if (set.indicator == Indicator::file_type) special += "=>@|";
      if (set.indicator == Indicator::classify) special += "*=>@|";
      out = escaped(name, special);
      break;
    }
    case Quoting::locale: out = base::gnu_locale_quote(name); break;
  }
  return set.hide_control ? masked(out) : out;
}

size_t text_width(std::string_view s) {
  size_t width = 0;
  for (size_t i = 0; i < s.size();) {
    base::Utf8Char c = base::decode_utf8(s, i);
    i += c.size;
    if (!c.valid) {
      ++width;
      continue;
    }
    int w = base::char_width(c.code);
    if (w > 0) width += static_cast<size_t>(w);
  }
  return width;
}

}  // namespace nacre::builtins::ls
