// A set of code points for regular expressions: ranges, character classes of
// C.UTF-8, ASCII-only classes of the Perl dialect, negation, folding of case.
//
// Folding maps the character to upper case and asks about that, as glibc does;
// the members are folded already. An invalid byte is in no set.
#pragma once

#include <cstdint>
#include <vector>

#include "regex/char_set.h"

namespace nacre::regex::internal {

struct CodeRange {
  uint32_t low, high;
};

class CodeSet {
 public:
  static constexpr uint32_t kMaxCode = 0x10ffff;

  void add(uint32_t low, uint32_t high) { ranges_.push_back({low, high}); }
  void add(uint32_t code) { add(code, code); }
  void add_classes(ClassMask classes) { classes_ |= classes; }
  // Everything that is in none of `classes` (\W, [^[:alpha:]] inside a list).
  void add_not_classes(ClassMask classes) { not_classes_.push_back(classes); }
  // Characters that are left out of the whole (the newline of [^a]).
  void exclude(uint32_t code) { excluded_.push_back(code); }
  void set_negated() { negated_ = true; }
  void set_fold() { fold_ = true; }
  // Perl: case is ignored by asking about both cases, and classes are ASCII.
  void set_perl(bool fold) { perl_ = true, fold_ = fold; }
  // Call once, after the last addition.
  void finish();

  bool contains(uint32_t code) const {
    if (code < 128) return ascii_[code >> 6] >> (code & 63) & 1;
    return test(code);
  }
  // The members as sorted disjoint ranges.
  std::vector<CodeRange> expand() const;
  size_t bytes() const { return sizeof *this + ranges_.size() * sizeof(CodeRange); }

 private:
  bool test(uint32_t code) const;
  bool test_folded(uint32_t code) const;

  std::vector<CodeRange> ranges_;
  std::vector<ClassMask> not_classes_;
  std::vector<uint32_t> excluded_;
  ClassMask classes_ = 0;
  bool negated_ = false;
  bool fold_ = false;
  bool perl_ = false;
  uint64_t ascii_[2] = {0, 0};
};

// All characters that ignoring case makes equal to `code`, itself included.
void append_case_variants(uint32_t code, std::vector<uint32_t>& out);

}  // namespace nacre::regex::internal
