#include "base/utf8.h"

#include <cstring>

namespace nacre::base {

namespace {

// Length of the run of ASCII bytes at `pos`, eight at a time.
size_t ascii_run(std::string_view s, size_t pos) {
  size_t i = pos;
  while (i + 8 <= s.size()) {
    uint64_t word;
    std::memcpy(&word, s.data() + i, 8);
    if (word & 0x8080808080808080u) break;
    i += 8;
  }
  while (i < s.size() && static_cast<unsigned char>(s[i]) < 0x80) ++i;
  return i - pos;
}

template <uint32_t (*map)(uint32_t)>
std::string map_case(std::string_view s) {
  std::string out;
  out.reserve(s.size());
  for (size_t i = 0; i < s.size();) {
    Utf8Char c = decode_utf8(s, i);
    uint32_t to = c.valid ? map(c.code) : c.code;
    if (to == c.code) out.append(s, i, c.size);
    else append_utf8(out, to);
    i += c.size;
  }
  return out;
}

}  // namespace

Utf8Char decode_utf8_multibyte(std::string_view s, size_t pos) {
  auto lead = static_cast<unsigned char>(s[pos]);
  const Utf8Char invalid{lead, 1, false};
  int size;
  uint32_t code;
  if (lead < 0xc2) return invalid;
  if (lead < 0xe0) size = 2, code = lead & 0x1f;
  else if (lead < 0xf0) size = 3, code = lead & 0x0f;
  else if (lead < 0xf8) size = 4, code = lead & 0x07;
  else if (lead < 0xfc) size = 5, code = lead & 0x03;
  else if (lead < 0xfe) size = 6, code = lead & 0x01;
  else return invalid;
  if (s.size() - pos < static_cast<size_t>(size)) return invalid;
  for (int i = 1; i < size; ++i) {
    auto c = static_cast<unsigned char>(s[pos + i]);
    if ((c & 0xc0) != 0x80) return invalid;
    code = code << 6 | (c & 0x3f);
  }
  // Overlong forms: a sequence of n bytes holds more bits than one of n - 1.
  if (size > 2 && code >> (5 * size - 4) == 0) return invalid;
  if (code >= 0xd800 && code < 0xe000) return invalid;
  return {code, static_cast<uint8_t>(size), true};
}

size_t char_before(std::string_view s, size_t end) {
  if (static_cast<unsigned char>(s[end - 1]) < 0x80) return end - 1;
  // A lead byte is never inside another sequence, so the nearest one decides.
  size_t low = end > 6 ? end - 6 : 0;
  for (size_t i = end; i-- > low;) {
    auto c = static_cast<unsigned char>(s[i]);
    if ((c & 0xc0) == 0x80) continue;
    if (i + decode_utf8(s.substr(0, end), i).size == end) return i;
    break;
  }
  return end - 1;
}

bool is_char_boundary(std::string_view s, size_t pos) {
  if (pos == 0 || pos >= s.size()) return true;
  if ((static_cast<unsigned char>(s[pos]) & 0xc0) != 0x80) return true;
  size_t low = pos > 5 ? pos - 5 : 0;
  for (size_t i = pos; i-- > low;) {
    if ((static_cast<unsigned char>(s[i]) & 0xc0) == 0x80) continue;
    return i + decode_utf8(s, i).size <= pos;
  }
  return true;
}

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  // The smallest size whose payload (11, 16, 21, 26, 31 bits) holds the code.
  int size = 2;
  while (size < 6 && code >> (5 * size + 1)) ++size;
  char buf[6];
  for (int i = size - 1; i > 0; --i) {
    buf[i] = static_cast<char>(0x80 | (code & 0x3f));
    code >>= 6;
  }
  buf[0] = static_cast<char>((0xff00 >> size) | (code & 0xff));
  out.append(buf, size);
}

size_t count_chars(std::string_view s) {
  size_t n = 0;
  for (size_t i = 0; i < s.size();) {
    size_t run = ascii_run(s, i);
    n += run;
    i += run;
    while (i < s.size() && static_cast<unsigned char>(s[i]) >= 0x80) {
      i += decode_utf8_multibyte(s, i).size;
      ++n;
    }
  }
  return n;
}

size_t char_offset(std::string_view s, size_t n) {
  size_t i = 0;
  while (n > 0 && i < s.size()) {
    // Bytes are never fewer than characters, so n bytes are enough to look at.
    size_t run = ascii_run(s.substr(i, n), 0);
    i += run;
    n -= run;
    while (n > 0 && i < s.size() && static_cast<unsigned char>(s[i]) >= 0x80) {
      i += decode_utf8_multibyte(s, i).size;
      --n;
    }
  }
  return i;
}

std::string upper(std::string_view s) { return map_case<to_upper>(s); }
std::string lower(std::string_view s) { return map_case<to_lower>(s); }

}  // namespace nacre::base
