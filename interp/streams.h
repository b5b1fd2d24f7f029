// What a command reads and writes: buffered streams over descriptions.
#pragma once

#include <cstdint>
#include <cstring>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "interp/open_file.h"
#include "limits/meter.h"

namespace nacre::interp {

// Input takes from the description what the command takes, not more: what it
// leaves is there for the next reader. Bytes moved are charged as work. Views
// that it gives hold until the next call on this Input, whatever other fibers do.
// A read that a signal interrupts goes on.
class Input {
 public:
  Input() = default;
  Input(OpenFileRef file, limits::Meter& meter) : file_(std::move(file)), meter_(&meter) {}
  Input(Input&& o) noexcept;
  Input& operator=(Input&& o) noexcept;
  ~Input();

  // The next chunk (not consumed), empty at the end or on an error (see error()).
  std::string_view peek();
  void consume(size_t n) {
    take(n);
    if (moved_ >= kWorkBlock) charge_moved();
  }
  // peek and consume in one: a chunk of at most `max` bytes. The view holds
  // until the next call.
  std::string_view read_chunk(size_t max = SIZE_MAX);

  // The next line without its delimiter; false at the end. `had_delimiter`
  // tells whether the last line was ended by one. The view points into the
  // description or into this stream's own line buffer (charged, capped by
  // max_string_bytes) and holds until the next call.
  bool read_line(std::string_view& line, char delimiter = '\n');
  bool had_delimiter() const { return had_delimiter_; }
  // Everything to the end, appended to `out` (charged by the caller; checked
  // against what is left of max_memory_bytes as it grows). False on an error.
  bool read_all(std::string& out);

  bool has_error() const { return error_ != std::errc{}; }
  std::errc error() const { return error_; }
  OpenFile* file() const { return file_.get(); }
  explicit operator bool() const { return static_cast<bool>(file_); }

 private:
  static constexpr size_t kWorkBlock = 4096;

  bool fresh() const { return !rest_.empty() && file_->moves() == moves_; }
  bool fetch();
  void take(size_t n) {
    file_->consume(n);
    ++moves_;
    moved_ += n;
    rest_.remove_prefix(n < rest_.size() ? n : rest_.size());
  }
  void charge_moved();
  void append_to_line(std::string_view part);
  bool read_long_line(std::string_view& line, char delimiter);

  OpenFileRef file_;
  limits::Meter* meter_ = nullptr;
  LeaseRef lease_;         // of the chunk that views point into
  std::string_view rest_;  // what is left of that chunk
  uint64_t moves_ = 0;     // file_->moves() when rest_ was true
  size_t moved_ = 0;       // bytes not charged yet
  std::string line_;
  int64_t line_charge_ = 0;
  bool had_delimiter_ = false;
  std::errc error_{};
};

// A buffered writer. write() and put() never fail where they stand: the first
// error is kept in error() and later output is dropped; the command's frame
// reports it ("cat: write error: No space left on device"). A broken pipe
// raises SIGPIPE in the process: BrokenPipe is thrown and ends the command
// with status 141, unless the process ignores SIGPIPE (then it is an error
// like any other). Buffering::line flushes up to the last newline. The
// destructor does not flush: the command's frame does, where it may fail.
struct BrokenPipe {};

class Output {
 public:
  enum class Buffering : uint8_t { none, line, full };

  Output() = default;
  Output(OpenFileRef file, limits::Meter& meter, Buffering buffering)
      : file_(std::move(file)), meter_(&meter), buffering_(buffering) {}
  ~Output() {
    if (meter_) meter_->sub_memory(static_cast<int64_t>(capacity_));
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view data) {
    if (size_ + data.size() <= direct_ && data.size() <= kShort) {
      if (!data.empty()) std::memcpy(buffer_.get() + size_, data.data(), data.size());
      size_ += data.size();
      return;
    }
    write_slow(data);
  }
  void put(char c) {
    if (size_ < direct_) buffer_[size_++] = c;
    else write_slow(std::string_view(&c, 1));
  }
  void write_int(int64_t v);
  Output& operator<<(std::string_view s) {
    write(s);
    return *this;
  }
  void flush();

  bool has_error() const { return error_ != std::errc{}; }
  std::errc error() const { return error_; }
  void set_ignore_sigpipe(bool ignore) { ignore_sigpipe_ = ignore; }
  OpenFile* file() const { return file_.get(); }

 private:
  static constexpr size_t kBuffer = 32 * 1024;
  static constexpr size_t kShort = 1024;

  void write_slow(std::string_view data);
  void keep(std::string_view data);
  void send(std::string_view data);

  OpenFileRef file_;  // null: descriptor is closed, writing gives EBADF
  limits::Meter* meter_ = nullptr;
  std::unique_ptr<char[]> buffer_;  // grows to kBuffer as it is needed; charged
  size_t size_ = 0;
  size_t capacity_ = 0;
  size_t direct_ = 0;  // up to here bytes may go in without a look: capacity_, if fully buffered
  Buffering buffering_ = Buffering::full;
  bool ignore_sigpipe_ = false;
  std::errc error_{};
};

}  // namespace nacre::interp
