// What a command reads and writes: buffered streams over descriptions.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>

#include "interp/open_file.h"
#include "limits/meter.h"

namespace nacre::interp {

// Input has no buffer of its own: it peeks into the description, so what a
// command does not take stays there for the next reader.
class Input {
 public:
  Input() = default;
  Input(OpenFileRef file, limits::Meter& meter) : file_(std::move(file)), meter_(&meter) {}

  // The next chunk (not consumed), empty at the end or on an error (see error()).
  std::string_view peek();
  void consume(size_t n) { file_->consume(n); }
  // peek and consume in one: a chunk of at most `max` bytes. The view holds
  // until the next call.
  std::string_view read_chunk(size_t max = SIZE_MAX);

  // The next line without its delimiter; false at the end. `had_delimiter`
  // tells whether the last line was ended by one. The view points into the
  // description or into this stream's own line buffer (charged, capped by
  // max_string_bytes) and holds until the next call.
  bool read_line(std::string_view& line, char delimiter = '\n');
  bool had_delimiter() const { return had_delimiter_; }
  // Everything to the end, appended to `out` (charged by the caller).
  bool read_all(std::string& out);

  bool has_error() const { return error_ != std::errc{}; }
  std::errc error() const { return error_; }
  OpenFile* file() const { return file_.get(); }
  explicit operator bool() const { return static_cast<bool>(file_); }

 private:
  OpenFileRef file_;
  limits::Meter* meter_ = nullptr;
  std::string line_;
  size_t pending_ = 0;  // bytes of the last view that are still to be consumed
  bool had_delimiter_ = false;
  std::errc error_{};
};

// A buffered writer. write() and put() never fail where they stand: the first
// error is kept in error() and later output is dropped; the command's frame
// reports it ("cat: write error: No space left on device"). A broken pipe
// raises SIGPIPE in the process: BrokenPipe is thrown and ends the command
// with status 141, unless the process ignores SIGPIPE (then it is an error
// like any other).
struct BrokenPipe {};

class Output {
 public:
  enum class Buffering : uint8_t { none, line, full };

  Output() = default;
  Output(OpenFileRef file, limits::Meter& meter, Buffering buffering)
      : file_(std::move(file)), meter_(&meter), buffering_(buffering) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view data) {
    if (data.size() <= kBuffer - buffer_.size() && buffering_ == Buffering::full) {
      buffer_.append(data);
      return;
    }
    write_slow(data);
  }
  void put(char c) { write(std::string_view(&c, 1)); }
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
  void write_slow(std::string_view data);

  OpenFileRef file_;  // null: descriptor is closed, writing gives EBADF
  limits::Meter* meter_ = nullptr;
  std::string buffer_;
  Buffering buffering_ = Buffering::full;
  bool ignore_sigpipe_ = false;
  std::errc error_{};
};

}  // namespace nacre::interp
