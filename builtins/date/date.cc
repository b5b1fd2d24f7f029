// date: prints the time, or any other, in a format.
#include <string>
#include <vector>

#include "base/quoting.h"
#include "base/time_format.h"
#include "builtins/date/parse_date.h"
#include "builtins/support/choice.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kDebug = kLongOnly, kRfc3339, kResolution };

constexpr Option kOptions[] = {
    {"d", "date", Takes::required, "STRING", "display time described by STRING, not 'now'"},
    {"", "debug", Takes::nothing, "",
     "annotate the parsed date,\n  and warn about questionable usage to stderr", kDebug},
    {"f", "file", Takes::required, "DATEFILE", "like --date; once for each line of DATEFILE"},
    {"I", "iso-8601", Takes::optional, "FMT",
     "output date/time in ISO 8601 format.\n  FMT='date' for date only (the default),\n"
     "  'hours', 'minutes', 'seconds', or 'ns'\n  for date and time to the indicated precision."},
    {"", "resolution", Takes::nothing, "", "output the available resolution of timestamps",
     kResolution},
    {"R", "rfc-email,rfc-822,rfc-2822", Takes::nothing, "",
     "output date and time in RFC 5322 format."},
    {"", "rfc-3339", Takes::required, "FMT",
     "output date/time in RFC 3339 format.\n  FMT='date', 'seconds', or 'ns'\n"
     "  for date and time to the indicated precision.", kRfc3339},
    {"r", "reference", Takes::required, "FILE",
     "display the last modification time of FILE"},
    {"s", "set", Takes::required, "STRING", "set time described by STRING"},
    {"u", "utc,universal,uct", Takes::nothing, "",
     "print or set Coordinated Universal Time (UTC)"},
};

constexpr OptionSpec kSpec = {
    .name = "date",
    .usage = "[OPTION]... [+FORMAT]\n[-u|--utc|--universal] [MMDDhhmm[[CC]YY][.ss]]",
    .intro = "Display date and time in the given FORMAT.\n"
             "With -s, or with [MMDDhhmm[[CC]YY][.ss]], set the date and time.",
    .options = kOptions,
    .outro =
        "FORMAT controls the output.  Interpreted sequences are:\n\n"
        "  %%   a literal %\n"
        "  %a   abbreviated weekday name (Sun)     %A   full weekday name (Sunday)\n"
        "  %b   abbreviated month name (Jan)       %B   full month name (January)\n"
        "  %c   date and time                      %C   century\n"
        "  %d   day of month (01)                  %D   date; same as %m/%d/%y\n"
        "  %e   day of month, space padded         %F   full date; like %+4Y-%m-%d\n"
        "  %g   last two digits of the ISO year    %G   ISO year\n"
        "  %h   same as %b                         %H   hour (00..23)\n"
        "  %I   hour (01..12)                      %j   day of year (001..366)\n"
        "  %k   hour, space padded ( 0..23)        %l   hour, space padded ( 1..12)\n"
        "  %m   month (01..12)                     %M   minute (00..59)\n"
        "  %n   a newline                          %N   nanoseconds\n"
        "  %p   AM or PM                           %P   am or pm\n"
        "  %q   quarter of year (1..4)             %r   12-hour clock time\n"
        "  %R   hour and minute; same as %H:%M     %s   seconds since the epoch\n"
        "  %S   second (00..60)                    %t   a tab\n"
        "  %T   time; same as %H:%M:%S             %u   day of week (1..7); 1 is Monday\n"
        "  %U   week of year, Sunday first         %V   ISO week number\n"
        "  %w   day of week (0..6); 0 is Sunday    %W   week of year, Monday first\n"
        "  %x   date (12/31/99)                    %X   time (23:13:48)\n"
        "  %y   last two digits of year            %Y   year\n"
        "  %z   +hhmm numeric time zone            %:z  +hh:mm numeric time zone\n"
        "  %::z  +hh:mm:ss numeric time zone       %:::z  numeric time zone, as short as can be\n"
        "  %Z   alphabetic time zone abbreviation\n\n"
        "By default, date pads numeric fields with zeroes.\n"
        "The following optional flags may follow '%':\n\n"
        "  -  (hyphen) do not pad the field\n"
        "  _  (underscore) pad with spaces\n"
        "  0  (zero) pad with zeros\n"
        "  +  pad with zeros, and put '+' before future years with >4 digits\n"
        "  ^  use upper case if possible\n"
        "  #  use opposite case if possible",
    .column = 29,
};

constexpr Choice kIsoWords[] = {{"hours", 1}, {"minutes", 2}, {"date", 0}, {"seconds", 3},
                                {"ns", 4}};
constexpr Choice kRfcWords[] = {{"date", 0}, {"seconds", 1}, {"ns", 2}};
constexpr std::string_view kIsoFormats[] = {"%Y-%m-%d", "%Y-%m-%dT%H%:z", "%Y-%m-%dT%H:%M%:z",
                                            "%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%dT%H:%M:%S,%N%:z"};
constexpr std::string_view kRfcFormats[] = {"%Y-%m-%d", "%Y-%m-%d %H:%M:%S%:z",
                                            "%Y-%m-%d %H:%M:%S.%N%:z"};

struct Job {
  std::string_view format = "%a %b %e %H:%M:%S %Z %Y";
  base::TimeZone zone;
};

class Printer {
 public:
  Printer(CommandContext& ctx, const Job& job) : ctx_(ctx), job_(job) {}

