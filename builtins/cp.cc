// cp: copies files and trees.
#include <string>
#include <vector>

#include "base/quoting.h"
#include "builtins/support/choice.h"
#include "builtins/support/copy_operands.h"
#include "builtins/support/copy_tree.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using Links = vfs::Walk::Links;
using Overwrite = CopyOptions::Overwrite;

enum : int {
  kBackup = kLongOnly, kAttributesOnly, kCopyContents, kPreserve, kNoPreserve, kParents, kReflink,
  kRemoveDestination, kSparse, kStripSlashes, kContext
};

constexpr Option kOptions[] = {
    {"a", "archive", Takes::nothing, "", "same as -dR --preserve=all"},
    {"", "attributes-only", Takes::nothing, "", "don't copy the file data, just the attributes",
     kAttributesOnly},
    {"", "backup", Takes::optional, "CONTROL", "make a backup of each existing destination file",
     kBackup},
    {"b", "", Takes::nothing, "", "like --backup but does not accept an argument"},
    {"", "copy-contents", Takes::nothing, "", "copy contents of special files when recursive",
     kCopyContents},
    {"d", "", Takes::nothing, "", "same as --no-dereference --preserve=links"},
    {"f", "force", Takes::nothing, "",
     "if an existing destination file cannot be\n  opened, remove it and try again (this option\n"
     "  is ignored when the -n option is also used)"},
    {"i", "interactive", Takes::nothing, "",
     "prompt before overwrite (overrides a previous -n\n   option)"},
    {"H", "", Takes::nothing, "", "follow command-line symbolic links in SOURCE"},
    {"l", "link", Takes::nothing, "", "hard link files instead of copying"},
    {"L", "dereference", Takes::nothing, "", "always follow symbolic links in SOURCE"},
    {"n", "no-clobber", Takes::nothing, "",
     "do not overwrite an existing file (overrides\n  a previous -i option)"},
    {"P", "no-dereference", Takes::nothing, "", "never follow symbolic links in SOURCE"},
    {"p", "", Takes::nothing, "", "same as --preserve=mode,ownership,timestamps"},
    {"", "preserve", Takes::optional, "ATTR_LIST",
     "preserve the specified attributes (default:\n  mode,ownership,timestamps), if possible\n"
     "  additional attributes: context, links, xattr,\n  all",
     kPreserve},
    {"", "no-preserve", Takes::required, "ATTR_LIST", "don't preserve the specified attributes",
     kNoPreserve},
    {"", "parents", Takes::nothing, "", "use full source file name under DIRECTORY", kParents},
    {"Rr", "recursive", Takes::nothing, "", "copy directories recursively"},
    {"", "reflink", Takes::optional, "WHEN", "control clone/CoW copies. See below", kReflink},
    {"", "remove-destination", Takes::nothing, "",
     "remove each existing destination file before\n"
     "  attempting to open it (contrast with --force)",
     kRemoveDestination},
    {"", "sparse", Takes::required, "WHEN", "control creation of sparse files. See below",
     kSparse},
    {"", "strip-trailing-slashes", Takes::nothing, "",
     "remove any trailing slashes from each SOURCE\n  argument", kStripSlashes},
    {"s", "symbolic-link", Takes::nothing, "", "make symbolic links instead of copying"},
    {"S", "suffix", Takes::required, "SUFFIX", "override the usual backup suffix"},
    {"t", "target-directory", Takes::required, "DIRECTORY",
     "copy all SOURCE arguments into DIRECTORY"},
    {"T", "no-target-directory", Takes::nothing, "", "treat DEST as a normal file"},
    {"u", "update", Takes::nothing, "",
     "copy only when the SOURCE file is newer\n  than the destination file or when the\n"
     "  destination file is missing"},
    {"v", "verbose", Takes::nothing, "", "explain what is being done"},
    {"x", "one-file-system", Takes::nothing, "", "stay on this file system"},
    {"Z", "", Takes::nothing, "", "set SELinux security context of destination\n"
                                  "  file to default type"},
    {"", "context", Takes::optional, "CTX",
     "like -Z, or if CTX is specified then set the\n  SELinux or SMACK security context to CTX",
     kContext},
};

constexpr OptionSpec kSpec = {
    .name = "cp",
    .usage = "[OPTION]... [-T] SOURCE DEST\n"
             "[OPTION]... SOURCE... DIRECTORY\n"
             "[OPTION]... -t DIRECTORY SOURCE...",
    .intro = "Copy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY.",
    .options = kOptions,
    .outro =
        "By default, sparse SOURCE files are detected by a crude heuristic and the\n"
        "corresponding DEST file is made sparse as well.  That is the behavior\n"
        "selected by --sparse=auto.  Specify --sparse=always to create a sparse DEST\n"
        "file whenever the SOURCE file contains a long enough sequence of zero bytes.\n"
        "Use --sparse=never to inhibit creation of sparse files.\n\n"
        "When --reflink[=always] is specified, perform a lightweight copy, where the\n"
        "data blocks are copied only when modified.  If this is not possible the copy\n"
        "fails, or if --reflink=auto is specified, fall back to a standard copy.\n"
        "Use --reflink=never to ensure a standard copy is performed.\n\n" NACRE_BACKUP_HELP
        "\nAs a special case, cp makes a backup of SOURCE when the force and backup\n"
        "options are given and SOURCE and DEST are the same name for an existing,\n"
        "regular file.",
    .column = 31,
};

