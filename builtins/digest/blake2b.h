// BLAKE2b (RFC 7693) without a key, with digests of 1 to 64 bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nacre::builtins {

class Blake2b {
 public:
  explicit Blake2b(size_t bytes);
  void update(std::string_view data);
  std::vector<unsigned char> finish();

 private:
  static constexpr size_t kBlock = 128;

  void compress(const unsigned char* block, bool last);

  uint64_t state_[8];
  uint64_t total_ = 0;  // bytes compressed; more than 2^64 are not possible
  unsigned char bytes_[kBlock];
  size_t used_ = 0;
  size_t size_;
};

}  // namespace nacre::builtins
