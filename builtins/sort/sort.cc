// sort: sorts, merges or checks lines.
//
// Lines are read into large blocks (sort_lines.h) and compared by keys
// (sort_key.h); eight bytes of each line's first key are kept beside it and
// decide most comparisons. There are no temporary files: what does not fit into
// max_memory_bytes raises. Merging (-m) and checking (-c) hold one line of each
// input.
#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/sort/sort_key.h"
#include "builtins/sort/sort_lines.h"
#include "builtins/support/choice.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/outputs.h"
#include "builtins/support/size.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

enum : int {
  kSortWord = kLongOnly, kRandomSource, kCheckWord, kBatchSize, kCompress, kDebug, kFiles0,
  kParallel,
};

constexpr Option kOptions[] = {
    {"", "", Takes::nothing, "", "Ordering options:\n"},
    {"b", "ignore-leading-blanks", Takes::nothing, "", "ignore leading blanks"},
    {"d", "dictionary-order", Takes::nothing, "",
     "consider only blanks and alphanumeric characters"},
    {"f", "ignore-case", Takes::nothing, "", "fold lower case to upper case characters"},
    {"g", "general-numeric-sort", Takes::nothing, "",
     "compare according to general numerical value"},
    {"i", "ignore-nonprinting", Takes::nothing, "", "consider only printable characters"},
    {"M", "month-sort", Takes::nothing, "", "compare (unknown) < 'JAN' < ... < 'DEC'"},
    {"h", "human-numeric-sort", Takes::nothing, "",
     "compare human readable numbers (e.g., 2K 1G)"},
    {"n", "numeric-sort", Takes::nothing, "", "compare according to string numerical value"},
    {"R", "random-sort", Takes::nothing, "", "shuffle, but group identical keys.  See shuf(1)"},
    {"", "random-source", Takes::required, "FILE", "get random bytes from FILE", kRandomSource},
    {"r", "reverse", Takes::nothing, "", "reverse the result of comparisons"},
    {"", "sort", Takes::required, "WORD",
     "sort according to WORD:\n  general-numeric -g, human-numeric -h, month -M,\n"
     "  numeric -n, random -R, version -V", kSortWord},
    {"V", "version-sort", Takes::nothing, "", "natural sort of (version) numbers within text"},
    {"", "", Takes::nothing, "", "\nOther options:\n"},
    {"", "batch-size", Takes::required, "NMERGE", "merge at most NMERGE inputs at once",
     kBatchSize},
    {"c", "", Takes::nothing, "", "check for sorted input; do not sort"},
    {"C", "", Takes::nothing, "", "like -c, but do not report first bad line"},
    {"", "check", Takes::optional, "WORD",
     "diagnose-first (like -c), quiet or silent (like -C)", kCheckWord},
    {"", "compress-program", Takes::required, "PROG", "compress temporaries with PROG", kCompress},
    {"", "debug", Takes::nothing, "", "annotate the part of the line used to sort", kDebug},
    {"", "files0-from", Takes::required, "F",
     "read input from the files specified by\nNUL-terminated names in file F;\n"
     "If F is - then read names from standard input", kFiles0},
    {"k", "key", Takes::required, "KEYDEF", "sort via a key; KEYDEF gives location and type"},
    {"m", "merge", Takes::nothing, "", "merge already sorted files; do not sort"},
    {"o", "output", Takes::required, "FILE", "write result to FILE instead of standard output"},
    {"s", "stable", Takes::nothing, "", "stabilize sort by disabling last-resort comparison"},
    {"S", "buffer-size", Takes::required, "SIZE", "use SIZE for main memory buffer"},
    {"t", "field-separator", Takes::required, "SEP",
     "use SEP instead of non-blank to blank transition"},
    {"T", "temporary-directory", Takes::required, "DIR",
     "use DIR for temporaries, not $TMPDIR or /tmp"},
    {"", "parallel", Takes::required, "N", "change the number of sorts run concurrently to N",
     kParallel},
    {"u", "unique", Takes::nothing, "",
     "with -c, check for strict ordering;\nwithout -c, output only the first of an equal run"},
    {"y", "", Takes::required},
    {"z", "zero-terminated", Takes::nothing, "", "line delimiter is NUL, not newline"},
    {"0", "", Takes::digit_rest},
};

