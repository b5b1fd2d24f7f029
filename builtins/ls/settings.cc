#include "builtins/ls/settings.h"

#include "base/quoting.h"
#include "builtins/support/choice.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins::ls {

namespace {

using interp::CommandContext;

enum : int {
  kAuthor = kLongOnly, kBlockSize, kColor, kFileType, kFormat, kFullTime, kDirectoriesFirst,
  kSi, kFollowDirectories, kHide, kHyperlink, kIndicatorStyle, kShowControl, kQuotingStyle,
  kSortWord, kTimeWord, kTimeStyle, kZero,
};

constexpr Option kOptions[] = {
    {"a", "all", Takes::nothing, "", "do not ignore entries starting with ."},
    {"A", "almost-all", Takes::nothing, "", "do not list implied . and .."},
    {"", "author", Takes::nothing, "", "with -l, print the author of each file", kAuthor},
    {"b", "escape", Takes::nothing, "", "print C-style escapes for nongraphic characters"},
    {"", "block-size", Takes::required, "SIZE",
     "with -l, scale sizes by SIZE when printing them;\ne.g., '--block-size=M'", kBlockSize},
    {"B", "ignore-backups", Takes::nothing, "", "do not list implied entries ending with ~"},
    {"c", "", Takes::nothing, "",
     "with -lt: sort by, and show, ctime;\nwith -l: show ctime and sort by name;\n"
     "otherwise: sort by ctime, newest first"},
    {"C", "", Takes::nothing, "", "list entries by columns"},
    {"", "color", Takes::optional, "WHEN", "color the output WHEN; more info below", kColor},
    {"d", "directory", Takes::nothing, "", "list directories themselves, not their contents"},
    {"D", "dired", Takes::nothing},
    {"f", "", Takes::nothing, "", "list all entries in directory order"},
    {"F", "classify", Takes::optional, "WHEN",
     "append indicator (one of */=>@|) to entries WHEN"},
    {"", "file-type", Takes::nothing, "", "likewise, except do not append '*'", kFileType},
    {"", "format", Takes::required, "WORD",
     "across -x, commas -m, horizontal -x, long -l,\nsingle-column -1, verbose -l, vertical -C",
     kFormat},
    {"", "full-time", Takes::nothing, "", "like -l --time-style=full-iso", kFullTime},
    {"g", "", Takes::nothing, "", "like -l, but do not list owner"},
    {"", "group-directories-first", Takes::nothing, "",
     "group directories before files;\ncan be augmented with a --sort option, but any\n"
     "use of --sort=none (-U) disables grouping", kDirectoriesFirst},
    {"G", "no-group", Takes::nothing, "", "in a long listing, don't print group names"},
    {"h", "human-readable", Takes::nothing, "",
     "with -l and -s, print sizes like 1K 234M 2G etc."},
    {"", "si", Takes::nothing, "", "likewise, but use powers of 1000 not 1024", kSi},
    {"H", "dereference-command-line", Takes::nothing, "",
     "follow symbolic links listed on the command line"},
    {"", "dereference-command-line-symlink-to-dir", Takes::nothing, "",
     "follow each command line symbolic link\nthat points to a directory", kFollowDirectories},
    {"", "hide", Takes::required, "PATTERN",
     "do not list implied entries matching shell PATTERN\n(overridden by -a or -A)", kHide},
    {"", "hyperlink", Takes::optional, "WHEN", "hyperlink file names WHEN", kHyperlink},
    {"", "indicator-style", Takes::required, "WORD",
     "append indicator with style WORD to entry names:\nnone (default), slash (-p),\n"
     "file-type (--file-type), classify (-F)", kIndicatorStyle},
    {"i", "inode", Takes::nothing, "", "print the index number of each file"},
    {"I", "ignore", Takes::required, "PATTERN",
     "do not list implied entries matching shell PATTERN"},
    {"k", "kibibytes", Takes::nothing, "",
     "default to 1024-byte blocks for file system usage;\n"
     "used only with -s and per directory totals"},
    {"l", "", Takes::nothing, "", "use a long listing format"},
    {"L", "dereference", Takes::nothing, "",
     "when showing file information for a symbolic\nlink, show information for the file the link\n"
     "references rather than for the link itself"},
    {"m", "", Takes::nothing, "", "fill width with a comma separated list of entries"},
    {"n", "numeric-uid-gid", Takes::nothing, "", "like -l, but list numeric user and group IDs"},
    {"N", "literal", Takes::nothing, "", "print entry names without quoting"},
    {"o", "", Takes::nothing, "", "like -l, but do not list group information"},
    {"p", "", Takes::nothing, "", "append / indicator to directories"},
    {"q", "hide-control-chars", Takes::nothing, "", "print ? instead of nongraphic characters"},
    {"", "show-control-chars", Takes::nothing, "", "show nongraphic characters as-is (default)",
     kShowControl},
    {"Q", "quote-name", Takes::nothing, "", "enclose entry names in double quotes"},
    {"", "quoting-style", Takes::required, "WORD",
     "use quoting style WORD for entry names:\nliteral, locale, shell, shell-always,\n"
     "shell-escape, shell-escape-always, c, escape\n"
     "(overrides QUOTING_STYLE environment variable)", kQuotingStyle},
    {"r", "reverse", Takes::nothing, "", "reverse order while sorting"},
    {"R", "recursive", Takes::nothing, "", "list subdirectories recursively"},
    {"s", "size", Takes::nothing, "", "print the allocated size of each file, in blocks"},
    {"S", "", Takes::nothing, "", "sort by file size, largest first"},
    {"", "sort", Takes::required, "WORD",
     "sort by WORD instead of name: none (-U), size (-S),\n"
     "time (-t), version (-v), extension (-X), width", kSortWord},
    {"", "time", Takes::required, "WORD",
     "change the default of using modification times;\n  access time (-u): atime, access, use;\n"
     "  change time (-c): ctime, status;\n  birth time: birth, creation;\n"
     "with -l, WORD determines which time to show;\n"
     "with --sort=time, sort by WORD (newest first)", kTimeWord},
    {"", "time-style", Takes::required, "TIME_STYLE",
     "time/date format with -l; see TIME_STYLE below", kTimeStyle},
    {"t", "", Takes::nothing, "", "sort by time, newest first; see --time"},
    {"T", "tabsize", Takes::required, "COLS", "assume tab stops at each COLS instead of 8"},
    {"u", "", Takes::nothing, "",
     "with -lt: sort by, and show, access time;\nwith -l: show access time and sort by name;\n"
     "otherwise: sort by access time, newest first"},
    {"U", "", Takes::nothing, "", "do not sort; list entries in directory order"},
    {"v", "", Takes::nothing, "", "natural sort of (version) numbers within text"},
    {"w", "width", Takes::required, "COLS", "set output width to COLS.  0 means no limit"},
    {"x", "", Takes::nothing, "", "list entries by lines instead of by columns"},
    {"X", "", Takes::nothing, "", "sort alphabetically by entry extension"},
    {"Z", "context", Takes::nothing, "", "print any security context of each file"},
    {"", "zero", Takes::nothing, "", "end each output line with NUL, not newline", kZero},
    {"1", "", Takes::nothing, "", "list one file per line"},
};

constexpr OptionSpec kSpecRow = {
    .name = "ls",
    .usage = "[OPTION]... [FILE]...",
    .intro = "List information about the FILEs (the current directory by default).\n"
             "Sort entries alphabetically if none of -cftuvSUX nor --sort is specified.",
    .options = kOptions,
    .outro = "The SIZE argument is an integer and optional unit (example: 10K is 10*1024).\n"
             "Units are K,M,G,T,P,E,Z,Y (powers of 1024) or KB,MB,... (powers of 1000).\n"
             "Binary prefixes can be used, too: KiB=K, MiB=M, and so on.\n\n"
             "The TIME_STYLE argument can be full-iso, long-iso, iso, locale, or +FORMAT.\n"
             "FORMAT is interpreted like in date(1).  If FORMAT is FORMAT1<newline>FORMAT2,\n"
             "then FORMAT1 applies to non-recent files and FORMAT2 to recent files.\n"
             "TIME_STYLE prefixed with 'posix-' takes effect only outside the POSIX locale.\n"
             "Also the TIME_STYLE environment variable sets the default style to use.\n\n"
             "The WHEN argument defaults to 'always' and can also be 'auto' or 'never'.\n\n"
             "Exit status:\n"
             " 0  if OK,\n"
             " 1  if minor problems (e.g., cannot access subdirectory),\n"
             " 2  if serious trouble (e.g., cannot access command-line argument).",
    .column = 29,
    .failure = 2,
};

enum When : int { kNever, kAlways, kAuto };
constexpr Choice kWhenWords[] = {{"always", kAlways}, {"yes", kAlways}, {"force", kAlways},
                                 {"never", kNever},   {"no", kNever},   {"none", kNever},
                                 {"auto", kAuto},     {"tty", kAuto},   {"if-tty", kAuto}};
constexpr Choice kFormatWords[] = {
    {"verbose", int(Format::long_format)},    {"long", int(Format::long_format)},
    {"commas", int(Format::commas)},          {"horizontal", int(Format::across)},
    {"across", int(Format::across)},          {"vertical", int(Format::columns)},
    {"single-column", int(Format::one_per_line)}};
constexpr Choice kSortWords[] = {
    {"none", int(SortBy::none)},         {"time", int(SortBy::time)},
    {"size", int(SortBy::size)},         {"extension", int(SortBy::extension)},
    {"version", int(SortBy::version)},   {"width", int(SortBy::width)}};
constexpr Choice kTimeWords[] = {
    {"atime", int(TimeOf::access)},  {"access", int(TimeOf::access)},
    {"use", int(TimeOf::access)},    {"ctime", int(TimeOf::change)},
    {"status", int(TimeOf::change)}, {"birth", int(TimeOf::birth)},
    {"creation", int(TimeOf::birth)}};
constexpr Choice kIndicatorWords[] = {{"none", int(Indicator::none)},
                                      {"slash", int(Indicator::slash)},
                                      {"file-type", int(Indicator::file_type)},
                                      {"classify", int(Indicator::classify)}};
constexpr Choice kQuotingWords[] = {
    {"literal", int(Quoting::literal)},
    {"shell", int(Quoting::shell)},
    {"shell-always", int(Quoting::shell_always)},
    {"shell-escape", int(Quoting::shell_escape)},
    {"shell-escape-always", int(Quoting::shell_escape_always)},
    {"c", int(Quoting::c)},
    {"c-maybe", int(Quoting::c)},
    {"escape", int(Quoting::escape)},
    {"locale", int(Quoting::locale)},
    {"clocale", int(Quoting::locale)}};

enum TimeStyle : int { kFullIso, kLongIso, kIso, kLocale };
constexpr Choice kTimeStyles[] = {{"full-iso", kFullIso}, {"long-iso", kLongIso},
                                  {"iso", kIso},          {"locale", kLocale}};

class Reader {
 public:
  Reader(CommandContext& ctx, OptionReader& options, Settings& settings)
      : ctx_(ctx), options_(options), set_(settings) {}

