#include "builtins/digest/sm3.h"

#include <bit>

#include "builtins/digest/words.h"

namespace nacre::builtins {

namespace {

constexpr uint32_t p0(uint32_t x) { return x ^ std::rotl(x, 9) ^ std::rotl(x, 17); }
constexpr uint32_t p1(uint32_t x) { return x ^ std::rotl(x, 15) ^ std::rotl(x, 23); }

}  // namespace

void Sm3::compress(const unsigned char* block) {
  uint32_t w[68];
  for (int i = 0; i < 16; ++i) w[i] = big32(block + 4 * i);
  for (int i = 16; i < 68; ++i)
    w[i] = p1(w[i - 16] ^ w[i - 9] ^ std::rotl(w[i - 3], 15)) ^ std::rotl(w[i - 13], 7) ^ w[i - 6];
  uint32_t v[8];
  std::memcpy(v, state_, sizeof v);
  for (int i = 0; i < 64; ++i) {
    uint32_t constant = i < 16 ? 0x79cc4519 : 0x7a879d8a;
    uint32_t a12 = std::rotl(v[0], 12);
    uint32_t ss1 = std::rotl(a12 + v[4] + std::rotl(constant, i % 32), 7);
    uint32_t ss2 = ss1 ^ a12;
    uint32_t ff = i < 16 ? v[0] ^ v[1] ^ v[2] : (v[0] & v[1]) | (v[0] & v[2]) | (v[1] & v[2]);
    uint32_t gg = i < 16 ? v[4] ^ v[5] ^ v[6] : (v[4] & v[5]) | (~v[4] & v[6]);
    uint32_t t1 = ff + v[3] + ss2 + (w[i] ^ w[i + 4]);
    uint32_t t2 = gg + v[7] + ss1 + w[i];
    v[3] = v[2];
    v[2] = std::rotl(v[1], 9);
    v[1] = v[0];
    v[0] = t1;
    v[7] = v[6];
    v[6] = std::rotl(v[5], 19);
    v[5] = v[4];
    v[4] = p0(t2);
  }
  for (int i = 0; i < 8; ++i) state_[i] ^= v[i];
}

std::array<unsigned char, 32> Sm3::finish() {
  buffer_.pad(8, true, [this](const unsigned char* p) { compress(p); });
  std::array<unsigned char, 32> out;
  put_big(state_, out);
  return out;
}

}  // namespace nacre::builtins
