// Backslash escapes of echo -e, printf's format and printf %b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nacre::builtins {

enum class EscapeStyle : uint8_t {
  echo,    // \0nnn is octal, \1 is not; \" \' \? stay
  format,  // \nnn is octal; \" \' \? lose the backslash; \c stays
  b,       // printf %b: \nnn and \0nnn are octal; \" \' \? stay
  gnu,     // echo(1) of coreutils: like b, but \E, \u and \U are none
};

struct Escape {
  char bytes[6];       // what it stands for
  uint8_t size = 0;    // of bytes; may be 0
  size_t length = 0;   // of the escape in the source, backslash included
  bool stop = false;   // \c: nothing more is to be written
  char missing = 0;    // x, u or U without a digit: printf says so
};

// Decodes the escape at s[pos], a backslash. An unknown escape gives the
// backslash alone (length 1), so that what follows is copied as it is.
Escape decode_escape(std::string_view s, size_t pos, EscapeStyle style);

// Appends `s` with the escapes of echo or %b; false when \c ended it. `missing`
// (if not null) collects the letters of escapes without digits.
bool append_unescaped(std::string& out, std::string_view s, EscapeStyle style,
                      std::string* missing = nullptr);

}  // namespace nacre::builtins
