// tail: the last lines or bytes of files, or all from a given one on.
//
// In a file the start is found from the end, by blocks; from a pipe the last
// part is held back. Following (-f) looks at the files again after each
// interval, and ends when no other process of the session is left to write.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <string>

#include "base/quoting.h"
#include "builtins/support/choice.h"
#include "builtins/support/floats.h"
#include "builtins/support/held_bytes.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/size.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

enum : int { kMaxUnchanged = kLongOnly, kPid, kRetry };

constexpr Option kOptions[] = {
    {"c", "bytes", Takes::required, "[+]NUM",
     "output the last NUM bytes; or use -c +NUM to\noutput starting with byte NUM of each file"},
    {"f", "", Takes::nothing},
    {"f", "follow", Takes::optional, "{name|descriptor}",
     "output appended data as the file grows;\nan absent option argument means 'descriptor'", 'f'},
    {"F", "", Takes::nothing, "", "same as --follow=name --retry"},
    {"n", "lines", Takes::required, "[+]NUM",
     "output the last NUM lines, instead of the last 10;\n"
     "or use -n +NUM to output starting with line NUM"},
    {"", "max-unchanged-stats", Takes::required, "N",
     "with --follow=name, reopen a FILE which has not\n"
     "changed size after N (default 5) iterations", kMaxUnchanged},
    {"", "pid", Takes::required, "PID", "with -f, terminate after process ID, PID dies", kPid},
    {"q", "quiet,silent", Takes::nothing, "", "never output headers giving file names"},
    {"", "retry", Takes::nothing, "", "keep trying to open a file if it is inaccessible", kRetry},
    {"s", "sleep-interval", Takes::required, "N",
     "with -f, sleep for approximately N seconds\n(default 1.0) between iterations"},
    {"v", "verbose", Takes::nothing, "", "always output headers giving file names"},
    {"z", "zero-terminated", Takes::nothing, "", "line delimiter is NUL, not newline"},
    {"0", "", Takes::digit_run},
};

constexpr OptionSpec kSpec = {
    .name = "tail",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Print the last 10 lines of each FILE to standard output.\n"
             "With more than one FILE, precede each with a header giving the file name.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kOptions,
    .outro = "NUM may have a multiplier suffix:\n"
             "b 512, kB 1000, K 1024, MB 1000*1000, M 1024*1024,\n"
             "GB 1000*1000*1000, G 1024*1024*1024, and so on for T, P, E, Z, Y.\n"
             "Binary prefixes can be used, too: KiB=K, MiB=M, and so on.",
};

constexpr Choice kFollowWords[] = {{"descriptor", 0}, {"name", 1}};

struct Settings {
  uint64_t count = 10;
  bool bytes = false;
  bool from_start = false;
  char delimiter = '\n';
  bool follow = false, follow_name = false, retry = false;
  bool headers = false;
  int pid = 0;
  double interval = 1.0;
};

// Prints the wanted part of one input.
class Tail {
 public:
  Tail(CommandContext& ctx, const Settings& settings) : ctx_(ctx), set_(settings) {}

  void print(Input& in) {
    if (set_.from_start) {
      if (set_.count > 1) set_.bytes ? skip_bytes(in, set_.count - 1) : skip_lines(in);
      copy_stream(in, ctx_.out);
    } else if (is_seekable(in) && in.file()->file() && print_from_end(in)) {
      copy_stream(in, ctx_.out);
    } else if (set_.bytes) {
      last_bytes(in);
    } else {
      last_lines(in);
    }
  }

