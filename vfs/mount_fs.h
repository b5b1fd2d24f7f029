// A table of mounts over a base: one tree made of several.
//
// Each Node carries, in the low eight bits of `mount`, which of the trees it
// lies in; a tree that is itself a MountFs keeps its own numbers in the bits
// above. A directory that is mounted upon is never seen: looking it up gives
// the root of what is mounted, and it can be neither removed nor moved (EBUSY).
// Links and renames between trees are refused by View (EXDEV), since `mount`
// differs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vfs/filesystem.h"
#include "vfs/path.h"

namespace nacre::vfs {

class MountFs final : public FileSystem {
 public:
  explicit MountFs(base::Ref<FileSystem> base);

  // `at` must be a directory of this tree (no links are followed): ENOENT,
  // ENOTDIR. ENOSPC after 255 mounts.
  Status mount(const Path& at, base::Ref<FileSystem> fs);

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
  bool read_only(const Node& node) override;
  uint64_t number_devices(uint64_t first) override;
  QuotaHits quota_hits() const override;
  void clear_quota_hits() override;

 private:
  static constexpr unsigned kBits = 8;
  static constexpr uint64_t kMask = (1u << kBits) - 1;

  struct Mount {
    base::Ref<FileSystem> fs;
    Node covered;  // the directory below it, as a node of this tree
    Node top;      // its root, as a node of this tree
  };

  // A node as its own tree knows it.
  class Inner {
   public:
    explicit Inner(const Node& node) : node_(&node) {
      if (node.mount == 0) return;  // the base's nodes are what they are
      copy_ = node;
      copy_.mount >>= kBits;
      node_ = &copy_;
    }
    Inner(const Inner&) = delete;
    operator const Node&() const { return *node_; }

   private:
    Node copy_;
    const Node* node_;
  };

  FileSystem& fs_of(const Node& node) const { return *mounts_[node.mount & kMask].fs; }
  static uint64_t outer_mount(uint64_t inner, uint64_t index) { return inner << kBits | index; }
  bool is_covered(const Node& node) const;
  // What is seen where `node` is: the top of what is mounted there, or itself.
  Node seen(Node node) const;
  Result<Node> outer(Result<Node> node, uint64_t index) const;
  // The lowest directory that is seen as `dir`.
  const Node& below(const Node& dir) const;
  Status refuse_covered(const Node& dir, std::string_view name);

  std::vector<Mount> mounts_;  // the base first
  uint64_t next_device_;
};

}  // namespace nacre::vfs
