// mkdir: makes directories, with -p their missing parents too.
#include <optional>
#include <string>

#include "base/quoting.h"
#include "builtins/support/file_mode.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kContext = kLongOnly };

constexpr Option kOptions[] = {
    {"m", "mode", Takes::required, "MODE", "set file mode (as in chmod), not a=rwx - umask"},
    {"p", "parents", Takes::nothing, "",
     "no error if existing, make parent directories as needed,\n"
     "with their file modes unaffected by any -m option."},
    {"v", "verbose", Takes::nothing, "", "print a message for each created directory"},
    {"Z", "", Takes::nothing, "",
     "set SELinux security context of each created directory\nto the default type"},
    {"", "context", Takes::optional, "CTX",
     "like -Z, or if CTX is specified then set the SELinux\nor SMACK security context to CTX",
     kContext},
};

constexpr OptionSpec kSpec = {
    .name = "mkdir",
    .usage = "[OPTION]... DIRECTORY...",
    .intro = "Create the DIRECTORY(ies), if they do not already exist.",
    .options = kOptions,
    .column = 20,
};

struct Mkdir {
  CommandContext& ctx;
  std::optional<ModeChange> mode;
  bool parents = false, verbose = false;

  int fail(std::string_view path, std::errc error) {
    ctx.error("cannot create directory " + base::gnu_locale_quote(path), error);
    return 1;
  }

  void announce(std::string_view path) {
    if (verbose)
      ctx.out << ctx.name() << ": created directory " << base::gnu_quote(path) << "\n";
  }

  // Makes what is missing above `path`. Owner and search bits are kept however
  // the umask reads, so that the next level can be made.
  int make_parents(std::string_view path) {
    size_t i = 0;
    while (i < path.size() && path[i] == '/') ++i;
    while (true) {
      size_t slash = path.find('/', i);
      if (slash == path.npos || path.find_first_not_of('/', slash) == path.npos) return 0;
      std::string_view prefix = path.substr(0, slash);
      ctx.meter.charge_work();
      vfs::View fs = ctx.fs;
      fs.set_umask(fs.umask() & ~0300u);
      auto made = fs.mkdir(prefix, 0777);
      if (made) {
        announce(prefix);
      } else {
        auto st = ctx.fs.stat(prefix);
        if (!st) return fail(prefix, made.error());
        if (st->type != vfs::FileType::directory) return fail(prefix, std::errc::not_a_directory);
        if (auto may = ctx.fs.access(prefix, 1); !may) return fail(prefix, may.error());
      }
      i = path.find_first_not_of('/', slash);
    }
  }

  int make(std::string_view path) {
    if (parents)
      if (int status = make_parents(path)) return status;
    uint32_t bits = 0777;
    if (mode) {
      // The umask holds for the bits that the mode does not speak of.
      uint32_t touched;
      bits = mode->apply(0777, true, ctx.fs.umask(), &touched);
      bits = (bits & touched) | (bits & ~touched & ~ctx.fs.umask());
    }
    auto made = ctx.fs.mkdir(path, bits & 0777);
    if (!made) {
      if (parents && made.error() == std::errc::file_exists) {
        auto st = ctx.fs.stat(path);
        if (st && st->type == vfs::FileType::directory) return 0;
      }
      return fail(path, made.error());
    }
    announce(path);
    if (mode) {
      if (auto changed = ctx.fs.chmod(path, bits); !changed) {
        ctx.error("cannot set permissions of " + base::gnu_quote(path), changed.error());
        return 1;
      }
    }
    return 0;
  }
};

int mkdir_main(CommandContext& ctx) {
  Mkdir mkdir{ctx};
  std::string_view mode_text;
  bool has_mode = false;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'm': mode_text = options.value(); has_mode = true; break;
      case 'p': mkdir.parents = true; break;
      case 'v': mkdir.verbose = true; break;
      case 'Z': break;  // a no-op where there is no SELinux
      case kContext:
        if (options.has_value())
          ctx.error("warning: ignoring --context; it requires an SELinux/SMACK-enabled kernel");
        break;
    }
  }
  if (options.done()) return options.status();
  if (options.operands().empty()) return missing_operand(ctx, kSpec);
  if (has_mode) {
    mkdir.mode = ModeChange::compile(mode_text);
    if (!mkdir.mode) {
      ctx.error("invalid mode " + base::gnu_locale_quote(mode_text));
      return 1;
    }
  }
  int status = 0;
  for (std::string_view path : options.operands()) {
    ctx.meter.charge_work();
    status |= mkdir.make(path);
  }
  return status;
}

}  // namespace

extern const interp::Command command_mkdir;
const interp::Command command_mkdir = {
    .name = "mkdir",
    .synopsis = "make directories",
    .usage = usage_text<kSpec>(),
    .main = mkdir_main,
};

}  // namespace nacre::builtins
