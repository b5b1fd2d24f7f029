// touch: changes times of files, making those that are missing.
#include <string>

#include "base/quoting.h"
#include "builtins/date/parse_date.h"
#include "builtins/support/choice.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kTimeWord = kLongOnly };

constexpr Option kOptions[] = {
    {"a", "", Takes::nothing, "", "change only the access time"},
    {"c", "no-create", Takes::nothing, "", "do not create any files"},
    {"d", "date", Takes::required, "STRING", "parse STRING and use it instead of current time"},
    {"f", "", Takes::nothing, "", "(ignored)"},
    {"h", "no-dereference", Takes::nothing, "",
     "affect each symbolic link instead of any referenced file"},
    {"m", "", Takes::nothing, "", "change only the modification time"},
    {"r", "reference", Takes::required, "FILE",
     "use this file's times instead of current time"},
    {"t", "", Takes::required, "STAMP",
     "use [[CC]YY]MMDDhhmm[.ss] instead of current time"},
    {"", "time", Takes::required, "WORD",
     "change the specified time:\n  WORD is access, atime, or use: equivalent to -a\n"
     "  WORD is modify or mtime: equivalent to -m", kTimeWord},
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

constexpr Choice kTimeWords[] = {{"atime", 'a'}, {"access", 'a'}, {"use", 'a'},
                                 {"mtime", 'm'}, {"modify", 'm'}};

// [[CC]YY]MMDDhhmm[.ss]
std::optional<vfs::Timestamp> parse_stamp(std::string_view s, int64_t this_year,
                                          const base::TimeZone& zone) {
  size_t dot = s.find('.');
  std::string_view digits = s.substr(0, dot);
  if (digits.size() != 8 && digits.size() != 10 && digits.size() != 12) return std::nullopt;
  for (char c : digits)
    if (c < '0' || c > '9') return std::nullopt;
  auto two = [&](std::string_view t, size_t at) { return (t[at] - '0') * 10 + (t[at + 1] - '0'); };
  base::CivilTime t;
  size_t at = 0;
  t.year = this_year;
  if (digits.size() == 12) {
    t.year = two(digits, 0) * 100 + two(digits, 2);
    at = 4;
  } else if (digits.size() == 10) {
    int year = two(digits, 0);
    t.year = year < 69 ? 2000 + year : 1900 + year;
    at = 2;
  }
  t.month = two(digits, at);
  t.day = two(digits, at + 2);
  t.hour = two(digits, at + 4);
  t.minute = two(digits, at + 6);
  if (dot != s.npos) {
    std::string_view ss = s.substr(dot + 1);
    if (ss.size() != 2 || ss[0] < '0' || ss[0] > '9' || ss[1] < '0' || ss[1] > '9')
      return std::nullopt;
    t.second = two(ss, 0);
  }
  if (t.month < 1 || t.month > 12 || t.day < 1 || t.day > base::days_in_month(t.year, t.month) ||
      t.hour > 23 || t.minute > 59 || t.second > 60)
    return std::nullopt;
  auto seconds = zone.seconds(t);
  if (!seconds) return std::nullopt;
  return vfs::Timestamp{*seconds, 0};
}

struct Touch {
  CommandContext& ctx;
  bool access = true, modification = true, create = true, follow = true;
  // Unset: the moment of the call.
  std::optional<vfs::Timestamp> atime, mtime;

  bool fail(std::string_view what, std::string_view name, std::errc error) {
    ctx.error(std::string(what) + base::gnu_quote(name), error);
    return false;
  }

  bool touch(std::string_view name) {
    ctx.meter.charge_work();
    std::optional<vfs::Timestamp> a, m;
    if (access) a = atime ? *atime : now();
    if (modification) m = mtime ? *mtime : now();
    if (name == "-") {
      interp::OpenFile* out = ctx.out.file();
      if (!out || !out->file()) return true;
      auto set = out->file()->set_times(a, m);
      return set || fail("setting times of ", name, set.error());
    }
    std::errc open_error{};
    if (create && follow && !ctx.fs.stat(name)) {
      auto made = ctx.fs.open(name, {.write = true, .create = true}, 0666);
      if (!made) open_error = made.error();
    }
    auto set = ctx.fs.set_times(name, a, m, follow ? vfs::Follow::yes : vfs::Follow::no);
    if (set) return true;
    std::errc error = set.error();
    if (error == std::errc::no_such_file_or_directory && !create) return true;
    if (open_error != std::errc{} && open_error != std::errc::is_a_directory)
      return fail("cannot touch ", name, open_error);
    return fail("setting times of ", name, error);
  }

  vfs::Timestamp now() const {
    int64_t ns = ctx.clock.wall_now();
    return {ns / 1'000'000'000, static_cast<int32_t>(ns % 1'000'000'000)};
  }
};

int touch_main(CommandContext& ctx) {
  Touch touch{ctx};
  std::string_view date, reference;
  bool has_date = false, has_reference = false, has_stamp = false;
  bool only_access = false, only_modification = false;
  base::TimeZone zone = base::TimeZone::parse(ctx.host.getenv("TZ").value_or(""));
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'a': only_access = true; break;
      case 'c': touch.create = false; break;
      case 'd': date = options.value(); has_date = true; break;
      case 'f': break;
      case 'h': touch.follow = false; break;
      case 'm': only_modification = true; break;
      case 'r': reference = options.value(); has_reference = true; break;
      case 't': {
        has_stamp = true;
        auto t = parse_stamp(options.value(), zone.civil(touch.now().sec).year, zone);
        if (!t) {
          ctx.error("invalid date format " + base::gnu_locale_quote(options.value()));
          options.finish(1);
        }
        touch.atime = touch.mtime = t;
        break;
      }
      case kTimeWord:
        if (auto word = read_choice(ctx, kSpec, "--time", options.value(), kTimeWords))
          (*word == 'a' ? only_access : only_modification) = true;
        else
          options.finish(1);
        break;
    }
  }
  if (options.done()) return options.status();
  if (only_access && !only_modification) touch.modification = false;
  if (only_modification && !only_access) touch.access = false;
  if (has_stamp && (has_date || has_reference))
    return options.usage_error("cannot specify times from more than one source");
  if (has_reference) {
    auto st = touch.follow ? ctx.fs.stat(reference) : ctx.fs.lstat(reference);
    if (!st) {
      ctx.error("failed to get attributes of " + base::gnu_quote(reference), st.error());
      return 1;
    }
    touch.atime = st->atime;
    touch.mtime = st->mtime;
  }
  if (has_date) {
    // Relative to the reference file's times, if there is one.
    auto resolve = [&](std::optional<vfs::Timestamp>& t) {
      t = parse_date(date, t ? *t : touch.now(), zone);
      return t.has_value();
    };
    if (!resolve(touch.atime) || !resolve(touch.mtime)) {
      ctx.error("invalid date format " + base::gnu_locale_quote(date));
      return 1;
    }
  }
  if (options.operands().empty()) return options.usage_error("missing file operand");
  bool ok = true;
  for (std::string_view name : options.operands()) ok &= touch.touch(name);
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
