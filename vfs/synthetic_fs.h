// What the synthetic trees (DevFs, BinFs) have in common: names that are not
// kept but computed, and that nobody can change.
#pragma once

#include "vfs/filesystem.h"

namespace nacre::vfs {

class SyntheticFs : public FileSystem {
 public:
  static constexpr uint64_t kRootId = 1;

  // `refusal` is what each attempt to change the tree gives.
  explicit SyntheticFs(std::errc refusal) : refusal_(refusal) {}

  Result<Node> create(const Node&, std::string_view, const NewNode&) override { return refuse(); }
  Status link(const Node&, const Node&, std::string_view) override { return refuse(); }
  Status unlink(const Node&, std::string_view) override { return refuse(); }
  Status rmdir(const Node&, std::string_view) override { return refuse(); }
  Status rename(const Node&, std::string_view, const Node&, std::string_view) override {
    return refuse();
  }
  Status set_attributes(const Node&, const Attributes&) override { return refuse(); }
  Status truncate(const Node&, uint64_t, const Credentials&) override { return refuse(); }
  Usage usage(const Node&) override { return {}; }

 protected:
  std::unexpected<std::errc> refuse() const { return std::unexpected(refusal_); }

 private:
  std::errc refusal_;
};

}  // namespace nacre::vfs
