// mktemp: makes a file or directory with a name that is not taken.
#include <string>

#include "base/quoting.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kSuffix = kLongOnly, kTmpdir };

constexpr Option kOptions[] = {
    {"d", "directory", Takes::nothing, "", "create a directory, not a file"},
    {"u", "dry-run", Takes::nothing, "", "do not create anything; merely print a name (unsafe)"},
    {"q", "quiet", Takes::nothing, "",
     "suppress diagnostics about file/dir-creation failure"},
    {"", "suffix", Takes::required, "SUFF",
     "append SUFF to TEMPLATE; SUFF must not contain a slash.\n"
     "  This option is implied if TEMPLATE does not end in X", kSuffix},
    {"p", "", Takes::required, "DIR"},
    {"", "tmpdir", Takes::optional, "DIR",
     "interpret TEMPLATE relative to DIR; if DIR is not\n"
     "  specified, use $TMPDIR if set, else /tmp.  With\n"
     "  this option, TEMPLATE must not be an absolute name", kTmpdir},
    {"t", "", Takes::nothing, "",
     "interpret TEMPLATE as a single file name component,\n"
     "  relative to a directory: $TMPDIR, if set; else the\n"
     "  directory specified via -p; else /tmp [deprecated]"},
    {"V", "", Takes::nothing},
};

constexpr OptionSpec kSpec = {
    .name = "mktemp",
    .usage = "[OPTION]... [TEMPLATE]",
    .intro = "Create a temporary file or directory, safely, and print its name.\n"
             "TEMPLATE must contain at least 3 consecutive 'X's in last component.\n"
             "If TEMPLATE is not specified, use tmp.XXXXXXXXXX, and --tmpdir is implied.\n"
             "Files are created u+rw, and directories u+rwx, minus umask restrictions.",
    .options = kOptions,
    .column = 24,
};

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr int kAttempts = 10000;

int mktemp_main(CommandContext& ctx) {
  bool directory = false, dry_run = false, quiet = false, deprecated_t = false;
  bool use_directory = false, has_suffix = false;
  std::string_view suffix, given_directory;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'd': directory = true; break;
      case 'u': dry_run = true; break;
      case 'q': quiet = true; break;
      case kSuffix: suffix = options.value(); has_suffix = true; break;
      case 'p': case kTmpdir:
        use_directory = true;
        given_directory = options.value();
        break;
      case 't': use_directory = deprecated_t = true; break;
      case 'V':
        ctx.out << "mktemp (nacre, as " << kSpec.package << "\n";
        options.finish(0);
        break;
    }
  }
  if (options.done()) return options.status();
  auto operands = options.operands();
  if (operands.size() > 1) return options.usage_error("too many templates");
  std::string name = operands.empty() ? "tmp.XXXXXXXXXX" : std::string(operands[0]);
  if (operands.empty()) use_directory = true;

  auto fail = [&](const std::string& text) {
    ctx.error(text);
    return 1;
  };
  std::string quoted = base::gnu_locale_quote(name);
  if (has_suffix) {
    if (!name.ends_with('X'))
      return fail("with --suffix, template " + quoted + " must end in X");
  } else {
    size_t last = name.rfind('X');
    size_t keep = last == name.npos ? name.size() : last + 1;
    suffix = operands.empty() ? std::string_view() : operands[0].substr(keep);
    name.resize(keep);
  }
  if (suffix.find('/') != suffix.npos)
    return fail("invalid suffix " + base::gnu_locale_quote(suffix) +
                ", contains directory separator");
  size_t random = 0;
  while (random < name.size() && name[name.size() - 1 - random] == 'X') ++random;
  if (random < 3) return fail("too few X's in template " + quoted);

  if (use_directory) {
    std::string_view parent;
    auto variable = ctx.host.getenv("TMPDIR");
    bool has_variable = variable && !variable->empty();
    if (deprecated_t) {
      parent = has_variable ? *variable : !given_directory.empty() ? given_directory : "/tmp";
      if (name.find('/') != name.npos)
        return fail("invalid template, " + quoted + ", contains directory separator");
    } else {
      parent = !given_directory.empty() ? given_directory : has_variable ? *variable : "/tmp";
      if (name.starts_with('/'))
        return fail("invalid template, " + quoted + "; with --tmpdir, it may not be absolute");
    }
    name = join_path(parent, name);
  }

  size_t start = name.size() - random;
  std::string shown = name + std::string(suffix);
  std::errc error = std::errc::file_exists;
  for (int attempt = 0; attempt < kAttempts && error == std::errc::file_exists; ++attempt) {
    ctx.meter.charge_work();
    std::string path = name;
    for (size_t i = start; i < path.size(); ++i)
      path[i] = kLetters[ctx.host.random() % kLetters.size()];
    path += suffix;
    if (dry_run) {
      auto st = ctx.fs.lstat(path);
      error = st ? std::errc::file_exists : std::errc{};
    } else if (directory) {
      auto made = ctx.fs.mkdir(path, 0700);
      error = made ? std::errc{} : made.error();
    } else {
      auto made = ctx.fs.open(path, {.read = true, .write = true, .create = true,
                                     .exclusive = true}, 0600);
      error = made ? std::errc{} : made.error();
    }
    if (error == std::errc{}) {
      ctx.out << path << "\n";
      return 0;
    }
  }
  if (!quiet)
    ctx.error(std::string("failed to create ") + (directory ? "directory" : "file") +
                  " via template " + base::gnu_locale_quote(shown),
              error);
  return 1;
}

}  // namespace

extern const interp::Command command_mktemp;
const interp::Command command_mktemp = {
    .name = "mktemp",
    .synopsis = "create a temporary file or directory",
    .usage = usage_text<kSpec>(),
    .main = mktemp_main,
};

}  // namespace nacre::builtins
