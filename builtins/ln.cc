// ln: makes hard and symbolic links.
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/quoting.h"
#include "builtins/support/backup.h"
#include "builtins/support/canonical.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/prompt.h"
#include "builtins/support/temp_name.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using vfs::Follow;

enum : int { kBackup = kLongOnly };

constexpr Option kOptions[] = {
    {"", "backup", Takes::optional, "CONTROL", "make a backup of each existing destination file",
     kBackup},
    {"b", "", Takes::nothing, "", "like --backup but does not accept an argument"},
    {"dF", "directory", Takes::nothing, "",
     "allow the superuser to attempt to hard link\n"
     "  directories (note: will probably fail due to\n"
     "  system restrictions, even for the superuser)"},
    {"f", "force", Takes::nothing, "", "remove existing destination files"},
    {"i", "interactive", Takes::nothing, "", "prompt whether to remove destinations"},
    {"L", "logical", Takes::nothing, "", "dereference TARGETs that are symbolic links"},
    {"n", "no-dereference", Takes::nothing, "",
     "treat LINK_NAME as a normal file if\n  it is a symbolic link to a directory"},
    {"P", "physical", Takes::nothing, "", "make hard links directly to symbolic links"},
    {"r", "relative", Takes::nothing, "", "with -s, create links relative to link location"},
    {"s", "symbolic", Takes::nothing, "", "make symbolic links instead of hard links"},
    {"S", "suffix", Takes::required, "SUFFIX", "override the usual backup suffix"},
    {"t", "target-directory", Takes::required, "DIRECTORY",
     "specify the DIRECTORY in which to create\n  the links"},
    {"T", "no-target-directory", Takes::nothing, "", "treat LINK_NAME as a normal file always"},
    {"v", "verbose", Takes::nothing, "", "print name of each linked file"},
};

constexpr OptionSpec kSpec = {
    .name = "ln",
    .usage = "[OPTION]... [-T] TARGET LINK_NAME\n"
             "[OPTION]... TARGET\n"
             "[OPTION]... TARGET... DIRECTORY\n"
             "[OPTION]... -t DIRECTORY TARGET...",
    .intro = "In the 1st form, create a link to TARGET with the name LINK_NAME.\n"
             "In the 2nd form, create a link to TARGET in the current directory.\n"
             "In the 3rd and 4th forms, create links to each TARGET in DIRECTORY.\n"
             "Create hard links by default, symbolic links with --symbolic.\n"
             "By default, each destination (name of new link) should not already exist.\n"
             "When creating hard links, each TARGET must exist.  Symbolic links\n"
             "can hold arbitrary text; if later resolved, a relative link is\n"
             "interpreted in relation to its parent directory.",
    .options = kOptions,
    .outro = NACRE_BACKUP_HELP
             "\nUsing -s ignores -L and -P.  Otherwise, the last option specified controls\n"
             "behavior when a TARGET is a symbolic link, defaulting to -P.",
    .column = 30,
};

struct Ln {
  CommandContext& ctx;
  Backups backups = {};
  bool symbolic = false, relative = false, force = false, interactive = false, verbose = false;
  bool directories = false, logical = false, keep_made = false;
  // Links made by this command, so that none is lost to another of its own.
  std::set<std::pair<std::string, uint64_t>> made = {};

  bool fail(std::string text, std::errc error) {
    ctx.error(text, error);
    return false;
  }
  bool fail(std::string text) {
    ctx.error(text);
    return false;
  }

  vfs::Status try_link(std::string_view source, std::string_view dest) const {
    if (symbolic) return ctx.fs.symlink(source, dest);
    return ctx.fs.link(source, dest, logical ? Follow::yes : Follow::no);
  }

  // Puts the link into the place of what is there, which is lost only when the
  // link was made.
  vfs::Status replace(std::string_view source, std::string_view dest) const {
    std::string temp = join_path(directory_part(dest), "CuXXXXXX");
    size_t at = temp.size() - 6;
    vfs::Status done;
    for (int i = 0; i < kNameAttempts; ++i) {
      randomise(ctx.host, temp, at, 6);
      done = try_link(source, temp);
      if (done || done.error() != std::errc::file_exists) break;
    }
    if (!done) return done;
    done = ctx.fs.rename(temp, dest);
    // Still there when both were links to the same file, or after an error.
    (void)ctx.fs.unlink(temp);
    return done;
  }

