// The compiled form of a shell pattern, shared by the compiler and the two
// matchers. Not part of the interface of regex/.
//
// A pattern is a sequence of elements; a group element names alternative
// sequences. A pattern without groups is also cut at its stars into segments of
// fixed length (in characters), which is what the simple matcher runs.
//
// Two modes: wide (the text and the pattern are valid UTF-8: one element is one
// character) and bytes (one of them is not: one element is one byte). bash
// decides so for the text as a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "regex/bracket.h"
#include "regex/char_set.h"
#include "regex/pattern.h"

namespace nacre::regex::internal {

struct Element {
  enum class Op : uint8_t {
    literal,  // a = offset in Program::text, b = bytes
    folded,   // a = code of one character, folded
    any,
    set,      // a = index of the set
    star,
    group,    // a = first of Program::alternatives, b = how many; kind
    bracket,  // a = index of a malformed bracket; the last of its sequence
    never,    // fails always
  };
  Op op;
  char kind = 0;      // of a group: ? * + @ !
  // What bash makes of *!(..) at the end of the text: it matches, whatever
  // follows. Only for an element that begins with !( and comes after a star.
  bool flag = false;
  uint32_t a = 0, b = 0;
};

struct Sequence {
  std::vector<Element> elements;
  // nullable_from[k]: elements k.. match the empty string. Empty when the
  // sequence holds no star and no group.
  std::vector<bool> nullable_from;
  bool nullable = false;
};

// A malformed bracket, with the rest of the pattern for each place where its
// roads end.
struct ForkBracket {
  Bracket bracket;
  BracketOptions options;
  std::vector<std::pair<size_t, uint32_t>> rests;  // place -> sequence
};

// A run of elements without a star.
struct Segment {
  uint32_t first = 0, count = 0;
  uint32_t chars = 0;
  bool literal = false;  // one literal element, or none
};

struct Program {
  PatternOptions options;
  bool wide = true;
  std::string text;  // the bytes of all literals
  std::vector<Sequence> sequences;
  std::vector<uint32_t> alternatives;
  std::vector<CharSet> sets;
  std::vector<ForkBracket> forks;
  uint32_t start = 0;  // the sequence of the whole pattern

  bool simple = false;
  // The elements of a simple pattern, its segments, and what stands around
  // them: text before the first star is segments.front() and so on.
  std::vector<Element> elements;
  std::vector<Segment> segments;
  bool has_star = false;  // then segments are prefix, middles, suffix
  bool plain = false;     // literals and stars only: the mode does not matter

  // The length in characters that bash takes every match of ${x/p/r} to have,
  // by a count of its own; SIZE_MAX when it may vary.
  size_t search_chars = SIZE_MAX;
  // The check that bash makes before a search may go another way than the
  // search: behind a leading star the rest would have to take something, but
  // need not alone; or the pattern holds a *!(..). See Pattern::Impl::check.
  bool check_matters = false;
  // The search looks at the end of the text too; bash does so only for these.
  bool begins_with_star = false;

  // Bytes that can begin a match; only when `start_bytes_known`.
  bool start_bytes_known = false;
  uint64_t start_bytes[4] = {0, 0, 0, 0};

  std::string_view literal_text(const Element& e) const {
    return std::string_view(text).substr(e.a, e.b);
  }
};

// Compiles for one mode. Throws what the meter throws.
Program compile_pattern(std::string_view pattern, PatternOptions options, bool wide,
                        limits::Meter& meter);

// A text in the mode of the program that looks at it.
struct Subject {
  std::string_view text;
  bool wide;

  size_t after(size_t pos) const {
    return wide ? pos + base::decode_utf8(text, pos).size : pos + 1;
  }
  size_t before(size_t pos) const { return wide ? base::char_before(text, pos) : pos - 1; }
  uint32_t code(size_t pos) const {
    return wide ? base::decode_utf8(text, pos).code : static_cast<uint8_t>(text[pos]);
  }
};

// Steps of a matcher, handed to the meter in batches.
class Steps {
 public:
  explicit Steps(limits::Meter& meter) : meter_(meter) {}
  void add(int64_t n) {
    pending_ += n;
    if (pending_ >= kBatch) flush();
  }
  void flush() {
    int64_t n = std::exchange(pending_, 0);
    meter_.charge_work(n / kStepsPerUnit + 1);
  }

 private:
  static constexpr int64_t kBatch = 1024;
  static constexpr int64_t kStepsPerUnit = 8;
  limits::Meter& meter_;
  int64_t pending_ = 0;
};

// The operations of Pattern for the two kinds of program. Positions are byte
// offsets; npos means no match.
namespace simple {
bool matches(const Program& p, Subject s, limits::Meter& meter);
size_t prefix(const Program& p, Subject s, bool longest, limits::Meter& meter);
size_t suffix(const Program& p, Subject s, bool longest, limits::Meter& meter);
bool search(const Program& p, Subject s, size_t from, size_t& pos, size_t& len,
            limits::Meter& meter);
}  // namespace simple

// All boundaries between characters in [low, high].
struct Interval {
  size_t low, high;
};

namespace extended {
// Where a match that starts at `pos` may end: sorted, disjoint.
std::vector<Interval> ends(const Program& p, Subject s, size_t pos, limits::Meter& meter);
bool matches(const Program& p, Subject s, limits::Meter& meter);
size_t prefix(const Program& p, Subject s, bool longest, limits::Meter& meter);
size_t suffix(const Program& p, Subject s, bool longest, limits::Meter& meter);
bool search(const Program& p, Subject s, size_t from, size_t& pos, size_t& len,
            limits::Meter& meter);
}  // namespace extended

// Text that is not valid UTF-8, under a pattern that is: bash decides anew for
// each part of the text that it tries, so that the valid parts are matched by
// characters and the others by bytes.
namespace mixed {
struct Programs {
  const Program& wide;
  const Program& bytes;
};
size_t prefix(Programs p, std::string_view s, bool longest, limits::Meter& meter);
size_t suffix(Programs p, std::string_view s, bool longest, limits::Meter& meter);
bool search(Programs p, std::string_view s, size_t from, size_t& pos, size_t& len,
            limits::Meter& meter);
}  // namespace mixed

}  // namespace nacre::regex::internal
