// chmod: changes permission bits, with -R of whole trees.
#include <optional>
#include <string>

#include "base/quoting.h"
#include "builtins/support/file_mode.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"
#include "vfs/walk.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using vfs::Walk;

enum : int { kNoPreserveRoot = kLongOnly, kPreserveRoot, kReference, kModeOption };

constexpr Option kOptions[] = {
    {"c", "changes", Takes::nothing, "", "like verbose but report only when a change is made"},
    {"f", "silent,quiet", Takes::nothing, "", "suppress most error messages"},
    {"v", "verbose", Takes::nothing, "", "output a diagnostic for every file processed"},
    {"", "no-preserve-root", Takes::nothing, "", "do not treat '/' specially (the default)",
     kNoPreserveRoot},
    {"", "preserve-root", Takes::nothing, "", "fail to operate recursively on '/'", kPreserveRoot},
    {"", "reference", Takes::required, "RFILE", "use RFILE's mode instead of MODE values",
     kReference},
    {"R", "recursive", Takes::nothing, "", "change files and directories recursively"},
    // A mode that looks like an option: chmod -w FILE.
    {"rwxXstugoa,+=01234567", "", Takes::optional, "", "", kModeOption},
};

constexpr OptionSpec kSpec = {
    .name = "chmod",
    .usage = "[OPTION]... MODE[,MODE]... FILE...\n"
             "[OPTION]... OCTAL-MODE FILE...\n"
             "[OPTION]... --reference=RFILE FILE...",
    .intro = "Change the mode of each FILE to MODE.\n"
             "With --reference, change the mode of each FILE to that of RFILE.",
    .options = kOptions,
    .outro = "Each MODE is of the form '[ugoa]*([-+=]([rwxXst]*|[ugo]))+|[-+=][0-7]+'.",
    .column = 25,
};

enum class Verbosity : uint8_t { off, changes, all };

void append_mode(std::string& out, uint32_t mode) {
  for (int shift = 9; shift >= 0; shift -= 3)
    out += static_cast<char>('0' + ((mode >> shift) & 7));
  vfs::Stat st;
  st.mode = mode;
  out.append(" (").append(mode_string(st), 1, 9).append(")");
}

class Chmod {
 public:
  explicit Chmod(CommandContext& ctx) : ctx_(ctx) {}

  std::optional<ModeChange> change;
  Verbosity verbosity = Verbosity::off;
  bool silent = false, recursive = false, preserve_root = false;
  // The mode was written like an option: tell when the umask made it do less.
  bool diagnose = false;
  uint32_t umask = 0;

  bool run(std::string_view path) {
    ok_ = true;
    Walk walk(ctx_.fs, ctx_.meter, {.links = Walk::Links::arguments});
    walk.start(path);
    while (const Walk::Entry* e = walk.next()) {
      if (e->event == Walk::Event::directory) {
        if (!recursive) walk.prune();
        else if (preserve_root && is_root(*e)) {
          walk.prune();
          refuse_root(*e);
          continue;
        }
      }
      visit(walk, *e);
    }
    return ok_;
  }

 private:
  bool is_root(const Walk::Entry& e) const {
    auto root = ctx_.fs.stat("/");
    return root && root->dev == e.stat.dev && root->ino == e.stat.ino;
  }

  void refuse_root(const Walk::Entry& e) {
    std::string text = "it is dangerous to operate recursively on " + base::gnu_quote(e.path);
    if (e.path != "/") text += " (same as " + base::gnu_quote("/") + ")";
    ctx_.error(text);
    ctx_.error("use --no-preserve-root to override this failsafe");
    ok_ = false;
  }

  void visit(const Walk& walk, const Walk::Entry& e) {
    switch (e.event) {
      case Walk::Event::directory_end:
        return;
      case Walk::Event::error:
        if (!silent) ctx_.error("cannot access " + base::gnu_quote(e.path), e.error);
        return unreachable(e);
      case Walk::Event::unreadable:
        if (!silent) ctx_.error("cannot read directory " + base::gnu_quote(e.path), e.error);
        return unreachable(e);
      default:
        break;
    }
    if (e.stat.type == vfs::FileType::symlink) {
      if (e.depth == 0) {
        if (!silent) ctx_.error("cannot operate on dangling symlink " + base::gnu_quote(e.path));
        return unreachable(e);
      }
      if (verbosity == Verbosity::all)
        ctx_.out << "neither symbolic link " << base::gnu_quote(e.path)
                 << " nor referent has been changed\n";
      return;
    }
    apply(walk, e);
  }