 private:
  void skip_bytes(Input& in, uint64_t left) {
    while (left > 0) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return;
      size_t n = std::min<uint64_t>(left, chunk.size());
      in.consume(n);
      left -= n;
    }
  }

  void skip_lines(Input& in) {
    for (uint64_t left = set_.count - 1; left > 0;) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return;
      size_t end = after_nth(chunk, set_.delimiter, left);
      if (end != std::string_view::npos) return in.consume(end);
      left -= count_byte(chunk, set_.delimiter);
      in.consume(chunk.size());
    }
  }

  // Moves the offset to where the last part starts, not before where it stands.
  bool print_from_end(Input& in) {
    interp::OpenFile& file = *in.file();
    auto at = file.seek(0, 1);
    if (!at) return false;
    uint64_t start = *at, size = file.file()->size();
    if (size <= start) return true;
    uint64_t target = start;
    if (set_.bytes) {
      if (size - start > set_.count) target = size - set_.count;
    } else if (auto found = line_from_end(*file.file(), start, size)) {
      target = *found;
    } else {
      return false;
    }
    return file.seek(static_cast<int64_t>(target), 0).has_value();
  }

  std::optional<uint64_t> line_from_end(vfs::File& file, uint64_t start, uint64_t size) {
    if (set_.count == 0) return size;
    char block[8192];
    uint64_t left = set_.count;
    for (uint64_t end = size; end > start;) {
      uint64_t begin = end - std::min<uint64_t>(end - start, sizeof block);
      ctx_.meter.charge_work(work_for(end - begin));
      auto got = file.read_at(begin, block, end - begin);
      if (!got || *got != end - begin) return std::nullopt;
      std::string_view text(block, *got);
      // The delimiter of the last line is none between lines.
      if (end == size && text.back() == set_.delimiter) text.remove_suffix(1);
      while (!text.empty()) {
        const void* hit = memrchr(text.data(), set_.delimiter, text.size());
        if (!hit) break;
        size_t i = static_cast<const char*>(hit) - block;
        if (--left == 0) return begin + i + 1;
        text = {block, i};
      }
      end = begin;
    }
    return start;
  }

  void last_bytes(Input& in) {
    HeldBytes held(ctx_.meter);
    while (true) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) break;
      if (chunk.size() >= set_.count) {
        held.clear();
        held.append(chunk.substr(chunk.size() - set_.count));
      } else {
        held.append(chunk);
        if (held.size() > set_.count) held.drop_front(held.size() - set_.count);
      }
      in.consume(chunk.size());
    }
    ctx_.out.write(held.view());
  }

  // Where the last `lines` complete lines of s start; npos: there are fewer
  // delimiters than that before them.
  size_t start_of_last(std::string_view s, uint64_t lines) const {
    size_t end = s.size();
    for (uint64_t left = lines + 1; left > 0; --left) {
      const void* hit = end ? memrchr(s.data(), set_.delimiter, end) : nullptr;
      if (!hit) return std::string_view::npos;
      end = static_cast<const char*>(hit) - s.data();
    }
    return end + 1;
  }

  // Keeps `count` complete lines and what follows them: when the end comes,
  // the first of them is dropped if a line without delimiter follows.
  void last_lines(Input& in) {
    HeldBytes held(ctx_.meter);
    uint64_t lines = 0;  // delimiters held
    while (true) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) break;
      size_t start = set_.count < chunk.size() ? start_of_last(chunk, set_.count)
                                               : std::string_view::npos;
      if (start != std::string_view::npos) {
        held.clear();
        held.append(chunk.substr(start));
        lines = set_.count;
      } else {
        held.append(chunk);
        lines += count_byte(chunk, set_.delimiter);
        if (lines > set_.count) {
          held.drop_front(after_nth(held.view(), set_.delimiter, lines - set_.count));
          lines = set_.count;
        }
      }
      in.consume(chunk.size());
    }
    if (set_.count == 0) return;
    std::string_view rest = held.view();
    if (!rest.empty() && rest.back() != set_.delimiter && lines == set_.count)
      rest.remove_prefix(after_nth(rest, set_.delimiter, 1));
    ctx_.out.write(rest);
  }

  CommandContext& ctx_;
  const Settings& set_;
};

struct Followed {
  std::string_view name;
  std::string_view shown;
  InputFile file;
  Input* in = nullptr;
  uint64_t dev = 0, ino = 0;
  uint64_t size = 0;
};

class Follower {
 public:
  Follower(CommandContext& ctx, const Settings& settings, std::deque<Followed>& files)
      : ctx_(ctx), set_(settings), files_(files) {}

  int run() {
    last_ = files_.empty() ? nullptr : &files_.back();
    for (Followed& f : files_) remember(f);
    while (true) {
      if (std::none_of(files_.begin(), files_.end(), [&](Followed& f) { return wanted(f); })) {
        ctx_.error("no files remaining");
        return 1;
      }
      ctx_.out.flush();
      if (ctx_.out.has_error()) return 1;
      bool last_round = ctx_.host.alone() || (set_.pid && !ctx_.host.signal(set_.pid, 0));
      bool grew = false;
      for (Followed& f : files_) grew |= look(f);
      if (last_round && !grew) return status_;
      if (grew) continue;
      int64_t until = ctx_.clock.now() + static_cast<int64_t>(set_.interval * 1e9);
      if (!ctx_.host.sleep_until(until)) return status_;
    }
  }

