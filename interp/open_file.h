// Open-file descriptions, as in POSIX: what descriptors refer to. Offset and
// flags live here and are shared by every descriptor that was dup'ed from one.
//
// Reading is by peek and consume, so that a reader takes exactly what it needs
// (`read`, `head -1` in a loop) without a system call a byte and without
// losing what it read ahead. A call blocks the calling fiber, never the host
// thread. Errors are std::errc; a write to a pipe whose readers are gone gives
// errc::broken_pipe, and the caller turns that into SIGPIPE. A blocked read that
// Scheduler::interrupt() wakes gives errc::interrupted; a write goes on.
//
// Reading or writing where that was not asked for at opening gives
// errc::bad_file_descriptor.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/ref.h"
#include "interp/scheduler.h"
#include "limits/meter.h"
#include "vfs/file.h"
#include "vfs/types.h"

namespace nacre::interp {

enum class OpenKind : uint8_t { file, directory, pipe_read, pipe_write, null, device, text, capture, sink };

class OpenFile;
using OpenFileRef = base::Ref<OpenFile>;

// Keeps the memory behind a view from peek() as it is, whatever is done to the
// description meanwhile.
class Lease : public base::RefCounted {
 public:
  virtual ~Lease() = default;
};
using LeaseRef = base::Ref<Lease>;

class OpenFile : public base::RefCounted {
 public:
  explicit OpenFile(OpenKind kind, bool readable, bool writable)
      : kind_(kind), readable_(readable), writable_(writable) {}
  virtual ~OpenFile() = default;

  OpenKind kind() const { return kind_; }
  bool readable() const { return readable_; }
  bool writable() const { return writable_; }

  // The bytes at the offset, at least one, without consuming them; empty at
  // the end of the file. Blocks while a pipe is empty and has writers. The view
  // holds until the next call on this description (by any fiber), or as long as
  // a lease() taken right after lives. EISDIR for a directory.
  virtual std::expected<std::string_view, std::errc> peek();
  // Like peek, but gives what is there without blocking (maybe nothing);
  // `ended` tells the end of the file.
  virtual std::expected<std::string_view, std::errc> peek_ready(bool& ended);
  // Moves the offset over bytes that the last peek showed.
  void consume(size_t n) {
    ++moves_;
    advance(n);
  }
  // For who must keep a view while others run (Input does). Null when the view
  // holds as long as this description does.
  virtual LeaseRef lease() { return {}; }
  // Counts consume() and seek() calls: while it stands still, nobody has taken
  // what was peeked.
  uint64_t moves() const { return moves_; }
  // peek with a deadline (read -t): errc::timed_out.
  virtual std::expected<std::string_view, std::errc> peek_until(int64_t deadline) { return peek(); }
  // True when peek() would not block.
  virtual bool ready() { return true; }

  // All of data, or an error. Blocks while a pipe is full.
  virtual std::expected<void, std::errc> write(std::string_view data);

  virtual bool seekable() const { return false; }
  virtual std::expected<uint64_t, std::errc> seek(int64_t offset, int whence);  // SEEK_SET 0, CUR 1, END 2
  virtual std::expected<vfs::Stat, std::errc> stat() const;
  // The file behind it; null for pipes and the like.
  virtual vfs::File* file() const { return nullptr; }
  // What opening /dev/fd/N gives when N refers to this: as on Linux, a new
  // description (offset 0) of a file, a new end of a pipe. What cannot be opened
  // anew is shared.
  virtual std::expected<OpenFileRef, std::errc> reopen(vfs::OpenFlags flags);

 protected:
  virtual void advance(size_t) {}
  void moved() { ++moves_; }

