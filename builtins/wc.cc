// wc: counts lines, words, characters, bytes and the longest line.
//
// Three ways, by what is asked for: bytes alone come from the size of a file
// where there is one; lines (and bytes) from a count of newlines over blocks;
// the rest from a walk over characters, with a table for ASCII.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "base/quoting.h"
#include "base/utf8.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

enum : int { kFiles0 = kLongOnly };

constexpr Option kOptions[] = {
    {"c", "bytes", Takes::nothing, "", "print the byte counts"},
    {"m", "chars", Takes::nothing, "", "print the character counts"},
    {"l", "lines", Takes::nothing, "", "print the newline counts"},
    {"", "files0-from", Takes::required, "F",
     "read input from the files specified by\n  NUL-terminated names in file F;\n"
     "  If F is - then read names from standard input", kFiles0},
    {"L", "max-line-length", Takes::nothing, "", "print the maximum display width"},
    {"w", "words", Takes::nothing, "", "print the word counts"},
};

constexpr OptionSpec kSpec = {
    .name = "wc",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .intro = "Print newline, word, and byte counts for each FILE, and a total line if\n"
             "more than one FILE is specified.  A word is a non-zero-length sequence of\n"
             "printable characters delimited by white space.\n\n"
             "With no FILE, or when FILE is -, read standard input.\n\n"
             "The options below may be used to select which counts are printed, always in\n"
             "the following order: newline, word, character, byte, maximum line length.",
    .options = kOptions,
};

struct Counts {
  uint64_t lines = 0, words = 0, chars = 0, bytes = 0, longest = 0;
};

struct Wanted {
  bool lines = false, words = false, chars = false, bytes = false, longest = false;
  int count() const { return lines + words + chars + bytes + longest; }
};

enum class Kind : uint8_t { printing, space, newline, line_reset, tab, vertical_tab, other };

// Of the ASCII characters.
constexpr auto kKinds = [] {
  struct { Kind at[128]; } t{};
  for (int c = 0; c < 128; ++c) {
    t.at[c] = c > 32 && c < 127 ? Kind::printing
              : c == ' '        ? Kind::space
              : c == '\n'       ? Kind::newline
              : c == '\r' || c == '\f' ? Kind::line_reset
              : c == '\t'       ? Kind::tab
              : c == '\v'       ? Kind::vertical_tab
                                : Kind::other;
  }
  return t;
}();

// Spaces that end no word for iswspace but do for wc.
constexpr bool is_no_break_space(uint32_t c) {
  return c == 0x00a0 || c == 0x2007 || c == 0x202f || c == 0x2060;
}

// The walk over characters; a character may span two chunks.
class CharacterCounter {
 public:
  explicit CharacterCounter(Counts& counts) : counts_(counts) {}

  void feed(std::string_view s) {
    size_t i = 0;
    if (!split_.empty()) i = finish_split(s);
    const auto* p = reinterpret_cast<const unsigned char*>(s.data());
    while (i < s.size()) {
      if (p[i] < 128) {
        ascii(p[i++]);
        continue;
      }
      size_t need = length_of(p[i]);
      if (need > s.size() - i && all_continue(s.substr(i + 1))) {
        split_ = s.substr(i);
        return;
      }
      base::Utf8Char c = base::decode_utf8(s, i);
      wide(c);
      i += c.size;
    }
  }

  void end() {
    split_.clear();  // an incomplete character is none
    if (in_word_) ++counts_.words;
    counts_.longest = std::max(counts_.longest, width_);
  }

 private:
  static size_t length_of(unsigned char lead) {
    return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  }
  static bool all_continue(std::string_view s) {
    return std::all_of(s.begin(), s.end(), [](unsigned char c) { return (c & 0xc0) == 0x80; });
  }

