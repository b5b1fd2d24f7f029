// Properties and case mappings of code points above ASCII.
//
// Classes and widths come from a generated table of runs: a run is a first code
// point and an index into the few distinct property sets; a code point belongs
// to the last run that starts at or before it. Case mappings come from
// utf8proc, which agrees with glibc but for one letter.
#include <utf8proc.h>

#include <algorithm>
#include <iterator>

#include "base/utf8.h"

namespace nacre::base {

namespace {

#include "base/unicode_tables.inc"

constexpr uint32_t kLastCode = 0x10ffff;
constexpr uint32_t kCapitalSharpS = 0x1e9e;

}  // namespace

void append_property_edges(std::vector<uint32_t>& out) {
  for (uint32_t run : kUnicodeRuns) out.push_back(run >> 8);
}

namespace internal {

uint16_t wide_properties(uint32_t code) {
  if (code > kLastCode) return 0;
  auto after = std::upper_bound(std::begin(kUnicodeRuns), std::end(kUnicodeRuns),
                                code << 8 | 0xff);
  return kUnicodeSets[*(after - 1) & 0xff];
}

uint32_t wide_to_upper(uint32_t code) {
  // utf8proc maps the small sharp s to the capital one; glibc leaves it.
  if (code > kLastCode || code == 0xdf) return code;
  return static_cast<uint32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(code)));
}

uint32_t wide_to_lower(uint32_t code) {
  if (code > kLastCode) return code;
  if (code == kCapitalSharpS) return 0xdf;
  return static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

}  // namespace internal

}  // namespace nacre::base
