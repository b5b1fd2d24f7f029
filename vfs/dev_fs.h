// /dev: null zero full random urandom tty, the links stdin stdout stderr, and
// fd/N for any number.
//
// The devices are recognised here, with the modes and numbers that they have on
// Linux, and no more: the descriptor layer looks at File::device(). null, zero
// and full also read and write by themselves. /dev/stdin is a link to fd/0, and
// fd/N exists for every N as far as this tree is concerned (descriptor_of()
// tells N): whether descriptor N is open only the descriptor layer knows.
#pragma once

#include "vfs/synthetic_fs.h"

namespace nacre::vfs {

class DevFs final : public SyntheticFs {
 public:
  // `created` is every file's time.
  explicit DevFs(Timestamp created)
      : SyntheticFs(std::errc::operation_not_permitted), created_(created) {}

  Node root() override;
  Result<Node> reload(const Node& node) override { return node; }
  Result<Node> lookup(const Node& dir, std::string_view name) override;
  Result<Node> parent(const Node& dir) override;
  Result<std::string> name_of(const Node& dir) override;
  Result<Stat> stat(const Node& node) override;
  Result<std::string> readlink(const Node& node) override;
  Result<std::vector<DirEntry>> list(const Node& dir) override;
  Result<base::Ref<File>> open(const Node& node, OpenFlags flags, const Credentials& who) override;
  // `touch /dev/null` works and changes nothing.
  Status set_attributes(const Node& node, const Attributes& change) override;

 private:
  Timestamp created_;
};

}  // namespace nacre::vfs