  static bool same_entry(const vfs::View& fs, std::string_view a, std::string_view b) {
    if (last_component(a) != last_component(b)) return false;
    auto in_a = fs.stat(directory_part(a)), in_b = fs.stat(directory_part(b));
    return in_a && in_b && in_a->ino == in_b->ino && in_a->dev == in_b->dev;
  }

  // `tried` is how the link went when it was tried before all else.
  bool link(std::string_view source, std::string_view dest, std::optional<std::errc> tried) {
    ctx.meter.charge_work();
    if (!tried && !(symbolic && relative)) {
      auto done = try_link(source, dest);
      tried = done ? std::errc{} : done.error();
    }
    bool failed = !tried || *tried != std::errc{};
    vfs::Result<vfs::Stat> from = std::unexpected(std::errc::invalid_argument);
    if ((failed || keep_made) && !symbolic) {
      from = logical ? ctx.fs.stat(source) : ctx.fs.lstat(source);
      if (!from) return fail("failed to access " + base::gnu_quote(source), from.error());
    }
    std::string near, backup;
    if (failed) {
      if (!symbolic && !directories && from->type == vfs::FileType::directory)
        return fail(base::gnu_quote_if_needed(source) + ": hard link not allowed for directory");
      if (relative) {
        near = from_directory_of(dest, source);
        source = near;
      }
      bool removes = force || interactive || backups.wanted();
      if (removes) {
        auto to = ctx.fs.lstat(dest);
        if (!to) {
          if (to.error() != std::errc::no_such_file_or_directory)
            return fail("failed to access " + base::gnu_quote(dest), to.error());
          removes = false;
        } else {
          bool declined = false;
          if (!may_replace(source, dest, *to, from, tried, declined)) return declined;
          if ((!tried || *tried == std::errc::file_exists) && backups.wanted()) {
            backup = backups.name_for(ctx, dest);
            if (auto moved = ctx.fs.rename(dest, backup); !moved) {
              backup.clear();
              if (moved.error() != std::errc::no_such_file_or_directory)
                return fail("cannot backup " + base::gnu_quote(dest), moved.error());
            }
            removes = false;
          }
        }
      }
      vfs::Status done;
      if (!tried || !removes) done = try_link(source, dest);
      else done = std::unexpected(*tried);
      if (!done && removes && done.error() == std::errc::file_exists) done = replace(source, dest);
      if (!done) {
        report(source, dest, done.error());
        if (!backup.empty()) {
          if (auto undone = ctx.fs.rename(backup, dest); !undone)
            fail("cannot un-backup " + base::gnu_quote(dest), undone.error());
        }
        return false;
      }
    }
    if (keep_made && from) made.insert({std::string(dest), from->ino});
    if (verbose) {
      if (!backup.empty()) ctx.out << base::gnu_quote(backup) << " ~ ";
      ctx.out << base::gnu_quote(dest) << (symbolic ? " -> " : " => ") << base::gnu_quote(source)
              << "\n";
    }
    return true;
  }

  // False when `dest` stays as it is: after a message, or declined by the user.
  bool may_replace(std::string_view source, std::string_view dest, const vfs::Stat& to,
                   const vfs::Result<vfs::Stat>& from, std::optional<std::errc> tried,
                   bool& declined) {
    if (to.type == vfs::FileType::directory)
      return fail(base::gnu_quote_if_needed(dest) + ": cannot overwrite directory");
    if (keep_made && made.contains({std::string(dest), to.ino}))
      return fail("will not overwrite just-created " + base::gnu_quote(dest) + " with " +
                  base::gnu_quote(source));
    // Removing it could remove the source itself.
    auto same = symbolic ? ctx.fs.stat(source) : from;
    if (same && same->ino == to.ino && same->dev == to.dev &&
        (same->nlink == 1 || same_entry(ctx.fs, source, dest)))
      return fail(base::gnu_quote(source) + " and " + base::gnu_quote(dest) +
                  " are the same file");
    if ((!tried || *tried == std::errc::file_exists) && interactive) {
      declined = !ask(ctx, "replace " + base::gnu_quote(dest));
      return !declined;
    }
    return true;
  }

  std::string from_directory_of(std::string_view dest, std::string_view source) {
    auto directory = canonical_path(ctx, directory_part(dest), MayMiss::all);
    auto target = canonical_path(ctx, source, MayMiss::all);
    if (!directory || !target) return std::string(source);
    return relative_path(*target, *directory);
  }

