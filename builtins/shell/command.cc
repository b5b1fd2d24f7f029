// command and builtin: run a command while passing over functions, or over
// everything but builtins.
#include <string>

#include "builtins/shell/describe.h"
#include "builtins/shell/getopt.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Outcome;
using interp::Process;
using Form = DescribeOptions::Form;

extern const Command command_builtin;
extern const Command command_command;

namespace {

// The trees of compound assignments move with the arguments
// (`command declare a=(1)`).
class ShiftedDeclarations {
 public:
  ShiftedDeclarations(Process& p, size_t n) : p_(p), outer_(p.declaration_assigns) {
    p.declaration_assigns =
        n < outer_.size() ? outer_.subspan(n) : std::span<const parser::Assign* const>();
  }
  ~ShiftedDeclarations() { p_.declaration_assigns = outer_; }

 private:
  Process& p_;
  std::span<const parser::Assign* const> outer_;
};

int finish(Process& p, Outcome o) {
  if (o.unwinding()) p.failure = o;
  return o.status;
}

int describe(Process& p, CommandContext& ctx, Args names, DescribeOptions o) {
  bool any = false;
  for (std::string_view name : names) {
    if (describe_command(p, ctx, name, o)) {
      any = true;
    } else if (o.form == Form::sentence) {
      ctx.out.flush();
      interp::builtin_error(p, "command", std::string(name) + ": not found");
    }
  }
  return any ? 0 : 1;
}

int command_main(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_command, "pvV");
  bool default_path = false, tell = false;
  DescribeOptions o;
  while (char c = options.next()) {
    switch (c) {
      case 'p': default_path = true; break;
      case 'v':
        tell = true;
        o.form = Form::reusable;
        break;
      case 'V':
        tell = true;
        o.form = Form::sentence;
        break;
    }
  }
  if (options.failed()) return options.status();
  Args rest = options.rest();
  o.default_path = default_path;
  if (rest.empty()) return 0;
  if (tell) return describe(p, ctx, rest, o);
  ShiftedDeclarations shifted(p, options.rest_index());
  interp::ResolveOptions how;
  how.functions = false;
  how.default_path = default_path;
  return finish(p, interp::run_command(p, rest, how));
}

int builtin_main(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_builtin, "");
  options.next();
  if (options.failed()) return options.status();
  Args rest = options.rest();
  if (rest.empty()) return 0;
  const Command* c = p.session.commands.find(rest[0]);
  base::Symbol s = p.session.symbols.find(rest[0]);
  if (!c || !c->builtin || (s != base::kNoSymbol && interp::is_disabled(p, s))) {
    interp::builtin_error(p, "builtin", std::string(rest[0]) + ": not a shell builtin");
    return 1;
  }
  ShiftedDeclarations shifted(p, options.rest_index());
  return finish(p, interp::run_builtin(p, *c, rest));
}

}  // namespace

extern const Command command_builtin = {
    "builtin", "builtin [shell-builtin [arg ...]]",
    "builtin: builtin [shell-builtin [arg ...]]\n"
    "    Run a builtin, even where a function has its name.\n"
    "    \n"
    "    Returns the builtin's status, or 1 when it is none.\n",
    CommandKind::builtin, nullptr, builtin_main};

extern const Command command_command = {
    "command", "command [-pVv] command [arg ...]",
    "command: command [-pVv] command [arg ...]\n"
    "    Run a command without looking at functions, or tell what it is.\n"
    "    \n"
    "    Options:\n"
    "      -p    search the default PATH\n"
    "      -v    print what the name stands for, in a form that can be used again\n"
    "      -V    tell what the name stands for, in words\n"
    "    \n"
    "    Returns the command's status, or 1 when it is not found.\n",
    CommandKind::builtin, nullptr, command_main};

}  // namespace nacre::builtins
