// The old checksums: cksum's CRC, and sum's two ways.
#pragma once

#include <cstdint>
#include <string_view>

namespace nacre::builtins {

// POSIX cksum: CRC-32 (0x04c11db7, highest bit first) of the bytes and of
// their count.
class PosixCrc {
 public:
  void update(std::string_view data);
  uint32_t finish();
  uint64_t total() const { return total_; }

 private:
  uint32_t crc_ = 0;
  uint64_t total_ = 0;
};

// sum -r (BSD): 16 bits, turned right before each byte is added.
class BsdSum {
 public:
  void update(std::string_view data) {
    for (unsigned char c : data) sum_ = ((sum_ >> 1) + ((sum_ & 1) << 15) + c) & 0xffff;
    total_ += data.size();
  }
  uint32_t finish() const { return sum_; }
  uint64_t total() const { return total_; }

 private:
  uint32_t sum_ = 0;
  uint64_t total_ = 0;
};

// sum -s (System V).
class SystemVSum {
 public:
  void update(std::string_view data) {
    for (unsigned char c : data) sum_ += c;
    total_ += data.size();
  }
  uint32_t finish() const {
    uint32_t r = (sum_ & 0xffff) + ((sum_ & 0xffffffff) >> 16);
    return (r & 0xffff) + (r >> 16);
  }
  uint64_t total() const { return total_; }

 private:
  uint32_t sum_ = 0;
  uint64_t total_ = 0;
};

}  // namespace nacre::builtins
