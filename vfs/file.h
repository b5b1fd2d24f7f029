// An open file's contents, without an offset (interp's descriptors keep that).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ref.h"
#include "vfs/types.h"

namespace nacre::vfs {

// Which device node a File stands for; `none` for ordinary files and directories.
enum class Device : uint8_t {
  none,
  null,
  zero,
  full,
  random,
  urandom,
  tty,
  stdin_,
  stdout_,
  stderr_,
  fd,    // /dev/fd/N (number in File::device_number)
  fifo,  // a named pipe: the descriptor layer joins its two ends by inode
};

// Reading a File that was opened without `read`, or writing one that was opened
// without `write`, gives EBADF; permissions are checked at opening only, as in
// POSIX. A file whose last name is gone stays as long as a File is open on it.
class File : public base::RefCounted {
 public:
  virtual ~File() = default;

  // Bytes read into buf (0 at the end of the file). EISDIR for a directory.
  virtual Result<size_t> read_at(uint64_t offset, char* buf, size_t size) = 0;
  // All or an error: EFBIG (max_file_bytes), ENOSPC (max_fs_bytes); on an error
  // nothing was written. A gap before `offset` reads as zeros.
  virtual Result<size_t> write_at(uint64_t offset, std::string_view data) = 0;
  // Writes at the end; gives the offset after it. Amortised constant time.
  virtual Result<uint64_t> append(std::string_view data) = 0;
  virtual Status truncate(uint64_t size) = 0;
  virtual uint64_t size() const = 0;
  virtual Result<Stat> stat() const = 0;
  virtual Status set_times(std::optional<Timestamp> atime, std::optional<Timestamp> mtime) = 0;
  virtual Status chmod(uint32_t mode) = 0;

  // A view of the contents from `offset`, as long as possible, without a copy.
  // Empty at the end, nullopt when the backend cannot. Valid until the next call
  // of view_at, write_at, append or truncate on this File, or its end; what is
  // done to the file through other Files, or to its name, does not invalidate it
  // (whether such writes show in the view is not said). One File that serves two
  // fibers has one such view.
  virtual std::optional<std::string_view> view_at(uint64_t offset) { return std::nullopt; }

  virtual Device device() const { return Device::none; }
  virtual uint32_t device_number() const { return 0; }
};

}  // namespace nacre::vfs
