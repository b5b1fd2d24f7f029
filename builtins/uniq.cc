// uniq: reports or leaves out repeated lines that stand together.
#include <algorithm>
#include <cstring>
#include <string>

#include "base/quoting.h"
#include "builtins/support/choice.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/outputs.h"
#include "builtins/support/size.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kAllRepeated = kLongOnly, kGroup };

constexpr Option kOptions[] = {
    {"c", "count", Takes::nothing, "", "prefix lines by the number of occurrences"},
    {"d", "repeated", Takes::nothing, "", "only print duplicate lines, one for each group"},
    {"D", "", Takes::nothing, "", "print all duplicate lines"},
    {"", "all-repeated", Takes::optional, "METHOD",
     "like -D, but allow separating groups\n  with an empty line;\n"
     "  METHOD={none(default),prepend,separate}", kAllRepeated},
    {"f", "skip-fields", Takes::required, "N", "avoid comparing the first N fields"},
    {"", "group", Takes::optional, "METHOD",
     "show all items, separating groups with an empty line;\n"
     "  METHOD={separate(default),prepend,append,both}", kGroup},
    {"i", "ignore-case", Takes::nothing, "", "ignore differences in case when comparing"},
    {"s", "skip-chars", Takes::required, "N", "avoid comparing the first N characters"},
    {"u", "unique", Takes::nothing, "", "only print unique lines"},
    {"z", "zero-terminated", Takes::nothing, "", "line delimiter is NUL, not newline"},
    {"w", "check-chars", Takes::required, "N", "compare no more than N characters in lines"},
    {"0", "", Takes::digit_run},
};

constexpr OptionSpec kSpec = {
    .name = "uniq",
    .usage = "[OPTION]... [INPUT [OUTPUT]]",
    .intro = "Filter adjacent matching lines from INPUT (or standard input),\n"
             "writing to OUTPUT (or standard output).\n\n"
             "With no options, matching lines are merged to the first occurrence.",
    .options = kOptions,
    .outro = "A field is a run of blanks (usually spaces and/or TABs), then non-blank\n"
             "characters.  Fields are skipped before chars.\n\n"
             "Note: 'uniq' does not detect repeated lines unless they are adjacent.\n"
             "You may want to sort the input first, or use 'sort -u' without 'uniq'.",
    .order = Order::in_order,
};

enum Method : int { kNone, kPrepend, kSeparate, kAppend, kBoth };
constexpr Choice kDelimitMethods[] = {{"none", kNone}, {"prepend", kPrepend},
                                      {"separate", kSeparate}};
constexpr Choice kGroupMethods[] = {{"prepend", kPrepend}, {"append", kAppend},
                                    {"separate", kSeparate}, {"both", kBoth}};

struct Settings {
  uint64_t skip_fields = 0, skip_chars = 0, check_chars = UINT64_MAX;
  bool ignore_case = false;
  bool unique = true, first_repeated = true, later_repeated = false;
  bool count = false;
  bool grouping = false;       // --group
  int method = kNone;          // of -D and --group
  char delimiter = '\n';
};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr unsigned char lower(unsigned char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<unsigned char>(c + 32) : c;
}

class Uniq {
 public:
  Uniq(const Settings& set, interp::Output& out, limits::Meter& meter)
      : set_(set), out_(out), meter_(meter), charge_(meter) {}

  void run(interp::Input& in) {
    set_.grouping ? group(in) : filter(in);
  }

 private:
  // The part of a line that counts.
  std::string_view key(std::string_view line) const {
    size_t i = 0;
    for (uint64_t f = 0; f < set_.skip_fields && i < line.size(); ++f) {
      while (i < line.size() && (is_blank(line[i]) || line[i] == '\n')) ++i;
      while (i < line.size() && !is_blank(line[i]) && line[i] != '\n') ++i;
    }
    i += std::min<uint64_t>(set_.skip_chars, line.size() - i);
    return line.substr(i, std::min<uint64_t>(set_.check_chars, line.size() - i));
  }

  bool same(std::string_view a, std::string_view b) const {
    if (a.size() != b.size()) return false;
    if (!set_.ignore_case) return a == b;
    for (size_t i = 0; i < a.size(); ++i)
      if (lower(static_cast<unsigned char>(a[i])) != lower(static_cast<unsigned char>(b[i])))
        return false;
    return true;
  }

  void keep(std::string_view line) {
    if (line.size() > previous_.capacity()) {
      charge_.set(static_cast<int64_t>(2 * line.size()));
      previous_.reserve(2 * line.size());
    }
    previous_.assign(line);
    size_t at = static_cast<size_t>(key(line).data() - line.data());
    previous_key_ = std::string_view(previous_).substr(at, key(line).size());
  }

  void put_line(std::string_view line) {
    out_.write(line);
    out_.put(set_.delimiter);
  }

  // The line that is kept, if what it is (one of a kind, repeated) is wanted.
  // `match`: a further line like it was read; `linecount`: further ones so far.
  void put_kept(bool match, uint64_t linecount) {
    if (!(linecount == 0 ? set_.unique : !match ? set_.first_repeated : set_.later_repeated))
      return;
    if (set_.count) {
      char text[32];
      char* end = text + sizeof text;
      char* p = end;
      *--p = ' ';
      uint64_t n = linecount + 1;
      do *--p = static_cast<char>('0' + n % 10);
      while (n /= 10);
      while (end - p < 8) *--p = ' ';
      out_.write({p, static_cast<size_t>(end - p)});
    }
    put_line(previous_);
  }

