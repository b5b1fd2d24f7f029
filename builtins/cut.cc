// cut: selected bytes or fields of each line.
//
// Both ways walk a whole chunk: a line that lies in it is never copied, runs of
// selected fields go out in one piece. Characters are bytes (coreutils 9.1).
#include <cstring>
#include <string>
#include <vector>

#include "base/quoting.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/ranges.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

enum : int { kComplement = kLongOnly, kOutputDelimiter };

constexpr Option kOptions[] = {
    {"b", "bytes", Takes::required, "LIST", "select only these bytes"},
    {"c", "characters", Takes::required, "LIST", "select only these characters"},
    {"d", "delimiter", Takes::required, "DELIM", "use DELIM instead of TAB for field delimiter"},
    {"f", "fields", Takes::required, "LIST",
     "select only these fields;  also print any line\n"
     "  that contains no delimiter character, unless\n  the -s option is specified"},
    {"n", "", Takes::nothing, "", "(ignored)"},
    {"", "complement", Takes::nothing, "", "complement the set of selected bytes, characters\n"
     "  or fields", kComplement},
    {"s", "only-delimited", Takes::nothing, "", "do not print lines not containing delimiters"},
    {"", "output-delimiter", Takes::required, "STRING",
     "use STRING as the output delimiter\n  the default is to use the input delimiter",
     kOutputDelimiter},
    {"z", "zero-terminated", Takes::nothing, "", "line delimiter is NUL, not newline"},
};

constexpr OptionSpec kSpec = {
    .name = "cut",
    .usage = "OPTION... [FILE]...",
    .intro = "Print selected parts of lines from each FILE to standard output.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kOptions,
    .outro = "Use one, and only one of -b, -c or -f.  Each LIST is made up of one\n"
             "range, or many ranges separated by commas.  Selected input is written\n"
             "in the same order that it is read, and is written exactly once.\n"
             "Each range is one of:\n\n"
             "  N     N'th byte, character or field, counted from 1\n"
             "  N-    from N'th byte, character or field, to end of line\n"
             "  N-M   from N'th to M'th (included) byte, character or field\n"
             "  -M    from first to M'th (included) byte, character or field",
    .column = 26,
};

constexpr RangeNames kFieldNames = {"fields are numbered from 1", "invalid field value",
                                    "invalid field range", "field number"};
constexpr RangeNames kByteNames = {"byte/character positions are numbered from 1",
                                   "invalid byte/character position",
                                   "invalid byte or character range", "byte/character offset"};

class Cut {
 public:
  std::vector<Range> ranges;
  bool fields = false;
  bool only_delimited = false;
  bool has_output_delimiter = false;
  char delimiter = '\t';
  char end = '\n';
  std::string output_delimiter;

