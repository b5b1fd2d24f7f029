// md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum and cksum.
#include <string>

#include "base/quoting.h"
#include "builtins/digest/digest_command.h"
#include "builtins/support/choice.h"
#include "builtins/support/options.h"
#include "builtins/support/size.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int {
  kTag = kLongOnly, kUntagged, kIgnoreMissing, kQuiet, kStatus, kStrict, kDebug
};

constexpr Option kBinary = {"b", "binary", Takes::nothing, "", "read in binary mode"};
constexpr Option kCheck = {"c", "check", Takes::nothing, "",
                           "read checksums from the FILEs and check them"};
constexpr Option kLength = {"l", "length", Takes::required, "BITS",
                            "digest length in bits; must not exceed the max for\n"
                            "  the blake2 algorithm and must be a multiple of 8"};
constexpr Option kTagged = {"", "tag", Takes::nothing, "", "create a BSD-style checksum", kTag};
constexpr Option kText = {"t", "text", Takes::nothing, "", "read in text mode (default)"};
constexpr Option kZero = {"z", "zero", Takes::nothing, "",
                          "end each output line with NUL, not newline,\n"
                          "  and disable file name escaping"};
constexpr Option kChecking = {
    "", "", Takes::nothing, "",
    "\nThe following five options are useful only when verifying checksums:"};
constexpr Option kIgnore = {"", "ignore-missing", Takes::nothing, "",
                            "don't fail or report status for missing files", kIgnoreMissing};
constexpr Option kNoOk = {"", "quiet", Takes::nothing, "",
                          "don't print OK for each successfully verified file", kQuiet};
constexpr Option kSilent = {"", "status", Takes::nothing, "",
                            "don't output anything, status code shows success", kStatus};
constexpr Option kExact = {"", "strict", Takes::nothing, "",
                           "exit non-zero for improperly formatted checksum lines", kStrict};
constexpr Option kWarn = {"w", "warn", Takes::nothing, "",
                          "warn about improperly formatted checksum lines\n"};

constexpr Option kOptions[] = {kBinary, kCheck, kTagged, kText,  kZero, kChecking,
                               kIgnore, kNoOk,  kSilent, kExact, kWarn};
constexpr Option kBlakeOptions[] = {kBinary, kCheck, kLength, kTagged, kText,  kZero,
                                    kChecking, kIgnore, kNoOk, kSilent, kExact, kWarn};
constexpr Option kCksumOptions[] = {
    {"a", "algorithm", Takes::required, "TYPE", "select the digest type to use.  See DIGEST below."},
    kCheck,
    kLength,
    {"", "tag", Takes::nothing, "", "create a BSD-style checksum (the default)", kTag},
    {"", "untagged", Takes::nothing, "",
     "create a reversed style checksum, without digest type", kUntagged},
    kZero,
    kChecking,
    kIgnore,
    kNoOk,
    kSilent,
    kExact,
    kWarn,
    {"", "debug", Takes::nothing, "", "indicate which implementation used", kDebug},
    // Known, to be refused.
    {"b", "", Takes::nothing},
    {"t", "", Takes::nothing},
};

#define NACRE_DIGEST_OUTRO(standard)                                              \
  "The sums are computed as described in " standard ".\n"                         \
  "When checking, the input should be a former output of this program.\n"         \
  "The default mode is to print a line with: checksum, a space,\n"                \
  "a character indicating input mode ('*' for binary, ' ' for text\n"             \
  "or where binary is insignificant), and name for each FILE.\n\n"                \
  "Note: There is no difference between binary mode and text mode on GNU systems."

#define NACRE_DIGEST_SPEC(word, title, standard, table)                           \
  {.name = word,                                                                  \
   .usage = "[OPTION]... [FILE]...",                                              \
   .intro = "Print or check " title " checksums.\n\n"                             \
            "With no FILE, or when FILE is -, read standard input.",              \
   .options = table,                                                              \
   .outro = NACRE_DIGEST_OUTRO(standard),                                         \
   .column = 24}

constexpr OptionSpec kMd5 = NACRE_DIGEST_SPEC("md5sum", "MD5 (128-bit)", "RFC 1321", kOptions);
constexpr OptionSpec kSha1 = NACRE_DIGEST_SPEC("sha1sum", "SHA1 (160-bit)", "FIPS-180-1", kOptions);
constexpr OptionSpec kSha224 =
    NACRE_DIGEST_SPEC("sha224sum", "SHA224 (224-bit)", "RFC 3874", kOptions);
