// sum: the old checksums of BSD and System V, with sizes in blocks.
#include "builtins/digest/digest_command.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

constexpr Option kOptions[] = {
    {"r", "", Takes::nothing, "", "use BSD sum algorithm (the default), use 1K blocks"},
    {"s", "sysv", Takes::nothing, "", "use System V sum algorithm, use 512 bytes blocks"},
};

constexpr OptionSpec kSpec = {
    .name = "sum",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Print or check BSD (16-bit) checksums.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kOptions,
    .column = 18,
};

int sum_main(interp::CommandContext& ctx) {
  DigestOptions digest;
  digest.kind = DigestKind::bsd;
  OptionReader options(ctx, kSpec);
  while (int id = options.next())
    digest.kind = id == 's' ? DigestKind::sysv : DigestKind::bsd;
  if (options.done()) return options.status();
  return print_digests(ctx, digest, options.operands());
}

}  // namespace

extern const interp::Command command_sum;
const interp::Command command_sum = {
    .name = "sum",
    .synopsis = "checksum and count the blocks in a file",
    .usage = usage_text<kSpec>(),
    .main = sum_main,
};

}  // namespace nacre::builtins