  void unreachable(const Walk::Entry& e) {
    ok_ = false;
    if (verbosity == Verbosity::all)
      ctx_.out << base::gnu_quote(e.path) << " could not be accessed\n";
  }

  void apply(const Walk& walk, const Walk::Entry& e) {
    bool directory = e.stat.type == vfs::FileType::directory;
    uint32_t before = e.stat.mode;
    uint32_t after = change->apply(before, directory, umask);
    auto done = walk.here().chmod(e.name, after);
    if (!done) {
      if (!silent) ctx_.error("changing permissions of " + base::gnu_quote(e.path), done.error());
      ok_ = false;
    }
    if (verbosity != Verbosity::off) describe(walk, e, before, after, done.has_value());
    if (!done || !diagnose) return;
    uint32_t expected = change->apply(before, directory, 0);
    if ((after & ~expected) == 0) return;
    vfs::Stat now = e.stat;
    now.mode = after;
    vfs::Stat naive = e.stat;
    naive.mode = expected;
    ctx_.error(base::gnu_quote_if_needed(e.path) + ": new permissions are " +
               mode_string(now).substr(1) + ", not " + mode_string(naive).substr(1));
    ok_ = false;
  }

  void describe(const Walk& walk, const Walk::Entry& e, uint32_t before, uint32_t after,
                bool done) {
    bool changed = false;
    if (done) {
      // Special bits may have been refused without an error.
      uint32_t now = after;
      if (after & 07000) {
        if (auto st = walk.here().stat(e.name)) now = st->mode;
      }
      changed = now != before;
    }
    if (verbosity == Verbosity::changes && !changed) return;
    std::string text = done ? "mode of " : "failed to change mode of ";
    text += base::gnu_quote(e.path);
    if (done && !changed) {
      text += " retained as ";
      append_mode(text, after);
    } else {
      text += done ? " changed from " : " from ";
      append_mode(text, before);
      text += " to ";
      append_mode(text, after);
    }
    ctx_.out << text << "\n";
  }

  CommandContext& ctx_;
  bool ok_ = true;
};

int chmod_main(CommandContext& ctx) {
  Chmod chmod(ctx);
  std::string mode;
  std::string_view reference;
  bool has_reference = false;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'c': chmod.verbosity = Verbosity::changes; break;
      case 'f': chmod.silent = true; break;
      case 'v': chmod.verbosity = Verbosity::all; break;
      case kNoPreserveRoot: chmod.preserve_root = false; break;
      case kPreserveRoot: chmod.preserve_root = true; break;
      case kReference: reference = options.value(); has_reference = true; break;
      case 'R': chmod.recursive = true; break;
      case kModeOption:
        if (!mode.empty()) mode += ',';
        mode += '-';
        mode += options.letter();
        if (options.has_value()) mode += options.value();
        chmod.diagnose = true;
        break;
    }
  }
  if (options.done()) return options.status();
  auto operands = options.operands();
  if (has_reference && !mode.empty())
    return usage_error(ctx, kSpec, "cannot combine mode and --reference options");
  if (!has_reference && mode.empty()) {
    if (operands.empty()) return missing_operand(ctx, kSpec);
    mode = operands[0];
    operands = operands.subspan(1);
    if (operands.empty()) return missing_operand_after(ctx, kSpec, mode);
  }
  if (operands.empty()) return missing_operand(ctx, kSpec);
  if (has_reference) {
    auto st = ctx.fs.stat(reference);
    if (!st) {
      ctx.error("failed to get attributes of " + base::gnu_quote(reference), st.error());
      return 1;
    }
    chmod.change = ModeChange::of(st->mode);
  } else {
    chmod.change = ModeChange::compile(mode);
    if (!chmod.change)
      return usage_error(ctx, kSpec, "invalid mode: " + base::gnu_locale_quote(mode));
    chmod.umask = ctx.fs.umask();
  }
  bool ok = true;
  for (std::string_view path : operands) ok &= chmod.run(path);
  return ok ? 0 : 1;
}

}  // namespace

extern const interp::Command command_chmod;
const interp::Command command_chmod = {
    .name = "chmod",
    .synopsis = "change file mode bits",
    .usage = usage_text<kSpec>(),
    .main = chmod_main,
};

}  // namespace nacre::builtins
