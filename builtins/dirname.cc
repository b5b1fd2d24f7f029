// dirname: names without their last component.
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

constexpr Option kOptions[] = {
    {"z", "zero", Takes::nothing, "", "end each output line with NUL, not newline"},
};

constexpr OptionSpec kSpec = {
    .name = "dirname",
    .usage = "[OPTION] NAME...",
    .intro = "Output each NAME with its last non-slash component and trailing slashes\n"
             "removed; if NAME contains no /'s, output '.' (meaning the current directory).",
    .options = kOptions,
    .outro = "Examples:\n"
             "  dirname /usr/bin/          -> \"/usr\"\n"
             "  dirname dir1/str dir2/str  -> \"dir1\" followed by \"dir2\"\n"
             "  dirname stdio.h            -> \".\"",
    .column = 21,
    .order = Order::stop,
};

int dirname_main(CommandContext& ctx) {
  char end = '\n';
  OptionReader options(ctx, kSpec);
  while (int id = options.next())
    if (id == 'z') end = '\0';
  if (options.done()) return options.status();
  if (options.operands().empty()) return missing_operand(ctx, kSpec);
  for (std::string_view name : options.operands()) {
    ctx.out.write(directory_part(name));
    ctx.out.put(end);
  }
  return 0;
}

}  // namespace

extern const interp::Command command_dirname;
const interp::Command command_dirname = {
    .name = "dirname",
    .synopsis = "strip the last component from names",
    .usage = usage_text<kSpec>(),
    .main = dirname_main,
};

}  // namespace nacre::builtins
