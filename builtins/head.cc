// head: the first lines or bytes of files, or all but the last ones.
//
// A file is read in place and left at the offset behind what was printed, so
// that the next reader goes on there. From a pipe head takes blocks of 8 KiB,
// as its namesake does, and what it took beyond the last line is gone.
#include <algorithm>
#include <string>

#include "base/quoting.h"
#include "builtins/support/held_bytes.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/size.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

constexpr Option kOptions[] = {
    {"c", "bytes", Takes::required, "[-]NUM",
     "print the first NUM bytes of each file;\n  with the leading '-', print all but the last\n"
     "  NUM bytes of each file"},
    {"n", "lines", Takes::required, "[-]NUM",
     "print the first NUM lines instead of the first 10;\n"
     "  with the leading '-', print all but the last\n  NUM lines of each file"},
    {"q", "quiet,silent", Takes::nothing, "", "never print headers giving file names"},
    {"v", "verbose", Takes::nothing, "", "always print headers giving file names"},
    {"z", "zero-terminated", Takes::nothing, "", "line delimiter is NUL, not newline"},
    {"0", "", Takes::digit_run},
};

constexpr OptionSpec kSpec = {
    .name = "head",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Print the first 10 lines of each FILE to standard output.\n"
             "With more than one FILE, precede each with a header giving the file name.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kOptions,
    .outro = "NUM may have a multiplier suffix:\n"
             "b 512, kB 1000, K 1024, MB 1000*1000, M 1024*1024,\n"
             "GB 1000*1000*1000, G 1024*1024*1024, and so on for T, P, E, Z, Y.\n"
             "Binary prefixes can be used, too: KiB=K, MiB=M, and so on.",
};

constexpr size_t kPipeBlock = 8192;

struct Head {
  CommandContext& ctx;
  uint64_t count = 10;
  bool bytes = false;
  bool all_but_last = false;
  char delimiter = '\n';

  bool set_count(std::string_view text, bool of_bytes) {
    bytes = of_bytes;
    all_but_last = text.starts_with('-');
    if (all_but_last) text.remove_prefix(1);
    return read_count(ctx, text, kSizeSuffixes, 0, UINT64_MAX,
                      bytes ? "invalid number of bytes" : "invalid number of lines", count);
  }

  void print(Input& in) {
    if (all_but_last) bytes ? all_but_bytes(in) : all_but_lines(in);
    else bytes ? first_bytes(in) : first_lines(in);
  }

  void first_bytes(Input& in) {
    for (uint64_t left = count; left > 0;) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return;
      chunk = chunk.substr(0, std::min<uint64_t>(left, chunk.size()));
      ctx.out.write(chunk);
      in.consume(chunk.size());
      left -= chunk.size();
    }
  }

  void first_lines(Input& in) {
    bool in_place = is_seekable(in);
    for (uint64_t left = count; left > 0;) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return;
      if (!in_place) chunk = chunk.substr(0, kPipeBlock);
      // When every byte were a line there still would not be enough.
      size_t end = chunk.size() < left ? std::string_view::npos
                                       : after_nth(chunk, delimiter, left);
      if (end != std::string_view::npos) {
        ctx.out.write(chunk.substr(0, end));
        in.consume(in_place ? end : chunk.size());
        return;
      }
      left -= count_byte(chunk, delimiter);
      ctx.out.write(chunk);
      in.consume(chunk.size());
    }
  }

  // What was not printed is there for the next reader, where that is possible.
  static void leave_behind(Input& in, size_t bytes) {
    if (is_seekable(in)) (void)in.file()->seek(-static_cast<int64_t>(bytes), 1);
  }

  // Hold back what may turn out to be the end while they write what is before it.
  void all_but_bytes(Input& in) {
    HeldBytes held(ctx.meter);
    while (true) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return leave_behind(in, held.size());
      size_t total = held.size() + chunk.size();
      size_t out = total > count ? total - count : 0;
      size_t from_held = std::min(out, held.size());
      ctx.out.write(held.view().substr(0, from_held));
      held.drop_front(from_held);
      ctx.out.write(chunk.substr(0, out - from_held));
      held.append(chunk.substr(out - from_held));
      in.consume(chunk.size());
    }
  }

  void all_but_lines(Input& in) {
    HeldBytes held(ctx.meter);
    uint64_t lines = 0;
    while (true) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return leave_behind(in, held.size());
      held.append(chunk);
      lines += count_byte(chunk, delimiter);
      in.consume(chunk.size());
      // A last line without delimiter counts as one.
      uint64_t have = lines + (held.view().back() != delimiter ? 1 : 0);
      if (have <= count) continue;
      uint64_t out = have - count;
      size_t end = out > lines ? held.size() : after_nth(held.view(), delimiter, out);
      ctx.out.write(held.view().substr(0, end));
      held.drop_front(end);
      lines -= std::min(out, lines);
    }
  }
};