 private:
  bool wanted(const Followed& f) const { return f.in || (set_.retry && f.name != "-"); }

  void remember(Followed& f) {
    if (!f.in) return;
    if (auto st = f.in->file()->stat()) {
      f.dev = st->dev;
      f.ino = st->ino;
      f.size = st->size;
    }
  }

  // Prints what has come since; true when there was something.
  bool look(Followed& f) {
    ctx_.meter.charge_work();
    if (set_.follow_name && f.name != "-") reopen(f);
    if (!f.in) return false;
    if (is_seekable(*f.in)) {
      auto st = f.in->file()->stat();
      auto at = f.in->file()->seek(0, 1);
      if (st && at && st->size < *at) {
        ctx_.error(base::gnu_quote_if_needed(f.shown) + ": file truncated");
        (void)f.in->file()->seek(0, 0);
      }
    }
    bool any = false;
    while (true) {
      std::string_view chunk = f.in->peek();
      if (chunk.empty()) break;
      if (!any && set_.headers && last_ != &f) ctx_.out << "\n==> " << f.shown << " <==\n";
      last_ = &f;
      any = true;
      ctx_.out.write(chunk);
      f.in->consume(chunk.size());
    }
    return any;
  }

  void reopen(Followed& f) {
    auto st = ctx_.fs.stat(f.name);
    std::string shown = base::gnu_quote(f.shown);
    if (!st) {
      if (!f.in) return;
      ctx_.error(shown + " has become inaccessible", st.error());
      f.in = nullptr;
      return;
    }
    if (f.in && st->dev == f.dev && st->ino == f.ino) return;
    bool known = f.in != nullptr;
    f.in = f.file.open(ctx_, f.name);
    if (!f.in) return;
    ctx_.error(shown + (known ? " has been replaced;  following new file"
                              : " has appeared;  following new file"));
    remember(f);
  }

  CommandContext& ctx_;
  const Settings& set_;
  std::deque<Followed>& files_;
  Followed* last_ = nullptr;
  int status_ = 0;
};

// `tail -5`, `tail +3c`, `tail -2lf`, only with at most one operand after it.
// True when args[1] was such an option.
bool read_obsolete(CommandContext& ctx, Settings& set, OptionReader& options) {
  interp::Args args = ctx.args;
  bool one_operand = args.size() == 2 ||
                     (args.size() == 3 && !(args[2].size() > 1 && args[2][0] == '-')) ||
                     ((args.size() == 3 || args.size() == 4) && args[2] == "--");
  if (!one_operand || args[1].empty()) return false;
  std::string_view arg = args[1];
  if (arg[0] != '+' && arg[0] != '-') return false;
  if (arg == "-" || arg == "-c") return false;
  size_t i = 1;
  while (i < arg.size() && arg[i] >= '0' && arg[i] <= '9') ++i;
  std::string number(arg.substr(1, i - 1));
  uint64_t count = 10;
  bool bytes = false, follow = false;
  char unit = i < arg.size() ? arg[i] : 0;
  if (unit == 'b') count *= 512;
  if (unit == 'b' || unit == 'c') bytes = true;
  if (unit == 'b' || unit == 'c' || unit == 'l') ++i;
  if (i < arg.size() && arg[i] == 'f') {
    follow = true;
    ++i;
  }
  if (i != arg.size()) return false;
  if (!number.empty()) {
    if (unit == 'b') number += 'b';
    Size size = parse_size(number, "b");
    if (size.error != SizeError::none) {
      ctx.error(size_error_text("invalid number", arg, size.error));
      options.finish(1);
      return true;
    }
    count = size.value;
  }
  set.count = count;
  set.bytes = bytes;
  set.follow = follow;
  set.from_start = arg[0] == '+';
  return true;
}

bool read_tail_count(CommandContext& ctx, Settings& set, std::string_view text, bool bytes) {
  set.bytes = bytes;
  set.from_start = text.starts_with('+');
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return read_count(ctx, text, kSizeSuffixes, 0, UINT64_MAX,
                    bytes ? "invalid number of bytes" : "invalid number of lines", set.count);
}