enum Attribute : int { kMode = 1, kTimes = 2, kOwner = 4, kHardLinks = 8, kNothing = 16, kAll = 32 };
constexpr Choice kAttributes[] = {{"mode", kMode},         {"timestamps", kTimes},
                                  {"ownership", kOwner},   {"links", kHardLinks},
                                  {"context", kNothing},   {"xattr", kNothing | 64},
                                  {"all", kAll}};
constexpr Choice kReflinks[] = {{"auto", 0}, {"always", 1}, {"never", 2}};
constexpr Choice kSparses[] = {{"never", 0}, {"auto", 1}, {"always", 2}};

// Reads a list of attributes; false after a message.
bool set_attributes(CommandContext& ctx, CopyOptions& copy, std::string_view option,
                    std::string_view list, bool keep) {
  while (true) {
    size_t comma = list.find(',');
    auto attribute = read_choice(ctx, kSpec, option, list.substr(0, comma), kAttributes);
    if (!attribute) return false;
    bool all = *attribute == kAll;
    if (all || *attribute == kMode) {
      copy.preserve_mode = keep;
      copy.no_preserve_mode = !keep;
    }
    if (all || *attribute == kTimes) copy.preserve_times = keep;
    if (all || *attribute == kOwner) copy.preserve_ownership = keep;
    if (all || *attribute == kHardLinks) copy.preserve_links = keep;
    if (comma == list.npos) return true;
    list.remove_prefix(comma + 1);
  }
}

void preserve_usual(CopyOptions& copy) {
  copy.preserve_mode = copy.preserve_ownership = copy.preserve_times = true;
  copy.no_preserve_mode = false;
}

// The directories above a source that --parents makes below DIRECTORY.
class Parents {
 public:
  Parents(CommandContext& ctx, const CopyOptions& copy) : ctx_(ctx), copy_(copy) {}

  // False after a message. `source` has no trailing slashes.
  bool make(std::string_view directory, std::string_view source) {
    made_.clear();
    for (size_t i = source.find_first_not_of('/'); i != source.npos;) {
      size_t slash = source.find('/', i);
      if (slash == source.npos) break;
      std::string_view prefix = source.substr(0, slash);
      i = source.find_first_not_of('/', slash);
      ctx_.meter.charge_work();
      std::string to = join_path(directory, prefix);
      auto from = ctx_.fs.stat(prefix);
      if (!from) return fail("failed to get attributes of " + base::gnu_quote(prefix), from.error());
      if (auto there = ctx_.fs.stat(to)) {
        if (there->type == vfs::FileType::directory) continue;
        ctx_.error(base::gnu_quote(to) + " exists but is not a directory");
        return false;
      }
      auto done = ctx_.fs.mkdir(to, from->mode & ~022u);
      if (!done) return fail("cannot make directory " + base::gnu_quote(to), done.error());
      if (copy_.verbose) ctx_.out << prefix << " -> " << to << "\n";
      auto st = ctx_.fs.stat(to);
      uint32_t mode = (st ? st->mode : 0) | (from->mode & 022 & ~ctx_.fs.umask());
      if (st && (st->mode & 0700) != 0700) {
        auto set = ctx_.fs.chmod(to, st->mode | 0700);
        if (!set) return fail("setting permissions for " + base::gnu_quote(to), set.error());
      }
      made_.push_back({to, *from, mode});
    }
    return true;
  }

  // Their attributes, when what is below them is complete.
  bool finish() {
    for (const Made& made : made_) {
      if (copy_.preserve_times) {
        auto set = ctx_.fs.set_times(made.to, made.from.atime, made.from.mtime);
        if (!set)
          return fail("failed to preserve times for " + base::gnu_quote(made.to), set.error());
      }
      if (copy_.preserve_ownership) {
        auto set = ctx_.fs.chown(made.to, made.from.uid, made.from.gid);
        if (!set) (void)ctx_.fs.chown(made.to, UINT32_MAX, made.from.gid);
      }
      uint32_t mode = copy_.preserve_mode ? made.from.mode : made.mode;
      if (auto set = ctx_.fs.chmod(made.to, mode); !set)
        return fail("failed to preserve permissions for " + base::gnu_quote(made.to),
                    set.error());
    }
    return true;
  }

 private:
  struct Made {
    std::string to;
    vfs::Stat from;
    uint32_t mode;
  };

  bool fail(std::string text, std::errc error) {
    ctx_.error(text, error);
    return false;
  }

  CommandContext& ctx_;
  const CopyOptions& copy_;
  std::vector<Made> made_;
};

