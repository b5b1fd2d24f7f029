// Reads Perl-like regular expressions in PCRE2's syntax, as grep -P takes them:
// UTF-8, classes (\w \d \s [[:alpha:]]) of ASCII characters only.
//
// Not taken: callouts, verbs such as (*SKIP), \p{..} by script, named
// backtracking control. Calls of groups ((?R), (?1), (?&name)) match as one
// piece and cannot be backtracked into.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "regex/regex.h"
#include "regex/regex_tree.h"

namespace nacre::regex::internal {

// The error is PCRE2's text.
std::expected<Tree, std::string> parse_perl(std::string_view pattern, RegexOptions options,
                                            limits::Meter& meter);

}  // namespace nacre::regex::internal
