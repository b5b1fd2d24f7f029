#include "vfs/memory_file.h"

#include <cerrno>
#include <functional>

namespace nacre::vfs {

namespace {

// The inode was undone by MemoryFs::restore().
constexpr std::errc kStale = static_cast<std::errc>(ESTALE);

}  // namespace

MemoryFile::MemoryFile(base::Ref<MemoryFs> fs, const Inode& inode, OpenFlags flags,
                       bool keep_privileges)
    : fs_(std::move(fs)),
      ino_(inode.ino),
      type_(inode.type),
      device_(inode.device),
      readable_(flags.read),
      writable_(flags.write || flags.append),
      keep_privileges_(keep_privileges) {}

MemoryFile::~MemoryFile() {
  fs_->closed(ino_);
}

Node MemoryFile::node() const {
  Node node;
  node.id = ino_;
  node.type = type_;
  return node;
}

std::errc MemoryFile::refuse_read(const Inode* inode) const {
  if (!readable_) return std::errc::bad_file_descriptor;
  if (type_ == FileType::directory) return std::errc::is_a_directory;
  if (type_ != FileType::regular) return std::errc::invalid_argument;
  return inode ? std::errc{} : kStale;
}

std::errc MemoryFile::refuse_write(const Inode* inode) const {
  if (!writable_) return std::errc::bad_file_descriptor;
  if (type_ != FileType::regular) return std::errc::invalid_argument;
  return inode ? std::errc{} : kStale;
}

void MemoryFile::read_happened(const Inode& inode) {
  // Is the access time a day old? Once an opening is often enough to ask.
  fs_->update_atime(inode, was_read_ ? MemoryFs::AtimeRule::if_not_newest
                                     : MemoryFs::AtimeRule::if_not_newest_or_old);
  was_read_ = true;
}

Result<size_t> MemoryFile::read_at(uint64_t offset, char* buf, size_t size) {
  const Inode* inode = fs_->find(ino_);
  if (std::errc error = refuse_read(inode); error != std::errc{}) return std::unexpected(error);
  size_t n = inode->contents ? inode->contents->read(offset, buf, size) : 0;
  read_happened(*inode);
  return n;
}

std::optional<std::string_view> MemoryFile::view_at(uint64_t offset) {
  const Inode* inode = fs_->find(ino_);
  if (refuse_read(inode) != std::errc{}) return std::nullopt;
  std::string_view view;
  if (inode->contents) {
    view = inode->contents->view(offset);
    SharedRef<Chunk> chunk = inode->contents->chunk_at(offset);
    if (chunk.get() != viewed_.get()) viewed_ = std::move(chunk);
  }
  read_happened(*inode);
  return view;
}

void MemoryFile::before_write(std::string_view data) {
  // The view ends here, so the chunk need not be copied, unless it is what is
  // being written (`cat <>f >&0`).
  if (!viewed_) return;
  std::less<const char*> less;
  const char* begin = viewed_->data();
  if (less(data.data(), begin) || !less(data.data(), begin + viewed_->size())) viewed_.reset();
}

Result<size_t> MemoryFile::write_at(uint64_t offset, std::string_view data) {
  if (std::errc error = refuse_write(fs_->find(ino_)); error != std::errc{})
    return std::unexpected(error);
  before_write(data);
  if (Status done = fs_->write(ino_, offset, data, keep_privileges_); !done)
    return std::unexpected(done.error());
  return data.size();
}

Result<uint64_t> MemoryFile::append(std::string_view data) {
  const Inode* inode = fs_->find(ino_);
  if (std::errc error = refuse_write(inode); error != std::errc{}) return std::unexpected(error);
  uint64_t offset = inode->size();
  before_write(data);
  if (Status done = fs_->write(ino_, offset, data, keep_privileges_); !done)
    return std::unexpected(done.error());
  return offset + data.size();
}

Status MemoryFile::truncate(uint64_t size) {
  if (std::errc error = refuse_write(fs_->find(ino_)); error != std::errc{})
    return std::unexpected(error);
  viewed_.reset();
  return fs_->resize(ino_, size, keep_privileges_);
}

uint64_t MemoryFile::size() const {
  const Inode* inode = fs_->find(ino_);
  return inode ? inode->size() : 0;
}

Result<Stat> MemoryFile::stat() const {
  const Inode* inode = fs_->find(ino_);
  if (!inode) return std::unexpected(kStale);
  return fs_->stat_of(*inode);
}

Status MemoryFile::set_times(std::optional<Timestamp> atime, std::optional<Timestamp> mtime) {
  Attributes change;
  change.atime = atime;
  change.mtime = mtime;
  return fs_->set_attributes(node(), change);
}

Status MemoryFile::chmod(uint32_t mode) {
  Attributes change;
  change.mode = mode;
  return fs_->set_attributes(node(), change);
}

}  // namespace nacre::vfs