// `head -5`, `head -20c`, `head -3qv`: only as the first argument.
void read_obsolete(Head& head, std::string_view arg, bool& quiet, bool& verbose,
                   OptionReader& options) {
  size_t i = 1;
  while (i < arg.size() && arg[i] >= '0' && arg[i] <= '9') ++i;
  std::string number(arg.substr(1, i - 1));
  bool bytes = false;
  for (; i < arg.size(); ++i) {
    switch (arg[i]) {
      case 'c': bytes = true; break;
      case 'b': case 'k': case 'm':
        bytes = true;
        number += arg[i];
        break;
      case 'l': bytes = false; break;
      case 'q': quiet = true; verbose = false; break;
      case 'v': verbose = true; quiet = false; break;
      case 'z': head.delimiter = '\0'; break;
      default: {
        std::string text("invalid trailing option -- ");
        return options.fail(text += arg[i]);
      }
    }
  }
  if (!head.set_count(number, bytes)) options.finish(1);
}

int head_main(CommandContext& ctx) {
  Head head{ctx};
  bool quiet = false, verbose = false;
  bool obsolete = ctx.args.size() > 1 && ctx.args[1].size() > 1 && ctx.args[1][0] == '-' &&
                  ctx.args[1][1] >= '0' && ctx.args[1][1] <= '9';
  OptionReader options(ctx, kSpec, obsolete ? 2 : 1);
  if (obsolete) read_obsolete(head, ctx.args[1], quiet, verbose, options);
  while (int id = options.next()) {
    switch (id) {
      case 'c':
      case 'n':
        if (!head.set_count(options.value(), id == 'c')) options.finish(1);
        break;
      case 'q': quiet = true; verbose = false; break;
      case 'v': verbose = true; quiet = false; break;
      case 'z': head.delimiter = '\0'; break;
      case '0':
        options.fail("invalid trailing option -- " + std::string(options.value().substr(0, 1)));
        break;
    }
  }
  if (options.done()) return options.status();

  auto operands = operands_or_stdin(options.operands());
  bool headers = verbose || (!quiet && operands.size() > 1);
  bool first = true;
  int status = 0;
  for (std::string_view name : operands) {
    InputFile file;
    Input* in = file.open(ctx, name);
    std::string_view shown = name == "-" ? "standard input" : name;
    if (!in) {
      ctx.error("cannot open " + base::gnu_quote(shown) + " for reading", file.error());
      status = 1;
      continue;
    }
    if (headers) ctx.out << (first ? "==> " : "\n==> ") << shown << " <==\n";
    first = false;
    head.print(*in);
    if (in->has_error()) {
      ctx.error("error reading " + base::gnu_quote(shown), in->error());
      status = 1;
    }
  }
  return status;
}

}  // namespace

extern const interp::Command command_head;
const interp::Command command_head = {
    .name = "head",
    .synopsis = "output the first part of files",
    .usage = usage_text<kSpec>(),
    .main = head_main,
};

}  // namespace nacre::builtins
