// Open-file descriptions, as in POSIX: what descriptors refer to. Offset and
// flags live here and are shared by every descriptor that was dup'ed from one.
//
// Reading is by peek and consume, so that a reader takes exactly what it needs
// (`read`, `head -1` in a loop) without a system call a byte and without
// losing what it read ahead. A call blocks the calling fiber, never the host
// thread. Errors are std::errc; a write to a pipe whose readers are gone gives
// errc::broken_pipe, and the caller turns that into SIGPIPE.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/ref.h"
#include "interp/scheduler.h"
#include "limits/meter.h"
#include "vfs/file.h"
#include "vfs/types.h"

namespace nacre::interp {

enum class OpenKind : uint8_t { file, directory, pipe_read, pipe_write, null, device, text, capture, sink };

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
  // holds until the next call on this description (by any fiber).
  virtual std::expected<std::string_view, std::errc> peek();
  // Like peek, but gives what is there without blocking (maybe nothing);
  // `ended` tells the end of the file.
  virtual std::expected<std::string_view, std::errc> peek_ready(bool& ended);
  virtual void consume(size_t n);
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

 private:
  OpenKind kind_;
  bool readable_, writable_;
};

using OpenFileRef = base::Ref<OpenFile>;

// A pipe of 64 KiB: first its reading end, then its writing end. The buffer is
// charged to the meter while it holds bytes. `id` is shown as pipe:[id].
struct PipeEnds {
  OpenFileRef read, write;
};
PipeEnds make_pipe(Scheduler& scheduler, limits::Meter& meter);

// A file of the tree; shares `file`, starts at offset 0.
OpenFileRef open_regular(base::Ref<vfs::File> file, vfs::OpenFlags flags);
// /dev/null, zero, full, random, urandom (seeded: deterministic with a seed).
OpenFileRef open_device(vfs::Device device, base::Ref<vfs::File> file, std::function<uint64_t()> random);
// A read-only text (here-documents, here-strings, exec's stdin), seekable.
OpenFileRef open_text(std::string text, limits::Meter& meter);

// Collects what is written (command substitution). Charged to memory;
// max_string_bytes applies. wait_closed() blocks until `this` is the only
// reference (a background job may still write).
class CaptureFile final : public OpenFile {
 public:
  CaptureFile(Scheduler& scheduler, limits::Meter& meter);
  ~CaptureFile() override;
  std::expected<void, std::errc> write(std::string_view data) override;
  std::string& text() { return text_; }

 private:
  Scheduler& scheduler_;
  limits::Meter& meter_;
  std::string text_;
  int64_t charged_ = 0;
};

// The run's stdout and stderr: bytes go to `deliver`, charged against
// max_output_bytes (both together): the bytes up to the limit are delivered,
// `truncated` is set, then LimitExceeded is thrown.
OpenFileRef open_sink(std::function<void(std::string_view)> deliver, limits::Meter& meter,
                      bool* truncated);

// FIFOs of the tree: joins the ends by (dev, ino). Opening blocks until the
// other end is opened, as in POSIX; read-write does not block.
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
  // more than that many are open. errc::bad_file_descriptor when fd is out of range.
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

}  // namespace nacre::interp
