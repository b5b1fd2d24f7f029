// yes: writes a line until nobody reads it.
#include <string>

#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

constexpr OptionSpec kSpec = {
    .name = "yes",
    .usage = "[STRING]...\nOPTION",
    .intro = "Repeatedly output a line with all specified STRING(s), or 'y'.",
};

constexpr size_t kBlock = 16 * 1024;

int yes_main(CommandContext& ctx) {
  OptionReader options(ctx, kSpec);
  while (options.next()) {
  }
  if (options.done()) return options.status();
  std::string line;
  for (std::string_view word : options.operands()) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (options.operands().empty()) line = "y";
  line += '\n';
  limits::MemoryCharge charge(ctx.meter, static_cast<int64_t>(line.size() + kBlock));
  std::string block = line;
  while (block.size() + line.size() <= kBlock) block += line;
  while (!ctx.out.has_error()) {
    ctx.out.write(block);
    ctx.out.flush();
  }
  ctx.error("standard output", ctx.out.error());
  return 1;
}

}  // namespace

extern const interp::Command command_yes;
const interp::Command command_yes = {
    .name = "yes",
    .synopsis = "output a string repeatedly until killed",
    .usage = usage_text<kSpec>(),
    .main = yes_main,
};

}  // namespace nacre::builtins