// cp -fb FILE FILE: the copy is the backup.
bool is_backup_of_itself(CommandContext& ctx, const CopyOptions& copy,
                         const CopyOperands& operands, std::string_view to) {
  if (!copy.force || !copy.backups.wanted() || operands.directory) return false;
  if (operands.sources[0] != to) return false;
  auto st = ctx.fs.stat(to);
  return st && st->type == vfs::FileType::regular;
}

int cp_main(CommandContext& ctx) {
  CopyOptions copy;
  bool links_given = false, strip = false, parents = false;
  BackupOptions backup;
  CopyOperands operands(ctx, kSpec);
  OptionReader options(ctx, kSpec);
  auto set_links = [&](Links links) {
    copy.links = links;
    links_given = true;
  };
  while (int id = options.next()) {
    switch (id) {
      case 'a':
        set_links(Links::physical);
        copy.recursive = copy.preserve_links = true;
        preserve_usual(copy);
        break;
      case kAttributesOnly: copy.attributes_only = true; break;
      case kBackup:
      case 'b': backup.backup(options); break;
      case kCopyContents: copy.copy_contents = true; break;
      case 'd':
        set_links(Links::physical);
        copy.preserve_links = true;
        break;
      case 'f': copy.force = true; break;
      case 'i': copy.overwrite = Overwrite::ask; break;
      case 'H': set_links(Links::arguments); break;
      case 'l': copy.hard_link = true; break;
      case 'L': set_links(Links::logical); break;
      case 'n': copy.overwrite = Overwrite::never; break;
      case 'P': set_links(Links::physical); break;
      case kPreserve:
        if (options.has_value()) {
          if (!set_attributes(ctx, copy, "--preserve", options.value(), true)) options.finish(1);
          break;
        }
        [[fallthrough]];
      case 'p': preserve_usual(copy); break;
      case kNoPreserve:
        if (!set_attributes(ctx, copy, "--no-preserve", options.value(), false)) options.finish(1);
        break;
      case kParents: parents = true; break;
      case 'R': copy.recursive = true; break;
      case kReflink:
        if (options.has_value() &&
            !read_choice(ctx, kSpec, "--reflink", options.value(), kReflinks))
          options.finish(1);
        break;
      case kRemoveDestination: copy.remove_destination = true; break;
      case kSparse:
        if (!read_choice(ctx, kSpec, "--sparse", options.value(), kSparses)) options.finish(1);
        break;
      case kStripSlashes: strip = true; break;
      case 's': copy.symbolic_link = true; break;
      case 'S': backup.set_suffix(options.value()); break;
      case 't':
        if (!operands.set_directory(options.value())) options.finish(1);
        break;
      case 'T': operands.no_directory = true; break;
      case 'u': copy.update = true; break;
      case 'v': copy.verbose = true; break;
      case 'x': copy.one_device = true; break;
      case 'Z': break;  // a no-op where there is no SELinux
      case kContext:
        if (options.has_value())
          ctx.error("warning: ignoring --context; it requires an SELinux-enabled kernel");
        break;
    }
  }
  if (options.done()) return options.status();
  if (copy.hard_link && copy.symbolic_link)
    return usage_error(ctx, kSpec, "cannot make both hard and symbolic links");
  if (copy.overwrite == Overwrite::never) {
    copy.update = false;
    if (backup.wanted)
      return usage_error(ctx, kSpec,
                         "options --backup and --no-clobber are mutually exclusive");
  }
  auto backups = Backups::from(ctx, kSpec, backup);
  if (!backups) return 1;
  copy.backups = *std::move(backups);
  if (!links_given && copy.recursive && !copy.hard_link) copy.links = Links::physical;
  if (copy.force && (copy.hard_link || copy.symbolic_link)) copy.remove_destination = true;
  if (int status = operands.take(options.operands())) return status;
  if (parents && !operands.directory)
    return usage_error(ctx, kSpec, "with --parents, the destination must be a directory");

  copy.remember = operands.directory && operands.sources.size() > 1;
  std::string to = operands.directory ? std::string() : operands.target_of(operands.sources[0]);
  if (is_backup_of_itself(ctx, copy, operands, to)) {
    to = copy.backups.name_for(ctx, to);
    copy.backups = {};
  }
  TreeCopier copier(ctx, copy);
  Parents above(ctx, copy);
  bool ok = true;
  for (std::string_view source : operands.sources) {
    if (strip) source = without_trailing_slashes(source);
    if (parents) {
      std::string_view bare = without_trailing_slashes(source);
      bool made = above.make(*operands.directory, bare);
      if (made) ok &= copier.copy(source, join_path(*operands.directory, bare));
      ok &= made && above.finish();
    } else {
      ok &= copier.copy(source, operands.directory ? operands.target_of(source) : to);
    }
  }
  return ok ? 0 : 1;
}

}  // namespace

extern const interp::Command command_cp;
const interp::Command command_cp = {
    .name = "cp",
    .synopsis = "copy files and directories",
    .usage = usage_text<kSpec>(),
    .main = cp_main,
};

}  // namespace nacre::builtins
