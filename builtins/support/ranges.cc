#include "builtins/support/ranges.h"

#include <algorithm>

#include "base/quoting.h"

namespace nacre::builtins {

bool parse_ranges(std::string_view text, const RangeNames& names, std::vector<Range>& ranges,
                  std::string& error) {
  bool dash = false, left = false, right = false;
  uint64_t initial = 1, value = 0;
  for (size_t i = 0;; ++i) {
    char c = i < text.size() ? text[i] : '\0';
    bool end = i >= text.size();
    if (!end && c == '-') {
      if (dash) {
        error = names.range;
        return false;
      }
      dash = true;
      if (left && value == 0) {
        error = names.zero;
        return false;
      }
      initial = left ? value : 1;
      value = 0;
    } else if (end || c == ',' || c == ' ' || c == '\t') {
      if (dash) {
        if (!left && !right) {
          error = "invalid range with no endpoint: -";
          return false;
        }
        if (!right) {
          ranges.push_back({initial, UINT64_MAX});
        } else if (value < initial) {
          error = "invalid decreasing range";
          return false;
        } else {
          ranges.push_back({initial, value});
        }
      } else {
        if (value == 0) {
          error = names.zero;
          return false;
        }
        ranges.push_back({value, value});
      }
      value = 0;
      dash = left = right = false;
      if (end) break;
    } else if (c >= '0' && c <= '9') {
      (dash ? right : left) = true;
      if (__builtin_mul_overflow(value, uint64_t{10}, &value) ||
          __builtin_add_overflow(value, uint64_t(c - '0'), &value) || value == UINT64_MAX) {
        size_t last = text.find_first_not_of("0123456789", i);
        size_t first = text.substr(0, i).find_last_not_of("0123456789");
        first = first == text.npos ? 0 : first + 1;
        error.append(names.too_large).append(" ");
        error += base::gnu_locale_quote(
            text.substr(first, last == text.npos ? text.npos : last - first));
        error += " is too large";
        return false;
      }
    } else {
      error.append(names.invalid).append(" ").append(base::gnu_locale_quote(text.substr(i)));
      return false;
    }
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.low < b.low; });
  size_t kept = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].low <= ranges[kept].high)
      ranges[kept].high = std::max(ranges[kept].high, ranges[i].high);
    else
      ranges[++kept] = ranges[i];
  }
  ranges.resize(kept + 1);
  return true;
}

std::vector<Range> complement_ranges(const std::vector<Range>& ranges) {
  std::vector<Range> rest;
  uint64_t next = 1;
  for (const Range& r : ranges) {
    if (r.low > next) rest.push_back({next, r.low - 1});
    if (r.high == UINT64_MAX) return rest;
    next = r.high + 1;
  }
  rest.push_back({next, UINT64_MAX});
  return rest;
}

}  // namespace nacre::builtins
