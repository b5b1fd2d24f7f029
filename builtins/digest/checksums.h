// The old checksums: BSD and System V sum, and the CRC of POSIX cksum.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nacre::builtins {

class BsdSum {
 public:
  void update(std::string_view data) {
    for (unsigned char c : data)
      sum_ = static_cast<uint16_t>(((sum_ >> 1) | (sum_ << 15)) + c);
  }
  std::array<unsigned char, 2> finish() {
    return {static_cast<unsigned char>(sum_ >> 8), static_cast<unsigned char>(sum_)};
  }

 private:
  uint16_t sum_ = 0;
};

class SysvSum {
 public:
  void update(std::string_view data) {
    for (unsigned char c : data) sum_ += c;
  }
  std::array<unsigned char, 2> finish() {
    // 32 bits, as its namesake has them, folded twice.
    uint32_t s = static_cast<uint32_t>(sum_);
    s = (s & 0xffff) + (s >> 16);
    s = (s & 0xffff) + (s >> 16);
    return {static_cast<unsigned char>(s >> 8), static_cast<unsigned char>(s)};
  }

 private:
  uint64_t sum_ = 0;
};

class Crc {
 public:
  void update(std::string_view data);
  std::array<unsigned char, 4> finish();

 private:
  uint32_t crc_ = 0;
  uint64_t length_ = 0;
};

}  // namespace nacre::builtins
