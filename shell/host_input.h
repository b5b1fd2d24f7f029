// stdin that the host supplies piece by piece.
#pragma once

#include <functional>
#include <string>

#include "interp/open_file.h"
#include "limits/meter.h"

namespace nacre {

// Bytes are counted against max_input_bytes as they come.
class HostInput final : public interp::OpenFile {
 public:
  using Source = std::function<size_t(char*, size_t)>;
  HostInput(Source source, limits::Meter& meter, int64_t* bytes_in);
  std::expected<std::string_view, std::errc> peek() override;
  std::expected<std::string_view, std::errc> peek_ready(bool& ended) override;

 private:
  void advance(size_t n) override;

  Source source_;
  limits::Meter& meter_;
  int64_t* bytes_in_;
  std::string buffer_;
  size_t begin_ = 0, end_ = 0;
  bool ended_ = false;
};

}  // namespace nacre