  void run(CommandContext& ctx, Input& in) {
    out_ = &ctx.out;
    if (fields && end == delimiter) return cut_whole(in);
    std::string_view line;
    while (!out_->has_error()) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return;
      const void* last = memrchr(chunk.data(), end, chunk.size());
      if (!last) {
        // A line longer than the chunk, or the last one.
        if (!in.read_line(line, end)) return;
        cut_line(line);
        continue;
      }
      chunk = chunk.substr(0, static_cast<size_t>(static_cast<const char*>(last) - chunk.data()));
      ctx.meter.charge_work(work_for(chunk.size()));
      cut_lines(chunk);
      in.consume(chunk.size() + 1);
    }
  }

 private:
  // Where fields end as lines do, all of the input is one line.
  void cut_whole(Input& in) {
    std::string_view line;
    bool first = true, any = false;
    uint64_t field = 0;
    size_t range = 0;
    while (in.read_line(line, end)) {
      any = true;
      ++field;
      while (range < ranges.size() && ranges[range].high < field) ++range;
      if (range == ranges.size() || field < ranges[range].low) continue;
      if (!first) out_->write(output_delimiter);
      first = false;
      out_->write(line);
    }
    if (any) out_->put(end);
  }

  void cut_lines(std::string_view lines) {
    while (true) {
      const size_t eol = lines.find(end);
      const bool whole = eol != std::string_view::npos;
      size_t n = whole ? eol : lines.size();
      cut_line(lines.substr(0, n));
      if (!whole) return;
      lines.remove_prefix(n + 1);
    }
  }

  void cut_line(std::string_view line) {
    if (fields) cut_fields(line);
    else cut_bytes(line);
  }

  void cut_bytes(std::string_view line) {
    bool first = true;
    for (const Range& r : ranges) {
      if (r.low > line.size()) break;
      if (!first && has_output_delimiter) out_->write(output_delimiter);
      first = false;
      out_->write(line.substr(r.low - 1, r.high - r.low + (r.high != UINT64_MAX)));
    }
    out_->put(end);
  }

  // The selected fields of one range lie together in the line, delimiters
  // included, and go out as they are unless these are to be replaced.
  void cut_fields(std::string_view line) {
    const char* p = line.data();
    const char* stop = p + line.size();
    auto next = [&](const char* from) {
      return static_cast<const char*>(
          std::memchr(from, delimiter, static_cast<size_t>(stop - from)));
    };
    const char* mark = next(p);
    if (!mark) {
      if (!only_delimited) {
        out_->write(line);
        out_->put(end);
      }
      return;
    }
    uint64_t field = 1;
    bool first = true;
    for (const Range& r : ranges) {
      while (field < r.low && mark) {
        p = mark + 1;
        mark = next(p);
        ++field;
      }
      if (field < r.low) break;
      if (!first) out_->write(output_delimiter);
      first = false;
      if (!has_output_delimiter) {
        const char* begin = p;
        if (r.high == UINT64_MAX) {
          mark = nullptr;
        } else {
          while (field < r.high && mark) {
            p = mark + 1;
            mark = next(p);
            ++field;
          }
        }
        const char* after = mark ? mark : stop;
        out_->write({begin, static_cast<size_t>(after - begin)});
      } else {
        while (true) {
          const char* after = mark ? mark : stop;
          out_->write({p, static_cast<size_t>(after - p)});
          if (!mark || field == r.high) break;
          out_->write(output_delimiter);
          p = mark + 1;
          mark = next(p);
          ++field;
        }
      }
      if (!mark) break;
    }
    out_->put(end);
  }

  interp::Output* out_ = nullptr;
};

int cut_main(CommandContext& ctx) {
  Cut cut;
  std::string_view list;
  bool has_list = false, has_delimiter = false, complement = false;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'b': case 'c': case 'f':
        if (has_list) {
          options.fail("only one list may be specified");
          break;
        }
        has_list = true;
        list = options.value();
        cut.fields = id == 'f';
        break;
      case 'd':
        if (options.value().size() > 1) {
          options.fail("the delimiter must be a single character");
          break;
        }
        has_delimiter = true;
        cut.delimiter = options.value().empty() ? '\0' : options.value()[0];
        break;
      case 'n': break;
      case kComplement: complement = true; break;
      case 's': cut.only_delimited = true; break;
      case kOutputDelimiter:
        cut.has_output_delimiter = true;
        cut.output_delimiter = options.value();
        // An empty one is a NUL, as a C string would have it.
        if (cut.output_delimiter.empty()) cut.output_delimiter = std::string(1, '\0');
        break;
      case 'z': cut.end = '\0'; break;
    }
  }
  if (options.done()) return options.status();
  if (!has_list)
    return options.usage_error("you must specify a list of bytes, characters, or fields");
  if (!cut.fields && has_delimiter)
    return options.usage_error(
        "an input delimiter may be specified only when operating on fields");
  if (!cut.fields && cut.only_delimited)
    return options.usage_error(
        "suppressing non-delimited lines makes sense\n\tonly when operating on fields");
  std::string error;
  if (!parse_ranges(list, cut.fields ? kFieldNames : kByteNames, cut.ranges, error))
    return options.usage_error(error);
  if (complement) cut.ranges = complement_ranges(cut.ranges);
  limits::MemoryCharge charge(ctx.meter, static_cast<int64_t>(cut.ranges.size() * sizeof(Range)));
  if (cut.fields && !cut.has_output_delimiter) cut.output_delimiter = std::string(1, cut.delimiter);

  int status = 0;
  for (std::string_view name : operands_or_stdin(options.operands())) {
    InputFile file;
    Input* in = file.open_or_report(ctx, name);
    if (!in) {
      status = 1;
      continue;
    }
    cut.run(ctx, *in);
    if (in->has_error()) {
      ctx.error(base::gnu_quote_if_needed(name), in->error());
      status = 1;
    }
  }
  return status;
}

}  // namespace

extern const interp::Command command_cut;
const interp::Command command_cut = {
    .name = "cut",
    .synopsis = "remove sections from each line of files",
    .usage = usage_text<kSpec>(),
    .main = cut_main,
};

}  // namespace nacre::builtins
