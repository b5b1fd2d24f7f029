#include "base/numbers.h"

namespace nacre::base {

std::optional<int64_t> parse_legal_number(std::string_view s) {
  // Leading white space is strtoimax's, trailing is bash's own: blanks only.
  size_t i = 0;
  while (i < s.size() && (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))) ++i;
  size_t end = s.size();
  while (end > i && (s[end - 1] == ' ' || s[end - 1] == '\t')) --end;
  bool negative = i < end && s[i] == '-';
  if (negative || (i < end && s[i] == '+')) ++i;
  if (i == end || s[i] < '0' || s[i] > '9') return std::nullopt;
  if (negative) --i;  // from_chars takes the sign, so that the minimum fits.
  int64_t value;
  auto r = std::from_chars(s.data() + i, s.data() + end, value);
  if (r.ec != std::errc() || r.ptr != s.data() + end) return std::nullopt;
  return value;
}

}  // namespace nacre::base
