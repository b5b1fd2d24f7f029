#include "builtins/digest/check_line.h"

namespace nacre::builtins {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool set_hex(CheckLine& line, std::string_view hex) {
  if (hex.size() != line.bytes * 2) return false;
  for (char c : hex) {
    if (!is_hex(c)) return false;
    line.hex += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return true;
}

bool set_name(CheckLine& line, std::string_view name, bool escaped) {
  if (!escaped) {
    line.name = name;
    return true;
  }
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\') {
      line.name += name[i];
      continue;
    }
    if (++i == name.size()) return false;
    switch (name[i]) {
      case 'n': line.name += '\n'; break;
      case 'r': line.name += '\r'; break;
      case '\\': line.name += '\\'; break;
      default: return false;
    }
  }
  return true;
}

// -BITS behind a tag.
bool read_length(std::string_view& s, size_t& bytes) {
  size_t bits = 0, n = 0;
  for (; n < s.size() && s[n] >= '0' && s[n] <= '9'; ++n) {
    bits = bits * 10 + static_cast<size_t>(s[n] - '0');
    if (bits > bytes * 8) return false;
  }
  if (bits == 0 || bits % 8 != 0) return false;
  s.remove_prefix(n);
  bytes = bits / 8;
  return true;
}

}  // namespace

std::optional<CheckLine> CheckLineReader::read(std::string_view s) {
  // Names are texts of C.
  s = s.substr(0, s.find('\0'));
  while (!s.empty() && is_blank(s[0])) s.remove_prefix(1);
  bool escaped = s.starts_with('\\');
  if (escaped) s.remove_prefix(1);

  // No tag is the beginning of another.
  auto first = static_cast<uint8_t>(kind_.value_or(DigestKind::md5));
  auto last = static_cast<uint8_t>(kind_.value_or(DigestKind::sm3));
  for (uint8_t i = first; i <= last; ++i) {
    auto kind = static_cast<DigestKind>(i);
    std::string_view tag = digest_tag(kind);
    if (!s.starts_with(tag)) continue;
    std::string_view rest = s.substr(tag.size());
    CheckLine line{kind, digest_bytes(kind), {}, {}};
    if (kind == DigestKind::blake2b && rest.starts_with('-')) {
      rest.remove_prefix(1);
      if (!read_length(rest, line.bytes)) return std::nullopt;
    }
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.starts_with('(')) return std::nullopt;
    return read_tagged(std::move(line), rest.substr(1), escaped);
  }
  if (!kind_) return std::nullopt;
  return read_plain(s, escaped);
}

std::optional<CheckLine> CheckLineReader::read_tagged(CheckLine line, std::string_view s,
                                                      bool escaped) {
  size_t close = s.rfind(')');
  if (close == s.npos || !set_name(line, s.substr(0, close), escaped)) return std::nullopt;
  s.remove_prefix(close + 1);
  while (!s.empty() && is_blank(s[0])) s.remove_prefix(1);
  if (!s.starts_with('=')) return std::nullopt;
  s.remove_prefix(1);
  while (!s.empty() && is_blank(s[0])) s.remove_prefix(1);
  if (!set_hex(line, s)) return std::nullopt;
  return line;
}

std::optional<CheckLine> CheckLineReader::read_plain(std::string_view s, bool escaped) {
  CheckLine line{*kind_, digest_bytes(*kind_), {}, {}};
  if (*kind_ == DigestKind::blake2b) {
    size_t digits = 0;
    while (digits < s.size() && is_hex(s[digits])) ++digits;
    if (digits < 2 || digits % 2 != 0 || digits > line.bytes * 2) return std::nullopt;
    line.bytes = digits / 2;
  }
  size_t digits = line.bytes * 2;
  // At least a blank and a name of one byte follow.
  if (s.size() < digits + 2 || !is_blank(s[digits])) return std::nullopt;
  if (!set_hex(line, s.substr(0, digits))) return std::nullopt;
  s.remove_prefix(digits + 1);
  if (s.size() == 1 || (s[0] != ' ' && s[0] != '*')) {
    if (style_ == Style::gnu) return std::nullopt;
    style_ = Style::bsd_reversed;
  } else if (style_ != Style::bsd_reversed) {
    style_ = Style::gnu;
    s.remove_prefix(1);
  }
  if (!set_name(line, s, escaped)) return std::nullopt;
  return line;
}

void append_escaped_name(std::string& out, std::string_view name) {
  for (char c : name) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\\': out += "\\\\"; break;
      default: out += c;
    }
  }
}

}  // namespace nacre::builtins
