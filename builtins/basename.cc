// basename: strips directories and a suffix from names.
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

constexpr Option kOptions[] = {
    {"a", "multiple", Takes::nothing, "", "support multiple arguments and treat each as a NAME"},
    {"s", "suffix", Takes::required, "SUFFIX", "remove a trailing SUFFIX; implies -a"},
    {"z", "zero", Takes::nothing, "", "end each output line with NUL, not newline"},
};

constexpr OptionSpec kSpec = {
    .name = "basename",
    .usage = "NAME [SUFFIX]\nOPTION... NAME...",
    .intro = "Print NAME with any leading directory components removed.\n"
             "If specified, also remove a trailing SUFFIX.",
    .options = kOptions,
    .outro = "Examples:\n"
             "  basename /usr/bin/sort          -> \"sort\"\n"
             "  basename include/stdio.h .h     -> \"stdio\"\n"
             "  basename -s .h include/stdio.h  -> \"stdio\"\n"
             "  basename -a any/str1 any/str2   -> \"str1\" followed by \"str2\"",
    .column = 23,
    .order = Order::stop,
};

int basename_main(CommandContext& ctx) {
  bool multiple = false;
  char end = '\n';
  std::string_view suffix;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'a': multiple = true; break;
      case 's': multiple = true; suffix = options.value(); break;
      case 'z': end = '\0'; break;
    }
  }
  if (options.done()) return options.status();
  auto names = options.operands();
  if (names.empty()) return missing_operand(ctx, kSpec);
  if (!multiple && names.size() > 2) return extra_operand(ctx, kSpec, names[2]);
  if (!multiple && names.size() == 2) {
    suffix = names[1];
    names = names.first(1);
  }
  for (std::string_view name : names) {
    std::string_view base = last_component(name);
    // A name that is nothing but the suffix keeps it, and so does "/".
    if (!suffix.empty() && !base.starts_with('/') && base.size() > suffix.size() &&
        base.ends_with(suffix))
      base.remove_suffix(suffix.size());
    ctx.out.write(base);
    ctx.out.put(end);
  }
  return 0;
}

}  // namespace

extern const interp::Command command_basename;
const interp::Command command_basename = {
    .name = "basename",
    .synopsis = "strip directory and suffix from names",
    .usage = usage_text<kSpec>(),
    .main = basename_main,
};

}  // namespace nacre::builtins
