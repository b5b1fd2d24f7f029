// An open file of a MemoryFs. It keeps the tree and the inode alive; the inode
// is found again at each call, because a snapshot may have been taken or
// restored in between.
#pragma once

#include "vfs/memory_fs.h"

namespace nacre::vfs {

class MemoryFile final : public File {
 public:
  MemoryFile(base::Ref<MemoryFs> fs, const Inode& inode, OpenFlags flags, bool keep_privileges);
  ~MemoryFile() override;

  Result<size_t> read_at(uint64_t offset, char* buf, size_t size) override;
  Result<size_t> write_at(uint64_t offset, std::string_view data) override;
  Result<uint64_t> append(std::string_view data) override;
  Status truncate(uint64_t size) override;
  uint64_t size() const override;
  Result<Stat> stat() const override;
  Status set_times(std::optional<Timestamp> atime, std::optional<Timestamp> mtime) override;
  Status chmod(uint32_t mode) override;
  std::optional<std::string_view> view_at(uint64_t offset) override;
  Device device() const override { return device_; }

 private:
  Node node() const;
  // Why the file cannot be read or written; errc{} when it can.
  std::errc refuse_read(const Inode* inode) const;
  std::errc refuse_write(const Inode* inode) const;
  void before_write(std::string_view data);
  void read_happened(const Inode& inode);

  base::Ref<MemoryFs> fs_;
  uint64_t ino_;
  FileType type_;
  Device device_;
  bool readable_, writable_, keep_privileges_;
  bool was_read_ = false;
  // The chunk that the last view points into. While it is held here, a write
  // through another File copies the chunk instead of moving or freeing it.
  SharedRef<Chunk> viewed_;
};

}  // namespace nacre::vfs