constexpr OptionSpec kSpec = {
    .name = "sort",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .intro = "Write sorted concatenation of all FILE(s) to standard output.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kOptions,
    .outro = "KEYDEF is F[.C][OPTS][,F[.C][OPTS]] for start and stop position, where F is a\n"
             "field number and C a character position in the field; both are origin 1, and\n"
             "the stop position defaults to the line's end.  If neither -t nor -b is in\n"
             "effect, characters in a field are counted from the beginning of the preceding\n"
             "whitespace.  OPTS is one or more single-letter ordering options [bdfgiMhnRrV],\n"
             "which override global ordering options for that key.  If no key is given, use\n"
             "the entire line as the key.\n\n"
             "SIZE may be followed by the following multiplicative suffixes:\n"
             "% 1% of memory, b 1, K 1024 (default), and so on for M, G, T, P, E, Z, Y.",
    .column = 30,
    .failure = 2,
    .order = Order::in_order,
};

constexpr Choice kSortWords[] = {{"general-numeric", 'g'}, {"human-numeric", 'h'},
                                 {"month", 'M'},           {"numeric", 'n'},
                                 {"random", 'R'},          {"version", 'V'}};
constexpr Choice kCheckWords[] = {{"quiet", 'C'}, {"silent", 'C'}, {"diagnose-first", 'c'}};

struct Job {
  SortOrder order;
  SortKey global;
  std::vector<std::string_view> files;
  std::string_view output, random_source, names_from;
  bool has_output = false, has_random_source = false, has_names = false;
  bool merge = false;
  char check = 0;  // 'c' or 'C'
};

// Writes lines in their order, the first of equal ones with -u.
class Writer {
 public:
  Writer(const SortOrder& order, interp::Output& out, limits::Meter& meter)
      : order_(order), out_(out), charge_(meter) {}

  void put(const SortLine& line) {
    if (order_.unique) {
      if (has_last_ && order_.compare_keys(last_, line) == 0) return;
      has_last_ = true;
      last_ = line;
    }
    write(line.view());
  }
  // For lines that do not stay where they are.
  void put_copy(const SortLine& line) {
    if (!order_.unique) return write(line.view());
    if (has_last_ && order_.compare_keys(last_, line) == 0) return;
    write(line.view());
    charge_.set(line.size);
    copy_.assign(line.view());
    last_ = order_.make_line(copy_);
    has_last_ = true;
  }
  bool failed() const { return out_.has_error(); }

 private:
  void write(std::string_view text) {
    out_.write(text);
    out_.put(order_.delimiter);
  }

  const SortOrder& order_;
  interp::Output& out_;
  limits::MemoryCharge charge_;
  SortLine last_{};
  std::string copy_;
  bool has_last_ = false;
};

class Sorter {
 public:
  Sorter(CommandContext& ctx, Job& job) : ctx_(ctx), job_(job) {}

  int run() {
    if (job_.check) return check(job_.files.empty() ? "-" : job_.files[0]);
    if (!readable_inputs()) return 2;
    interp::Output* out = &ctx_.out;
    OutputFile file;
    if (job_.has_output) {
      // Seen to before the work; truncated after the reading, as it may be an
      // input too.
      auto probe = ctx_.host.open(job_.output, {.write = true, .create = true}, 0666);
      if (!probe) return fail("open failed: ", job_.output, probe.error());
    }
    auto names = operands_or_stdin(job_.files);
    if (job_.merge && !job_.has_output) return merge(names, *out);
    SortLines lines(ctx_.meter, job_.order);
    std::vector<size_t> ends;
    for (std::string_view name : names) {
      InputFile input;
      Input* in = input.open(ctx_, name);
      if (!in) return fail("cannot read: ", name, input.error());
      if (!lines.read(*in)) return fail("read failed: ", name, in->error());
      ends.push_back(lines.lines().size());
    }
    if (!job_.merge) lines.sort();
    if (job_.has_output) {
      out = file.open(ctx_, job_.output);
      if (!out) return fail("open failed: ", job_.output, file.error());
    }
    Writer writer(job_.order, *out, ctx_.meter);
    if (job_.merge) {
      merge_held(lines.lines(), ends, writer);
    } else {
      for (const SortLine& line : lines.lines()) {
        writer.put(line);
        if (writer.failed()) break;
      }
    }
    return file.finish(ctx_) ? 0 : 2;
  }

