// Checksums and message digests behind one interface: md5sum, sha*sum, b2sum,
// cksum and sum.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace nacre::builtins {

enum class DigestKind : uint8_t {
  bsd, sysv, crc,  // checksums: numbers
  md5, sha1, sha224, sha256, sha384, sha512, blake2b, sm3
};

inline constexpr size_t kMaxDigestBytes = 64;

class Digest {
 public:
  virtual ~Digest() = default;
  virtual void update(std::string_view data) = 0;
  // Writes the digest, big end first; the number of bytes. Once only.
  virtual size_t finish(unsigned char* out) = 0;
};

// `bytes` is the digest's length, which only blake2b lets be chosen.
std::unique_ptr<Digest> make_digest(DigestKind kind, size_t bytes);

// How tagged lines and messages call it: "SHA256", "BLAKE2b".
std::string_view digest_tag(DigestKind kind);
// The longest, and for all but blake2b the only length.
size_t digest_bytes(DigestKind kind);

// Lower-case hexadecimal.
void append_hex(std::string& out, const unsigned char* bytes, size_t size);

}  // namespace nacre::builtins
