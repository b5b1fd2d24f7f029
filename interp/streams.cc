#include "interp/streams.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/copy.h"
#include "base/numbers.h"

namespace nacre::interp {

// --- Input ---------------------------------------------------------------

Input::Input(Input&& o) noexcept { *this = std::move(o); }

Input& Input::operator=(Input&& o) noexcept {
  if (this == &o) return *this;
  std::swap(file_, o.file_);
  std::swap(meter_, o.meter_);
  std::swap(lease_, o.lease_);
  std::swap(rest_, o.rest_);
  std::swap(moves_, o.moves_);
  std::swap(moved_, o.moved_);
  std::swap(line_, o.line_);
  std::swap(line_charge_, o.line_charge_);
  std::swap(had_delimiter_, o.had_delimiter_);
  std::swap(error_, o.error_);
  return *this;
}

Input::~Input() {
  if (meter_) meter_->sub_memory(line_charge_);
}

void Input::charge_moved() {
  int64_t blocks = static_cast<int64_t>(moved_ / kWorkBlock);
  moved_ %= kWorkBlock;
  meter_->charge_work(blocks);
}

// Makes rest_ the chunk at the offset; false at the end or on an error.
bool Input::fetch() {
  rest_ = {};
  lease_.reset();
  if (!file_) {
    error_ = std::errc::bad_file_descriptor;
    return false;
  }
  for (;;) {
    std::expected<std::string_view, std::errc> bytes = file_->peek();
    if (bytes) {
      rest_ = *bytes;
      break;
    }
    if (bytes.error() != std::errc::interrupted) {
      error_ = bytes.error();
      return false;
    }
  }
  if (rest_.empty()) return false;
  lease_ = file_->lease();
  moves_ = file_->moves();
  return true;
}

std::string_view Input::peek() {
  if (fresh() || fetch()) return rest_;
  return {};
}

std::string_view Input::read_chunk(size_t max) {
  if (!fresh() && !fetch()) return {};
  std::string_view chunk = rest_.substr(0, max);
  consume(chunk.size());
  return chunk;
}

bool Input::read_line(std::string_view& line, char delimiter) {
  if (!fresh() && !fetch()) {
    had_delimiter_ = false;
    return false;
  }
  const void* at = std::memchr(rest_.data(), delimiter, rest_.size());
  if (!at) return read_long_line(line, delimiter);
  size_t n = static_cast<size_t>(static_cast<const char*>(at) - rest_.data());
  line = rest_.substr(0, n);
  had_delimiter_ = true;
  consume(n + 1);
  return true;
}

void Input::append_to_line(std::string_view part) {
  size_t need = line_.size() + part.size();
  meter_->check_string(static_cast<int64_t>(need));
  if (need > line_.capacity()) {
    size_t capacity = std::max(need, 2 * line_.capacity());
    int64_t more = static_cast<int64_t>(capacity) - line_charge_;
    if (more > 0) {
      meter_->add_memory(more);
      line_charge_ += more;
    }
    line_.reserve(capacity);
  }
  base::append_bytes(line_, part);
}

// A line that the first chunk does not hold whole: its pieces are collected.
bool Input::read_long_line(std::string_view& line, char delimiter) {
  line_.clear();
  had_delimiter_ = false;
  do {
    const void* at = std::memchr(rest_.data(), delimiter, rest_.size());
    had_delimiter_ = at != nullptr;
    size_t n = at ? static_cast<size_t>(static_cast<const char*>(at) - rest_.data())
                  : rest_.size();
    append_to_line(rest_.substr(0, n));
    consume(n + had_delimiter_);
  } while (!had_delimiter_ && fetch());
  line = line_;
  return true;
}

bool Input::read_all(std::string& out) {
  while (fresh() || fetch()) {
    // The caller charges it when it is whole; here only what it would come to.
    int64_t size = static_cast<int64_t>(out.size() + rest_.size());
    meter_->add_memory(size);
    meter_->sub_memory(size);
    base::append_bytes(out, rest_);
    consume(rest_.size());
  }
  return !has_error();
}

// --- Output --------------------------------------------------------------

void Output::write_int(int64_t v) {
  char digits[24];
  auto end = std::to_chars(digits, digits + sizeof digits, v);
  write(std::string_view(digits, static_cast<size_t>(end.ptr - digits)));
}

// Writes past the buffer. The first error is kept.
void Output::send(std::string_view data) {
  if (data.empty() || has_error()) return;
  meter_->charge_work(1 + static_cast<int64_t>(data.size() / 4096));
  std::expected<void, std::errc> status = file_->write(data);
  if (status) return;
  error_ = status.error();
  if (error_ == std::errc::broken_pipe && !ignore_sigpipe_) throw BrokenPipe{};
}

// The buffer is empty afterwards whatever happens: a write that was ended
// half-way must not be repeated by a later flush.
void Output::flush() {
  struct Clear {
    size_t& size;
    ~Clear() { size = 0; }
  } clear{size_};
  send({buffer_.get(), size_});
}

// Puts data, which fits into kBuffer with what is there, into the buffer.
void Output::keep(std::string_view data) {
  if (data.empty()) return;
  size_t need = size_ + data.size();
  if (need > capacity_) {
    size_t capacity = std::clamp(std::bit_ceil(need), kShort, kBuffer);
    std::unique_ptr<char[]> bytes = std::make_unique_for_overwrite<char[]>(capacity);
    meter_->add_memory(static_cast<int64_t>(capacity - capacity_));
    if (size_ > 0) std::memcpy(bytes.get(), buffer_.get(), size_);
    buffer_ = std::move(bytes);
    capacity_ = capacity;
    if (buffering_ == Buffering::full) direct_ = capacity;
  }
  base::copy_bytes(buffer_.get() + size_, data.data(), data.size());
  size_ += data.size();
}

void Output::write_slow(std::string_view data) {
  if (has_error() || data.empty()) return;
  if (!file_) {
    error_ = std::errc::bad_file_descriptor;
    return;
  }
  switch (buffering_) {
    case Buffering::none: send(data); return;
    case Buffering::line:
      if (size_t newline = data.rfind('\n'); newline != std::string_view::npos) {
        std::string_view lines = data.substr(0, newline + 1);
        data.remove_prefix(newline + 1);
        if (size_ + lines.size() <= kBuffer) {
          keep(lines);
          flush();
        } else {
          flush();
          send(lines);
        }
      }
      [[fallthrough]];
    case Buffering::full:
      if (size_ + data.size() > kBuffer) flush();
      if (data.size() >= kBuffer) send(data);
      else keep(data);
      return;
  }
}

}  // namespace nacre::interp