  bool read(Format default_format, bool default_escape) {
    while (int id = options_.next()) option(id);
    if (options_.done()) return false;
    set_.format = format_.value_or(default_format);
    if (!environment(default_escape)) return false;
    if (!set_.directories_themselves && !follow_given_)
      set_.follow = set_.indicator == Indicator::classify || set_.format == Format::long_format
                        ? Follow::never
                        : Follow::command_line_directories;
    else if (!follow_given_)
      set_.follow = Follow::never;
    if (sort_) set_.sort = *sort_;
    else if (set_.format != Format::long_format && time_given_) set_.sort = SortBy::time;
    if (set_.format == Format::long_format && !time_style()) return false;
    if (set_.end == '\0' && set_.format != Format::long_format) set_.format = Format::one_per_line;
    if (set_.end == '\0') {
      set_.color = false;
      set_.quoting = quoting_.value_or(Quoting::literal);
    }
    return true;
  }

 private:
  template <class T, size_t n>
  bool choose(std::string_view name, const Choice (&words)[n], T& target) {
    auto word = read_choice(ctx_, kSpec, name, options_.value(), words);
    if (!word) {
      options_.finish(kSpec.failure - 1);
      return false;
    }
    target = static_cast<T>(*word);
    return true;
  }

  // always, never; auto is never, for there is no terminal.
  bool when(std::string_view name) {
    int value = kAlways;
    if (options_.has_value()) choose(name, kWhenWords, value);
    return value == kAlways;
  }

