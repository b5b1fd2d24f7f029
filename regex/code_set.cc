#include "regex/code_set.h"

#include <algorithm>

namespace nacre::regex::internal {

namespace {

// Blocks that hold letters with two cases; outside of them nothing folds.
constexpr CodeRange kCasedBlocks[] = {
    {0x41, 0x5a},       {0x61, 0x7a},       {0xb5, 0x58f},      {0x10a0, 0x10ff},
    {0x13a0, 0x13ff},   {0x1c80, 0x1cbf},   {0x1d79, 0x1dbf},   {0x1e00, 0x1fff},
    {0x2126, 0x2188},   {0x24b6, 0x24e9},   {0x2c00, 0x2d2d},   {0xa640, 0xa7ff},
    {0xab50, 0xabbf},   {0xff21, 0xff5a},   {0x10400, 0x105ff}, {0x10c80, 0x10cff},
    {0x118a0, 0x118df}, {0x16e40, 0x16e7f}, {0x1e900, 0x1e943},
};

template <class F>
void for_each_cased(F&& f) {
  for (const CodeRange& block : kCasedBlocks)
    for (uint32_t c = block.low; c <= block.high; ++c) f(c);
}

void normalise(std::vector<CodeRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const CodeRange& a, const CodeRange& b) { return a.low < b.low; });
  size_t n = 0;
  for (const CodeRange& r : ranges) {
    if (n > 0 && r.low <= ranges[n - 1].high + 1)
      ranges[n - 1].high = std::max(ranges[n - 1].high, r.high);
    else
      ranges[n++] = r;
  }
  ranges.resize(n);
}

}  // namespace

void append_case_variants(uint32_t code, std::vector<uint32_t>& out) {
  uint32_t upper = base::to_upper(code);
  uint32_t lower = base::to_lower(upper);
  if (upper < 128) {
    out.push_back(upper);
    if (upper != lower) out.push_back(lower);
    if (upper == 'S') out.push_back(0x17f);  // long s
    if (upper == 'I') out.push_back(0x131);  // dotless i
    return;
  }
  bool cased = false;
  for (const CodeRange& block : kCasedBlocks) cased |= code >= block.low && code <= block.high;
  if (!cased) {
    out.push_back(code);
    return;
  }
  for_each_cased([&](uint32_t c) {
    if (c == upper || base::to_upper(c) == upper) out.push_back(c);
  });
}

void CodeSet::finish() {
  normalise(ranges_);
  for (uint32_t c = 0; c < 128; ++c)
    if (test(c)) ascii_[c >> 6] |= uint64_t{1} << (c & 63);
}

bool CodeSet::test_folded(uint32_t code) const {
  auto after = std::upper_bound(ranges_.begin(), ranges_.end(), code,
                                [](uint32_t c, const CodeRange& r) { return c < r.low; });
  if (after != ranges_.begin() && code <= (after - 1)->high) return true;
  if (classes_ && in_classes(classes_, code, !perl_)) return true;
  for (ClassMask mask : not_classes_)
    if (!in_classes(mask, code, !perl_)) return true;
  return false;
}

bool CodeSet::test(uint32_t code) const {
  for (uint32_t c : excluded_)
    if (c == code) return false;
  bool in;
  if (!fold_) {
    in = test_folded(code);
  } else if (!perl_) {
    in = test_folded(base::to_upper(code));
  } else {
    // PCRE keeps the dotted and the dotless i of Turkish apart.
    in = test_folded(code) ||
         (code != 0x130 && code != 0x131 &&
          (test_folded(base::to_upper(code)) || test_folded(base::to_lower(code))));
  }
  return in != negated_;
}

std::vector<CodeRange> CodeSet::expand() const {
  std::vector<CodeRange> out;
  bool simple = classes_ == 0 && not_classes_.empty();
  if (simple && !fold_ && !negated_ && excluded_.empty()) return ranges_;
  // Between these points membership does not change.
  std::vector<uint32_t> edges = {0, 0xd800, 0xe000, kMaxCode + 1};
  for (const CodeRange& r : ranges_) {
    edges.push_back(r.low);
    edges.push_back(r.high + 1);
  }
  for (uint32_t c : excluded_) {
    edges.push_back(c);
    edges.push_back(c + 1);
  }
  if (fold_)
    for_each_cased([&](uint32_t c) {
      edges.push_back(c);
      edges.push_back(c + 1);
    });
  if (!simple) {
    for (uint32_t c = 0; c < 128; ++c) edges.push_back(c);
    edges.push_back(128);
    if (!perl_) base::append_property_edges(edges);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    uint32_t low = edges[i], high = edges[i + 1] - 1;
    if (low >= 0xd800 && high < 0xe000) continue;
    if (!contains(low)) continue;
    if (!out.empty() && out.back().high + 1 == low) out.back().high = high;
    else out.push_back({low, high});
  }
  return out;
}

}  // namespace nacre::regex::internal
