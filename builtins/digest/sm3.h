// SM3 (GB/T 32905-2016).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "builtins/digest/block_buffer.h"

namespace nacre::builtins {

class Sm3 {
 public:
  void update(std::string_view data) {
    buffer_.update(data, [this](const unsigned char* p) { compress(p); });
  }
  std::array<unsigned char, 32> finish();

 private:
  void compress(const unsigned char* block);

  BlockBuffer<64> buffer_;
  uint32_t state_[8] = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
                        0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};
};

}  // namespace nacre::builtins
