#include "builtins/digest/checksums.h"

namespace nacre::builtins {

namespace {

// kTables[k][b]: what byte b adds, k bytes before the end of a block of eight.
constexpr auto kTables = [] {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b << 24;
    for (int i = 0; i < 8; ++i) crc = (crc << 1) ^ (crc & 0x80000000u ? 0x04c11db7u : 0);
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < 8; ++k)
    for (size_t b = 0; b < 256; ++b) {
      uint32_t before = tables[k - 1][b];
      tables[k][b] = (before << 8) ^ tables[0][before >> 24];
    }
  return tables;
}();

}  // namespace

void Crc::update(std::string_view data) {
  length_ += data.size();
  const auto* p = reinterpret_cast<const unsigned char*>(data.data());
  const unsigned char* end = p + data.size();
  uint32_t crc = crc_;
  for (; end - p >= 8; p += 8) {
    crc ^= uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | uint32_t{p[3]};
    crc = kTables[7][crc >> 24] ^ kTables[6][(crc >> 16) & 255] ^ kTables[5][(crc >> 8) & 255] ^
          kTables[4][crc & 255] ^ kTables[3][p[4]] ^ kTables[2][p[5]] ^ kTables[1][p[6]] ^
          kTables[0][p[7]];
  }
  for (; p < end; ++p) crc = (crc << 8) ^ kTables[0][(crc >> 24) ^ *p];
  crc_ = crc;
}

std::array<unsigned char, 4> Crc::finish() {
  for (uint64_t n = length_; n; n >>= 8) crc_ = (crc_ << 8) ^ kTables[0][(crc_ >> 24) ^ (n & 255)];
  uint32_t v = ~crc_;
  return {static_cast<unsigned char>(v >> 24), static_cast<unsigned char>(v >> 16),
          static_cast<unsigned char>(v >> 8), static_cast<unsigned char>(v)};
}

}  // namespace nacre::builtins
