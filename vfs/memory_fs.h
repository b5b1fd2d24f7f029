// A tree in memory: inodes, hard links, permissions, times, devices, FIFOs,
// contents that are copied on write, quotas.
//
// A snapshot costs O(1) and shares everything; what changes afterwards is
// copied piece by piece (a branch of the inode table, an inode, a leaf of a
// directory, a chunk of a file). Quotas are ordinary errors: ENOSPC for
// max_fs_bytes and max_files, EFBIG for max_file_bytes, ENAMETOOLONG for
// max_path_depth; quota_hits() tells which were met. Charged are the bytes that
// were written to files (holes are free, as on a disk), targets of links, and
// every name and inode as one file. A file without a name that is still open
// stays charged until it is closed.
//
// Times come from the session's clock; reading updates the access time as
// Linux' relatime does (when it is not newer than the last change, or a day old).
//
// A MemoryFs is used by one thread at a time. A Snapshot may be carried to and
// used on any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "limits/clock.h"
#include "nacre/limits.h"
#include "vfs/filesystem.h"
#include "vfs/inode.h"
#include "vfs/open_table.h"

namespace nacre::vfs {

class MemoryFs final : public FileSystem {
  // What a snapshot keeps: the tree and its account.
  struct Tree {
    InodeTable inodes;
    uint64_t next_ino = 2;
    uint64_t bytes = 0, files = 0;            // in use, with what is exempt
    uint64_t free_bytes = 0, free_files = 0;  // exempt: see exempt_present()
    std::vector<uint64_t> orphans;            // open when their last name went
  };

 public:
  static constexpr uint64_t kRootIno = 1;

  class Snapshot {
    friend class MemoryFs;
    explicit Snapshot(const Tree& tree) : tree_(tree) {}
    Tree tree_;
  };

  // Whether the quotas hold from the start or after exempt_present().
  enum class Quotas : uint8_t { now, later };

  // A tree that holds only its root (0755, owned by root). The clock must
  // outlive the tree.
  MemoryFs(const Limits& limits, limits::Clock& clock, Quotas quotas = Quotas::now);
  MemoryFs(const Snapshot& snapshot, const Limits& limits, limits::Clock& clock);

  // The tree as it is now.
  Snapshot snapshot() const { return Snapshot(tree_); }
  // Back to what it was. Files that are open on what the snapshot does not have
  // give ESTALE from now on.
  void restore(const Snapshot& snapshot);
  // What is in the tree now shall not count against max_fs_bytes and max_files.
  void exempt_present();

  Node root() override;
  Result<Node> reload(const Node& node) override;
  Result<Node> lookup(const Node& dir, std::string_view name) override;
  Result<Node> parent(const Node& dir) override;
  Result<std::string> name_of(const Node& dir) override;
  Result<Stat> stat(const Node& node) override;
  Result<std::string> readlink(const Node& node) override;
  Result<std::vector<DirEntry>> list(const Node& dir) override;
  Result<base::Ref<File>> open(const Node& node, OpenFlags flags, const Credentials& who) override;
  Result<Node> create(const Node& dir, std::string_view name, const NewNode& what) override;
  Status link(const Node& node, const Node& dir, std::string_view name) override;
  Status unlink(const Node& dir, std::string_view name) override;
  Status rmdir(const Node& dir, std::string_view name) override;
  Status rename(const Node& from_dir, std::string_view from, const Node& to_dir,
                std::string_view to) override;
  Status set_attributes(const Node& node, const Attributes& change) override;
  Status truncate(const Node& node, uint64_t size, const Credentials& who) override;
  Usage usage(const Node& node) override;

 private:
  friend class MemoryFile;

  Timestamp now() const;
  const Inode* find(uint64_t ino) const { return tree_.inodes.find(ino); }
  static Node node_of(const Inode& inode);
  // Sets mtime and ctime of a directory whose names changed.
  void touch(Inode& dir, Timestamp when);
  Stat stat_of(const Inode& inode) const;
  // The two halves of relatime; the second asks the clock each time.
  enum class AtimeRule : uint8_t { if_not_newest, if_not_newest_or_old };
  void update_atime(const Inode& inode, AtimeRule rule);
  // Is there room for a new name in `dir`?
  Status room_for_name(uint64_t dir);
  Status room_for_file();
  Status room_for_bytes(uint64_t before, uint64_t after);
  uint64_t depth_of(const Inode& dir) const;
  // Takes one link from a non-directory, and the file when nothing is left.
  void drop_link(uint64_t ino, Timestamp when);
  // Takes away a directory without names in it.
  void drop_directory(uint64_t ino);
  void drop_inode(uint64_t ino);
  void closed(uint64_t ino);
  void drop_orphans_that_are_closed();

  // Of regular files; `ino` exists.
  Status write(uint64_t ino, uint64_t offset, std::string_view data, bool keep_privileges);
  Status resize(uint64_t ino, uint64_t size, bool keep_privileges);

  limits::Clock& clock_;
  uint64_t max_bytes_, max_file_bytes_, max_files_;
  bool enforced_ = true;
  Tree tree_;
  OpenTable open_;
};

}  // namespace nacre::vfs