  // Puts the start of a character together with its rest; bytes of s used.
  size_t finish_split(std::string_view s) {
    size_t had = split_.size();
    size_t take = std::min(length_of(static_cast<unsigned char>(split_[0])) - had, s.size());
    std::string joined = split_ + std::string(s.substr(0, take));
    split_.clear();
    size_t i = 0;
    while (i < had) {
      base::Utf8Char c = base::decode_utf8(joined, i);
      if (!c.valid && i == 0 && take == s.size() &&
          joined.size() < length_of(static_cast<unsigned char>(joined[0])) &&
          all_continue(std::string_view(joined).substr(1))) {
        split_ = joined;
        return s.size();
      }
      wide(c);
      i += c.size;
    }
    return i - had;
  }

  void ascii(unsigned char c) {
    ++counts_.chars;
    switch (kKinds.at[c]) {
      case Kind::printing:
        ++width_;
        in_word_ = true;
        return;
      case Kind::newline:
        ++counts_.lines;
        [[fallthrough]];
      case Kind::line_reset:
        counts_.longest = std::max(counts_.longest, width_);
        width_ = 0;
        break;
      case Kind::tab: width_ += 8 - width_ % 8; break;
      case Kind::space: ++width_; break;
      case Kind::vertical_tab: break;
      case Kind::other: return;
    }
    counts_.words += in_word_;
    in_word_ = false;
  }

  void wide(const base::Utf8Char& c) {
    if (!c.valid) return;
    if (c.code < 128) return ascii(static_cast<unsigned char>(c.code));
    ++counts_.chars;
    if (!base::is_print(c.code)) return;
    if (int w = base::char_width(c.code); w > 0) width_ += static_cast<uint64_t>(w);
    if (base::is_space(c.code) || is_no_break_space(c.code)) {
      counts_.words += in_word_;
      in_word_ = false;
    } else {
      in_word_ = true;
    }
  }

  Counts& counts_;
  uint64_t width_ = 0;
  bool in_word_ = false;
  std::string split_;
};

class Wc {
 public:
  Wc(CommandContext& ctx, const Wanted& wanted) : ctx_(ctx), wanted_(wanted) {}

  void set_width(int width) { width_ = width; }

  // `shown` empty: standard input without a name.
  void file(std::string_view name, std::string_view shown) {
    InputFile file;
    Input* in = file.open_or_report(ctx_, name);
    if (!in) {
      failed_ = true;
      return;
    }
    Counts counts;
    count(*in, counts);
    if (in->has_error()) {
      ctx_.error(base::gnu_quote_if_needed(shown.empty() ? name : shown), in->error());
      failed_ = true;
    }
    print(counts, shown);
    total_.lines += counts.lines;
    total_.words += counts.words;
    total_.chars += counts.chars;
    total_.bytes += counts.bytes;
    total_.longest = std::max(total_.longest, counts.longest);
  }

  void print_total() { print(total_, "total"); }
  bool failed() const { return failed_; }

 private:
  void count(Input& in, Counts& counts) {
    if (!wanted_.lines && !wanted_.words && !wanted_.chars && !wanted_.longest) {
      if (size_alone(in, counts)) return;
    }
    bool characters = wanted_.words || wanted_.chars || wanted_.longest;
    CharacterCounter counter(counts);
    while (true) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) break;
      counts.bytes += chunk.size();
      if (characters) {
        ctx_.meter.charge_work(work_for(chunk.size()));
        counter.feed(chunk);
      } else if (wanted_.lines) {
        counts.lines += count_byte(chunk, '\n');
      }
      in.consume(chunk.size());
    }
    counter.end();
  }

  // The bytes that are left of a regular file, without reading them.
  static bool size_alone(Input& in, Counts& counts) {
    if (!is_seekable(in)) return false;
    auto st = in.file()->stat();
    auto at = in.file()->seek(0, 1);
    if (!st || !at || st->type != vfs::FileType::regular) return false;
    counts.bytes = st->size > *at ? st->size - *at : 0;
    (void)in.file()->seek(0, 2);
    return true;
  }

  void print(const Counts& c, std::string_view name) {
    bool first = true;
    auto put = [&](bool wanted, uint64_t value) {
      if (!wanted) return;
      char text[24];
      char* end = text + sizeof text;
      char* p = end;
      do *--p = static_cast<char>('0' + value % 10);
      while (value /= 10);
      if (!first) ctx_.out.put(' ');
      first = false;
      for (int pad = width_ - static_cast<int>(end - p); pad > 0; --pad) ctx_.out.put(' ');
      ctx_.out.write({p, static_cast<size_t>(end - p)});
    };
    put(wanted_.lines, c.lines);
    put(wanted_.words, c.words);
    put(wanted_.chars, c.chars);
    put(wanted_.bytes, c.bytes);
    put(wanted_.longest, c.longest);
    if (!name.empty()) {
      ctx_.out.put(' ');
      if (name.find('\n') != name.npos) ctx_.out.write(base::gnu_quote_if_needed(name));
      else ctx_.out.write(name);
    }
    ctx_.out.put('\n');
  }

  CommandContext& ctx_;
  const Wanted& wanted_;
  int width_ = 1;
  Counts total_;
  bool failed_ = false;
};

