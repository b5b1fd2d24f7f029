// The characters of the Perl dialect: what one escape stands for, and bracket
// classes. Shared by the parser of patterns only.
#pragma once

#include <expected>
#include <string_view>

#include "limits/meter.h"
#include "regex/code_set.h"

namespace nacre::regex::internal {

// PCRE2's text of an error.
struct PerlError {
  std::string_view text;
};

struct PerlCharOptions {
  bool ignore_case = false;
  bool extended_more = false;  // (?xx): blanks in classes are skipped
};

// \d \w \s \h \v \N and their opposites; false for another letter.
bool add_class_escape(CodeSet& set, char letter);

// A character after a backslash: \n \x{..} \012 \cA and so on. `pos` is on the
// character after the backslash and moves past what was read. Letters that mean
// something else are the caller's; other characters stand for themselves.
std::expected<uint32_t, PerlError> read_char_escape(std::string_view p, size_t& pos);

// \p{..} or \P{..}: general categories and PCRE2's Any, L&, Xan, Xsp, Xps, Xwd.
// `pos` is on the p and moves past the property.
std::expected<CodeSet, PerlError> read_property(std::string_view p, size_t& pos,
                                                limits::Meter& meter);

// [...] with `pos` after the [; moves past the ].
std::expected<CodeSet, PerlError> read_perl_class(std::string_view p, size_t& pos,
                                                  PerlCharOptions options, limits::Meter& meter);

}  // namespace nacre::regex::internal
