#include "builtins/digest/blake2b.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "builtins/digest/big_endian.h"

namespace nacre::builtins {

namespace {

constexpr uint64_t kStart[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

constexpr uint8_t kOrder[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

}  // namespace

Blake2b::Blake2b(size_t bytes) : size_(bytes) {
  std::copy(std::begin(kStart), std::end(kStart), state_);
  state_[0] ^= 0x01010000 ^ bytes;
}

void Blake2b::compress(const unsigned char* block, bool last) {
  uint64_t m[16], v[16];
  for (int i = 0; i < 16; ++i) m[i] = __builtin_bswap64(load_big64(block + 8 * i));
  for (int i = 0; i < 8; ++i) {
    v[i] = state_[i];
    v[i + 8] = kStart[i];
  }
  v[12] ^= total_;
  if (last) v[14] = ~v[14];
  auto mix = [&](int a, int b, int c, int d, uint64_t x, uint64_t y) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 63);
  };
  for (int round = 0; round < 12; ++round) {
    const uint8_t* o = kOrder[round % 10];
    mix(0, 4, 8, 12, m[o[0]], m[o[1]]);
    mix(1, 5, 9, 13, m[o[2]], m[o[3]]);
    mix(2, 6, 10, 14, m[o[4]], m[o[5]]);
    mix(3, 7, 11, 15, m[o[6]], m[o[7]]);
    mix(0, 5, 10, 15, m[o[8]], m[o[9]]);
    mix(1, 6, 11, 12, m[o[10]], m[o[11]]);
    mix(2, 7, 8, 13, m[o[12]], m[o[13]]);
    mix(3, 4, 9, 14, m[o[14]], m[o[15]]);
  }
  for (int i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
}

void Blake2b::update(std::string_view data) {
  while (!data.empty()) {
    // The last block, full or not, is left for finish().
    if (used_ == kBlock) {
      total_ += kBlock;
      compress(bytes_, false);
      used_ = 0;
    }
    size_t n = std::min(kBlock - used_, data.size());
    std::memcpy(bytes_ + used_, data.data(), n);
    used_ += n;
    data.remove_prefix(n);
  }
}

std::vector<unsigned char> Blake2b::finish() {
  total_ += used_;
  std::memset(bytes_ + used_, 0, kBlock - used_);
  compress(bytes_, true);
  std::vector<unsigned char> out(size_);
  for (size_t i = 0; i < size_; ++i)
    out[i] = static_cast<unsigned char>(state_[i / 8] >> (8 * (i % 8)));
  return out;
}

}  // namespace nacre::builtins
