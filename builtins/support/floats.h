// Floating-point numbers as strtold(3) reads them in the C locale.
#pragma once

#include <string_view>

namespace nacre::builtins {

// The longest beginning of s that is a number (blanks before it, a sign, hex,
// inf and nan included); its length, 0 when there is none. Too large gives
// infinity, too small zero.
size_t scan_float(std::string_view s, long double& value);

// The whole of s is a number.
bool parse_float(std::string_view s, long double& value);

// A number of seconds, not negative, or of what a suffix says: 1.5, 2m, 3h, 1d.
bool scan_duration(std::string_view s, long double& seconds);

}  // namespace nacre::builtins