  vfs::Timestamp now() const {
    int64_t ns = ctx_.clock.wall_now();
    return {ns / 1'000'000'000, static_cast<int32_t>(ns % 1'000'000'000)};
  }

  void print(vfs::Timestamp t) {
    std::string text;
    base::append_time(text, job_.format, job_.zone.civil(t.sec, t.nsec), t.sec);
    text += '\n';
    ctx_.out.write(text);
  }

  bool print_parsed(std::string_view text) {
    auto t = parse_date(text, now(), job_.zone);
    if (!t) {
      ctx_.error("invalid date " + base::gnu_locale_quote(text));
      return false;
    }
    print(*t);
    return true;
  }

  int print_file(std::string_view name) {
    InputFile file;
    interp::Input* in = file.open_or_report(ctx_, name);
    if (!in) return 1;
    bool ok = true;
    std::string_view line;
    while (in->read_line(line)) {
      ctx_.meter.charge_work();
      ok &= print_parsed(line);
    }
    if (in->has_error()) {
      ctx_.error(base::gnu_quote_if_needed(name), in->error());
      return 1;
    }
    return ok ? 0 : 1;
  }

 private:
  CommandContext& ctx_;
  const Job& job_;
};

// The clock is not the session's to set: a date that can be read is refused as
// it is for any user but root.
int refuse_setting(CommandContext& ctx, Printer& printer, std::optional<vfs::Timestamp> when) {
  ctx.host.unsupported("date", "--set");
  ctx.error("cannot set date", std::errc::operation_not_permitted);
  if (when) printer.print(*when);
  return 1;
}

// MMDDhhmm[[CC]YY][.ss]
bool is_posix_date(std::string_view s) {
  size_t dot = s.find('.');
  std::string_view digits = s.substr(0, dot);
  if (digits.size() < 8 || digits.size() > 12 || digits.size() % 2) return false;
  for (char c : digits)
    if (c < '0' || c > '9') return false;
  return dot == s.npos || s.size() - dot == 3;
}

int date_main(CommandContext& ctx) {
  Job job;
  std::string_view date, file, reference, set;
  int sources = 0;
  bool has_date = false, has_file = false, has_reference = false, has_set = false;
  bool utc = false, has_format = false, resolution = false;
  OptionReader options(ctx, kSpec);
  auto set_format = [&](std::string_view format) {
    if (has_format) {
      ctx.error("multiple output formats specified");
      options.finish(1);
    }
    job.format = format;
    has_format = true;
  };
  while (int id = options.next()) {
    switch (id) {
      case 'd': date = options.value(); has_date = true; break;
      case kDebug:
        ctx.host.unsupported("date", "--debug");
        options.fail("unsupported option '--debug'");
        break;
      case 'f': file = options.value(); has_file = true; break;
      case kResolution: resolution = true; break;
      case 'I': {
        int which = 0;
        if (options.has_value()) {
          auto word = read_choice(ctx, kSpec, "--iso-8601", options.value(), kIsoWords);
          if (!word) {
            options.finish(1);
            break;
          }
          which = *word;
        }
        set_format(kIsoFormats[which]);
        break;
      }
      case 'R': set_format("%a, %d %b %Y %H:%M:%S %z"); break;
      case kRfc3339: {
        auto word = read_choice(ctx, kSpec, "--rfc-3339", options.value(), kRfcWords);
        if (!word) options.finish(1);
        else set_format(kRfcFormats[*word]);
        break;
      }
      case 'r': reference = options.value(); has_reference = true; break;
      case 's': set = options.value(); has_set = true; break;
      case 'u': utc = true; break;
    }
  }
  if (options.done()) return options.status();
  sources = has_date + has_file + has_reference + resolution;
  if (sources > 1)
    return options.usage_error(
        "the options to specify dates for printing are mutually exclusive");
  if (has_set && sources > 0)
    return options.usage_error(
        "the options to print and set the time may not be used together");
  auto operands = options.operands();
  if (operands.size() > 1) return extra_operand(ctx, kSpec, operands[1]);
  bool sets = has_set;
  if (operands.size() == 1) {
    if (operands[0].starts_with('+')) {
      set_format(operands[0].substr(1));
      if (options.done()) return options.status();
    } else if (sources > 0 || has_set) {
      ctx.error("the argument " + base::gnu_locale_quote(operands[0]) +
                " lacks a leading '+';\nwhen using an option to specify date(s), any non-option\n"
                "argument must be a format string beginning with '+'");
      return options.usage_error();
    } else {
      sets = true;
    }
  }
  if (!utc) job.zone = base::TimeZone::parse(ctx.host.getenv("TZ").value_or(""));
  Printer printer(ctx, job);
  if (sets) {
    if (has_set) {
      auto when = parse_date(set, printer.now(), job.zone);
      if (when) return refuse_setting(ctx, printer, when);
    } else if (is_posix_date(operands[0])) {
      return refuse_setting(ctx, printer, std::nullopt);
    }
    ctx.error("invalid date " + base::gnu_locale_quote(has_set ? set : operands[0]));
    return 1;
  }
  if (has_file) return printer.print_file(file);
  if (has_date) return printer.print_parsed(date) ? 0 : 1;
  if (has_reference) {
    auto st = ctx.fs.stat(reference);
    if (!st) {
      ctx.error(base::gnu_quote_if_needed(reference), st.error());
      return 1;
    }
    printer.print(st->mtime);
    return 0;
  }
  if (resolution) {
    if (!has_format) job.format = "%s.%N";
    printer.print({0, 1});
    return 0;
  }
  printer.print(printer.now());
  return 0;
}

}  // namespace

extern const interp::Command command_date;
const interp::Command command_date = {
    .name = "date",
    .synopsis = "print the date and time",
    .usage = usage_text<kSpec>(),
    .main = date_main,
};

}  // namespace nacre::builtins
