#include "builtins/digest/sm3.h"

#include <bit>

#include "builtins/digest/big_endian.h"

namespace nacre::builtins {

void Sm3::compress(const unsigned char* block) {
  uint32_t w[68];
  for (int i = 0; i < 16; ++i) w[i] = load_big32(block + 4 * i);
  for (int i = 16; i < 68; ++i) {
    uint32_t x = w[i - 16] ^ w[i - 9] ^ std::rotl(w[i - 3], 15);
    w[i] = x ^ std::rotl(x, 15) ^ std::rotl(x, 23) ^ std::rotl(w[i - 13], 7) ^ w[i - 6];
  }
  uint32_t a = state_[0], b = state_[1], c = state_[2], d = state_[3];
  uint32_t e = state_[4], f = state_[5], g = state_[6], h = state_[7];
  for (int i = 0; i < 64; ++i) {
    uint32_t constant = i < 16 ? 0x79cc4519 : 0x7a879d8a;
    uint32_t ss1 = std::rotl(std::rotl(a, 12) + e + std::rotl(constant, i % 32), 7);
    uint32_t ss2 = ss1 ^ std::rotl(a, 12);
    uint32_t ff = i < 16 ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
    uint32_t gg = i < 16 ? e ^ f ^ g : (e & f) | (~e & g);
    uint32_t tt1 = ff + d + ss2 + (w[i] ^ w[i + 4]);
    uint32_t tt2 = gg + h + ss1 + w[i];
    d = c;
    c = std::rotl(b, 9);
    b = a;
    a = tt1;
    h = g;
    g = std::rotl(f, 19);
    f = e;
    e = tt2 ^ std::rotl(tt2, 9) ^ std::rotl(tt2, 17);
  }
  const uint32_t mixed[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state_[i] ^= mixed[i];
}

std::array<unsigned char, 32> Sm3::finish() {
  buffer_.pad(8, true, [this](const unsigned char* p) { compress(p); });
  std::array<unsigned char, 32> out;
  store_big(out.data(), out.size(), state_);
  return out;
}

}  // namespace nacre::builtins