 private:
  int fail(std::string_view what, std::string_view name, std::errc error) {
    ctx_.error(std::string(what) + base::gnu_quote_if_needed(name), error);
    return 2;
  }

  bool readable_inputs() {
    for (std::string_view name : job_.files) {
      if (name == "-") continue;
      if (auto may = ctx_.fs.access(name, 4); !may) {
        fail("cannot read: ", name, may.error());
        return false;
      }
    }
    return true;
  }

  int check(std::string_view name) {
    InputFile input;
    Input* in = input.open(ctx_, name);
    if (!in) return fail("cannot read: ", name, input.error());
    std::string previous;
    limits::MemoryCharge charge(ctx_.meter);
    SortLine last{};
    std::string_view text;
    for (uint64_t number = 1; in->read_line(text, job_.order.delimiter); ++number) {
      if ((number & 0x3f) == 0) ctx_.meter.charge_work();
      SortLine line = job_.order.make_line(text);
      if (number > 1) {
        int d = job_.order.compare(last, line);
        if (job_.order.unique ? d >= 0 : d > 0) {
          if (job_.check == 'c') {
            std::string where = base::gnu_quote_if_needed(name) + ":";
            base::append_uint(where, number);
            ctx_.error(where.append(": disorder: ").append(text));
          }
          return 1;
        }
      }
      if (text.size() > previous.capacity()) charge.set(static_cast<int64_t>(2 * text.size()));
      previous.assign(text);
      last = line;
      last.text = previous.data();
    }
    if (in->has_error()) return fail("read failed: ", name, in->error());
    return 0;
  }

  // One input of a merge, with its next line in hand.
  struct Stream {
    InputFile file;
    Input* in = nullptr;
    std::string text;
    SortLine line{};
    size_t number = 0;
  };

  bool advance(Stream& s, limits::MemoryCharge& charge) {
    std::string_view text;
    if (!s.in->read_line(text, job_.order.delimiter)) return false;
    if (text.size() > s.text.capacity()) charge.add(static_cast<int64_t>(2 * text.size()));
    s.text.assign(text);
    s.line = job_.order.make_line(s.text);
    return true;
  }

  int merge(std::span<const std::string_view> names, interp::Output& out) {
    std::deque<Stream> streams;
    std::vector<Stream*> heap;
    limits::MemoryCharge charge(ctx_.meter);
    // The top of the heap is the smallest; among equals the earlier input.
    auto after = [this](const Stream* a, const Stream* b) {
      int d = job_.order.compare(a->line, b->line);
      return d ? d > 0 : a->number > b->number;
    };
    for (std::string_view name : names) {
      Stream& s = streams.emplace_back();
      s.number = streams.size();
      s.in = s.file.open(ctx_, name);
      if (!s.in) return fail("cannot read: ", name, s.file.error());
      if (advance(s, charge)) heap.push_back(&s);
      else if (s.in->has_error()) return fail("read failed: ", name, s.in->error());
    }
    std::make_heap(heap.begin(), heap.end(), after);
    Writer writer(job_.order, out, ctx_.meter);
    uint64_t count = 0;
    while (!heap.empty() && !writer.failed()) {
      if ((++count & 0x3f) == 0) ctx_.meter.charge_work();
      std::pop_heap(heap.begin(), heap.end(), after);
      Stream& s = *heap.back();
      writer.put_copy(s.line);
      if (advance(s, charge)) std::push_heap(heap.begin(), heap.end(), after);
      else if (s.in->has_error()) return fail("read failed: ", names[s.number - 1], s.in->error());
      else heap.pop_back();
    }
    return 0;
  }

