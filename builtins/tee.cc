// tee: copies standard input to standard output and to files.
#include <deque>
#include <string>

#include "base/quoting.h"
#include "builtins/support/choice.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kOutputError = kLongOnly };

constexpr Option kOptions[] = {
    {"a", "append", Takes::nothing, "", "append to the given FILEs, do not overwrite"},
    {"i", "ignore-interrupts", Takes::nothing, "", "ignore interrupt signals"},
    {"p", "", Takes::nothing, "", "diagnose errors writing to non pipes"},
    {"", "output-error", Takes::optional, "MODE", "set behavior on write error.  See MODE below",
     kOutputError},
};

constexpr OptionSpec kSpec = {
    .name = "tee",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Copy standard input to each FILE, and also to standard output.",
    .options = kOptions,
    .outro = "MODE determines behavior with write errors on the outputs:\n"
             "  warn           diagnose errors writing to any output\n"
             "  warn-nopipe    diagnose errors writing to any output not a pipe\n"
             "  exit           exit on error writing to any output\n"
             "  exit-nopipe    exit on error writing to any output not a pipe\n"
             "The default MODE for the -p option is 'warn-nopipe'.\n"
             "The default operation when --output-error is not specified, is to\n"
             "exit immediately on error writing to a pipe, and diagnose errors\n"
             "writing to non pipe outputs.",
    .column = 29,
};

enum Mode : int { kSigpipe, kWarn, kWarnNoPipe, kExit, kExitNoPipe };
constexpr Choice kModes[] = {{"warn", kWarn}, {"warn-nopipe", kWarnNoPipe}, {"exit", kExit},
                             {"exit-nopipe", kExitNoPipe}};

struct Target {
  std::string_view name;
  interp::OpenFileRef file;  // null: standard output
  bool open = true;
};

class Tee {
 public:
  Tee(CommandContext& ctx, Mode mode) : ctx_(ctx), mode_(mode) {}

  int run(std::span<const std::string_view> names, bool append) {
    targets_.push_back({"standard output", {}, true});
    if (mode_ != kSigpipe) ctx_.out.set_ignore_sigpipe(true);
    for (std::string_view name : names) {
      auto file = ctx_.host.open(
          name, {.write = true, .append = append, .create = true, .truncate = !append}, 0666);
      if (file) {
        targets_.push_back({name, std::move(*file), true});
        continue;
      }
      ctx_.error(base::gnu_quote_if_needed(name), file.error());
      failed_ = true;
      if (mode_ == kExit || mode_ == kExitNoPipe) return 1;
    }
    while (open_targets() > 0) {
      std::string_view chunk = ctx_.in.peek();
      if (chunk.empty()) break;
      for (Target& t : targets_)
        if (t.open && !write(t, chunk)) return 1;
      ctx_.in.consume(chunk.size());
    }
    if (ctx_.in.has_error()) {
      ctx_.error("read error", ctx_.in.error());
      failed_ = true;
    }
    return failed_;
  }

 private:
  int open_targets() const {
    int n = 0;
    for (const Target& t : targets_) n += t.open;
    return n;
  }

  // False when the command shall end.
  bool write(Target& t, std::string_view chunk) {
    std::errc error{};
    if (!t.file) {
      ctx_.out.write(chunk);
      ctx_.out.flush();
      if (!ctx_.out.has_error()) return true;
      error = ctx_.out.error();
    } else {
      auto written = t.file->write(chunk);
      if (written) return true;
      error = written.error();
    }
    t.open = false;
    bool pipe = error == std::errc::broken_pipe;
    if (pipe && mode_ == kSigpipe) throw interp::BrokenPipe{};
    if (pipe && (mode_ == kWarnNoPipe || mode_ == kExitNoPipe)) return true;
    ctx_.error(base::gnu_quote_if_needed(t.name), error);
    failed_ = true;
    return mode_ != kExit && mode_ != kExitNoPipe;
  }

  CommandContext& ctx_;
  Mode mode_;
  std::deque<Target> targets_;
  bool failed_ = false;
};

int tee_main(CommandContext& ctx) {
  bool append = false;
  Mode mode = kSigpipe;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'a': append = true; break;
      case 'i': break;  // nobody types at this command
      case 'p': mode = kWarnNoPipe; break;
      case kOutputError:
        mode = kWarnNoPipe;
        if (options.has_value()) {
          auto word = read_choice(ctx, kSpec, "--output-error", options.value(), kModes);
          if (!word) options.finish(1);
          else mode = static_cast<Mode>(*word);
        }
        break;
    }
  }
  if (options.done()) return options.status();
  return Tee(ctx, mode).run(options.operands(), append);
}

}  // namespace

extern const interp::Command command_tee;
const interp::Command command_tee = {
    .name = "tee",
    .synopsis = "copy standard input to files and to standard output",
    .usage = usage_text<kSpec>(),
    .main = tee_main,
};

}  // namespace nacre::builtins