  void ignore(std::deque<regex::Pattern>& list, std::string_view pattern) {
    ctx_.meter.check_elements(static_cast<int64_t>(list.size()) + 1);
    list.emplace_back(pattern, regex::PatternOptions{.period = true}, ctx_.meter);
  }

  void option(int id) {
    switch (id) {
      case 'a': set_.hidden = Hidden::all; break;
      case 'A': set_.hidden = Hidden::all_but_dots; break;
      case kAuthor: set_.author = true; break;
      case 'b': quoting_ = Quoting::escape; break;
      case kBlockSize: {
        SizeError error = parse_block_size(options_.value(), set_.block_size);
        if (error != SizeError::none) {
          ctx_.error(option_number_error("--block-size", options_.value(), error));
          return options_.finish(2);
        }
        set_.file_size = set_.block_size;
        block_given_ = true;
        break;
      }
      case 'B':
        ignore(set_.ignore, "*~");
        ignore(set_.ignore, ".*~");
        break;
      case 'c': set_.time = TimeOf::change; time_given_ = true; break;
      case 'C': format_ = Format::columns; break;
      case kColor: set_.color = when("--color"); break;
      case 'd': set_.directories_themselves = true; break;
      case 'D':
        ctx_.host.unsupported("ls", "--dired");
        options_.fail("unsupported option '--dired'");
        break;
      case 'f':
        set_.hidden = Hidden::all;
        sort_ = SortBy::none;
        if (format_ == Format::long_format) format_.reset();
        set_.blocks = false;
        set_.color = false;
        set_.hyperlink = false;
        break;
      case 'F':
        if (when("--classify")) set_.indicator = Indicator::classify;
        break;
      case kFileType: set_.indicator = Indicator::file_type; break;
      case kFormat: {
        Format format;
        if (choose("--format", kFormatWords, format)) format_ = format;
        break;
      }
      case kFullTime:
        format_ = Format::long_format;
        style_ = "full-iso";
        break;
      case 'g': format_ = Format::long_format; set_.owner = false; break;
      case kDirectoriesFirst: set_.directories_first = true; break;
      case 'G': set_.group = false; break;
      case 'h': case kSi:
        set_.block_size = set_.file_size = id == 'h' ? SizeFormat::human() : SizeFormat::si();
        block_given_ = true;
        break;
      case 'H': follow(Follow::command_line); break;
      case kFollowDirectories: follow(Follow::command_line_directories); break;
      case kHide: ignore(set_.hide, options_.value()); break;
      case kHyperlink: set_.hyperlink = when("--hyperlink"); break;
      case kIndicatorStyle: choose("--indicator-style", kIndicatorWords, set_.indicator); break;
      case 'i': set_.inode = true; break;
      case 'I': ignore(set_.ignore, options_.value()); break;
      case 'k': kibibytes_ = true; break;
      case 'l': format_ = Format::long_format; break;
      case 'L': follow(Follow::always); break;
      case 'm': format_ = Format::commas; break;
      case 'n': format_ = Format::long_format; set_.numeric_ids = true; break;
      case 'N': quoting_ = Quoting::literal; break;
      case 'o': format_ = Format::long_format; set_.group = false; break;
      case 'p': set_.indicator = Indicator::slash; break;
      case 'q': set_.hide_control = true; break;
      case kShowControl: set_.hide_control = false; break;
      case 'Q': quoting_ = Quoting::c; break;
      case kQuotingStyle: {
        Quoting quoting;
        if (choose("--quoting-style", kQuotingWords, quoting)) quoting_ = quoting;
        break;
      }
      case 'r': set_.reverse = true; break;
      case 'R': set_.recursive = true; break;
      case 's': set_.blocks = true; break;
      case 'S': sort_ = SortBy::size; break;
      case kSortWord: {
        SortBy sort;
        if (choose("--sort", kSortWords, sort)) sort_ = sort;
        break;
      }
      case kTimeWord:
        if (choose("--time", kTimeWords, set_.time)) time_given_ = true;
        break;
      case kTimeStyle: style_ = options_.value(); break;
      case 't': sort_ = SortBy::time; break;
      case 'T': {
        Size size = parse_size(options_.value(), "");
        if (size.error != SizeError::none) {
          ctx_.error(size_error_text("invalid tab size", options_.value(), size.error));
          return options_.finish(2);
        }
        set_.tab = size.value;
        tab_given_ = true;
        break;
      }
      case 'u': set_.time = TimeOf::access; time_given_ = true; break;
      case 'U': sort_ = SortBy::none; break;
      case 'v': sort_ = SortBy::version; break;
      case 'w': {
        size_t width;
        if (!line_width(options_.value(), width)) {
          ctx_.error("invalid line width: " + base::gnu_locale_quote(options_.value()));
          return options_.finish(2);
        }
        set_.width = width;
        width_given_ = true;
        break;
      }
      case 'x': format_ = Format::across; break;
      case 'X': sort_ = SortBy::extension; break;
      case 'Z': set_.context = true; break;
      case kZero: set_.end = '\0'; break;
      case '1':
        // After -l it changes nothing.
        if (format_ != Format::long_format) format_ = Format::one_per_line;
        break;
    }
  }

