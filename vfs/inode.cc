#include "vfs/inode.h"

namespace nacre::vfs {

namespace {

constexpr uint64_t kDirectorySize = 4096;
constexpr uint64_t kInlineTarget = 60;  // ext4 keeps shorter targets in the inode

}  // namespace

uint64_t Inode::size() const {
  switch (type) {
    case FileType::regular:
      return contents ? contents->size() : 0;
    case FileType::directory:
      return kDirectorySize;
    case FileType::symlink:
      return target.size();
    default:
      return 0;
  }
}

Stat Inode::stat() const {
  Stat st;
  st.ino = ino;
  st.type = type;
  st.mode = mode;
  st.nlink = nlink;
  st.uid = uid;
  st.gid = gid;
  st.size = size();
  if (contents) st.blocks = contents->blocks();
  if (is_directory() || target.size() >= kInlineTarget) st.blocks = kDirectorySize / 512;
  st.atime = atime;
  st.mtime = mtime;
  st.ctime = ctime;
  st.btime = btime;
  st.rdev_major = rdev_major;
  st.rdev_minor = rdev_minor;
  return st;
}

InodeTable::Branch* InodeTable::branch_for(uint64_t ino, bool make) {
  auto open = [](SharedRef<Shared>& ref) {
    if (!ref->unique()) ref = make_shared_ref<Branch>(static_cast<const Branch&>(*ref));
    return static_cast<Branch*>(&ref.owned());
  };
  while (height_ == 0 || ino >> (kBits * height_)) {
    if (!make) return nullptr;
    auto top = make_shared_ref<Branch>();
    if (root_) {
      top.owned().slots[0] = std::move(root_);
      top.owned().used = 1;
    }
    root_ = std::move(top);
    ++height_;
  }
  Branch* at = open(root_);
  for (unsigned shift = kBits * (height_ - 1); shift > 0; shift -= kBits) {
    SharedRef<Shared>& slot = at->slots[(ino >> shift) & kMask];
    if (!slot) {
      if (!make) return nullptr;
      slot = make_shared_ref<Branch>();
      ++at->used;
    }
    at = open(slot);
  }
  return at;
}

Inode* InodeTable::writable(uint64_t ino) {
  if (!find(ino)) return nullptr;
  SharedRef<Shared>& slot = branch_for(ino, false)->slots[ino & kMask];
  if (!slot->unique()) slot = make_shared_ref<Inode>(static_cast<const Inode&>(*slot));
  return static_cast<Inode*>(&slot.owned());
}

void InodeTable::insert(SharedRef<Inode> inode) {
  uint64_t ino = inode->ino;
  Branch* branch = branch_for(ino, true);
  SharedRef<Shared>& slot = branch->slots[ino & kMask];
  if (!slot) ++branch->used;
  slot = std::move(inode);
}

void InodeTable::erase(uint64_t ino) {
  if (!find(ino)) return;
  Branch* branch = branch_for(ino, false);
  branch->slots[ino & kMask].reset();
  // Take out what became empty, from the bottom up, so that a session that makes
  // and removes files for long keeps a small table.
  for (unsigned level = 1; --branch->used == 0 && level < height_; ++level) {
    // The parent of the branch at `level`, already writable.
    branch = static_cast<Branch*>(&root_.owned());
    for (unsigned shift = kBits * (height_ - 1); shift > kBits * level; shift -= kBits)
      branch = static_cast<Branch*>(&branch->slots[(ino >> shift) & kMask].owned());
    branch->slots[(ino >> (kBits * level)) & kMask].reset();
  }
}

}  // namespace nacre::vfs
