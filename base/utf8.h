// UTF-8 as C.UTF-8 sees it (I3): a byte that is not part of a valid sequence
// is one character of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nacre::base {

// One decoded character. `code` is the code point, or the byte value when
// `valid` is false (then size is 1).
struct Utf8Char {
  uint32_t code;
  uint8_t size;
  bool valid;
};

// Decodes the character at `pos` (pos < s.size()).
Utf8Char decode_utf8(std::string_view s, size_t pos);
void append_utf8(std::string& out, uint32_t code);

// Number of characters.
size_t count_chars(std::string_view s);
// Byte offset of the n-th character (s.size() when there are fewer).
size_t char_offset(std::string_view s, size_t n);

// towupper / towlower / towtitle of C.UTF-8 for one code point (simple mappings).
uint32_t to_upper(uint32_t code);
uint32_t to_lower(uint32_t code);
bool is_upper(uint32_t code);
bool is_lower(uint32_t code);
bool is_alpha(uint32_t code);
bool is_alnum(uint32_t code);
bool is_digit(uint32_t code);   // ASCII digits only
bool is_space(uint32_t code);
bool is_punct(uint32_t code);
bool is_print(uint32_t code);
bool is_graph(uint32_t code);
bool is_cntrl(uint32_t code);

// Whole-string case mapping; invalid bytes stay.
std::string upper(std::string_view s);
std::string lower(std::string_view s);

// Columns on a terminal: wcwidth as glibc 2.36 gives for C.UTF-8; -1 for a
// control character.
int char_width(uint32_t code);

inline bool is_ascii(std::string_view s) {
  for (unsigned char c : s)
    if (c >= 0x80) return false;
  return true;
}

}  // namespace nacre::base
