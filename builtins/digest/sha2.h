// SHA-224, SHA-256, SHA-384 and SHA-512 (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "builtins/digest/big_endian.h"
#include "builtins/digest/block_buffer.h"

namespace nacre::builtins {

namespace sha2 {

using State32 = std::array<uint32_t, 8>;
using State64 = std::array<uint64_t, 8>;

void compress(State32& state, const unsigned char* block);
void compress(State64& state, const unsigned char* block);

template <class State, size_t kBlock, size_t kBytes>
class Hash {
 public:
  explicit Hash(const State& start) : state_(start) {}

  void update(std::string_view data) {
    buffer_.update(data, [this](const unsigned char* p) { compress(state_, p); });
  }
  std::array<unsigned char, kBytes> finish() {
    buffer_.pad(kBlock / 8, true, [this](const unsigned char* p) { compress(state_, p); });
    std::array<unsigned char, kBytes> out;
    store_big(out.data(), kBytes, state_.data());
    return out;
  }

 private:
  BlockBuffer<kBlock> buffer_;
  State state_;
};

}  // namespace sha2

struct Sha224 : sha2::Hash<sha2::State32, 64, 28> {
  Sha224();
};
struct Sha256 : sha2::Hash<sha2::State32, 64, 32> {
  Sha256();
};
struct Sha384 : sha2::Hash<sha2::State64, 128, 48> {
  Sha384();
};
struct Sha512 : sha2::Hash<sha2::State64, 128, 64> {
  Sha512();
};

}  // namespace nacre::builtins
