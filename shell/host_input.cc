#include "shell/host_input.h"

namespace nacre {

HostInput::HostInput(Source source, limits::Meter& meter, int64_t* bytes_in)
    : OpenFile(interp::OpenKind::text, true, false),
      source_(std::move(source)),
      meter_(meter),
      bytes_in_(bytes_in) {}

std::expected<std::string_view, std::errc> HostInput::peek() {
  if (begin_ == end_ && !ended_) {
    constexpr size_t kChunk = 64 * 1024;
    buffer_.resize(kChunk);
    begin_ = 0;
    end_ = source_(buffer_.data(), kChunk);
    ended_ = end_ == 0;
    *bytes_in_ += static_cast<int64_t>(end_);
    if (*bytes_in_ > meter_.limits().max_input_bytes) meter_.exceeded(LimitName::max_input_bytes);
  }
  return std::string_view(buffer_).substr(begin_, end_ - begin_);
}

std::expected<std::string_view, std::errc> HostInput::peek_ready(bool& ended) {
  auto chunk = peek();
  ended = chunk && chunk->empty();
  return chunk;
}

void HostInput::advance(size_t n) { begin_ += n; }

}  // namespace nacre
