// A File that can only be looked at: what the files of the synthetic trees
// start from.
#pragma once

#include "vfs/file.h"

namespace nacre::vfs {

class SyntheticFile : public File {
 public:
  explicit SyntheticFile(const Stat& stat) : stat_(stat) {}

  Result<size_t> read_at(uint64_t, char*, size_t) override {
    return std::unexpected(stat_.type == FileType::directory ? std::errc::is_a_directory
                                                             : std::errc::invalid_argument);
  }
  Result<size_t> write_at(uint64_t, std::string_view) override { return refuse(); }
  Result<uint64_t> append(std::string_view) override { return refuse(); }
  Status truncate(uint64_t) override { return std::unexpected(std::errc::invalid_argument); }
  uint64_t size() const override { return stat_.size; }
  Result<Stat> stat() const override { return stat_; }
  Status set_times(std::optional<Timestamp>, std::optional<Timestamp>) override { return {}; }
  Status chmod(uint32_t) override { return std::unexpected(std::errc::operation_not_permitted); }

 private:
  static std::unexpected<std::errc> refuse() {
    return std::unexpected(std::errc::bad_file_descriptor);
  }

  Stat stat_;
};

}  // namespace nacre::vfs