  void follow(Follow how) {
    set_.follow = how;
    follow_given_ = true;
  }

  // Octal when it starts with 0, as the namesake takes it; too large is no limit.
  static bool line_width(std::string_view text, size_t& width) {
    if (text.size() > 1 && text[0] == '0' &&
        text.find_first_not_of("01234567") == text.npos) {
      width = 0;
      for (char c : text)
        if (width < SIZE_MAX / 16) width = width * 8 + static_cast<size_t>(c - '0');
      return true;
    }
    Size size = parse_size(text, "");
    if (size.error == SizeError::overflow) width = 0;
    else width = size.value;
    return size.error == SizeError::none || size.error == SizeError::overflow;
  }

  bool environment(bool default_escape) {
    if (quoting_) {
      set_.quoting = *quoting_;
    } else if (auto style = ctx_.host.getenv("QUOTING_STYLE")) {
      int value;
      if (find_choice(*style, kQuotingWords, value) == ChoiceError::none) {
        set_.quoting = static_cast<Quoting>(value);
      } else {
        ctx_.error("ignoring invalid value of environment variable QUOTING_STYLE: " +
                   base::gnu_quote(*style));
      }
    } else if (default_escape) {
      set_.quoting = Quoting::escape;
    }
    if (!block_given_) {
      set_.block_size = default_block_size(ctx_, "LS_BLOCK_SIZE");
      if (ctx_.host.getenv("LS_BLOCK_SIZE") || ctx_.host.getenv("BLOCK_SIZE"))
        set_.file_size = set_.block_size;
      if (kibibytes_) {
        set_.block_size = {};
        set_.block_size.block = 1024;
      }
    }
    if (!width_given_) {
      if (auto columns = ctx_.host.getenv("COLUMNS"); columns && !columns->empty()) {
        size_t width;
        if (line_width(*columns, width)) set_.width = width;
        else
          ctx_.error("ignoring invalid width in environment variable COLUMNS: " +
                     base::gnu_quote(*columns));
      }
    }
    if (!tab_given_ && ctx_.host.getenv("TABSIZE")) {
      std::string_view text = *ctx_.host.getenv("TABSIZE");
      Size size = parse_size(text, "");
      if (size.error == SizeError::none) set_.tab = size.value;
      else
        ctx_.error("ignoring invalid tab size in environment variable TABSIZE: " +
                   base::gnu_quote(text));
    }
    set_.zone = base::TimeZone::parse(ctx_.host.getenv("TZ").value_or(""));
    return true;
  }

