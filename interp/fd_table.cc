#include <algorithm>
#include <utility>

#include "interp/open_file.h"

namespace nacre::interp {

namespace {

// Numbers reach beyond the count that may be open, so that running into that is
// noticed as such; not much further, since the table is copied.
constexpr int64_t kSpareNumbers = 1024;

}  // namespace

std::expected<void, std::errc> FdTable::set(int fd, OpenFileRef file, limits::Meter& meter) {
  if (!file) {
    close(fd);
    return {};
  }
  int64_t most = meter.limits().max_open_files;
  if (fd < 0 || fd >= std::min<int64_t>(kMaxFd, std::min<int64_t>(kMaxFd, most) + kSpareNumbers))
    return std::unexpected(std::errc::bad_file_descriptor);
  if (!get(fd) && open_ >= most) meter.exceeded(LimitName::max_open_files);
  size_t index = static_cast<size_t>(fd);
  if (index >= files_.size()) files_.resize(index + 1);
  if (!files_[index]) ++open_;
  // What it replaces goes only after the table is right again: its end may wake
  // others.
  OpenFileRef old = std::exchange(files_[index], std::move(file));
  return {};
}

void FdTable::close(int fd) {
  if (!get(fd)) return;
  OpenFileRef old = std::exchange(files_[static_cast<size_t>(fd)], nullptr);
  --open_;
  while (!files_.empty() && !files_.back()) files_.pop_back();
}

int FdTable::lowest_free(int from) const {
  int fd = from;
  while (get(fd)) ++fd;
  return fd;
}

}  // namespace nacre::interp
