// Lists of ranges: cut -f 1,3-5,-2,7-; numfmt --field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::builtins {

struct Range {
  uint64_t low, high;  // from 1, both included; high UINT64_MAX: to the end
};

// What the messages call the numbers.
struct RangeNames {
  std::string_view zero;      // "fields are numbered from 1"
  std::string_view invalid;   // "invalid field value"
  std::string_view range;     // "invalid field range"
  std::string_view too_large; // "field number"
};

// Sorted, merged where they overlap (kept apart where they only touch). False
// with a message in `error`.
bool parse_ranges(std::string_view text, const RangeNames& names, std::vector<Range>& ranges,
                  std::string& error);
// What the ranges leave out.
std::vector<Range> complement_ranges(const std::vector<Range>& ranges);

}  // namespace nacre::builtins
