// rm: removes files, with -r whole trees. The rules of removal are in
// support/remove_tree.h, which mv uses too.
#include <string>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/support/choice.h"
#include "builtins/support/options.h"
#include "builtins/support/prompt.h"
#include "builtins/support/remove_tree.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kInteractive = kLongOnly, kOneFileSystem, kNoPreserveRoot, kPreserveRoot };

constexpr Option kOptions[] = {
    {"f", "force", Takes::nothing, "", "ignore nonexistent files and arguments, never prompt"},
    {"i", "", Takes::nothing, "", "prompt before every removal"},
    {"I", "", Takes::nothing, "",
     "prompt once before removing more than three files, or\n  when removing recursively"},
    {"", "interactive", Takes::optional, "WHEN",
     "prompt according to WHEN: never, once (-I), or\n  always (-i); without WHEN, prompt always",
     kInteractive},
    {"", "one-file-system", Takes::nothing, "",
     "when removing a hierarchy recursively, skip any\n  directory that is on another file system",
     kOneFileSystem},
    {"", "no-preserve-root", Takes::nothing, "", "do not treat '/' specially", kNoPreserveRoot},
    {"", "preserve-root", Takes::optional, "all", "do not remove '/' (default)", kPreserveRoot},
    {"rR", "recursive", Takes::nothing, "", "remove directories and their contents recursively"},
    {"d", "dir", Takes::nothing, "", "remove empty directories"},
    {"v", "verbose", Takes::nothing, "", "explain what is being done"},
};

constexpr OptionSpec kSpec = {
    .name = "rm",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Remove (unlink) the FILE(s).",
    .options = kOptions,
    .outro = "By default, rm does not remove directories.  Use the --recursive (-r or -R)\n"
             "option to remove each listed directory, too, along with all of its contents.\n\n"
             "To remove a file whose name starts with a '-', for example '-foo',\n"
             "use one of these commands:\n"
             "  rm -- -foo\n\n"
             "  rm ./-foo",
    .column = 24,
};

enum When : int { kNever, kOnce, kAlways };
constexpr Choice kWhen[] = {{"never", kNever}, {"no", kNever},     {"none", kNever},
                            {"once", kOnce},   {"always", kAlways}, {"yes", kAlways}};

int rm_main(CommandContext& ctx) {
  RemoveOptions remove;
  bool once = false;
  bool preserve_all = false;
  OptionReader options(ctx, kSpec);
  auto set_when = [&](int when) {
    remove.interactive = when == kAlways;
    once = when == kOnce;
    if (when != kNever) remove.ignore_missing = false;
  };
  while (int id = options.next()) {
    switch (id) {
      case 'f':
        set_when(kNever);
        remove.ignore_missing = true;
        break;
      case 'i': set_when(kAlways); break;
      case 'I': set_when(kOnce); break;
      case kInteractive:
        if (!options.has_value()) {
          set_when(kAlways);
        } else if (auto when = read_choice(ctx, kSpec, "--interactive", options.value(), kWhen)) {
          set_when(*when);
        } else {
          options.finish(1);
        }
        break;
      case kOneFileSystem: remove.one_device = true; break;
      case kNoPreserveRoot: remove.preserve_root = false; break;
      case kPreserveRoot:
        remove.preserve_root = true;
        if (options.has_value()) {
          if (options.value() == "all") {
            preserve_all = true;
          } else {
            ctx.error("unrecognized --preserve-root argument: " +
                      base::gnu_quote(options.value()));
            options.finish(1);
          }
        }
        break;
      case 'r': remove.recursive = true; break;
      case 'd': remove.empty_directories = true; break;
      case 'v': remove.verbose = true; break;
    }
  }
  if (options.done()) return options.status();
  // Its whole meaning here: do not go into other file systems at the top either.
  remove.one_device |= preserve_all;
  auto operands = options.operands();
  if (operands.empty()) return remove.ignore_missing ? 0 : missing_operand(ctx, kSpec);
  if (once && (remove.recursive || operands.size() > 3)) {
    std::string text = "remove ";
    base::append_uint(text, operands.size());
    text += operands.size() == 1 ? " argument" : " arguments";
    if (remove.recursive) text += " recursively";
    if (!ask(ctx, text)) return 0;
  }
  TreeRemover remover(ctx, remove);
  bool ok = true;
  for (std::string_view path : operands) ok &= remover.remove(path);
  return ok ? 0 : 1;
}

}  // namespace

extern const interp::Command command_rm;
const interp::Command command_rm = {
    .name = "rm",
    .synopsis = "remove files or directories",
    .usage = usage_text<kSpec>(),
    .main = rm_main,
};

}  // namespace nacre::builtins
