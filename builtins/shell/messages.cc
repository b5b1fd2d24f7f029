#include "builtins/shell/messages.h"

#include "builtins/shell/getopt.h"
#include "interp/invoke.h"
#include "interp/jobs.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::Job;
using interp::Process;

void say(Process& p, std::string_view builtin, std::string_view a, std::string_view b,
         std::string_view c) {
  std::string text(a);
  for (std::string_view more : {b, c})
    if (!more.empty()) {
      text += ": ";
      text += more;
    }
  interp::builtin_error(p, builtin, text);
}

void say_invalid_number(Process& p, std::string_view builtin, std::string_view word) {
  std::string_view what = "invalid number";
  if (word.size() > 1 && word[0] == '0') {
    if (word[1] >= '0' && word[1] <= '9') what = "invalid octal number";
    else if (word[1] == 'x') what = "invalid hex number";
  }
  say(p, builtin, word, what);
}

void say_need_number(Process& p, std::string_view builtin, std::string_view word) {
  say(p, builtin, word, "numeric argument required");
}

void say_no_such_job(Process& p, std::string_view builtin, std::string_view word) {
  say(p, builtin, word, "no such job");
}

Job* job_operand(Process& p, std::string_view builtin, std::string_view spec, bool& ambiguous) {
  ambiguous = false;
  Job* job = interp::find_job(p, spec, ambiguous);
  if (!ambiguous) return job;
  // bash names the text that it looked for.
  if (spec.starts_with('%')) spec.remove_prefix(1);
  if (spec.starts_with('?')) spec.remove_prefix(1);
  say(p, builtin, spec, "ambiguous job spec");
  return nullptr;
}

Args plain_operands(CommandContext& ctx, const Command& command, bool& shown) {
  Args rest = ctx.args.subspan(1);
  shown = !rest.empty() && rest[0] == "--help";
  if (shown) print_builtin_help(ctx, command);
  else if (!rest.empty() && rest[0] == "--") rest = rest.subspan(1);
  return rest;
}

}  // namespace nacre::builtins
