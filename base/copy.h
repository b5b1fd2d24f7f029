// Copying of long blocks of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace nacre::base {

// memcpy, past a trap: where `to` lies a few bytes behind `from` modulo 4096
// (two blocks that malloc gave one after the other do), AMD's `rep movsb`, which
// memcpy uses for long copies, is twenty times slower. Short ones go without it.
inline void copy_bytes(char* to, const char* from, size_t n) {
  constexpr size_t kShort = 1024;
  uintptr_t distance = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from);
  if (n > kShort && ((distance - 1) & 4095) < 63) {
    for (; n > kShort; n -= kShort, to += kShort, from += kShort) {
      size_t step = kShort;
      asm("" : "+r"(step));  // a constant size would become `rep movsq`
      std::memcpy(to, from, step);
    }
  }
  std::memcpy(to, from, n);
}

// out += data, by copy_bytes. `data` may not lie in `out`.
inline void append_bytes(std::string& out, std::string_view data) {
  if (data.size() <= 1024) {
    out.append(data);
    return;
  }
  size_t before = out.size();
  out.resize_and_overwrite(before + data.size(), [&](char* bytes, size_t size) {
    copy_bytes(bytes + before, data.data(), data.size());
    return size;
  });
}

}  // namespace nacre::base
