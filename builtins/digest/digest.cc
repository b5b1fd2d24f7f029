#include "builtins/digest/digest.h"

#include <algorithm>

#include "builtins/digest/blake2b.h"
#include "builtins/digest/checksums.h"
#include "builtins/digest/md5.h"
#include "builtins/digest/sha1.h"
#include "builtins/digest/sha2.h"
#include "builtins/digest/sm3.h"

namespace nacre::builtins {

namespace {

template <class Hash>
class DigestOf final : public Digest {
 public:
  template <class... Arguments>
  explicit DigestOf(Arguments... arguments) : hash_(arguments...) {}

  void update(std::string_view data) override { hash_.update(data); }
  size_t finish(unsigned char* out) override {
    auto bytes = hash_.finish();
    std::copy(bytes.begin(), bytes.end(), out);
    return bytes.size();
  }

 private:
  Hash hash_;
};

struct Facts {
  std::string_view tag;
  size_t bytes;
};
constexpr Facts kFacts[] = {
    {"BSD", 2},     {"SYSV", 2},    {"CRC", 4},     {"MD5", 16},     {"SHA1", 20}, {"SHA224", 28},
    {"SHA256", 32}, {"SHA384", 48}, {"SHA512", 64}, {"BLAKE2b", 64}, {"SM3", 32},
};

}  // namespace

std::unique_ptr<Digest> make_digest(DigestKind kind, size_t bytes) {
  switch (kind) {
    case DigestKind::bsd: return std::make_unique<DigestOf<BsdSum>>();
    case DigestKind::sysv: return std::make_unique<DigestOf<SysvSum>>();
    case DigestKind::crc: return std::make_unique<DigestOf<Crc>>();
    case DigestKind::md5: return std::make_unique<DigestOf<Md5>>();
    case DigestKind::sha1: return std::make_unique<DigestOf<Sha1>>();
    case DigestKind::sha224: return std::make_unique<DigestOf<Sha224>>();
    case DigestKind::sha256: return std::make_unique<DigestOf<Sha256>>();
    case DigestKind::sha384: return std::make_unique<DigestOf<Sha384>>();
    case DigestKind::sha512: return std::make_unique<DigestOf<Sha512>>();
    case DigestKind::blake2b: return std::make_unique<DigestOf<Blake2b>>(bytes);
    case DigestKind::sm3: break;
  }
  return std::make_unique<DigestOf<Sm3>>();
}

std::string_view digest_tag(DigestKind kind) { return kFacts[static_cast<size_t>(kind)].tag; }
size_t digest_bytes(DigestKind kind) { return kFacts[static_cast<size_t>(kind)].bytes; }

void append_hex(std::string& out, const unsigned char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
  }
}

}  // namespace nacre::builtins