  void filter(interp::Input& in) {
    std::string_view line;
    if (!in.read_line(line, set_.delimiter)) return;
    keep(line);
    uint64_t matches = 0;
    bool first_delimiter = true;
    while (!out_.has_error() && in.read_line(line, set_.delimiter)) {
      charge(line);
      std::string_view k = key(line);
      bool match = same(k, previous_key_);
      matches += match;
      if (set_.method != kNone) {
        // -D with delimiters: one stands before each group of repeated lines.
        if (!match) {
          if (matches) first_delimiter = false;
        } else if (matches == 1) {
          if (set_.method == kPrepend || (set_.method == kSeparate && !first_delimiter))
            out_.put(set_.delimiter);
        }
      }
      if (!match || set_.later_repeated) {
        put_kept(match, matches);
        keep(line);
        if (!match) matches = 0;
      }
    }
    put_kept(false, matches);
  }

  void group(interp::Input& in) {
    std::string_view line;
    bool first = true;
    while (!out_.has_error() && in.read_line(line, set_.delimiter)) {
      charge(line);
      bool fresh = first || !same(key(line), previous_key_);
      if (fresh && (set_.method == kPrepend || set_.method == kBoth || !first))
        out_.put(set_.delimiter);
      put_line(line);
      if (fresh) keep(line);
      first = false;
    }
    if (!first && (set_.method == kAppend || set_.method == kBoth)) out_.put(set_.delimiter);
  }

  void charge(std::string_view line) {
    pending_ += line.size() + 16;
    if (pending_ < 4096) return;
    meter_.charge_work(static_cast<int64_t>(pending_ / 4096));
    pending_ %= 4096;
  }

  const Settings& set_;
  interp::Output& out_;
  limits::Meter& meter_;
  limits::MemoryCharge charge_;
  std::string previous_;
  std::string_view previous_key_;
  size_t pending_ = 0;
};

// A count beyond what a line can hold is as good as no end.
bool read_skip(CommandContext& ctx, std::string_view text, std::string_view complaint,
               uint64_t& value) {
  Size size = parse_size(text, "");
  value = size.value;
  if (size.error == SizeError::none || size.error == SizeError::overflow) return true;
  ctx.error(std::string(text) + ": " + std::string(complaint));
  return false;
}

int uniq_main(CommandContext& ctx) {
  Settings set;
  std::vector<std::string_view> files;
  bool from_letter = false;
  bool option_seen = false;
  std::string digits;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case kOperand: {
        std::string_view text = options.value();
        // `+N` is an old way to skip characters.
        Size size;
        if (text.size() > 1 && text[0] == '+' && text[1] >= '0' && text[1] <= '9' &&
            (size = parse_size(text.substr(1), "")).error == SizeError::none) {
          set.skip_chars = size.value;
        } else if (files.size() == 2) {
          options.finish(extra_operand(ctx, kSpec, text));
        } else {
          files.push_back(text);
        }
        break;
      }
      case '0':
        if (from_letter) set.skip_fields = 0;
        from_letter = false;
        digits += options.value();
        set.skip_fields = parse_size(digits, "").value;
        break;
      case 'c': set.count = true; option_seen = true; break;
      case 'd': set.unique = false; option_seen = true; break;
      case 'D': case kAllRepeated:
        set.unique = false;
        set.later_repeated = true;
        option_seen = true;
        if (options.has_value()) {
          auto word =
              read_choice(ctx, kSpec, "--all-repeated", options.value(), kDelimitMethods);
          if (!word) options.finish(1);
          else set.method = *word;
        }
        break;
      case kGroup:
        set.grouping = true;
        set.method = kSeparate;
        if (options.has_value()) {
          auto word = read_choice(ctx, kSpec, "--group", options.value(), kGroupMethods);
          if (!word) options.finish(1);
          else set.method = *word;
        }
        break;
      case 'f':
        from_letter = true;
        if (!read_skip(ctx, options.value(), "invalid number of fields to skip", set.skip_fields))
          options.finish(1);
        break;
      case 'i': set.ignore_case = true; break;
      case 's':
        if (!read_skip(ctx, options.value(), "invalid number of bytes to skip", set.skip_chars))
          options.finish(1);
        break;
      case 'u': set.first_repeated = false; option_seen = true; break;
      case 'w':
        if (!read_skip(ctx, options.value(), "invalid number of bytes to compare",
                       set.check_chars))
          options.finish(1);
        break;
      case 'z': set.delimiter = '\0'; break;
    }
  }
  if (options.done()) return options.status();
  if (set.grouping && option_seen)
    return options.usage_error("--group is mutually exclusive with -c/-d/-D/-u");
  if (set.count && set.later_repeated)
    return options.usage_error("printing all duplicated lines and repeat counts is meaningless");

  InputFile file;
  interp::Input* in = file.open_or_report(ctx, files.empty() ? "-" : files[0]);
  if (!in) return 1;
  OutputFile out_file;
  interp::Output* out = &ctx.out;
  if (files.size() == 2 && files[1] != "-") {
    out = out_file.open(ctx, files[1]);
    if (!out) {
      ctx.error(base::gnu_quote_if_needed(files[1]), out_file.error());
      return 1;
    }
  }
  Uniq(set, *out, ctx.meter).run(*in);
  if (in->has_error()) {
    ctx.error("error reading " + base::gnu_quote(files.empty() ? "-" : files[0]));
    return 1;
  }
  return out_file.finish(ctx) ? 0 : 1;
}

}  // namespace

extern const interp::Command command_uniq;
const interp::Command command_uniq = {
    .name = "uniq",
    .synopsis = "report or omit repeated lines",
    .usage = usage_text<kSpec>(),
    .main = uniq_main,
};

}  // namespace nacre::builtins
