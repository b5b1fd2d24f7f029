// SHA-1 (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "builtins/digest/block_buffer.h"

namespace nacre::builtins {

class Sha1 {
 public:
  void update(std::string_view data) {
    buffer_.update(data, [this](const unsigned char* p) { compress(p); });
  }
  std::array<unsigned char, 20> finish();

 private:
  void compress(const unsigned char* block);

  BlockBuffer<64> buffer_;
  uint32_t state_[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
};

}  // namespace nacre::builtins
