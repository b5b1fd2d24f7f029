#include "builtins/digest/sha1.h"

#include <bit>

#include "builtins/digest/big_endian.h"

namespace nacre::builtins {

void Sha1::compress(const unsigned char* block) {
  uint32_t w[80];
  for (int i = 0; i < 16; ++i) w[i] = load_big32(block + 4 * i);
  for (int i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  uint32_t a = state_[0], b = state_[1], c = state_[2], d = state_[3], e = state_[4];
  auto step = [&](uint32_t f, uint32_t k, int i) {
    uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  };
  for (int i = 0; i < 20; ++i) step(d ^ (b & (c ^ d)), 0x5a827999, i);
  for (int i = 20; i < 40; ++i) step(b ^ c ^ d, 0x6ed9eba1, i);
  for (int i = 40; i < 60; ++i) step((b & c) | (d & (b | c)), 0x8f1bbcdc, i);
  for (int i = 60; i < 80; ++i) step(b ^ c ^ d, 0xca62c1d6, i);
  state_[0] += a;
  state_[1] += b;
  state_[2] += c;
  state_[3] += d;
  state_[4] += e;
}

std::array<unsigned char, 20> Sha1::finish() {
  buffer_.pad(8, true, [this](const unsigned char* p) { compress(p); });
  std::array<unsigned char, 20> out;
  store_big(out.data(), out.size(), state_);
  return out;
}

}  // namespace nacre::builtins
