// source and . : the commands of a file, run in this shell.
//
// Arguments become the positional parameters while the file runs; a `set` in
// the file that replaces them makes the replacement stay, at top level, as in
// bash.
#include <algorithm>

#include "base/errno_text.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/evaluate.h"
#include "interp/invoke.h"
#include "interp/redirect.h"
#include "interp/traps.h"
#include "interp/variables.h"
#include "limits/meter.h"

namespace nacre::builtins {

extern const interp::Command command_dot;
extern const interp::Command command_source;

using interp::Args;
using interp::CallFrame;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::Outcome;
using interp::ParamList;
using interp::Process;
using interp::SetOption;
using interp::Shopt;

namespace {

// The file that NAME means: as it is with a slash, else the first readable
// file along PATH, else (not in posix mode) in the working directory.
bool find_file(Process& p, std::string_view name, std::string& path) {
  path = name;
  if (name.find('/') != std::string_view::npos || !p.has(Shopt::sourcepath)) return true;
  std::string list = interp::variable_or(p, p.session.names.path, "");
  for (size_t pos = 0; pos <= list.size() && !list.empty();) {
    size_t end = list.find(':', pos);
    if (end == std::string::npos) end = list.size();
    std::string candidate = list.substr(pos, end - pos);
    pos = end + 1;
    if (!candidate.empty() && !candidate.ends_with('/')) candidate += '/';
    candidate += name;
    auto st = p.state.view.stat(candidate);
    if (st && st->type != vfs::FileType::directory && p.state.view.access(candidate, 4)) {
      path = std::move(candidate);
      return true;
    }
  }
  return !p.has(SetOption::posix);
}

// bash leaves a script in posix mode when the file cannot be read.
int missing(Process& p) {
  if (p.has(SetOption::posix)) p.failure = Outcome(1, Flow::exit);
  return 1;
}

// The whole of a file; false after a message.
bool read_file(Process& p, CommandContext& ctx, const std::string& path, std::string& text,
               limits::MemoryCharge& charge) {
  vfs::OpenFlags flags;
  flags.read = true;
  auto file = interp::open_path(p, path, flags, 0);
  auto fail = [&](std::errc code) {
    if (code == std::errc::is_a_directory) {
      say(p, ctx.name(), path, "is a directory");
    } else {
      std::string message = path;
      message += ": ";
      message += base::errno_text(code);
      p.error(message);
    }
    return false;
  };
  if (!file) return fail(file.error());
  if ((*file)->kind() == interp::OpenKind::directory) return fail(std::errc::is_a_directory);
  for (;;) {
    auto chunk = (*file)->peek();
    if (!chunk) return fail(chunk.error());
    if (chunk->empty()) return true;
    size_t size = chunk->size();
    p.meter().check_string(static_cast<int64_t>(text.size() + size));
    charge.add(static_cast<int64_t>(size));
    text.append(*chunk);
    (*file)->consume(size);
  }
}

// Takes NUL bytes out as bash does: it does not look at what it moves into the
// place of one, so that of two in a row one stays, and ends the text. More than
// 256 are too many for a script: false.
bool remove_nuls(std::string& text) {
  size_t at = text.find('\0');
  if (at == std::string::npos) return true;
  constexpr int kMost = 256;
  int removed = 0;
  size_t kept = at;
  for (size_t i = at; i < text.size(); ++i) {
    if (text[i] == '\0') {
      if (++removed > kMost) return false;
      if (++i == text.size()) break;
    }
    text[kept++] = text[i];
  }
  text.resize(kept);
  text.resize(std::min(text.find('\0'), kept));
  return true;
}

// What the file's run changes around itself, put back however it ends.
class SourcedFile {
 public:
  SourcedFile(Process& p, std::string_view path, Args arguments) : p_(p), line_(p.line) {
    CallFrame frame;
    frame.kind = CallFrame::Kind::source;
    frame.name = "source";
    frame.source = path;
    frame.call_line = p.line;
    frame.trace_enabled = p.has(SetOption::functrace);
    p.frames.push_back(frame);
    ++p.source_level;
    if (arguments.empty()) return;
    auto list = base::make_ref<ParamList>(p.meter(), arguments);
    given_ = list.get();
    outer_ = p.state.params;
    outer_base_ = p.state.param_base;
    p.state.params = std::move(list);
    p.state.param_base = 0;
  }
  ~SourcedFile() {
    p_.frames.pop_back();
    --p_.source_level;
    p_.line = line_;
    // A `set` at top level made a list of its own: it stays.
    if (given_ && (p_.state.params.get() == given_ || p_.function_level > 0)) {
      p_.state.params = outer_;
      p_.state.param_base = outer_base_;
    }
  }
  SourcedFile(const SourcedFile&) = delete;

 private:
  Process& p_;
  uint32_t line_;
  const ParamList* given_ = nullptr;
  base::Ref<ParamList> outer_;
  size_t outer_base_ = 0;
};

int run_file(Process& p, CommandContext& ctx, const Command& command) {
  BuiltinOptions options(p, ctx, command, "");
  options.next();
  if (options.failed()) return options.status();
  Args operands = options.rest();
  if (operands.empty()) {
    say(p, ctx.name(), "filename argument required");
    return interp::builtin_usage(p, command);
  }
  std::string path;
  if (!find_file(p, operands[0], path)) {
    say(p, ctx.name(), operands[0], "file not found");
    return missing(p);
  }
  std::string text;
  limits::MemoryCharge charge(p.meter());
  if (!read_file(p, ctx, path, text, charge)) return missing(p);
  if (!remove_nuls(text)) {
    say(p, ctx.name(), path, "cannot execute binary file");
    return 126;
  }

  Outcome o;
  {
    SourcedFile scope(p, path, operands.subspan(1));
    o = interp::run_text(p, text);
    if (o.flow == Flow::return_) o.flow = Flow::next;
  }
  if (o.flow == Flow::next && interp::has_trap(p, interp::kTrapReturn)) {
    p.status = o.status;
    Outcome trapped = interp::run_trap(p, interp::kTrapReturn);
    if (trapped.unwinding()) o = trapped;
  }
  if (o.unwinding()) p.failure = o;
  return o.status;
}

int dot_builtin(Process& p, CommandContext& ctx) { return run_file(p, ctx, command_dot); }
int source_builtin(Process& p, CommandContext& ctx) { return run_file(p, ctx, command_source); }

}  // namespace

#define NACRE_SOURCE_HELP                                                           \
  "    Run the commands of a file in this shell.\n"                                 \
  "    \n"                                                                          \
  "    Read FILENAME and execute what it holds here, so that the variables and\n"   \
  "    functions it makes stay.  A FILENAME without a slash is looked for in the\n" \
  "    directories of PATH, then in the working directory.  ARGUMENTS, when given,\n" \
  "    are the positional parameters while the file runs.\n"                        \
  "    \n"                                                                          \
  "    Exit Status:\n"                                                              \
  "    That of the last command in FILENAME; 1 when it cannot be read.\n"

const Command command_dot = {".", ". filename [arguments]",
                             ".: . filename [arguments]\n" NACRE_SOURCE_HELP,
                             CommandKind::special, nullptr, dot_builtin};

const Command command_source = {"source", "source filename [arguments]",
                                "source: source filename [arguments]\n" NACRE_SOURCE_HELP,
                                CommandKind::special, nullptr, source_builtin};

#undef NACRE_SOURCE_HELP

}  // namespace nacre::builtins
