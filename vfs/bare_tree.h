// The tree of a new session:
//
//     /bin -> usr/bin    /usr/bin (BinFs)    /dev (DevFs)
//     /home/user (of the session's user, its HOME and working directory)
//     /tmp (1777)
//
// Nothing in it counts against the quotas. It takes a few microseconds and a
// few KiB to make; a session that starts from a snapshot shares all of it.
#pragma once

#include <span>
#include <string_view>

#include "base/ref.h"
#include "limits/clock.h"
#include "nacre/limits.h"
#include "vfs/bin_fs.h"
#include "vfs/memory_fs.h"
#include "vfs/mount_fs.h"

namespace nacre::vfs {

inline constexpr std::string_view kHome = "/home/user";

struct BareTree {
  base::Ref<MountFs> root;    // the whole tree
  base::Ref<MemoryFs> files;  // what can be written: for snapshots
  base::Ref<BinFs> bin;       // for commands that are registered later
};

// What a tree is made for. The clock and the table of names (sorted) must
// outlive it.
struct TreeOptions {
  const Limits& limits;
  limits::Clock& clock;
  std::span<const std::string_view> commands;
  Credentials user;
};

BareTree make_bare_tree(const TreeOptions& options);
// The same mounts over the files of a snapshot (of any session, on any thread).
BareTree make_tree_from(const MemoryFs::Snapshot& files, const TreeOptions& options);

}  // namespace nacre::vfs
