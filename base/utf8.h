// UTF-8 as C.UTF-8 sees it (I3): a byte that is not part of a valid sequence
// is one character of its own.
//
// The answers are those of glibc 2.36 (bash and the GNU tools ask it), from
// tables of our own: nothing here looks at the process's locale. As glibc
// does, sequences up to six bytes (code 0x7fffffff) are taken as characters,
// surrogates and overlong forms are not. The class functions take code points:
// ask them only about characters that are `valid`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::base {

// One decoded character. `code` is the code point, or the byte value when
// `valid` is false (then size is 1).
struct Utf8Char {
  uint32_t code;
  uint8_t size;
  bool valid;
};

Utf8Char decode_utf8_multibyte(std::string_view s, size_t pos);

// Decodes the character at `pos` (pos < s.size()).
inline Utf8Char decode_utf8(std::string_view s, size_t pos) {
  auto c = static_cast<unsigned char>(s[pos]);
  if (c < 0x80) return {c, 1, true};
  return decode_utf8_multibyte(s, pos);
}
// The start of the character that ends at `end` (0 < end <= s.size()), when
// the text is decoded from its beginning.
size_t char_before(std::string_view s, size_t end);
// True when `pos` lies on a boundary between characters.
bool is_char_boundary(std::string_view s, size_t pos);
void append_utf8(std::string& out, uint32_t code);

// Number of characters.
size_t count_chars(std::string_view s);
// Byte offset of the n-th character (s.size() when there are fewer).
size_t char_offset(std::string_view s, size_t n);

// The properties of one code point, as bits, and its width plus one above them.
inline constexpr uint16_t kUnicodeAlpha = 1 << 0;
inline constexpr uint16_t kUnicodeUpper = 1 << 1;
inline constexpr uint16_t kUnicodeLower = 1 << 2;
inline constexpr uint16_t kUnicodeSpace = 1 << 3;
inline constexpr uint16_t kUnicodePunct = 1 << 4;
inline constexpr uint16_t kUnicodePrint = 1 << 5;
inline constexpr uint16_t kUnicodeCntrl = 1 << 6;
inline constexpr uint16_t kUnicodeBlank = 1 << 7;
inline constexpr uint16_t kUnicodeGraph = 1 << 8;
inline constexpr uint16_t kUnicodeAlnum = 1 << 9;
inline constexpr int kUnicodeWidthShift = 10;

namespace internal {

constexpr uint16_t ascii_properties(uint32_t c) {
  bool upper = c >= 'A' && c <= 'Z';
  bool lower = c >= 'a' && c <= 'z';
  bool digit = c >= '0' && c <= '9';
  bool cntrl = c < 0x20 || c == 0x7f;
  uint16_t p = 0;
  if (upper) p |= kUnicodeUpper;
  if (lower) p |= kUnicodeLower;
  if (upper || lower) p |= kUnicodeAlpha;
  if (upper || lower || digit) p |= kUnicodeAlnum;
  if (c == ' ' || (c >= '\t' && c <= '\r')) p |= kUnicodeSpace;
  if (c == ' ' || c == '\t') p |= kUnicodeBlank;
  if (cntrl) p |= kUnicodeCntrl;
  else p |= kUnicodePrint;
  if (!cntrl && c != ' ') p |= kUnicodeGraph;
  if (!cntrl && c != ' ' && !upper && !lower && !digit) p |= kUnicodePunct;
  int width = c == 0 ? 0 : cntrl ? -1 : 1;
  return static_cast<uint16_t>(p | (width + 1) << kUnicodeWidthShift);
}

constexpr std::array<uint16_t, 128> make_ascii_table() {
  std::array<uint16_t, 128> t{};
  for (uint32_t c = 0; c < 128; ++c) t[c] = ascii_properties(c);
  return t;
}
inline constexpr std::array<uint16_t, 128> kAsciiProperties = make_ascii_table();

uint16_t wide_properties(uint32_t code);
uint32_t wide_to_upper(uint32_t code);
uint32_t wide_to_lower(uint32_t code);

}  // namespace internal

inline uint16_t unicode_properties(uint32_t code) {
  return code < 128 ? internal::kAsciiProperties[code] : internal::wide_properties(code);
}

// Adds the code points at which the properties change, in order: between two of
// them all classes and widths are the same.
void append_property_edges(std::vector<uint32_t>& out);

inline bool is_upper(uint32_t code) { return unicode_properties(code) & kUnicodeUpper; }
inline bool is_lower(uint32_t code) { return unicode_properties(code) & kUnicodeLower; }
inline bool is_alpha(uint32_t code) { return unicode_properties(code) & kUnicodeAlpha; }
inline bool is_alnum(uint32_t code) { return unicode_properties(code) & kUnicodeAlnum; }
inline bool is_digit(uint32_t code) { return code - '0' < 10; }  // ASCII digits only
inline bool is_xdigit(uint32_t code) { return code - '0' < 10 || (code | 0x20) - 'a' < 6; }
inline bool is_space(uint32_t code) { return unicode_properties(code) & kUnicodeSpace; }
inline bool is_blank(uint32_t code) { return unicode_properties(code) & kUnicodeBlank; }
inline bool is_punct(uint32_t code) { return unicode_properties(code) & kUnicodePunct; }
inline bool is_print(uint32_t code) { return unicode_properties(code) & kUnicodePrint; }
inline bool is_graph(uint32_t code) { return unicode_properties(code) & kUnicodeGraph; }
inline bool is_cntrl(uint32_t code) { return unicode_properties(code) & kUnicodeCntrl; }

// towupper / towlower of C.UTF-8 for one code point (simple mappings).
inline uint32_t to_upper(uint32_t code) {
  if (code < 128) return code - 'a' < 26 ? code - 32 : code;
  return internal::wide_to_upper(code);
}
inline uint32_t to_lower(uint32_t code) {
  if (code < 128) return code - 'A' < 26 ? code + 32 : code;
  return internal::wide_to_lower(code);
}

// Whole-string case mapping; invalid bytes stay.
std::string upper(std::string_view s);
std::string lower(std::string_view s);

// Columns on a terminal: wcwidth as glibc 2.36 gives for C.UTF-8; -1 for a
// control character.
inline int char_width(uint32_t code) {
  return (unicode_properties(code) >> kUnicodeWidthShift) - 1;
}

inline bool is_ascii(std::string_view s) {
  for (unsigned char c : s)
    if (c >= 0x80) return false;
  return true;
}

}  // namespace nacre::base
