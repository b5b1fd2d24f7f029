#include "builtins/digest/digest.h"

#include "builtins/digest/blake2b.h"
#include "builtins/digest/md5.h"
#include "builtins/digest/sha1.h"
#include "builtins/digest/sha2.h"
#include "builtins/digest/sm3.h"

namespace nacre::builtins {

namespace {

template <class Hash>
class Of final : public Digest {
 public:
  template <class... Args>
  explicit Of(Args... args) : hash_(args...) {}
  void update(std::string_view data) override { hash_.update(data); }
  std::string finish() override {
    auto value = hash_.finish();
    return to_hex(value.data(), hash_.size());
  }

 private:
  Hash hash_;
};

}  // namespace

std::string to_hex(const unsigned char* bytes, size_t n) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string s;
  s.reserve(2 * n);
  for (size_t i = 0; i < n; ++i) {
    s += kHex[bytes[i] >> 4];
    s += kHex[bytes[i] & 15];
  }
  return s;
}

std::unique_ptr<Digest> make_digest(DigestKind kind, unsigned bits) {
  switch (kind) {
    case DigestKind::md5: return std::make_unique<Of<Md5>>();
    case DigestKind::sha1: return std::make_unique<Of<Sha1>>();
    case DigestKind::sha224: return std::make_unique<Of<Sha256>>(224u);
    case DigestKind::sha256: return std::make_unique<Of<Sha256>>(256u);
    case DigestKind::sha384: return std::make_unique<Of<Sha512>>(384u);
    case DigestKind::sha512: return std::make_unique<Of<Sha512>>(512u);
    case DigestKind::blake2b: return std::make_unique<Of<Blake2b>>(bits ? bits : 512u);
    case DigestKind::sm3: return std::make_unique<Of<Sm3>>();
  }
  return nullptr;
}

size_t digest_digits(DigestKind kind, unsigned bits) {
  switch (kind) {
    case DigestKind::md5: return 32;
    case DigestKind::sha1: return 40;
    case DigestKind::sha224: return 56;
    case DigestKind::sha256: case DigestKind::sm3: return 64;
    case DigestKind::sha384: return 96;
    case DigestKind::sha512: return 128;
    case DigestKind::blake2b: return bits ? bits / 4 : 128;
  }
  return 0;
}

}  // namespace nacre::builtins