// Columns wide enough for the sizes of all files together, and for seven digits
// where one of them has no size.
int column_width(CommandContext& ctx, const Wanted& wanted,
                 std::span<const std::string_view> names) {
  if (names.size() == 1 && wanted.count() == 1) return 1;
  int minimum = 1;
  uint64_t total = 0;
  for (std::string_view name : names) {
    ctx.meter.charge_work();
    if (name == "-" && !ctx.in) continue;
    auto st = name == "-" ? ctx.in.file()->stat() : ctx.fs.stat(name);
    if (!st) continue;
    if (st->type == vfs::FileType::regular) total += st->size;
    else minimum = 7;
  }
  int width = 1;
  for (; total >= 10; total /= 10) ++width;
  return std::max(width, minimum);
}

// --files0-from. The columns fit all files when the names are known beforehand.
int count_listed(CommandContext& ctx, const Wanted& wanted, std::string_view from) {
  NulNames names(ctx, from);
  if (!names.open()) {
    ctx.error("cannot open " + base::gnu_quote(from) + " for reading", names.error());
    return 1;
  }
  Wc wc(ctx, wanted);
  std::string name;
  uint64_t files = 0;
  if (names.from_file()) {
    std::deque<std::string> kept;
    std::vector<std::string_view> views;
    limits::MemoryCharge charge(ctx.meter);
    while (names.next(name)) {
      charge.add(static_cast<int64_t>(name.size() + 64));
      views.push_back(kept.emplace_back(name));
    }
    if (!views.empty()) wc.set_width(column_width(ctx, wanted, views));
    for (std::string_view view : views) wc.file(view, view);
    files = views.size();
  } else {
    for (; names.next(name); ++files) wc.file(name, name);
  }
  if (files > 1) wc.print_total();
  return wc.failed() || names.failed();
}

int wc_main(CommandContext& ctx) {
  Wanted wanted;
  std::string_view from;
  bool has_from = false;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'c': wanted.bytes = true; break;
      case 'm': wanted.chars = true; break;
      case 'l': wanted.lines = true; break;
      case 'w': wanted.words = true; break;
      case 'L': wanted.longest = true; break;
      case kFiles0: from = options.value(); has_from = true; break;
    }
  }
  if (options.done()) return options.status();
  if (wanted.count() == 0) wanted.lines = wanted.words = wanted.bytes = true;
  auto operands = options.operands();
  if (has_from) {
    if (!operands.empty()) {
      ctx.error("extra operand " + base::gnu_quote(operands[0]));
      ctx.err << "file operands cannot be combined with --files0-from\n";
      return options.usage_error();
    }
    return count_listed(ctx, wanted, from);
  }
  Wc wc(ctx, wanted);
  if (operands.empty()) {
    wc.set_width(column_width(ctx, wanted, kStdinOperand));
    wc.file("-", {});
    return wc.failed();
  }
  wc.set_width(column_width(ctx, wanted, operands));
  for (std::string_view name : operands) wc.file(name, name);
  if (operands.size() > 1) wc.print_total();
  return wc.failed();
}

}  // namespace

extern const interp::Command command_wc;
const interp::Command command_wc = {
    .name = "wc",
    .synopsis = "print newline, word, and byte counts for files",
    .usage = usage_text<kSpec>(),
    .main = wc_main,
};

}  // namespace nacre::builtins
