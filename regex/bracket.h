// Reads a bracket expression of a shell pattern the way bash's matcher walks
// through it.
//
// bash decides where a bracket ends while it matches: after an element has
// matched it skips to the closing ] by other rules than those by which it walks
// past elements that have not. For all but malformed brackets both roads end in
// the same place, and the result is a plain set. For the others the result
// lists the elements, each with the place where its road ends.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regex/char_set.h"

namespace nacre::regex::internal {

struct BracketElement {
  enum class Kind : uint8_t { nothing, range, classes };
  Kind kind = Kind::nothing;
  uint32_t low = 0, high = 0;
  ClassMask classes = 0;
  size_t next = 0;  // where the pattern goes on when this matched; see below
};

struct Bracket {
  // Places that are none.
  static constexpr size_t kUnterminated = SIZE_MAX;  // the [ stands for itself
  static constexpr size_t kFails = SIZE_MAX - 1;     // nothing matches

  std::vector<BracketElement> elements;
  size_t literal_next = 0;  // after the [ when it stands for itself
  size_t end = 0;           // after ], by the road on which nothing matched
  bool negated = false;

  // Both roads of every element end at `end`, and there is an end.
  bool well_formed() const;
  // The [ stands for itself whatever the text is.
  bool is_literal() const;
};

struct BracketOptions {
  bool wide = true;
  bool fold = false;
  bool pathname = false;
};

// `pos` is just after the [.
Bracket read_bracket(std::string_view pattern, size_t pos, BracketOptions options);
bool element_matches(const BracketElement& element, uint32_t code, BracketOptions options);

}  // namespace nacre::regex::internal