  // The same over inputs that were read before the output was opened.
  void merge_held(const std::vector<SortLine>& lines, const std::vector<size_t>& ends,
                  Writer& writer) {
    struct Run {
      size_t at, end, number;
    };
    std::vector<Run> heap;
    auto after = [&](const Run& a, const Run& b) {
      int d = job_.order.compare(lines[a.at], lines[b.at]);
      return d ? d > 0 : a.number > b.number;
    };
    size_t start = 0;
    for (size_t i = 0; i < ends.size(); ++i) {
      if (start < ends[i]) heap.push_back({start, ends[i], i});
      start = ends[i];
    }
    std::make_heap(heap.begin(), heap.end(), after);
    while (!heap.empty()) {
      ctx_.meter.charge_work();
      std::pop_heap(heap.begin(), heap.end(), after);
      Run& run = heap.back();
      writer.put(lines[run.at]);
      if (++run.at < run.end) std::push_heap(heap.begin(), heap.end(), after);
      else heap.pop_back();
    }
  }

  CommandContext& ctx_;
  Job& job_;
};

// `+POS1 [-POS2]`, from before -k. `pos2` is empty when it is not there. False
// when the text is no such thing (then it is a file).
bool parse_old_key(std::string_view pos1, std::string_view pos2, SortKey& key,
                   bool& bad_end) {
  auto number = [](std::string_view s, size_t& i, uint64_t& value) {
    size_t start = i;
    value = 0;
    for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i)
      if (value < UINT32_MAX) value = value * 10 + static_cast<uint64_t>(s[i] - '0');
    return i > start;
  };
  bad_end = false;
  size_t i = 1;
  if (!number(pos1, i, key.start_field)) return false;
  if (i < pos1.size() && pos1[i] == '.' && !number(pos1, ++i, key.start_char)) return false;
  i += read_key_options(pos1.substr(i), key, KeyPart::start);
  if (i != pos1.size()) return false;
  if (pos2.empty()) return true;
  i = 1;
  if (!number(pos2, i, key.end_field)) return false;
  if (i < pos2.size() && pos2[i] == '.' && !number(pos2, ++i, key.end_char)) {
    bad_end = true;
    return true;
  }
  // `-2` ends before field 2: at the end of the one in front of it.
  if (key.end_char == 0) {
    if (key.end_field == 0) key.end_field = 0;
    else --key.end_field;
  }
  i += read_key_options(pos2.substr(i), key, KeyPart::end);
  bad_end = i != pos2.size();
  return true;
}

bool read_tab(CommandContext& ctx, std::string_view text, int& tab) {
  if (text.empty()) {
    ctx.error("empty tab");
    return false;
  }
  int wanted = static_cast<unsigned char>(text[0]);
  if (text == "\\0") {
    wanted = 0;
  } else if (text.size() > 1) {
    ctx.error("multi-character tab " + base::gnu_locale_quote(text));
    return false;
  }
  if (tab != KeyComparer::kNoTab && tab != wanted) {
    ctx.error("incompatible tabs");
    return false;
  }
  tab = wanted;
  return true;
}

// Options whose values do not matter here still have to be right.
bool check_number(CommandContext& ctx, int id, std::string_view text) {
  if (id == 'S') {
    bool percent = text.ends_with('%');
    Size size = parse_size(percent ? text.substr(0, text.size() - 1) : text, "EgGkKmMPtTYZb");
    if (size.error == SizeError::none) return true;
    ctx.error(option_number_error("-S", text, size.error));
    return false;
  }
  if (id == kBatchSize) {
    Size size = parse_size(text, "");
    if (size.error == SizeError::none && size.value >= 2) return true;
    if (size.error == SizeError::none) {
      ctx.error("invalid --batch-size argument " + base::gnu_locale_quote(text));
      ctx.error("minimum --batch-size argument is " + base::gnu_locale_quote("2"));
    } else {
      ctx.error(option_number_error("--batch-size", text, size.error));
    }
    return false;
  }
  Size size = parse_size(text, "");
  if (size.error == SizeError::none && size.value == 0) {
    ctx.error("number in parallel must be nonzero");
    return false;
  }
  if (size.error == SizeError::none || size.error == SizeError::overflow) return true;
  ctx.error(option_number_error("--parallel", text, size.error));
  return false;
}