  bool time_style() {
    std::string_view style = style_ ? *style_ : ctx_.host.getenv("TIME_STYLE").value_or("locale");
    if (style.starts_with("posix-")) style.remove_prefix(6);
    if (style.starts_with('+')) {
      style.remove_prefix(1);
      size_t newline = style.find('\n');
      set_.old_format = style.substr(0, newline);
      set_.recent_format = set_.old_format;
      if (newline != style.npos) {
        std::string_view recent = style.substr(newline + 1);
        if (recent.find('\n') != recent.npos) {
          ctx_.error("invalid time style format " + base::gnu_quote(style));
          options_.finish(2);
          return false;
        }
        set_.recent_format = recent;
      }
      return true;
    }
    int value = 0;
    ChoiceError error = find_choice(style, kTimeStyles, value);
    if (error != ChoiceError::none) {
      std::string text(error == ChoiceError::invalid ? "invalid" : "ambiguous");
      text += " argument " + base::gnu_locale_quote(style) + " for " +
              base::gnu_locale_quote("time style");
      ctx_.error(text +
                 "\nValid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n"
                 "  - [posix-]iso\n  - [posix-]locale\n"
                 "  - +FORMAT (e.g., +%H:%M) for a 'date'-style format");
      options_.finish(options_.usage_error());
      return false;
    }
    switch (value) {
      case kFullIso:
        set_.old_format = set_.recent_format = "%Y-%m-%d %H:%M:%S.%N %z";
        break;
      case kLongIso: set_.old_format = set_.recent_format = "%Y-%m-%d %H:%M"; break;
      case kIso:
        set_.old_format = "%Y-%m-%d ";
        set_.recent_format = "%m-%d %H:%M";
        break;
      default:
        set_.old_format = "%b %e  %Y";
        set_.recent_format = "%b %e %H:%M";
    }
    return true;
  }