constexpr OptionSpec kSha256 =
    NACRE_DIGEST_SPEC("sha256sum", "SHA256 (256-bit)", "FIPS-180-2", kOptions);
constexpr OptionSpec kSha384 =
    NACRE_DIGEST_SPEC("sha384sum", "SHA384 (384-bit)", "FIPS-180-2", kOptions);
constexpr OptionSpec kSha512 =
    NACRE_DIGEST_SPEC("sha512sum", "SHA512 (512-bit)", "FIPS-180-2", kOptions);
constexpr OptionSpec kB2 =
    NACRE_DIGEST_SPEC("b2sum", "BLAKE2b (512-bit)", "RFC 7693", kBlakeOptions);
#undef NACRE_DIGEST_SPEC
#undef NACRE_DIGEST_OUTRO

constexpr OptionSpec kCksum = {
    .name = "cksum",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Print or verify checksums.\nBy default use the 32 bit CRC algorithm.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kCksumOptions,
    .outro = "DIGEST determines the digest algorithm and default output format:\n"
             "  sysv      (equivalent to sum -s)\n"
             "  bsd       (equivalent to sum -r)\n"
             "  crc       (equivalent to cksum)\n"
             "  md5       (equivalent to md5sum)\n"
             "  sha1      (equivalent to sha1sum)\n"
             "  sha224    (equivalent to sha224sum)\n"
             "  sha256    (equivalent to sha256sum)\n"
             "  sha384    (equivalent to sha384sum)\n"
             "  sha512    (equivalent to sha512sum)\n"
             "  blake2b   (equivalent to b2sum)\n"
             "  sm3       (only available through cksum)\n\n"
             "When checking, the input should be a former output of this program,\n"
             "or equivalent standalone program.",
    .column = 24,
};

constexpr Choice kKinds[] = {
    {"bsd", static_cast<int>(DigestKind::bsd)},
    {"sysv", static_cast<int>(DigestKind::sysv)},
    {"crc", static_cast<int>(DigestKind::crc)},
    {"md5", static_cast<int>(DigestKind::md5)},
    {"sha1", static_cast<int>(DigestKind::sha1)},
    {"sha224", static_cast<int>(DigestKind::sha224)},
    {"sha256", static_cast<int>(DigestKind::sha256)},
    {"sha384", static_cast<int>(DigestKind::sha384)},
    {"sha512", static_cast<int>(DigestKind::sha512)},
    {"blake2b", static_cast<int>(DigestKind::blake2b)},
    {"sm3", static_cast<int>(DigestKind::sm3)},
};

// The length asked for with -l, in bytes; 0 after a message.
size_t chosen_bytes(CommandContext& ctx, const DigestOptions& options, uint64_t bits,
                    std::string_view text) {
  size_t most = digest_bytes(options.kind);
  if (bits == 0) return most;
  if (bits <= most * 8 && bits % 8 == 0) return static_cast<size_t>(bits / 8);
  ctx.error("invalid length: " + base::gnu_locale_quote(text));
  if (bits % 8 != 0 && bits <= most * 8) ctx.error("length is not a multiple of 8");
  else ctx.error("maximum digest length for " + base::gnu_locale_quote(digest_tag(options.kind)) +
                 " is 512 bits");
  return 0;
}