int tail_main(CommandContext& ctx) {
  Settings set;
  bool quiet = false, verbose = false;
  // Whether args[1] is an obsolete option has to be known before the reader starts.
  Settings probe;
  OptionReader plain(ctx, kSpec);
  bool obsolete = ctx.args.size() > 1 && read_obsolete(ctx, probe, plain);
  if (plain.done()) return plain.status();
  if (obsolete) set = probe;
  OptionReader options(ctx, kSpec, obsolete ? 2 : 1);
  while (int id = options.next()) {
    switch (id) {
      case 'c':
      case 'n':
        if (!read_tail_count(ctx, set, options.value(), id == 'c')) options.finish(1);
        break;
      case 'f':
        set.follow = true;
        set.follow_name = false;
        if (options.has_value()) {
          auto word = read_choice(ctx, kSpec, "--follow", options.value(), kFollowWords);
          if (!word) options.finish(1);
          else set.follow_name = *word == 1;
        }
        break;
      case 'F':
        set.follow = set.follow_name = set.retry = true;
        break;
      case kMaxUnchanged: {
        uint64_t unused;
        if (!read_count(ctx, options.value(), "", 0, UINT64_MAX,
                        "invalid maximum number of unchanged stats between opens", unused))
          options.finish(1);
        break;
      }
      case kPid: {
        uint64_t pid;
        if (!read_count(ctx, options.value(), "", 0, INT32_MAX, "invalid PID", pid))
          options.finish(1);
        else
          set.pid = static_cast<int>(pid);
        break;
      }
      case kRetry: set.retry = true; break;
      case 's': {
        long double seconds;
        if (!parse_float(options.value(), seconds) || !(seconds >= 0)) {
          ctx.error("invalid number of seconds: " + base::gnu_locale_quote(options.value()));
          options.finish(1);
        } else {
          set.interval = std::min<double>(static_cast<double>(seconds), 1e9);
        }
        break;
      }
      case 'q': quiet = true; verbose = false; break;
      case 'v': verbose = true; quiet = false; break;
      case 'z': set.delimiter = '\0'; break;
      case '0':
        ctx.error("option used in invalid context -- " + std::string(options.value().substr(0, 1)));
        options.finish(1);
        break;
    }
  }
  if (options.done()) return options.status();
  if (set.retry && !set.follow) {
    ctx.error("warning: --retry ignored; --retry is useful only when following");
  } else if (set.retry && !set.follow_name) {
    ctx.error("warning: --retry only effective for the initial open");
  }
  if (set.pid && !set.follow)
    ctx.error("warning: PID ignored; --pid=PID is useful only when following");

  auto operands = operands_or_stdin(options.operands());
  set.headers = verbose || (!quiet && operands.size() > 1);
  if (set.follow_name && std::find(operands.begin(), operands.end(), "-") != operands.end()) {
    ctx.error("cannot follow " + base::gnu_quote("-") + " by name");
    return 1;
  }
  std::deque<Followed> files;
  Tail tail(ctx, set);
  bool first = true;
  int status = 0;
  for (std::string_view name : operands) {
    Followed& f = files.emplace_back();
    f.name = name;
    f.shown = name == "-" ? "standard input" : name;
    f.in = f.file.open(ctx, name);
    if (!f.in) {
      ctx.error("cannot open " + base::gnu_quote(f.shown) + " for reading", f.file.error());
      status = 1;
    } else {
      if (set.headers) ctx.out << (first ? "==> " : "\n==> ") << f.shown << " <==\n";
      first = false;
      tail.print(*f.in);
      if (f.in->has_error()) {
        ctx.error("error reading " + base::gnu_quote(f.shown), f.in->error());
        status = 1;
        f.in = nullptr;
      } else if (!is_seekable(*f.in)) {
        f.in = nullptr;  // a pipe has been read to its end
      }
    }
    // What is no longer of use is closed.
    if (!set.follow || (!f.in && !(set.retry && name != "-"))) files.pop_back();
  }
  if (!set.follow) return status;
  if (files.empty()) {
    if (status == 0) return 0;
    ctx.error("no files remaining");
    return 1;
  }
  int followed = Follower(ctx, set, files).run();
  return status ? status : followed;
}

}  // namespace

extern const interp::Command command_tail;
const interp::Command command_tail = {
    .name = "tail",
    .synopsis = "output the last part of files",
    .usage = usage_text<kSpec>(),
    .main = tail_main,
};

}  // namespace nacre::builtins
