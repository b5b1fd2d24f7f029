// /usr/bin: a read-only directory that lists the utilities a session has.
//
// Each is a regular file of root with mode 0755 whose text is the line
// "#!nacre builtin NAME". Nothing is kept per name, so that a session's tree
// costs nothing: the table of names belongs to the owner.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vfs/synthetic_fs.h"

namespace nacre::vfs {

class BinFs final : public SyntheticFs {
 public:
  // `names` is sorted by bytes, without repetitions, and outlives this tree.
  BinFs(std::span<const std::string_view> names, Timestamp created)
      : SyntheticFs(std::errc::read_only_file_system), names_(names), created_(created) {}

  // A command that the host registered for this session.
  void add(std::string_view name);
  void remove(std::string_view name);

  Node root() override;
  Result<Node> reload(const Node& node) override;
  Result<Node> lookup(const Node& dir, std::string_view name) override;
  Result<Node> parent(const Node&) override { return root(); }
  Result<std::string> name_of(const Node&) override { return std::string(); }
  Result<Stat> stat(const Node& node) override;
  Result<std::string> readlink(const Node&) override {
    return std::unexpected(std::errc::invalid_argument);
  }
  Result<std::vector<DirEntry>> list(const Node& dir) override;
  Result<base::Ref<File>> open(const Node& node, OpenFlags flags, const Credentials& who) override;
  bool read_only(const Node&) override { return true; }

 private:
  static constexpr uint64_t kFirstId = 2;
  static constexpr uint64_t kFirstAdded = uint64_t{1} << 32;

  struct Added {
    std::string name;
    uint64_t id;
  };

  // Empty when the node is no command (any more).
  std::string_view command_of(const Node& node) const;

  std::span<const std::string_view> names_;
  std::vector<Added> added_;  // sorted by name; none of names_
  uint64_t next_added_ = kFirstAdded;
  Timestamp created_;
};

}  // namespace nacre::vfs
