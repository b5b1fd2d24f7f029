// The lines that a sort holds: their bytes in large blocks, and an array of
// lines that is sorted. All of it is charged to the meter before it is taken.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "builtins/sort/sort_key.h"
#include "interp/command.h"

namespace nacre::builtins {

struct SortLine {
  uint64_t prefix;         // orders lines as far as it goes
  const char* text;
  uint32_t size;
  uint32_t key_at, key_size;
  std::string_view view() const { return {text, size}; }
  std::string_view key() const { return {text + key_at, key_size}; }
};

// How lines are ordered.
struct SortOrder {
  KeyComparer comparer;
  bool stable = false;    // -s
  bool unique = false;    // -u
  bool reverse = false;   // of the last resort
  char delimiter = '\n';

  bool by_bytes() const { return comparer.keys.empty(); }
  // With the last resort, unless stable or unique.
  int compare(const SortLine& a, const SortLine& b) const;
  // By the keys alone (-u, -c).
  int compare_keys(const SortLine& a, const SortLine& b) const;
  SortLine make_line(std::string_view text) const;
};

class SortLines {
 public:
  SortLines(limits::Meter& meter, const SortOrder& order)
      : meter_(meter), order_(order), charge_(meter) {}

  // Takes all lines of `in`; false on a read error.
  bool read(interp::Input& in);
  void sort();
  const std::vector<SortLine>& lines() const { return lines_; }

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t capacity = 0, used = 0;
  };

  // Room for `more` bytes behind the unfinished line of the last block, which
  // moves along when the block is full.
  void make_room(size_t more);
  void add_line(std::string_view text);
  void split(size_t from);

  limits::Meter& meter_;
  const SortOrder& order_;
  limits::MemoryCharge charge_;
  std::vector<Block> blocks_;
  size_t line_start_ = 0;  // of the unfinished line in the last block
  std::vector<SortLine> lines_;
};

}  // namespace nacre::builtins
