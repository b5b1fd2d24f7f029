// eval: its arguments, joined by blanks, are read and run as commands here.
#include "builtins/shell/getopt.h"
#include "interp/evaluate.h"
#include "limits/meter.h"

namespace nacre::builtins {

extern const interp::Command command_eval;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Outcome;
using interp::Process;

namespace {

int eval_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_eval, "");
  options.next();
  if (options.failed()) return options.status();
  Args words = options.rest();
  if (words.empty()) return 0;
  size_t size = words.size();
  for (std::string_view w : words) size += w.size();
  p.meter().check_string(static_cast<int64_t>(size));
  limits::MemoryCharge charge(p.meter(), static_cast<int64_t>(size));
  std::string text;
  text.reserve(size);
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += ' ';
    text += words[i];
  }
  uint32_t line = p.line;
  interp::SourceOptions how;
  how.first_line = line;
  how.label = "eval: ";
  how.verbose = false;
  Outcome o = interp::run_text(p, text, how);
  p.line = line;
  if (o.unwinding()) p.failure = o;
  return o.status;
}

}  // namespace

const Command command_eval = {
    "eval", "eval [arg ...]",
    "eval: eval [arg ...]\n"
    "    Run the ARGs as a command of this shell.\n"
    "    \n"
    "    The ARGs are joined to one string with blanks between them, which is then\n"
    "    read and executed as if it stood in the script.\n"
    "    \n"
    "    Exit Status:\n"
    "    That of the command; 0 when there is none.\n",
    CommandKind::special, nullptr, eval_builtin};

}  // namespace nacre::builtins
