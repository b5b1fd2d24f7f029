// touch: sets the times of files, and makes those that do not exist.
#include <optional>
#include <string>

#include "base/quoting.h"
#include "builtins/support/choice.h"
#include "builtins/support/options.h"
#include "builtins/support/plain_date.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using vfs::Timestamp;

enum : int { kTime = kLongOnly };

constexpr Option kOptions[] = {
    {"a", "", Takes::nothing, "", "change only the access time"},
    {"c", "no-create", Takes::nothing, "", "do not create any files"},
    {"d", "date", Takes::required, "STRING", "parse STRING and use it instead of current time"},
    {"f", "", Takes::nothing, "", "(ignored)"},
    {"h", "no-dereference", Takes::nothing, "",
     "affect each symbolic link instead of any referenced\n"
     "file (useful only on systems that can change the\ntimestamps of a symlink)"},
    {"m", "", Takes::nothing, "", "change only the modification time"},
    {"r", "reference", Takes::required, "FILE",
     "use this file's times instead of current time"},
    {"t", "", Takes::required, "STAMP", "use [[CC]YY]MMDDhhmm[.ss] instead of current time"},
    {"", "time", Takes::required, "WORD",
     "change the specified time:\n"
     "  WORD is access, atime, or use: equivalent to -a\n"
     "  WORD is modify or mtime: equivalent to -m",
     kTime},
};

constexpr OptionSpec kSpec = {
    .name = "touch",
    .usage = "[OPTION]... FILE...",
    .intro = "Update the access and modification times of each FILE to the current time.\n\n"
             "A FILE argument that does not exist is created empty, unless -c or -h\n"
             "is supplied.\n\n"
             "A FILE argument string of - is handled specially and causes touch to\n"
             "change the times of the file associated with standard output.",
    .options = kOptions,
    .outro = "Note that the -d and -t options accept different time-date formats.",
    .column = 25,
};

enum Which : int { kAccess = 1, kModify = 2 };
constexpr Choice kTimes[] = {{"atime", kAccess},  {"access", kAccess}, {"use", kAccess},
                             {"mtime", kModify}, {"modify", kModify}};

struct Touch {
  CommandContext& ctx;
  std::optional<Timestamp> access = vfs::kNow, modify = vfs::kNow;
  bool create = true;
  vfs::Follow follow = vfs::Follow::yes;

  bool fail(std::string_view what, std::string_view path, std::errc error) {
    std::string text(what);
    ctx.error(text += base::gnu_quote(path), error);
    return false;
  }

  bool touch_stdout() {
    interp::OpenFile* file = ctx.out.file();
    if (!file) return fail("setting times of ", "-", std::errc::bad_file_descriptor);
    if (!file->file()) return true;  // a pipe, whose times nobody sees
    auto set = file->file()->set_times(access, modify);
    return set || fail("setting times of ", "-", set.error());
  }

  bool touch(std::string_view path) {
    if (path == "-") return touch_stdout();
    std::errc open_error{};
    if (create && follow == vfs::Follow::yes) {
      auto file = ctx.fs.open(path, {.write = true, .create = true});
      if (!file) open_error = file.error();
    }
    auto set = ctx.fs.set_times(path, access, modify, follow);
    if (set) return true;
    // What could not be opened because it is a directory has not failed for that.
    if (open_error != std::errc{} && open_error != std::errc::is_a_directory)
      return fail("cannot touch ", path, open_error);
    if (!create && set.error() == std::errc::no_such_file_or_directory) return true;
    return fail("setting times of ", path, set.error());
  }
};

int touch_main(CommandContext& ctx) {
  Touch touch{ctx};
  int which = 0;
  bool has_date = false, has_reference = false, stamped = false;
  std::string_view date, reference;
  Timestamp stamp;
  int64_t wall = ctx.clock.wall_now();
  Timestamp now{wall / 1000000000, static_cast<int32_t>(wall % 1000000000)};
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'a': which |= kAccess; break;
      case 'c': touch.create = false; break;
      case 'd': date = options.value(); has_date = true; break;
      case 'f': break;
      case 'h': touch.follow = vfs::Follow::no; break;
      case 'm': which |= kModify; break;
      case 'r': reference = options.value(); has_reference = true; break;
      case 't':
        if (auto t = parse_stamp(options.value(), now.sec)) {
          stamp = *t;
          stamped = true;
        } else {
          ctx.error("invalid date format " + base::gnu_locale_quote(options.value()));
          options.finish(1);
        }
        break;
      case kTime:
        if (auto time = read_choice(ctx, kSpec, "--time", options.value(), kTimes)) which |= *time;
        else options.finish(1);
        break;
    }
  }
  if (options.done()) return options.status();
  if (which == 0) which = kAccess | kModify;
  if (stamped && (has_reference || has_date))
    return usage_error(ctx, kSpec, "cannot specify times from more than one source");
  if (stamped) touch.access = touch.modify = stamp;
  Timestamp from_access = now, from_modify = now;
  if (has_reference) {
    auto st = touch.follow == vfs::Follow::no ? ctx.fs.lstat(reference) : ctx.fs.stat(reference);
    if (!st) {
      ctx.error("failed to get attributes of " + base::gnu_quote(reference), st.error());
      return 1;
    }
    touch.access = from_access = st->atime;
    touch.modify = from_modify = st->mtime;
  }
  if (has_date) {
    // Dates may be relative to the reference's own times.
    touch.access = parse_plain_date(date, from_access);
    touch.modify = parse_plain_date(date, from_modify);
    if (!touch.access || !touch.modify) {
      ctx.error("invalid date format " + base::gnu_locale_quote(date));
      return 1;
    }
    if (date == "now" && !has_reference) touch.access = touch.modify = vfs::kNow;
  }
  if (!(which & kAccess)) touch.access = std::nullopt;
  if (!(which & kModify)) touch.modify = std::nullopt;
  if (options.operands().empty()) return usage_error(ctx, kSpec, "missing file operand");
  bool ok = true;
  for (std::string_view path : options.operands()) {
    ctx.meter.charge_work();
    ok &= touch.touch(path);
  }
  return ok ? 0 : 1;
}

}  // namespace

extern const interp::Command command_touch;
const interp::Command command_touch = {
    .name = "touch",
    .synopsis = "change file timestamps",
    .usage = usage_text<kSpec>(),
    .main = touch_main,
};

}  // namespace nacre::builtins
