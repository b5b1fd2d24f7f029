// BLAKE2b without a key (RFC 7693).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nacre::builtins {

class Blake2b {
 public:
  explicit Blake2b(unsigned bits);  // a multiple of 8, at most 512
  size_t size() const { return size_; }
  void update(std::string_view data);
  std::array<unsigned char, 64> finish();

 private:
  static constexpr size_t kBlock = 128;
  void compress(const unsigned char* block, bool last);

  unsigned char buffer_[kBlock];
  size_t used_ = 0;
  uint64_t total_ = 0;  // bytes compressed
  uint64_t state_[8];
  size_t size_;
};

}  // namespace nacre::builtins
