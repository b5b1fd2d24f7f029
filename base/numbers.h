// Text to numbers and back, without locale and without allocation.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nacre::base {

inline void append_int(std::string& out, int64_t v) {
  char buf[24];
  auto r = std::to_chars(buf, buf + sizeof buf, v);
  out.append(buf, r.ptr - buf);
}
inline void append_uint(std::string& out, uint64_t v) {
  char buf[24];
  auto r = std::to_chars(buf, buf + sizeof buf, v);
  out.append(buf, r.ptr - buf);
}
inline std::string int_text(int64_t v) {
  std::string s;
  append_int(s, v);
  return s;
}

// The whole of `s` (optional blanks around, optional sign, decimal digits) as
// bash's legal_number() takes it; nullopt when it is not a number or does not
// fit in 64 bits.
std::optional<int64_t> parse_legal_number(std::string_view s);

// True when s is an identifier: [A-Za-z_][A-Za-z0-9_]*.
inline bool is_name_start(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_name_char(unsigned char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }
inline bool is_identifier(std::string_view s) {
  if (s.empty() || !is_name_start(s[0])) return false;
  for (unsigned char c : s)
    if (!is_name_char(c)) return false;
  return true;
}
inline bool all_digits(std::string_view s) {
  if (s.empty()) return false;
  for (unsigned char c : s)
    if (c < '0' || c > '9') return false;
  return true;
}

}  // namespace nacre::base
