// What the backtracker runs: a flat list of instructions made from a Tree.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "regex/regex_tree.h"

namespace nacre::regex::internal {

struct Inst {
  enum class Op : uint8_t {
    literal,       // a = code point
    literal_fold,  // a = code point in upper case
    byte,          // a = byte
    any,           // flag: newline too
    set,           // a = set
    split,         // goes to a; if that fails, to b
    jump,          // a
    run,           // the next instruction (one character) any number of times;
                   // flag: lazy; goes on after it
    mark,          // a = slot: remembers the place
    loop,          // a = slot, b = where to: goes there unless nothing was taken since mark
    open,          // a = group
    close,         // a = group; flag: optional, see Backtracker::close_group
    assertion,     // a = Assertion
    backref,       // a = group; flag: ignore case
    atomic,        // the instructions up to `done`, as one piece; goes on at a
    look,          // the same as a condition; flag: negative; goes on at a
    back,          // a characters back, or fails
    done,          // the end of atomic or look
    keep,          // the match begins here (\K)
    when_set,      // a = group: goes on when it is set, else to b
    when_look,     // the look that follows: goes on when it holds, else to b
    grapheme,      // one extended grapheme cluster
    call,          // runs the instructions of a group again: a = first; goes on after
    fail,
    match,
  };
  Op op;
  bool flag = false;
  uint32_t a = 0, b = 0;
};

struct RegexProgram {
  std::vector<Inst> code;
  std::vector<CodeSet> sets;
  uint32_t groups = 0;  // without group 0
  uint32_t slots = 0;   // of `mark`
  uint32_t splits = 0;  // how many split and run instructions there are
  std::vector<uint32_t> split_number;  // by instruction; UINT32_MAX for others
  bool longest = true;       // POSIX; otherwise the first match by priority
  bool multiline = false;
  // What a match does depends on more than instruction and place: what has
  // failed once may not be remembered.
  bool stateful = false;
  bool uses_search_start = false;
  bool keeps = false;

  // Facts for finding candidates. A match begins with one of these bytes
  // (when known) or only at the beginning of the text.
  bool first_known = false;
  uint64_t first[4] = {0, 0, 0, 0};
  bool anchored = false;
  // Text that every match begins with; empty when there is none.
  std::string prefix;
  // Text that every match holds (not under ignore case); empty when unknown.
  std::string required;
  // The whole pattern is `required`, without groups.
  bool is_literal = false;
};

// Throws LimitExceeded for max_regex_bytes.
RegexProgram compile_program(Tree&& tree, limits::Meter& meter);

}  // namespace nacre::regex::internal
