#include "builtins/digest/checksums.h"

#include <cstring>

#include "builtins/digest/words.h"

namespace nacre::builtins {

namespace {

// at[k][b]: the effect of byte b when k more bytes follow it in a group.
struct Tables {
  uint32_t at[8][256];
};
constexpr Tables kTables = [] {
  Tables t{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b << 24;
    for (int i = 0; i < 8; ++i) crc = crc << 1 ^ (crc >> 31 ? 0x04c11db7 : 0);
    t.at[0][b] = crc;
  }
  for (int k = 1; k < 8; ++k)
    for (uint32_t b = 0; b < 256; ++b) {
      uint32_t before = t.at[k - 1][b];
      t.at[k][b] = before << 8 ^ t.at[0][before >> 24];
    }
  return t;
}();

}  // namespace

void PosixCrc::update(std::string_view data) {
  const auto* p = reinterpret_cast<const unsigned char*>(data.data());
  size_t left = data.size();
  uint32_t crc = crc_;
  for (; left >= 8; left -= 8, p += 8) {
    uint32_t first = big32(p) ^ crc, second = big32(p + 4);
    crc = kTables.at[7][first >> 24] ^ kTables.at[6][first >> 16 & 255] ^
          kTables.at[5][first >> 8 & 255] ^ kTables.at[4][first & 255] ^
          kTables.at[3][second >> 24] ^ kTables.at[2][second >> 16 & 255] ^
          kTables.at[1][second >> 8 & 255] ^ kTables.at[0][second & 255];
  }
  for (; left > 0; --left, ++p) crc = crc << 8 ^ kTables.at[0][(crc >> 24) ^ *p];
  crc_ = crc;
  total_ += data.size();
}

uint32_t PosixCrc::finish() {
  uint32_t crc = crc_;
  for (uint64_t n = total_; n > 0; n >>= 8) crc = crc << 8 ^ kTables.at[0][(crc >> 24) ^ (n & 255)];
  return ~crc;
}

}  // namespace nacre::builtins
