// cat: concatenates files. Without formatting options the bytes go from the
// description to the output in the chunks in which they lie there.
#include <cstring>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

constexpr Option kOptions[] = {
    {"A", "show-all", Takes::nothing, "", "equivalent to -vET"},
    {"b", "number-nonblank", Takes::nothing, "", "number nonempty output lines, overrides -n"},
    {"e", "", Takes::nothing, "", "equivalent to -vE"},
    {"E", "show-ends", Takes::nothing, "", "display $ at end of each line"},
    {"n", "number", Takes::nothing, "", "number all output lines"},
    {"s", "squeeze-blank", Takes::nothing, "", "suppress repeated empty output lines"},
    {"t", "", Takes::nothing, "", "equivalent to -vT"},
    {"T", "show-tabs", Takes::nothing, "", "display TAB characters as ^I"},
    {"u", "", Takes::nothing, "", "(ignored)"},
    {"v", "show-nonprinting", Takes::nothing, "",
     "use ^ and M- notation, except for LFD and TAB"},
};

constexpr OptionSpec kSpec = {
    .name = "cat",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Concatenate FILE(s) to standard output.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kOptions,
};

struct Style {
  bool number = false, number_nonblank = false, squeeze = false;
  bool ends = false, tabs = false, nonprinting = false;
  bool plain() const {
    return !number && !number_nonblank && !squeeze && !ends && !tabs && !nonprinting;
  }
};

// Writes lines in a Style; its state goes on from one file to the next.
class Formatter {
 public:
  Formatter(const Style& style, interp::Output& out) : style_(style), out_(out) {}

  void feed(std::string_view chunk) {
    const char* p = chunk.data();
    const char* end = p + chunk.size();
    while (p < end) {
      if (pending_cr_) {
        out_ << (*p == '\n' ? "^M" : "\r");
        pending_cr_ = false;
      }
      if (blank_lines_ >= 0) {
        if (*p == '\n') {
          ++p;
          if (style_.squeeze && blank_lines_ >= 1) continue;
          ++blank_lines_;
          if (style_.number && !style_.number_nonblank) put_number();
          out_ << (style_.ends ? "$\n" : "\n");
          continue;
        }
        blank_lines_ = -1;
        if (style_.number || style_.number_nonblank) put_number();
      }
      const char* eol = static_cast<const char*>(std::memchr(p, '\n', end - p));
      std::string_view part(p, (eol ? eol : end) - p);
      if (style_.ends && !style_.nonprinting && part.ends_with('\r')) {
        part.remove_suffix(1);
        put_visible(part);
        if (eol) out_ << "^M";
        else pending_cr_ = true;
      } else {
        put_visible(part);
      }
      p = eol ? eol + 1 : end;
      if (eol) {
        out_ << (style_.ends ? "$\n" : "\n");
        blank_lines_ = 0;
      }
    }
  }

  void end() {
    if (pending_cr_) out_ << "\r";
    pending_cr_ = false;
  }

 private:
  void put_number() {
    char text[32];
    char* end = text + sizeof text;
    char* p = end;
    *--p = '\t';
    uint64_t n = ++line_;
    do *--p = static_cast<char>('0' + n % 10);
    while (n /= 10);
    while (end - p < 7) *--p = ' ';
    out_.write({p, static_cast<size_t>(end - p)});
  }

  void put_visible(std::string_view s) {
    if (!style_.nonprinting && !style_.tabs) return out_.write(s);
    size_t start = 0;
    for (size_t i = 0; i < s.size(); ++i) {
      unsigned char c = s[i];
      bool as_is = c == '\t' ? !style_.tabs : !style_.nonprinting || (c >= 32 && c < 127);
      if (as_is) continue;
      out_.write(s.substr(start, i - start));
      start = i + 1;
      if (c >= 128) {
        out_ << "M-";
        c -= 128;
      }
      if (c < 32) {
        out_.put('^');
        out_.put(static_cast<char>(c + 64));
      } else if (c == 127) {
        out_ << "^?";
      } else {
        out_.put(static_cast<char>(c));
      }
    }
    out_.write(s.substr(start));
  }

  const Style& style_;
  interp::Output& out_;
  int blank_lines_ = 0;      // lines without text just before; -1 inside a line
  uint64_t line_ = 0;
  bool pending_cr_ = false;  // a \r that may turn out to stand before \n
};

// Copying a file onto its own end would never stop.
bool reads_its_output(CommandContext& ctx, Input& in) {
  interp::OpenFile* out = ctx.out.file();
  if (!out || !out->seekable() || !is_seekable(in)) return false;
  auto from = in.file()->stat();
  auto to = out->stat();
  if (!from || !to || to->type != vfs::FileType::regular) return false;
  if (from->dev != to->dev || from->ino != to->ino) return false;
  auto offset = in.file()->seek(0, 1);
  return offset && *offset < from->size;
}

int cat_main(CommandContext& ctx) {
  Style style;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'A': style.nonprinting = style.ends = style.tabs = true; break;
      case 'b': style.number_nonblank = true; break;
      case 'e': style.nonprinting = style.ends = true; break;
      case 'E': style.ends = true; break;
      case 'n': style.number = true; break;
      case 's': style.squeeze = true; break;
      case 't': style.nonprinting = style.tabs = true; break;
      case 'T': style.tabs = true; break;
      case 'u': break;
      case 'v': style.nonprinting = true; break;
    }
  }
  if (options.done()) return options.status();

  Formatter formatter(style, ctx.out);
  bool plain = style.plain();
  int status = 0;
  for (std::string_view name : operands_or_stdin(options.operands())) {
    InputFile file;
    Input* in = file.open_or_report(ctx, name);
    if (!in) {
      status = 1;
      continue;
    }
    if (reads_its_output(ctx, *in)) {
      ctx.error(base::gnu_quote_if_needed(name) + ": input file is output file");
      status = 1;
      continue;
    }
    while (!ctx.out.has_error()) {
      std::string_view chunk = in->peek();
      if (chunk.empty()) break;
      if (plain) ctx.out.write(chunk);
      else formatter.feed(chunk);
      in->consume(chunk.size());
      // What came through a pipe goes on at once.
      if (!is_seekable(*in)) ctx.out.flush();
    }
    if (in->has_error()) {
      ctx.error(base::gnu_quote_if_needed(name), in->error());
      status = 1;
    }
  }
  formatter.end();
  return status;
}

}  // namespace

extern const interp::Command command_cat;
const interp::Command command_cat = {
    .name = "cat",
    .synopsis = "concatenate files to standard output",
    .usage = usage_text<kSpec>(),
    .main = cat_main,
};

}  // namespace nacre::builtins
