// Who may do what to a node: the checks of the kernel's inode_permission() and
// of the sticky bit, for one user with one group. uid 0 may do everything, but
// executes only what has an execute bit.
#pragma once

#include "vfs/filesystem.h"
#include "vfs/types.h"

namespace nacre::vfs {

inline constexpr unsigned kMayRead = 4, kMayWrite = 2, kMayExecute = 1;
inline constexpr uint32_t kSetUid = 04000, kSetGid = 02000, kSticky = 01000;

inline bool may(const Node& node, const Credentials& who, unsigned bits) {
  if (who.uid == 0) return !(bits & kMayExecute) || node.is_directory() || (node.mode & 0111);
  uint32_t mode = who.uid == node.uid   ? node.mode >> 6
                  : who.gid == node.gid ? node.mode >> 3
                                        : node.mode;
  return (mode & bits) == bits;
}

inline bool owns(const Node& node, const Credentials& who) {
  return who.uid == 0 || who.uid == node.uid;
}

// May `who` (who may write in `dir`) take away the name of `node` in it?
inline bool sticky_allows(const Node& dir, const Node& node, const Credentials& who) {
  return !(dir.mode & kSticky) || owns(node, who) || owns(dir, who);
}

}  // namespace nacre::vfs
