// Writes a Tree in RE2's syntax, when RE2 can express it.
#pragma once

#include <string>

#include "regex/regex_tree.h"

namespace nacre::regex::internal {

struct Re2Pattern {
  bool possible = false;
  std::string text;
  bool needs_ascii = false;             // RE2's \b knows ASCII letters only
  bool needs_no_final_newline = false;  // Perl's $ and (?m) ^ are near RE2's
};

Re2Pattern write_re2(const Tree& tree, limits::Meter& meter);

}  // namespace nacre::regex::internal