 private:
  OpenKind kind_;
  bool readable_, writable_;
  uint64_t moves_ = 0;
};

// A pipe of 64 KiB: first its reading end, then its writing end. The buffer is
// charged to the meter while it is allocated: it grows as bytes come and lives
// while an end is open. stat()'s `ino` is the id shown as pipe:[id]. A write of
// at most 4096 bytes is never mixed with another's (PIPE_BUF).
struct PipeEnds {
  OpenFileRef read, write;
};
PipeEnds make_pipe(Scheduler& scheduler, limits::Meter& meter);

// A file or directory of the tree; shares `file`, starts at offset 0. `meter`,
// if given, is charged for the read buffer of a backend that gives no views.
OpenFileRef open_regular(base::Ref<vfs::File> file, vfs::OpenFlags flags,
                         limits::Meter* meter = nullptr);
// /dev/null, zero, full, random, urandom (seeded: deterministic with a seed).
// Null for any other device: see open_any().
OpenFileRef open_device(vfs::Device device, base::Ref<vfs::File> file, std::function<uint64_t()> random);
// A read-only text (here-documents, here-strings, exec's stdin), seekable.
OpenFileRef open_text(std::string text, limits::Meter& meter);

// Collects what is written (command substitution). It is no description
// itself: writer() gives the one to put into a table of descriptors, and knows
// when that is gone. Charged to memory; max_string_bytes applies. When the
// Capture ends first, later writes fail with errc::broken_pipe.
class Capture {
 public:
  Capture(Scheduler& scheduler, limits::Meter& meter);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  // The description, the same at each call until all references are gone.
  OpenFileRef writer();
  // Blocks until nobody refers to the writer (a background job may still write).
  // False when interrupted: see to the signals and call it again.
  bool wait_closed();
  std::string& text() { return text_; }

 private:
  friend class CaptureWriter;
  std::expected<void, std::errc> write(std::string_view data);

  Scheduler& scheduler_;
  limits::Meter& meter_;
  class CaptureWriter* writer_ = nullptr;  // alive, not owned
  WaitQueue closed_;
  std::string text_;
  int64_t charged_ = 0;
};

// The run's stdout and stderr: bytes go to `deliver`, charged against
// max_output_bytes (both together): the bytes up to the limit are delivered,
// `truncated` is set, then LimitExceeded is thrown.
OpenFileRef open_sink(std::function<void(std::string_view)> deliver, limits::Meter& meter,
                      bool* truncated);

// FIFOs of the tree: joins the ends by (dev, ino). Opening blocks until the
// other end is opened, as in POSIX (errc::interrupted when a signal came);
// read-write does not block.
class FifoTable {
 public:
  FifoTable(Scheduler& scheduler, limits::Meter& meter);
  ~FifoTable();
  std::expected<OpenFileRef, std::errc> open(base::Ref<vfs::File> file, vfs::OpenFlags flags);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The descriptors of one process: numbers to descriptions. Copied on write
// with the shell's state.
class FdTable : public base::RefCounted {
 public:
  static constexpr int kMaxFd = 1 << 20;

  OpenFile* get(int fd) const {
    return fd >= 0 && static_cast<size_t>(fd) < files_.size() ? files_[fd].get() : nullptr;
  }
  OpenFileRef ref(int fd) const {
    return fd >= 0 && static_cast<size_t>(fd) < files_.size() ? files_[fd] : OpenFileRef();
  }
  // Replaces what fd referred to. Throws LimitExceeded(max_open_files) when
  // more than that many are open. errc::bad_file_descriptor when fd is out of
  // range: negative, or at least 1024 + max_open_files (at most kMaxFd).
  std::expected<void, std::errc> set(int fd, OpenFileRef file, limits::Meter& meter);
  void close(int fd);
  // The lowest free number that is at least `from` ({fd}> uses 10).
  int lowest_free(int from) const;
  int open_count() const { return open_; }
  int size() const { return static_cast<int>(files_.size()); }

 private:
  std::vector<OpenFileRef> files_;
  int open_ = 0;
};

// What open(2) does once the path has been resolved to `file`: devices, FIFOs,
// /dev/fd/N, /dev/stdin and its like (through `fds`), files and directories.
// ENXIO for /dev/tty, ENOENT for a descriptor that is not open.
struct OpenEnvironment {
  const FdTable& fds;
  FifoTable& fifos;
  limits::Meter& meter;
  const std::function<uint64_t()>& random;
};
std::expected<OpenFileRef, std::errc> open_any(base::Ref<vfs::File> file, vfs::OpenFlags flags,
                                               const OpenEnvironment& environment);

}  // namespace nacre::interp
