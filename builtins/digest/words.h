// Words of a hash function's block.
#pragma once

#include <cstdint>
#include <cstring>

namespace nacre::builtins {

inline uint32_t big32(const unsigned char* p) {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(v) : v;
}
inline uint64_t big64(const unsigned char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
}
inline uint64_t little64(const unsigned char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

// The bytes of `words`, the highest first.
template <class Word, size_t n, class Out>
void put_big(const Word (&words)[n], Out& out) {
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<unsigned char>(words[i / sizeof(Word)] >>
                                        (8 * (sizeof(Word) - 1 - i % sizeof(Word))));
}

}  // namespace nacre::builtins
