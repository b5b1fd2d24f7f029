// Words as the hash functions have them in memory: the big end first.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace nacre::builtins {

inline uint32_t load_big32(const unsigned char* p) {
  uint32_t v;
  std::memcpy(&v, p, sizeof v);
  return std::endian::native == std::endian::little ? __builtin_bswap32(v) : v;
}
inline uint64_t load_big64(const unsigned char* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof v);
  return std::endian::native == std::endian::little ? __builtin_bswap64(v) : v;
}
// The first `size` bytes of big-endian words.
template <class Word>
void store_big(unsigned char* out, size_t size, const Word* words) {
  for (size_t i = 0; i < size; ++i)
    out[i] = static_cast<unsigned char>(words[i / sizeof(Word)] >>
                                        (8 * (sizeof(Word) - 1 - i % sizeof(Word))));
}

}  // namespace nacre::builtins
