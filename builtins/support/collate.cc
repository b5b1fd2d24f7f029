#include "builtins/support/collate.h"

#include <algorithm>
#include <cstring>

namespace nacre::builtins {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// How a character outside numbers sorts: the end first, then ~ even before it,
// letters before all others.
int version_rank(std::string_view s, size_t i) {
  if (i >= s.size()) return -1;
  unsigned char c = static_cast<unsigned char>(s[i]);
  if (is_digit(s[i])) return 0;
  if (is_alpha(s[i])) return c;
  return c == '~' ? -2 : c + 256;
}

// Text and numbers in turn; numbers by value.
int compare_runs(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    while ((i < a.size() && !is_digit(a[i])) || (j < b.size() && !is_digit(b[j]))) {
      int x = version_rank(a, i), y = version_rank(b, j);
      if (x != y) return x - y;
      ++i;
      ++j;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    int first = 0;
    while (i < a.size() && j < b.size() && is_digit(a[i]) && is_digit(b[j])) {
      if (!first) first = a[i] - b[j];
      ++i;
      ++j;
    }
    if (i < a.size() && is_digit(a[i])) return 1;
    if (j < b.size() && is_digit(b[j])) return -1;
    if (first) return first;
  }
  return 0;
}

// The length without suffixes like .tar.gz: (\.[A-Za-z~][A-Za-z0-9~]*)*$
size_t without_suffixes(std::string_view s) {
  size_t prefix = 0;
  for (size_t i = 0; i < s.size();) {
    prefix = ++i;
    while (i + 1 < s.size() && s[i] == '.' && (is_alpha(s[i + 1]) || s[i + 1] == '~')) {
      i += 2;
      while (i < s.size() && (is_alpha(s[i]) || is_digit(s[i]) || s[i] == '~')) ++i;
    }
    if (i >= s.size()) break;
  }
  return prefix;
}

}  // namespace

int compare_bytes(std::string_view a, std::string_view b) {
  size_t n = std::min(a.size(), b.size());
  if (int d = n ? std::memcmp(a.data(), b.data(), n) : 0) return d;
  return a.size() < b.size() ? -1 : a.size() > b.size();
}

int compare_versions(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return static_cast<int>(b.empty()) - static_cast<int>(a.empty());
  // Hidden names first, and "." and ".." before those.
  if (a[0] == '.' || b[0] == '.') {
    if (b[0] != '.') return -1;
    if (a[0] != '.') return 1;
    for (std::string_view dots : {std::string_view("."), std::string_view("..")}) {
      if (a == dots) return b == dots ? 0 : -1;
      if (b == dots) return 1;
    }
  }
  size_t a_prefix = without_suffixes(a), b_prefix = without_suffixes(b);
  int r = compare_runs(a.substr(0, a_prefix), b.substr(0, b_prefix));
  if (r || (a_prefix == a.size() && b_prefix == b.size())) return r;
  return compare_runs(a, b);
}

Decimal Decimal::scan(std::string_view s) {
  Decimal d;
  const char* p = s.data();
  const char* stop = p + s.size();
  while (p < stop && is_blank(*p)) ++p;
  if (p < stop && *p == '-') {
    d.negative = true;
    ++p;
  }
  while (p < stop && *p == '0') ++p;
  const char* start = p;
  while (p < stop && is_digit(*p)) ++p;
  d.whole = {start, static_cast<size_t>(p - start)};
  if (p < stop && *p == '.') {
    start = ++p;
    while (p < stop && is_digit(*p)) ++p;
    const char* last = p;
    while (last > start && last[-1] == '0') --last;
    d.fraction = {start, static_cast<size_t>(last - start)};
  }
  d.end = p;
  return d;
}

int compare_decimals(const Decimal& a, const Decimal& b) {
  bool a_zero = a.zero(), b_zero = b.zero();
  int a_sign = a_zero ? 0 : a.negative ? -1 : 1;
  int b_sign = b_zero ? 0 : b.negative ? -1 : 1;
  if (a_sign != b_sign) return a_sign - b_sign;
  if (a_sign == 0) return 0;
  int r;
  if (a.whole.size() != b.whole.size()) r = a.whole.size() < b.whole.size() ? -1 : 1;
  else r = compare_bytes(a.whole, b.whole);
  if (r == 0) r = compare_bytes(a.fraction, b.fraction);
  return a_sign < 0 ? -r : r;
}

int64_t decimal_ordinal(const Decimal& d) {
  constexpr int64_t kTop = INT64_MAX;
  // Three digits of the fraction fit beside fifteen of the whole.
  if (d.whole.size() > 15) return d.negative ? -kTop : kTop;
  int64_t v = 0;
  for (char c : d.whole) v = v * 10 + (c - '0');
  for (size_t i = 0; i < 3; ++i)
    v = v * 10 + (i < d.fraction.size() ? d.fraction[i] - '0' : 0);
  return d.negative ? -v : v;
}

int month_number(std::string_view s) {
  constexpr std::string_view kNames = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
  while (!s.empty() && is_blank(s[0])) s.remove_prefix(1);
  if (s.size() < 3) return 0;
  char name[3];
  for (int i = 0; i < 3; ++i) name[i] = s[i] >= 'a' && s[i] <= 'z' ? static_cast<char>(s[i] - 32)
                                                                    : s[i];
  for (int m = 0; m < 12; ++m)
    if (std::memcmp(kNames.data() + 3 * m, name, 3) == 0) return m + 1;
  return 0;
}

}  // namespace nacre::builtins
