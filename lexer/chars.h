// What each byte means to the shell's grammar: one table of flags.
//
// Bytes above 0x7f are ordinary word characters; the grammar never looks
// inside a multi-byte character.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nacre::lexer {

enum CharFlag : uint16_t {
  kBlank = 1 << 0,        // space, tab
  kMeta = 1 << 1,         // ( ) < > ; & |
  kNewline = 1 << 2,      //
  kEnd = 1 << 3,          // NUL: the end of what is buffered
  kNameStart = 1 << 4,    // [A-Za-z_]
  kNameChar = 1 << 5,     // [A-Za-z0-9_]
  kDigit = 1 << 6,        // [0-9]
  kWordStop = 1 << 7,     // not an ordinary character of an unquoted word
  kDoubleStop = 1 << 8,   // not an ordinary character between double quotes
  kSpecialParam = 1 << 9, // @ * # ? - $ !
  kFastStop = 1 << 10,    // may make a word more than plain text
  kWordBreak = kBlank | kMeta | kNewline,
};

namespace internal {
constexpr std::array<uint16_t, 256> make_char_table() {
  std::array<uint16_t, 256> t{};
  auto mark = [&t](std::string_view chars, uint16_t flag) {
    for (char c : chars) t[static_cast<unsigned char>(c)] |= flag;
  };
  mark(" \t", kBlank);
  mark("()<>;&|", kMeta);
  mark("\n", kNewline);
  t[0] |= kEnd;
  for (int c = 'a'; c <= 'z'; ++c) t[c] |= kNameStart | kNameChar;
  for (int c = 'A'; c <= 'Z'; ++c) t[c] |= kNameStart | kNameChar;
  t['_'] |= kNameStart | kNameChar;
  for (int c = '0'; c <= '9'; ++c) t[c] |= kDigit | kNameChar;
  mark(" \t()<>;&|\n\\'\"`$~=[]{}:*?+@!/,", kWordStop);
  mark(" \t()<>;&|\n\\'\"`$=[{*?", kFastStop);
  t[0] |= kWordStop | kDoubleStop | kFastStop;
  mark("\\\"`$'})(;:?[]", kDoubleStop);
  mark("@*#?-$!", kSpecialParam);
  return t;
}
}  // namespace internal

inline constexpr std::array<uint16_t, 256> kCharTable = internal::make_char_table();

constexpr bool has_flag(char c, uint16_t flags) {
  return (kCharTable[static_cast<unsigned char>(c)] & flags) != 0;
}

}  // namespace nacre::lexer
