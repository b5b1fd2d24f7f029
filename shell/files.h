// The host's hand in a session's tree.
#pragma once

#include "nacre/nacre.h"
#include "vfs/view.h"

namespace nacre {

class TreeFiles final : public Files {
 public:
  TreeFiles(vfs::View root_view, uint32_t uid, uint32_t gid)
      : view_(std::move(root_view)), uid_(uid), gid_(gid) {}
  std::errc write(std::string_view path, std::string_view contents, uint32_t mode) override;
  std::errc make_directory(std::string_view path, uint32_t mode) override;
  std::errc make_symlink(std::string_view target, std::string_view path) override;
  Expected<std::string> read(std::string_view path) const override;
  Expected<std::vector<Entry>> list(std::string_view path) const override;

 private:
  std::errc make_parents(std::string_view path);

  vfs::View view_;   // as root
  uint32_t uid_, gid_;
};

}  // namespace nacre
