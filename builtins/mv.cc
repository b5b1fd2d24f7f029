// mv: renames files; what cannot be renamed across devices is copied, and
// removed when all of it has arrived.
#include <optional>
#include <string>

#include "base/quoting.h"
#include "builtins/support/copy_operands.h"
#include "builtins/support/copy_tree.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/remove_tree.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using Overwrite = CopyOptions::Overwrite;

enum : int { kBackup = kLongOnly, kStripSlashes };

constexpr Option kOptions[] = {
    {"", "backup", Takes::optional, "CONTROL", "make a backup of each existing destination file",
     kBackup},
    {"b", "", Takes::nothing, "", "like --backup but does not accept an argument"},
    {"f", "force", Takes::nothing, "", "do not prompt before overwriting"},
    {"i", "interactive", Takes::nothing, "", "prompt before overwrite"},
    {"n", "no-clobber", Takes::nothing, "", "do not overwrite an existing file"},
    {"", "", Takes::nothing, "",
     "If you specify more than one of -i, -f, -n, only the final one takes effect."},
    {"", "strip-trailing-slashes", Takes::nothing, "",
     "remove any trailing slashes from each SOURCE\n  argument", kStripSlashes},
    {"S", "suffix", Takes::required, "SUFFIX", "override the usual backup suffix"},
    {"t", "target-directory", Takes::required, "DIRECTORY",
     "move all SOURCE arguments into DIRECTORY"},
    {"T", "no-target-directory", Takes::nothing, "", "treat DEST as a normal file"},
    {"u", "update", Takes::nothing, "",
     "move only when the SOURCE file is newer\n  than the destination file or when the\n"
     "  destination file is missing"},
    {"v", "verbose", Takes::nothing, "", "explain what is being done"},
    {"Z", "context", Takes::nothing, "",
     "set SELinux security context of destination\n  file to default type"},
};

constexpr OptionSpec kSpec = {
    .name = "mv",
    .usage = "[OPTION]... [-T] SOURCE DEST\n"
             "[OPTION]... SOURCE... DIRECTORY\n"
             "[OPTION]... -t DIRECTORY SOURCE...",
    .intro = "Rename SOURCE to DEST, or move SOURCE(s) to DIRECTORY.",
    .options = kOptions,
    .outro = NACRE_BACKUP_HELP,
    .column = 31,
};

int mv_main(CommandContext& ctx) {
  CopyOptions copy;
  copy.links = vfs::Walk::Links::physical;
  copy.move = copy.recursive = true;
  copy.preserve_mode = copy.preserve_ownership = copy.preserve_times = copy.preserve_links = true;
  BackupOptions backup;
  CopyOperands operands(ctx, kSpec);
  bool strip = false;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case kBackup:
      case 'b': backup.backup(options); break;
      case 'f': copy.overwrite = Overwrite::always; break;
      case 'i': copy.overwrite = Overwrite::ask; break;
      case 'n': copy.overwrite = Overwrite::never; break;
      case kStripSlashes: strip = true; break;
      case 'S': backup.set_suffix(options.value()); break;
      case 't':
        if (!operands.set_directory(options.value())) options.finish(1);
        break;
      case 'T': operands.no_directory = true; break;
      case 'u': copy.update = true; break;
      case 'v': copy.verbose = true; break;
      case 'Z': break;  // a no-op where there is no SELinux
    }
  }
  if (options.done()) return options.status();
  if (int status = operands.take(options.operands())) return status;
  if (copy.overwrite == Overwrite::never) {
    copy.update = false;
    if (backup.wanted)
      return usage_error(ctx, kSpec,
                         "options --backup and --no-clobber are mutually exclusive");
  }
  auto backups = Backups::from(ctx, kSpec, backup);
  if (!backups) return 1;
  copy.backups = *std::move(backups);
  copy.remember = operands.directory && operands.sources.size() > 1;
  TreeCopier copier(ctx, copy);
  RemoveOptions remove;
  remove.recursive = true;
  remove.verbose = copy.verbose;
  TreeRemover remover(ctx, remove);
  bool ok = true;
  for (std::string_view source : operands.sources) {
    if (strip) source = without_trailing_slashes(source);
    bool moved = copier.copy(source, operands.target_of(source));
    if (moved && copier.source_remains()) moved = remover.remove(source);
    ok &= moved;
  }
  return ok ? 0 : 1;
}

}  // namespace

extern const interp::Command command_mv;
const interp::Command command_mv = {
    .name = "mv",
    .synopsis = "move (rename) files",
    .usage = usage_text<kSpec>(),
    .main = mv_main,
};

}  // namespace nacre::builtins
