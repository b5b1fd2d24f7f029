// rmdir: removes empty directories, with -p their empty parents too.
#include <string>

#include "base/quoting.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kIgnoreNonEmpty = kLongOnly };

constexpr Option kOptions[] = {
    {"", "ignore-fail-on-non-empty", Takes::nothing, "",
     "ignore each failure that is solely because a directory\nis non-empty\n", kIgnoreNonEmpty},
    {"p", "parents,path", Takes::nothing, "",
     "remove DIRECTORY and its ancestors; e.g., 'rmdir -p a/b/c'\n"
     "is similar to 'rmdir a/b/c a/b a'\n"},
    {"v", "verbose", Takes::nothing, "", "output a diagnostic for every directory processed"},
};

constexpr OptionSpec kSpec = {
    .name = "rmdir",
    .usage = "[OPTION]... DIRECTORY...",
    .intro = "Remove the DIRECTORY(ies), if they are empty.",
    .options = kOptions,
    .column = 20,
};

struct Rmdir {
  CommandContext& ctx;
  bool ignore_non_empty = false, parents = false, verbose = false;

  vfs::Status take(std::string_view path) {
    ctx.meter.charge_work();
    if (verbose)
      ctx.out << ctx.name() << ": removing directory, " << base::gnu_quote(path) << "\n";
    return ctx.fs.rmdir(path);
  }

  // Failed for no other reason than what is in the directory.
  bool ignorable(std::string_view path, std::errc error) const {
    if (!ignore_non_empty) return false;
    switch (error) {
      case std::errc::directory_not_empty:
      case std::errc::file_exists:
        return true;
      case std::errc::permission_denied:
      case std::errc::operation_not_permitted:
      case std::errc::read_only_file_system:
      case std::errc::device_or_resource_busy: {
        auto entries = ctx.fs.list(path);
        return entries && !entries->empty();
      }
      default:
        return false;
    }
  }

  bool remove(std::string_view path) {
    auto gone = take(path);
    if (gone) return !parents || remove_parents(path);
    if (ignorable(path, gone.error())) return true;
    std::string text = "failed to remove " + base::gnu_quote(path);
    if (gone.error() == std::errc::not_a_directory && path.size() > 1 && path.ends_with('/')) {
      auto st = ctx.fs.stat(path);
      auto link = ctx.fs.lstat(without_trailing_slashes(path));
      if (st && st->type == vfs::FileType::directory && link &&
          link->type == vfs::FileType::symlink) {
        ctx.error(text + ": Symbolic link not followed");
        return false;
      }
    }
    ctx.error(text, gone.error());
    return false;
  }

  bool remove_parents(std::string_view path) {
    path = without_trailing_slashes(path);
    while (true) {
      size_t slash = path.rfind('/');
      if (slash == path.npos) return true;
      // The slashes before a name go, but for the root's own.
      while (slash > 0 && path[slash] == '/') --slash;
      path = path.substr(0, slash + 1);
      auto gone = take(path);
      if (gone) continue;
      if (ignorable(path, gone.error())) return true;
      ctx.error((gone.error() == std::errc::not_a_directory ? "failed to remove "
                                                            : "failed to remove directory ") +
                    base::gnu_quote(path),
                gone.error());
      return false;
    }
  }
};

int rmdir_main(CommandContext& ctx) {
  Rmdir rmdir{ctx};
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case kIgnoreNonEmpty: rmdir.ignore_non_empty = true; break;
      case 'p': rmdir.parents = true; break;
      case 'v': rmdir.verbose = true; break;
    }
  }
  if (options.done()) return options.status();
  if (options.operands().empty()) return missing_operand(ctx, kSpec);
  bool ok = true;
  for (std::string_view path : options.operands()) ok &= rmdir.remove(path);
  return ok ? 0 : 1;
}

}  // namespace

extern const interp::Command command_rmdir;
const interp::Command command_rmdir = {
    .name = "rmdir",
    .synopsis = "remove empty directories",
    .usage = usage_text<kSpec>(),
    .main = rmdir_main,
};

}  // namespace nacre::builtins
