// SHA-224, SHA-256, SHA-384 and SHA-512 (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "builtins/digest/block_buffer.h"

namespace nacre::builtins {

class Sha256 {
 public:
  explicit Sha256(unsigned bits);  // 224 or 256
  size_t size() const { return size_; }
  void update(std::string_view data) {
    buffer_.update(data, [this](const unsigned char* p) { compress(p); });
  }
  std::array<unsigned char, 32> finish();

 private:
  void compress(const unsigned char* block);

  BlockBuffer<64> buffer_;
  uint32_t state_[8];
  size_t size_;
};

class Sha512 {
 public:
  explicit Sha512(unsigned bits);  // 384 or 512
  size_t size() const { return size_; }
  void update(std::string_view data) {
    buffer_.update(data, [this](const unsigned char* p) { compress(p); });
  }
  std::array<unsigned char, 64> finish();

 private:
  void compress(const unsigned char* block);

  BlockBuffer<128> buffer_;
  uint64_t state_[8];
  size_t size_;
};

}  // namespace nacre::builtins
