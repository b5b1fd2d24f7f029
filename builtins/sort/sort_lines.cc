#include "builtins/sort/sort_lines.h"

#include <algorithm>
#include <cstring>

#include "builtins/support/collate.h"
#include "builtins/support/inputs.h"

namespace nacre::builtins {

namespace {

constexpr size_t kBlock = 1 << 20;

// A comparator for the standard algorithms that charges what it does.
template <class Compare>
class Charged {
 public:
  Charged(limits::Meter& meter, Compare compare) : meter_(&meter), compare_(compare) {}
  bool operator()(const SortLine& a, const SortLine& b) {
    if ((++calls_ & 0xff) == 0) meter_->charge_work(8);
    return compare_(a, b) < 0;
  }

 private:
  limits::Meter* meter_;
  Compare compare_;
  uint32_t calls_ = 0;
};

int compare_text(const SortLine& a, const SortLine& b) {
  if (a.prefix != b.prefix) return a.prefix < b.prefix ? -1 : 1;
  return compare_bytes(a.view(), b.view());
}

}  // namespace

SortLine SortOrder::make_line(std::string_view text) const {
  SortLine line{0, text.data(), static_cast<uint32_t>(text.size()), 0, 0};
  std::string_view key = by_bytes() ? text : comparer.extract(text, comparer.keys[0]);
  line.key_at = static_cast<uint32_t>(key.data() - text.data());
  line.key_size = static_cast<uint32_t>(key.size());
  line.prefix = comparer.prefix(key);
  return line;
}

int SortOrder::compare_keys(const SortLine& a, const SortLine& b) const {
  if (a.prefix != b.prefix) {
    int d = a.prefix < b.prefix ? -1 : 1;
    return by_bytes() && reverse ? -d : d;
  }
  if (by_bytes()) {
    int d = compare_bytes(a.view(), b.view());
    return reverse ? -d : d;
  }
  return comparer.compare(a.view(), a.key(), b.view(), b.key());
}

int SortOrder::compare(const SortLine& a, const SortLine& b) const {
  int d = compare_keys(a, b);
  if (d || stable || unique || by_bytes()) return d;
  d = compare_bytes(a.view(), b.view());
  return reverse ? -d : d;
}

void SortLines::make_room(size_t more) {
  if (!blocks_.empty() && blocks_.back().capacity - blocks_.back().used >= more) return;
  size_t carried = blocks_.empty() ? 0 : blocks_.back().used - line_start_;
  size_t capacity = std::max(kBlock, 2 * (carried + more));
  meter_.check_string(static_cast<int64_t>(carried));
  charge_.add(static_cast<int64_t>(capacity));
  Block block{std::make_unique_for_overwrite<char[]>(capacity), capacity, carried};
  if (carried) {
    std::memcpy(block.bytes.get(), blocks_.back().bytes.get() + line_start_, carried);
    blocks_.back().used = line_start_;
  }
  blocks_.push_back(std::move(block));
  line_start_ = 0;
}

void SortLines::add_line(std::string_view text) {
  if (lines_.size() == lines_.capacity()) {
    size_t capacity = std::max<size_t>(64, 2 * lines_.capacity());
    charge_.add(static_cast<int64_t>((capacity - lines_.capacity()) * sizeof(SortLine)));
    lines_.reserve(capacity);
  }
  lines_.push_back(order_.make_line(text));
}

// Finds the lines that end at or after `from` in the last block.
void SortLines::split(size_t from) {
  Block& block = blocks_.back();
  const char* base = block.bytes.get();
  while (from < block.used) {
    const void* hit = std::memchr(base + from, order_.delimiter, block.used - from);
    if (!hit) return;
    size_t end = static_cast<size_t>(static_cast<const char*>(hit) - base);
    add_line({base + line_start_, end - line_start_});
    from = line_start_ = end + 1;
  }
}

bool SortLines::read(interp::Input& in) {
  while (true) {
    std::string_view chunk = in.peek();
    if (chunk.empty()) break;
    chunk = chunk.substr(0, kBlock);
    meter_.charge_work(work_for(chunk.size()));
    make_room(chunk.size());
    Block& block = blocks_.back();
    std::memcpy(block.bytes.get() + block.used, chunk.data(), chunk.size());
    size_t from = block.used;
    block.used += chunk.size();
    in.consume(chunk.size());
    split(from);
  }
  // A last line without delimiter is a line.
  if (!blocks_.empty() && line_start_ < blocks_.back().used) {
    Block& block = blocks_.back();
    add_line({block.bytes.get() + line_start_, block.used - line_start_});
    line_start_ = block.used;
  }
  return !in.has_error();
}

void SortLines::sort() {
  auto full = [this](const SortLine& a, const SortLine& b) { return order_.compare(a, b); };
  auto begin = lines_.begin(), end = lines_.end();
  if (order_.by_bytes() && !order_.reverse) {
    // Equal lines are the same bytes, so any order among them will do.
    std::sort(begin, end, Charged(meter_, compare_text));
  } else if (order_.stable || order_.unique) {
    limits::MemoryCharge scratch(meter_, static_cast<int64_t>(lines_.size() * sizeof(SortLine)));
    std::stable_sort(begin, end, Charged(meter_, full));
  } else {
    std::sort(begin, end, Charged(meter_, full));
  }
}

}  // namespace nacre::builtins