int run(CommandContext& ctx, const OptionSpec& spec, DigestKind default_kind) {
  DigestOptions digest;
  digest.kind = default_kind;
  bool is_cksum = default_kind == DigestKind::crc;
  bool check = false, mode_given = false, kind_given = false, tag_given = false;
  uint64_t bits = 0;
  std::string_view length_text;
  digest.tagged = is_cksum;
  digest.binary = is_cksum;
  OptionReader reader(ctx, spec);
  while (int id = reader.next()) {
    switch (id) {
      case 'a':
        if (auto kind = read_choice(ctx, spec, "--algorithm", reader.value(), kKinds)) {
          digest.kind = static_cast<DigestKind>(*kind);
          kind_given = true;
        } else {
          reader.finish(1);
        }
        break;
      case 'b':
      case 't':
        if (is_cksum) {
          reader.fail();
          break;
        }
        digest.binary = id == 'b';
        mode_given = true;
        break;
      case 'c': check = true; break;
      case 'l':
        length_text = reader.value();
        if (!read_count(ctx, length_text, "", 0, UINT64_MAX, "invalid length", bits))
          reader.finish(1);
        break;
      case kTag:
        digest.tagged = true;
        digest.binary = true;
        tag_given = true;
        break;
      case kUntagged: digest.tagged = digest.binary = false; break;
      case 'z': digest.delimiter = '\0'; break;
      case kIgnoreMissing: digest.ignore_missing = true; break;
      case kStatus:
        digest.silent = true;
        digest.warn = digest.quiet = false;
        break;
      case kQuiet:
        digest.quiet = true;
        digest.silent = digest.warn = false;
        break;
      case 'w':
        digest.warn = true;
        digest.silent = digest.quiet = false;
        break;
      case kStrict: digest.strict = true; break;
      case kDebug: break;
    }
  }
  if (reader.done()) return reader.status();
  if (is_cksum && check && kind_given && digest.kind <= DigestKind::crc) {
    ctx.error("--check is not supported with --algorithm={bsd,sysv,crc}");
    return 1;
  }
  if (bits != 0 && digest.kind != DigestKind::blake2b) {
    ctx.error("--length is only supported with --algorithm=blake2b");
    return 1;
  }
  digest.bytes = chosen_bytes(ctx, digest, bits, length_text);
  if (digest.bytes == 0) return 1;
  if (!is_cksum && digest.tagged && !digest.binary)
    return usage_error(ctx, spec, "--tag does not support --text mode");
  if (check) {
    if (digest.delimiter != '\n')
      return usage_error(ctx, spec,
                         "the --zero option is not supported when verifying checksums");
    if (tag_given && !is_cksum)
      return usage_error(ctx, spec, "the --tag option is meaningless when verifying checksums");
    if (mode_given)
      return usage_error(
          ctx, spec,
          "the --binary and --text options are meaningless when verifying checksums");
    digest.any_kind = is_cksum && !kind_given;
    return check_digests(ctx, digest, reader.operands());
  }
  std::string_view meaningless = digest.ignore_missing ? "--ignore-missing"
                                 : digest.silent       ? "--status"
                                 : digest.warn         ? "--warn"
                                 : digest.quiet        ? "--quiet"
                                 : digest.strict       ? "--strict"
                                                       : "";
  if (!meaningless.empty()) {
    std::string text = "the ";
    return usage_error(
        ctx, spec,
        text.append(meaningless).append(" option is meaningful only when verifying checksums"));
  }
  return print_digests(ctx, digest, reader.operands());
}

template <const OptionSpec& spec, DigestKind kind>
int digest_main(CommandContext& ctx) {
  return run(ctx, spec, kind);
}

template <const OptionSpec& spec, DigestKind kind>
constexpr interp::Command row(std::string_view synopsis) {
  return {.name = spec.name,
          .synopsis = synopsis,
          .usage = usage_text<spec>(),
          .main = digest_main<spec, kind>};
}

}  // namespace

extern const interp::Command command_md5sum, command_sha1sum, command_sha224sum,
    command_sha256sum, command_sha384sum, command_sha512sum, command_b2sum, command_cksum;
const interp::Command command_md5sum =
    row<kMd5, DigestKind::md5>("compute and check MD5 message digests");
const interp::Command command_sha1sum =
    row<kSha1, DigestKind::sha1>("compute and check SHA1 message digests");
const interp::Command command_sha224sum =
    row<kSha224, DigestKind::sha224>("compute and check SHA224 message digests");
const interp::Command command_sha256sum =
    row<kSha256, DigestKind::sha256>("compute and check SHA256 message digests");
const interp::Command command_sha384sum =
    row<kSha384, DigestKind::sha384>("compute and check SHA384 message digests");
const interp::Command command_sha512sum =
    row<kSha512, DigestKind::sha512>("compute and check SHA512 message digests");
const interp::Command command_b2sum =
    row<kB2, DigestKind::blake2b>("compute and check BLAKE2 message digests");
const interp::Command command_cksum = row<kCksum, DigestKind::crc>("checksum files");

}  // namespace nacre::builtins
