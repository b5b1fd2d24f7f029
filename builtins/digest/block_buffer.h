// Cuts a stream of bytes into blocks for a hash function, and pads its end as
// MD5 and the SHA family do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace nacre::builtins {

template <size_t kBlock>
class BlockBuffer {
 public:
  template <class Compress>
  void update(std::string_view data, Compress compress) {
    const auto* p = reinterpret_cast<const unsigned char*>(data.data());
    size_t left = data.size();
    total_ += left;
    if (used_ > 0) {
      size_t n = std::min(left, kBlock - used_);
      std::memcpy(bytes_ + used_, p, n);
      used_ += n;
      p += n;
      left -= n;
      if (used_ < kBlock) return;
      compress(bytes_);
      used_ = 0;
    }
    for (; left >= kBlock; p += kBlock, left -= kBlock) compress(p);
    if (left) std::memcpy(bytes_, p, left);
    used_ = left;
  }

  // A one bit, zeros, and the length in bits in the last `length_bytes`.
  template <class Compress>
  void pad(size_t length_bytes, bool big_endian, Compress compress) {
    uint64_t low = total_ << 3, high = total_ >> 61;
    bytes_[used_++] = 0x80;
    if (used_ > kBlock - length_bytes) {
      std::memset(bytes_ + used_, 0, kBlock - used_);
      compress(bytes_);
      used_ = 0;
    }
    std::memset(bytes_ + used_, 0, kBlock - used_);
    for (size_t i = 0; i < 8; ++i) {
      unsigned char low_byte = static_cast<unsigned char>(low >> (8 * i));
      if (big_endian) {
        bytes_[kBlock - 1 - i] = low_byte;
        if (length_bytes == 16)
          bytes_[kBlock - 9 - i] = static_cast<unsigned char>(high >> (8 * i));
      } else {
        bytes_[kBlock - length_bytes + i] = low_byte;
      }
    }
    compress(bytes_);
  }

 private:
  unsigned char bytes_[kBlock];
  size_t used_ = 0;
  uint64_t total_ = 0;
};

}  // namespace nacre::builtins
