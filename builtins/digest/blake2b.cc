#include "builtins/digest/blake2b.h"

#include <bit>
#include <cstring>

#include "builtins/digest/words.h"

namespace nacre::builtins {

namespace {

// The start of SHA-512.
constexpr uint64_t kStart[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// The order of the message words in each round; rounds 10 and 11 repeat 0 and 1.
constexpr unsigned char kOrder[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

}  // namespace

Blake2b::Blake2b(unsigned bits) : size_(bits / 8) {
  std::memcpy(state_, kStart, sizeof state_);
  state_[0] ^= 0x01010000 ^ size_;
}

void Blake2b::compress(const unsigned char* block, bool last) {
  uint64_t m[16], v[16];
  for (int i = 0; i < 16; ++i) m[i] = little64(block + 8 * i);
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
    const unsigned char* s = kOrder[round % 10];
    mix(0, 4, 8, 12, m[s[0]], m[s[1]]);
    mix(1, 5, 9, 13, m[s[2]], m[s[3]]);
    mix(2, 6, 10, 14, m[s[4]], m[s[5]]);
    mix(3, 7, 11, 15, m[s[6]], m[s[7]]);
    mix(0, 5, 10, 15, m[s[8]], m[s[9]]);
    mix(1, 6, 11, 12, m[s[10]], m[s[11]]);
    mix(2, 7, 8, 13, m[s[12]], m[s[13]]);
    mix(3, 4, 9, 14, m[s[14]], m[s[15]]);
  }
  for (int i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
}

void Blake2b::update(std::string_view data) {
  // The last block is told apart, so a full buffer waits for more.
  while (!data.empty()) {
    if (used_ == kBlock) {
      total_ += kBlock;
      compress(buffer_, false);
      used_ = 0;
    }
    size_t n = data.size() < kBlock - used_ ? data.size() : kBlock - used_;
    std::memcpy(buffer_ + used_, data.data(), n);
    used_ += n;
    data.remove_prefix(n);
  }
}

std::array<unsigned char, 64> Blake2b::finish() {
  total_ += used_;
  std::memset(buffer_ + used_, 0, kBlock - used_);
  compress(buffer_, true);
  std::array<unsigned char, 64> out;
  for (size_t i = 0; i < 64; ++i)
    out[i] = static_cast<unsigned char>(state_[i / 8] >> (8 * (i % 8)));
  return out;
}

}  // namespace nacre::builtins
