#include "interp/scratch.h"

namespace nacre::interp {

char* Scratch::allocate_slow(size_t n) {
  constexpr size_t kBlock = 4096;
  // The blocks after the current one are free: use the first that is large enough.
  size_t next = blocks_.empty() ? 0 : block_ + 1;
  if (next < blocks_.size() && blocks_[next].size < n) {
    for (size_t i = next; i < blocks_.size(); ++i)
      meter_.sub_memory(static_cast<int64_t>(blocks_[i].size));
    blocks_.resize(next);
  }
  if (next >= blocks_.size()) {
    size_t size = kBlock;
    if (next > 0) size = std::min<size_t>(blocks_[next - 1].size * 2, 256 * 1024);
    if (size < n) size = n;
    meter_.add_memory(static_cast<int64_t>(size));
    blocks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
  }
  block_ = next;
  used_ = n;
  return blocks_[block_].data.get();
}

void Scratch::trim() {
  while (blocks_.size() > block_ + 2) {
    meter_.sub_memory(static_cast<int64_t>(blocks_.back().size));
    blocks_.pop_back();
  }
}

void FieldList::grow() {
  size_t before = overflow_.capacity();
  size_t after = before ? before * 2 : 32;
  scratch_.meter().add_memory(charge_of(after - before));
  overflow_.reserve(after);
}

void FieldList::spill(std::string_view text) {
  if (overflow_.capacity() == 0) grow();
  overflow_.assign(few_.begin(), few_.end());
  overflow_.push_back(text);
}

}  // namespace nacre::interp
