// Reads POSIX basic and extended regular expressions as glibc's regcomp and
// re_compile_pattern do, with their extensions, their leniencies and their
// error texts.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "regex/regex.h"
#include "regex/regex_tree.h"

namespace nacre::regex::internal {

// The error is regerror's text. Throws what the meter throws (nesting, work).
std::expected<Tree, std::string> parse_posix(std::string_view pattern, RegexOptions options,
                                             limits::Meter& meter);

}  // namespace nacre::regex::internal