// Reads all options into `job`; a status when that ends the command.
std::optional<int> read_options(CommandContext& ctx, Job& job) {
  SortKey& global = job.global;
  std::vector<SortKey>& keys = job.order.comparer.keys;
  OptionReader options(ctx, kSpec);
  bool old_key_open = false;  // the last operand was `+POS1`: `-POS2` may follow
  std::string_view old_start;
  auto set_check = [&](char c) {
    if (job.check && job.check != c) {
      ctx.error("options '-cC' are incompatible");
      options.finish(2);
    }
    job.check = c;
  };
  while (int id = options.next()) {
    bool after_old_key = old_key_open;
    old_key_open = false;
    switch (id) {
      case kOperand: {
        std::string_view text = options.value();
        SortKey key;
        bool bad_end;
        if (text.starts_with('+') && parse_old_key(text, {}, key, bad_end)) {
          keys.push_back(key);
          old_key_open = true;
          old_start = text;
        } else {
          job.files.push_back(text);
        }
        break;
      }
      case '0': {
        SortKey key;
        bool bad_end = true;
        std::string text = "-" + std::string(options.value());
        if (after_old_key && parse_old_key(old_start, text, key, bad_end) && !bad_end) {
          keys.back() = key;
        } else if (after_old_key) {
          ctx.error("stray character in field spec: invalid field specification " +
                    base::gnu_locale_quote(text));
          options.finish(2);
        } else {
          options.fail("invalid option -- '" + std::string(options.value().substr(0, 1)) + "'");
        }
        break;
      }
      case 'b': case 'd': case 'f': case 'g': case 'h': case 'i': case 'M': case 'n': case 'R':
      case 'r': case 'V': {
        char letter = static_cast<char>(id);
        read_key_options({&letter, 1}, global, KeyPart::both);
        break;
      }
      case kSortWord:
        if (auto word = read_choice(ctx, kSpec, "--sort", options.value(), kSortWords)) {
          char letter = static_cast<char>(*word);
          read_key_options({&letter, 1}, global, KeyPart::both);
        } else {
          options.finish(1);
        }
        break;
      case kRandomSource:
        if (job.has_random_source && job.random_source != options.value()) {
          ctx.error("multiple random sources specified");
          options.finish(2);
        }
        job.random_source = options.value();
        job.has_random_source = true;
        break;
      case 'c': case 'C': set_check(static_cast<char>(id)); break;
      case kCheckWord:
        if (!options.has_value()) {
          set_check('c');
        } else if (auto word =
                       read_choice(ctx, kSpec, "--check", options.value(), kCheckWords)) {
          set_check(static_cast<char>(*word));
        } else {
          options.finish(1);
        }
        break;
      case kDebug:
        ctx.host.unsupported("sort", "--debug");
        options.fail("unsupported option '--debug'");
        break;
      case kFiles0: job.names_from = options.value(); job.has_names = true; break;
      case 'k': {
        SortKey key;
        std::string error;
        if (parse_sort_key(options.value(), key, error)) {
          keys.push_back(key);
        } else {
          ctx.error(error);
          options.finish(2);
        }
        break;
      }
      case 'm': job.merge = true; break;
      case 'o':
        if (job.has_output && job.output != options.value()) {
          ctx.error("multiple output files specified");
          options.finish(2);
        }
        job.output = options.value();
        job.has_output = true;
        break;
      case 's': job.order.stable = true; break;
      case 'S': case kBatchSize: case kParallel:
        if (!check_number(ctx, id, options.value())) options.finish(2);
        break;
      case 't':
        if (!read_tab(ctx, options.value(), job.order.comparer.tab)) options.finish(2);
        break;
      case 'T': case kCompress: case 'y': break;  // there are no temporary files
      case 'u': job.order.unique = true; break;
      case 'z': job.order.delimiter = '\0'; break;
    }
  }
  if (options.done()) return options.status();
  return std::nullopt;
}

