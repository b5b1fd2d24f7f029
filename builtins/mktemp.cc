// mktemp: makes a file or directory with a name that nobody has yet.
#include <string>

#include "base/quoting.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"
#include "builtins/support/temp_name.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kSuffix = kLongOnly };

constexpr Option kOptions[] = {
    {"d", "directory", Takes::nothing, "", "create a directory, not a file"},
    {"u", "dry-run", Takes::nothing, "", "do not create anything; merely print a name (unsafe)"},
    {"q", "quiet", Takes::nothing, "", "suppress diagnostics about file/dir-creation failure"},
    {"", "suffix", Takes::required, "SUFF",
     "append SUFF to TEMPLATE; SUFF must not contain a slash.\n"
     "  This option is implied if TEMPLATE does not end in X",
     kSuffix},
    {"", "", Takes::nothing, "",
     "  -p DIR, --tmpdir[=DIR]  interpret TEMPLATE relative to DIR; if DIR is not\n"
     "                        specified, use $TMPDIR if set, else /tmp.  With\n"
     "                        this option, TEMPLATE must not be an absolute name;\n"
     "                        unlike with -t, TEMPLATE may contain slashes, but\n"
     "                        mktemp creates only the final component"},
    {"p", "", Takes::required},
    {"", "tmpdir", Takes::optional, "", "", 'p'},
    {"t", "", Takes::nothing, "",
     "interpret TEMPLATE as a single file name component,\n"
     "relative to a directory: $TMPDIR, if set; else the\n"
     "directory specified via -p; else /tmp [deprecated]"},
};

constexpr OptionSpec kSpec = {
    .name = "mktemp",
    .usage = "[OPTION]... [TEMPLATE]",
    .intro = "Create a temporary file or directory, safely, and print its name.\n"
             "TEMPLATE must contain at least 3 consecutive 'X's in last component.\n"
             "If TEMPLATE is not specified, use tmp.XXXXXXXXXX, and --tmpdir is implied.\n"
             "Files are created u+rw, and directories u+rwx, minus umask restrictions.",
    .options = kOptions,
    .column = 22,
};

struct Template {
  std::string text;         // with its suffix
  size_t suffix_size = 0;
  size_t wildcards = 0;     // Xs before the suffix
};

// Finds the Xs; false after a message.
bool read_template(CommandContext& ctx, std::string_view operand, std::string_view suffix,
                   bool has_suffix, Template& out) {
  out.text = operand;
  if (has_suffix) {
    if (!operand.ends_with('X')) {
      ctx.error("with --suffix, template " + base::gnu_locale_quote(operand) + " must end in X");
      return false;
    }
    out.text += suffix;
    out.suffix_size = suffix.size();
  } else {
    size_t last = operand.rfind('X');
    out.suffix_size = last == operand.npos ? 0 : operand.size() - last - 1;
  }
  std::string_view tail = std::string_view(out.text).substr(out.text.size() - out.suffix_size);
  if (tail.find('/') != tail.npos) {
    ctx.error("invalid suffix " + base::gnu_locale_quote(tail) + ", contains directory separator");
    return false;
  }
  size_t end = out.text.size() - out.suffix_size;
  while (out.wildcards < end && out.text[end - out.wildcards - 1] == 'X') ++out.wildcards;
  if (out.wildcards < 3) {
    ctx.error("too few X's in template " + base::gnu_locale_quote(out.text));
    return false;
  }
  return true;
}

struct Directory {
  bool use = false, single_component = false;  // -p or -t; -t
  std::string_view argument;
};

// Puts the directory before the template; false after a message.
bool place(CommandContext& ctx, const Directory& dir, Template& name) {
  std::string_view env = ctx.host.getenv("TMPDIR").value_or("");
  std::string_view where = dir.single_component ? env : dir.argument;
  if (where.empty()) where = dir.single_component ? dir.argument : env;
  if (where.empty()) where = "/tmp";
  if (dir.single_component) {
    if (name.text.find('/') != std::string::npos) {
      ctx.error("invalid template, " + base::gnu_locale_quote(name.text) +
                ", contains directory separator");
      return false;
    }
  } else if (name.text.starts_with('/')) {
    ctx.error("invalid template, " + base::gnu_locale_quote(name.text) +
              "; with --tmpdir, it may not be absolute");
    return false;
  }
  name.text = join_path(where, name.text);
  return true;
}

vfs::Status make(CommandContext& ctx, const std::string& name, bool directory, bool dry_run) {
  ctx.meter.charge_work();
  if (dry_run) {
    auto st = ctx.fs.lstat(name);
    if (st) return std::unexpected(std::errc::file_exists);
    if (st.error() != std::errc::no_such_file_or_directory) return std::unexpected(st.error());
    return {};
  }
  if (directory) return ctx.fs.mkdir(name, 0700);
  auto file =
      ctx.fs.open(name, {.read = true, .write = true, .create = true, .exclusive = true}, 0600);
  if (!file) return std::unexpected(file.error());
  return {};
}

int mktemp_main(CommandContext& ctx) {
  Directory dir;
  bool directory = false, dry_run = false, quiet = false, has_suffix = false;
  std::string_view suffix;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'd': directory = true; break;
      case 'u': dry_run = true; break;
      case 'q': quiet = true; break;
      case kSuffix: suffix = options.value(); has_suffix = true; break;
      case 'p':
        dir.use = true;
        dir.argument = options.has_value() ? options.value() : std::string_view();
        break;
      case 't': dir.use = dir.single_component = true; break;
    }
  }
  if (options.done()) return options.status();
  auto operands = options.operands();
  if (operands.size() > 1) return usage_error(ctx, kSpec, "too many templates");
  Template name;
  if (operands.empty()) dir.use = true;
  if (!read_template(ctx, operands.empty() ? "tmp.XXXXXXXXXX" : operands[0], suffix, has_suffix,
                     name))
    return 1;
  if (dir.use && !place(ctx, dir, name)) return 1;

  std::string path = name.text;
  size_t at = path.size() - name.suffix_size - name.wildcards;
  vfs::Status made;
  for (int i = 0; i < kNameAttempts; ++i) {
    randomise(ctx.host, path, at, name.wildcards);
    made = make(ctx, path, directory, dry_run);
    if (made || made.error() != std::errc::file_exists) break;
  }
  if (!made) {
    if (!quiet) {
      std::string text = directory ? "failed to create directory via template "
                                   : "failed to create file via template ";
      ctx.error(text + base::gnu_locale_quote(name.text), made.error());
    }
    return 1;
  }
  ctx.out << path << "\n";
  ctx.out.flush();
  if (ctx.out.has_error() && !dry_run) {
    // Nobody will know the name.
    if (directory) (void)ctx.fs.rmdir(path);
    else (void)ctx.fs.unlink(path);
  }
  return 0;
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