  CommandContext& ctx_;
  OptionReader& options_;
  Settings& set_;
  std::optional<Format> format_;
  std::optional<SortBy> sort_;
  std::optional<Quoting> quoting_;
  std::optional<std::string_view> style_;
  bool time_given_ = false, block_given_ = false, kibibytes_ = false, width_given_ = false;
  bool tab_given_ = false, follow_given_ = false;
};

}  // namespace

constexpr OptionSpec kSpec = kSpecRow;

bool read_settings(CommandContext& ctx, OptionReader& options, Settings& settings,
                   Format default_format, bool default_escape) {
  return Reader(ctx, options, settings).read(default_format, default_escape);
}

namespace {
int ls_main(CommandContext& ctx) { return run(ctx, Format::one_per_line, false); }
int dir_main(CommandContext& ctx) { return run(ctx, Format::columns, true); }
int vdir_main(CommandContext& ctx) { return run(ctx, Format::long_format, true); }
}  // namespace

}  // namespace nacre::builtins::ls

namespace nacre::builtins {

extern const interp::Command command_ls, command_dir, command_vdir;
const interp::Command command_ls = {
    .name = "ls",
    .synopsis = "list directory contents",
    .usage = usage_text<ls::kSpecRow>(),
    .main = ls::ls_main,
};
const interp::Command command_dir = {
    .name = "dir",
    .synopsis = "list directory contents in columns",
    .usage = usage_text<ls::kSpecRow>(),
    .main = ls::dir_main,
};
const interp::Command command_vdir = {
    .name = "vdir",
    .synopsis = "list directory contents in the long format",
    .usage = usage_text<ls::kSpecRow>(),
    .main = ls::vdir_main,
};

}  // namespace nacre::builtins