// Sixteen bytes that random keys are hashed with.
bool make_salt(CommandContext& ctx, Job& job) {
  auto& salt = job.order.comparer.salt;
  if (!job.has_random_source) {
    for (size_t i = 0; i < salt.size(); i += 8) {
      uint64_t bits = ctx.host.random();
      std::memcpy(salt.data() + i, &bits, 8);
    }
    return true;
  }
  InputFile file;
  Input* in = file.open_path(ctx, job.random_source);
  if (!in) {
    ctx.error("open failed: " + base::gnu_quote_if_needed(job.random_source), file.error());
    return false;
  }
  size_t have = 0;
  while (have < salt.size()) {
    std::string_view chunk = in->read_chunk(salt.size() - have);
    if (chunk.empty()) {
      std::string name = base::gnu_locale_quote(job.random_source);
      if (in->has_error()) ctx.error(name + ": read error", in->error());
      else ctx.error(name + ": end of file");
      return false;
    }
    std::memcpy(salt.data() + have, chunk.data(), chunk.size());
    have += chunk.size();
  }
  return true;
}

// Gives the keys the global options and looks for those that exclude each other.
bool settle_keys(CommandContext& ctx, Job& job) {
  std::vector<SortKey>& keys = job.order.comparer.keys;
  for (SortKey& key : keys)
    if (key.plain() && !key.reverse) key.inherit(job.global);
  if (keys.empty() && !job.global.plain()) keys.push_back(job.global);
  job.order.reverse = job.global.reverse;
  bool random = false;
  for (SortKey& key : keys) {
    if (std::string letters = key.settle(); !letters.empty()) {
      ctx.error("options '-" + letters + "' are incompatible");
      return false;
    }
    random |= key.order == KeyOrder::random;
  }
  return !random || make_salt(ctx, job);
}

int sort_main(CommandContext& ctx) {
  Job job;
  if (auto status = read_options(ctx, job)) return *status;
  std::deque<std::string> listed;
  limits::MemoryCharge charge(ctx.meter);
  if (job.has_names) {
    if (!job.files.empty()) {
      ctx.error("extra operand " + base::gnu_quote(job.files[0]));
      ctx.err << "file operands cannot be combined with --files0-from\n";
      return usage_error(ctx, kSpec, {});
    }
    NulNames names(ctx, job.names_from);
    if (!names.open()) {
      ctx.error("open failed: " + base::gnu_quote_if_needed(job.names_from), names.error());
      return 2;
    }
    std::string name;
    while (!names.failed() && names.next(name)) {
      charge.add(static_cast<int64_t>(name.size() + 64));
      job.files.push_back(listed.emplace_back(name));
    }
    if (names.failed()) return 2;
    if (job.files.empty()) {
      ctx.error("no input from " + base::gnu_quote(job.names_from));
      return 2;
    }
  }
  if (!settle_keys(ctx, job)) return 2;
  if (job.check) {
    if (job.files.size() > 1) {
      ctx.error("extra operand " + base::gnu_quote(job.files[1]) + " not allowed with -" +
                job.check);
      return 2;
    }
    if (job.has_output) {
      ctx.error(std::string("options '-") + job.check + "o' are incompatible");
      return 2;
    }
  }
  return Sorter(ctx, job).run();
}

}  // namespace

extern const interp::Command command_sort;
const interp::Command command_sort = {
    .name = "sort",
    .synopsis = "sort lines of text files",
    .usage = usage_text<kSpec>(),
    .main = sort_main,
};

}  // namespace nacre::builtins
