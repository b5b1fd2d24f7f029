// Shell patterns (bash manual, 3.5.8.1 Pattern Matching): * ? [..] and, when
// asked for, the extended groups ?(..) *(..) +(..) @(..) !(..).
//
// A pattern is compiled once and matched many times; literal prefixes and
// suffixes and the common shapes (literal, literal*, *literal, *) are decided
// at compilation. Matching does not recurse on the text, and its steps are
// charged to the meter, so that no pattern can hang.
//
// Characters are UTF-8 characters when the pattern and the text are valid
// UTF-8; otherwise, as in bash, every byte is one. A Pattern may compile itself
// a second time for such text, so one Pattern is for one thread at a time.
//
// The constructor throws what the meter throws: nesting of groups deeper than
// max_nesting_depth, work.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limits/meter.h"

namespace nacre::regex {

struct PatternOptions {
  bool extglob = false;
  bool ignore_case = false;       // nocasematch, nocaseglob
  bool period = false;            // FNM_PERIOD: a leading . matches only a literal .
  bool pathname = false;          // FNM_PATHNAME: * ? [ do not match /
  bool operator==(const PatternOptions&) const = default;
};

class Pattern {
 public:
  // `text` is a pattern in which \ quotes the next character.
  Pattern(std::string_view text, PatternOptions options, limits::Meter& meter);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  // The whole of `s`.
  bool matches(std::string_view s, limits::Meter& meter) const;

  // For ${x#p} and friends. Length in bytes of the shortest / longest prefix
  // (suffix) of s that matches; npos when none does. Character boundaries are
  // respected.
  size_t match_prefix(std::string_view s, bool longest, limits::Meter& meter) const;
  size_t match_suffix(std::string_view s, bool longest, limits::Meter& meter) const;
  // For ${x/p/r}: the first position at or after `from` where the pattern
  // matches, and the longest match there. False when there is none, and for the
  // empty pattern, which bash takes to be nowhere.
  bool search(std::string_view s, size_t from, size_t& pos, size_t& len,
              limits::Meter& meter) const;

  // Set when the pattern is plain text: that text.
  bool is_literal() const;
  std::string_view literal() const;

 private:
  friend class PatternScan;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Many searches in one text (${x//p/r}): what has to be known about the text is
// found out once. Both arguments must outlive the scan.
class PatternScan {
 public:
  PatternScan(const Pattern& pattern, std::string_view s);
  // As Pattern::search.
  bool find(size_t from, size_t& pos, size_t& len, limits::Meter& meter) const;

 private:
  const Pattern* pattern_;
  std::string_view s_;
  size_t end_of_invalid_ = 0;
  bool ascii_ = true;
};

// True when `text` (with \ quoting) holds an active pattern character.
bool has_active_pattern(std::string_view text, bool extglob);
// Puts \ before every character that a pattern would treat specially.
void append_escaped(std::string& out, std::string_view text);
// Removes one level of \ quoting.
std::string unescape(std::string_view text);

}  // namespace nacre::regex
