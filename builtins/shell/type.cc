// type: what a name would run.
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
using interp::Process;
using Form = DescribeOptions::Form;

extern const Command command_type;

namespace {

// -type, --path and the like, from before there were letters; 0: none.
char old_option(std::string_view s) {
  if (!s.starts_with('-')) return 0;
  s.remove_prefix(s.starts_with("--") ? 2 : 1);
  if (s == "type") return 't';
  if (s == "path") return 'p';
  if (s == "all") return 'a';
  return 0;
}

int type_builtin(Process& p, CommandContext& ctx) {
  std::vector<std::string_view> args(ctx.args.begin(), ctx.args.end());
  for (size_t i = 1; i < args.size() && args[i].starts_with('-'); ++i) {
    switch (old_option(args[i])) {
      case 't': args[i] = "-t"; break;
      case 'p': args[i] = "-p"; break;
      case 'a': args[i] = "-a"; break;
      default: break;
    }
  }
  CommandContext renamed{args, ctx.in, ctx.out, ctx.err, ctx.fs, ctx.meter, ctx.clock, ctx.host};
  BuiltinOptions options(p, renamed, command_type, "afptP");
  DescribeOptions o;
  while (char c = options.next()) {
    switch (c) {
      case 'a': o.all = true; break;
      case 'f': o.functions = false; break;
      case 'p': o.form = Form::path; break;
      case 't': o.form = Form::word; break;
      case 'P':
        o.form = Form::path;
        o.only_files = true;
        break;
    }
  }
  if (options.failed()) return options.status();
  int status = 0;
  for (std::string_view name : options.rest()) {
    if (describe_command(p, ctx, name, o)) continue;
    status = 1;
    if (o.form != Form::sentence) continue;
    ctx.out.flush();
    interp::builtin_error(p, "type", std::string(name) + ": not found");
  }
  return status;
}

}  // namespace

extern const Command command_type = {
    "type", "type [-afptP] name [name ...]",
    "type: type [-afptP] name [name ...]\n"
    "    Tell what each NAME would run as a command.\n"
    "    \n"
    "    Options:\n"
    "      -a\ttell everything that the name could mean\n"
    "      -f\tdo not look at functions\n"
    "      -P\tsearch PATH only\n"
    "      -p\tprint the path when it is a file, otherwise nothing\n"
    "      -t\tprint one word: alias, keyword, function, builtin or file\n"
    "    \n"
    "    Returns 0 when all NAMEs are found.\n",
    CommandKind::builtin, nullptr, type_builtin};

}  // namespace nacre::builtins
