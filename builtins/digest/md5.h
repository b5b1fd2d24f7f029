// MD5 (RFC 1321).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "builtins/digest/block_buffer.h"

namespace nacre::builtins {

class Md5 {
 public:
  static constexpr size_t kSize = 16;
  static constexpr size_t size() { return kSize; }
  void update(std::string_view data) {
    buffer_.update(data, [this](const unsigned char* p) { compress(p); });
  }
  std::array<unsigned char, kSize> finish();

 private:
  void compress(const unsigned char* block);

  BlockBuffer<64> buffer_;
  uint32_t state_[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
};

}  // namespace nacre::builtins
