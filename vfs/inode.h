// A file of a MemoryFs, and the table that finds it by number.
//
// The table is a radix tree of 32-way branches over inode numbers. Numbers only
// grow, so a stale number never names another file. The whole table is shared
// by copying its root (a snapshot); a change copies the branches on the way to
// one inode and that inode. Directories name inodes by number, so hard links
// need nothing special, and nothing owns its children: dropping a tree never
// recurses over its depth.
#pragma once

#include <cstdint>
#include <string>

#include "vfs/contents.h"
#include "vfs/directory.h"
#include "vfs/file.h"
#include "vfs/shared.h"
#include "vfs/types.h"

namespace nacre::vfs {

struct Inode final : public Shared {
  uint64_t ino = 0;
  uint64_t parent = 0;  // of a directory: the one that holds it
  uint32_t mode = 0, uid = 0, gid = 0;
  uint32_t nlink = 0;
  FileType type = FileType::regular;
  Device device = Device::none;
  uint32_t rdev_major = 0, rdev_minor = 0;
  Timestamp atime, mtime, ctime, btime;
  SharedRef<Contents> contents;  // of a regular file; null while it is empty
  SharedRef<Directory> entries;  // of a directory; null while it is empty
  std::string target;            // of a symlink

  bool is_directory() const { return type == FileType::directory; }
  uint64_t size() const;
  // What its bytes cost the tree.
  uint64_t charge() const { return contents ? contents->charge() : target.size(); }
  Stat stat() const;
};

class InodeTable {
 public:
  const Inode* find(uint64_t ino) const {
    if (height_ == 0 || ino >> (kBits * height_)) return nullptr;
    const Shared* at = root_.get();
    for (unsigned shift = kBits * (height_ - 1);; shift -= kBits) {
      at = static_cast<const Branch*>(at)->slots[(ino >> shift) & kMask].get();
      if (!at || shift == 0) return static_cast<const Inode*>(at);
    }
  }
  // For writing; null when there is none. Valid until the table is copied.
  Inode* writable(uint64_t ino);
  void insert(SharedRef<Inode> inode);
  void erase(uint64_t ino);

 private:
  static constexpr unsigned kBits = 5;
  static constexpr unsigned kWidth = 1u << kBits;
  static constexpr uint64_t kMask = kWidth - 1;

  struct Branch final : public Shared {
    SharedRef<Shared> slots[kWidth];
    uint32_t used = 0;
  };

  // The lowest branch above `ino`, writable, with those above it; made when
  // missing if `make`, else null.
  Branch* branch_for(uint64_t ino, bool make);

  SharedRef<Shared> root_;  // a Branch
  unsigned height_ = 0;
};

}  // namespace nacre::vfs
