// A set of characters: the meaning of a bracket expression, for shell patterns.
//
// Answers for ASCII come from a bitmap that is filled when the set is made;
// above it the ranges and classes are looked at. In byte mode (text that is not
// valid UTF-8) a byte of 0x80 or more has its value as its code and belongs to
// no class. A plain value type; it holds no pointers into the pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace nacre::regex::internal {

// One bit a class: alnum, alpha, ... in the order of the table in char_set.cc.
using ClassMask = uint32_t;

// [:name:]; nullopt when there is no such class.
std::optional<ClassMask> find_class(std::string_view name);
// True when the character belongs to one of the classes. `wide` is false in
// byte mode.
bool in_classes(ClassMask classes, uint32_t code, bool wide);

// [.name.]: the code of a collating symbol of the POSIX locale, or of one
// character; nullopt when there is none.
std::optional<uint32_t> find_collating_symbol(std::string_view name, bool wide);

class CharSet {
 public:
  struct Range {
    uint32_t low, high;
  };

  explicit CharSet(bool fold) : fold_(fold) {}

  // Bounds are folded already when the set folds.
  void add_range(uint32_t low, uint32_t high);
  void add_classes(ClassMask classes);
  void add_ascii(uint64_t low, uint64_t high) { ascii_[0] |= low, ascii_[1] |= high; }
  // Call once, after the last addition.
  void finish(bool negated);

  // `wide` is false in byte mode.
  bool contains(uint32_t code, bool wide) const {
    if (code < 128) return ascii_[code >> 6] >> (code & 63) & 1;
    return contains_high(code, wide) != negated_;
  }

 private:
  bool contains_high(uint32_t code, bool wide) const;

  uint64_t ascii_[2] = {0, 0};
  std::vector<Range> ranges_;  // those that reach above ASCII
  ClassMask classes_ = 0;
  bool fold_;
  bool negated_ = false;
};

}  // namespace nacre::regex::internal
