// The names in one directory: sorted, cheap to share, cheap to look up.
//
// An ordered list of leaves of up to 128 entries each. A lookup is a binary
// search over the leaves and another in one leaf; most steps compare the first
// sixteen bytes of a name as two numbers. Snapshots share the leaves, so a change
// after a snapshot copies one leaf and the list of leaves. A directory of a
// hundred thousand names has about a thousand leaves.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vfs/shared.h"
#include "vfs/types.h"

namespace nacre::vfs {

// A name's first sixteen bytes as big-endian numbers, with zeros behind a
// shorter name: since names hold no NUL, these order as the bytes do.
struct NamePrefix {
  static constexpr size_t kSize = 16;

  uint64_t high = 0, low = 0;
  auto operator<=>(const NamePrefix&) const = default;
};

struct NameKey {
  explicit NameKey(std::string_view name);
  NamePrefix prefix;
  std::string_view text;
};

// The text of a name longer than its prefix, shared by leaves and their clones.
class LongName;

struct DirectoryEntry {
  NamePrefix prefix;
  const LongName* rest;  // null for a name of up to sixteen bytes
  uint64_t ino : 56;
  uint64_t type : 8;

  std::string name() const;
  FileType file_type() const { return static_cast<FileType>(type); }
};

class DirectoryLeaf final : public Shared {
 public:
  static constexpr size_t kMax = 128;

  DirectoryLeaf() = default;
  DirectoryLeaf(const DirectoryLeaf& o);
  ~DirectoryLeaf() override;

  size_t size() const { return size_; }
  const DirectoryEntry& operator[](size_t i) const { return entries_[i]; }
  DirectoryEntry& operator[](size_t i) { return entries_[i]; }
  // The first entry that is not less than `key`, and whether it is equal.
  size_t lower_bound(const NameKey& key, bool& equal) const;
  void insert(size_t at, const NameKey& key, uint64_t ino, FileType type);
  void erase(size_t at);
  // Moves the entries from `at` on to the end of `to`.
  void move_tail(size_t at, DirectoryLeaf& to);

 private:
  void reserve(size_t n);

  DirectoryEntry* entries_ = nullptr;
  uint16_t size_ = 0, capacity_ = 0;
};

class Directory final : public Shared {
 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const DirectoryEntry* find(std::string_view name) const;
  // Adds the name, or makes it name another inode.
  void set(std::string_view name, uint64_t ino, FileType type);
  void erase(std::string_view name);

  // In byte order of the names.
  template <class F>
  void for_each(F&& f) const {
    for (const Slot& slot : leaves_)
      for (size_t i = 0; i < slot.leaf->size(); ++i) f((*slot.leaf)[i]);
  }

 private:
  struct Slot {
    NamePrefix first_prefix;  // of the leaf's first entry
    SharedRef<DirectoryLeaf> leaf;
  };

  // The leaf in which `key` is or would be; leaves_ must not be empty.
  size_t leaf_for(const NameKey& key) const;
  void merge_small(size_t index);

  size_t size_ = 0;
  std::vector<Slot> leaves_;
};

}  // namespace nacre::vfs