  void report(std::string_view source, std::string_view dest, std::errc error) {
    std::string text = symbolic ? "failed to create symbolic link " : "failed to create hard link ";
    bool both;
    if (symbolic) {
      both = error == std::errc::filename_too_long || source.empty();
    } else if (error == std::errc::too_many_links) {
      ctx.error(text + "to " + base::gnu_quote(source), error);
      return;
    } else {
      both = error != std::errc::file_exists && error != std::errc::no_space_on_device &&
             error != std::errc::read_only_file_system;
    }
    text += base::gnu_quote(dest);
    if (both) text += (symbolic ? " -> " : " => ") + base::gnu_quote(source);
    ctx.error(text, error);
  }
};

bool is_directory(CommandContext& ctx, std::string_view path, Follow follow, std::errc& error) {
  auto st = follow == Follow::yes ? ctx.fs.stat(path) : ctx.fs.lstat(path);
  if (!st) error = st.error();
  else if (st->type != vfs::FileType::directory) error = std::errc::not_a_directory;
  else return true;
  return false;
}

int ln_main(CommandContext& ctx) {
  Ln ln{ctx};
  BackupOptions backup;
  std::optional<std::string_view> directory;
  bool no_directory = false;
  Follow follow_directory = Follow::yes;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case kBackup:
      case 'b': backup.backup(options); break;
      case 'd': ln.directories = true; break;
      case 'f': ln.force = true; ln.interactive = false; break;
      case 'i': ln.force = false; ln.interactive = true; break;
      case 'L': ln.logical = true; break;
      case 'n': follow_directory = Follow::no; break;
      case 'P': ln.logical = false; break;
      case 'r': ln.relative = true; break;
      case 's': ln.symbolic = true; break;
      case 'S': backup.set_suffix(options.value()); break;
      case 't': {
        if (directory) {
          ctx.error("multiple target directories specified");
          options.finish(1);
          break;
        }
        directory = options.value();
        auto st = ctx.fs.stat(*directory);
        if (!st) {
          ctx.error("failed to access " + base::gnu_quote(*directory), st.error());
          options.finish(1);
        } else if (st->type != vfs::FileType::directory) {
          ctx.error("target " + base::gnu_quote(*directory) + " is not a directory");
          options.finish(1);
        }
        break;
      }
      case 'T': no_directory = true; break;
      case 'v': ln.verbose = true; break;
    }
  }
  if (options.done()) return options.status();
  auto files = options.operands();
  if (files.empty()) return usage_error(ctx, kSpec, "missing file operand");
  if (ln.relative && !ln.symbolic) {
    ctx.error("cannot do --relative without --symbolic");
    return 1;
  }
  std::optional<std::errc> tried;
  if (no_directory) {
    if (directory) {
      ctx.error("cannot combine --target-directory and --no-target-directory");
      return 1;
    }
    if (files.size() < 2)
      return usage_error(ctx, kSpec,
                         "missing destination file operand after " + base::gnu_quote(files[0]));
    if (files.size() > 2)
      return usage_error(ctx, kSpec, "extra operand " + base::gnu_quote(files[2]));
  } else if (files.size() < 2 && !directory) {
    directory = ".";
  } else if (!directory) {
    // Only when the plain link cannot be made the last operand may be a directory.
    if (files.size() == 2 && !(ln.symbolic && ln.relative)) {
      auto done = ln.try_link(files[0], files[1]);
      tried = done ? std::errc{} : done.error();
    }
    if (!tried || *tried == std::errc::file_exists || *tried == std::errc::not_a_directory ||
        *tried == std::errc::invalid_argument) {
      std::errc error{};
      if (is_directory(ctx, files.back(), follow_directory, error)) {
        directory = files.back();
        files = files.first(files.size() - 1);
      } else if (files.size() != 2) {
        ctx.error("target " + base::gnu_quote(files.back()), error);
        return 1;
      }
    }
  }
  auto backups = Backups::from(ctx, kSpec, backup);
  if (!backups) return 1;
  ln.backups = *std::move(backups);
  if (!directory) return ln.link(files[0], files[1], tried) ? 0 : 1;
  ln.keep_made =
      files.size() >= 2 && ln.force && !ln.symbolic && !ln.backups.numbered();
  bool ok = true;
  for (std::string_view file : files)
    ok &= ln.link(file, join_path(*directory, last_component(file)), std::nullopt);
  return ok ? 0 : 1;
}

}  // namespace

extern const interp::Command command_ln;
const interp::Command command_ln = {
    .name = "ln",
    .synopsis = "make links between files",
    .usage = usage_text<kSpec>(),
    .main = ln_main,
};

}  // namespace nacre::builtins
