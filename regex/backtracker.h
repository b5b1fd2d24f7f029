// Runs a RegexProgram over a text: what RE2 cannot do, submatches by glibc's
// rules, and short texts.
//
// The stack is explicit; only atomic groups, lookarounds and calls recurse in
// C++, as deep as they are nested in the pattern (calls are counted). Steps are
// charged as work, the stack and the memory of failures as memory.
//
// POSIX programs explore all ways from a start to find the longest end. Of the
// ways to that end the first in glibc's order of preference gives the
// submatches. Without back references it is remembered which places have
// failed, once a search turns out to take long, so that it stays polynomial.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "limits/meter.h"
#include "regex/regex.h"
#include "regex/regex_program.h"

namespace nacre::regex::internal {

class Backtracker {
 public:
  Backtracker(const RegexProgram& program, std::string_view text, limits::Meter& meter);

  // The first match at or after `from`; \G matches at `from`.
  bool search(size_t from, std::vector<Match>& groups);
  // The submatches of a match that is known to be [begin, end).
  bool match_exactly(size_t begin, size_t end, std::vector<Match>& groups);
  // Steps taken so far: how hard the text was.
  int64_t steps() const { return total_steps_ + steps_; }

 private:
  struct Frame {
    enum class Kind : uint8_t { branch, run, lazy_run, capture, slot, keep };
    Kind kind;
    uint32_t index;  // instruction, register or slot
    size_t a = 0, b = 0;
  };
  enum class Outcome : uint8_t { failed, matched };

  bool attempt(size_t start);
  Outcome run(uint32_t pc, size_t pos, size_t& end_pos);
  bool step_run(uint32_t pc, size_t& pos);
  bool backtrack(size_t base, uint32_t& pc, size_t& pos);
  bool one(const Inst& inst, size_t& pos) const;
  bool assertion(Assertion a, size_t pos) const;
  bool backref(const Inst& inst, size_t& pos);
  bool grapheme(size_t& pos) const;
  bool back(uint32_t chars, size_t& pos) const;
  bool nested(const Inst& inst, uint32_t& pc, size_t& pos);
  bool call(uint32_t target, size_t& pos);
  void close_group(const Inst& inst, size_t pos);
  void unwind(size_t base);
  void keep_undo_only(size_t base);
  void push(Frame frame);
  void set_register(size_t index, size_t value);
  bool seen(uint32_t pc, size_t pos);
  bool word_at(size_t pos) const;
  bool word_before(size_t pos) const;
  size_t next_candidate(size_t pos) const;
  void count() {
    if (++steps_ >= kStepsPerCharge) charge();
  }
  void charge();
  void remember_failures();
  void fill(std::vector<Match>& groups) const;

  static constexpr size_t kNone = std::string_view::npos;
  static constexpr int64_t kStepsPerCharge = 512;
  static constexpr int64_t kStepsPerUnit = 8;

  const RegexProgram& p_;
  std::string_view text_;
  limits::Meter& meter_;
  limits::MemoryCharge memory_;

  std::vector<Frame> stack_;
  size_t stack_charged_ = 0;
  // Begin and end of each group. Behind them, POSIX: the state that close_group
  // goes back to; Perl: where open groups began.
  std::vector<size_t> registers_;
  std::vector<size_t> slots_;
  size_t keep_ = kNone;

  size_t search_start_ = 0;
  size_t low_ = 0;           // the first place that failures are remembered for
  size_t required_end_ = kNone;
  size_t best_end_ = kNone;
  std::vector<size_t> best_registers_;
  size_t best_keep_ = kNone;

  bool remembering_ = false;
  std::vector<uint64_t> failures_;
  size_t limit_ = 0;  // matches do not go beyond (the required end)
  int64_t steps_ = 0;
  int64_t total_steps_ = 0;
  int64_t patience_ = 0;  // steps before failures are remembered
  int depth_ = 0;
};

}  // namespace nacre::regex::internal
