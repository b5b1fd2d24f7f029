// How many open Files each inode of a MemoryFs has. It belongs to one session
// and is no part of a snapshot.
#pragma once

#include <cstdint>
#include <vector>

namespace nacre::vfs {

// A hash table with linear probing; inode numbers are never 0.
class OpenTable {
 public:
  bool is_open(uint64_t ino) const {
    if (slots_.empty()) return false;
    return slots_[find(ino)].ino == ino;
  }
  void add(uint64_t ino) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[find(ino)];
    if (slot.ino == 0) {
      slot.ino = ino;
      ++used_;
    }
    ++slot.count;
  }
  // True when that was the last one.
  bool remove(uint64_t ino) {
    size_t at = find(ino);
    if (--slots_[at].count > 0) return false;
    erase(at);
    return true;
  }

 private:
  struct Slot {
    uint64_t ino = 0;
    uint32_t count = 0;
  };

  size_t mask() const { return slots_.size() - 1; }
  size_t home(uint64_t ino) const { return (ino * 0x9e3779b97f4a7c15u >> 20) & mask(); }
  // Where the inode is or would be.
  size_t find(uint64_t ino) const {
    size_t at = home(ino);
    while (slots_[at].ino != 0 && slots_[at].ino != ino) at = (at + 1) & mask();
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 8 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.ino) slots_[find(slot.ino)] = slot;
  }
  void erase(size_t at) {
    --used_;
    // Close the gap: move up what would no longer be found behind it.
    for (size_t next = (at + 1) & mask(); slots_[next].ino != 0; next = (next + 1) & mask()) {
      if (((next - home(slots_[next].ino)) & mask()) < ((next - at) & mask())) continue;
      slots_[at] = slots_[next];
      at = next;
    }
    slots_[at] = Slot();
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace nacre::vfs
