// A hash function behind one face, for the commands that print and check sums.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace nacre::builtins {

class Digest {
 public:
  virtual ~Digest() = default;
  virtual void update(std::string_view data) = 0;
  // The value in hexadecimal digits; the end of this object's use.
  virtual std::string finish() = 0;
};

enum class DigestKind : uint8_t { md5, sha1, sha224, sha256, sha384, sha512, blake2b, sm3 };

// `bits` is the length of a BLAKE2b value (0: 512).
std::unique_ptr<Digest> make_digest(DigestKind kind, unsigned bits = 0);
// Hexadecimal digits of its value.
size_t digest_digits(DigestKind kind, unsigned bits = 0);

std::string to_hex(const unsigned char* bytes, size_t n);

}  // namespace nacre::builtins
