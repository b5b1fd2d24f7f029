// shopt: options by name, those of `set -o` too (-o).
#include <string>

#include "builtins/shell/getopt.h"
#include "builtins/shell/shell_options.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

extern const Command command_shopt;

namespace {

struct ShoptOptions {
  bool set = false, unset = false, quiet = false, print = false, set_options = false;
};

void append_state(std::string& out, const ShoptOptions& o, std::string_view name, bool on) {
  if (!o.print) {
    append_option_state(out, name, on);
  } else if (o.set_options) {
    append_set_command(out, name, on);
  } else {
    out += on ? "shopt -s " : "shopt -u ";
    out += name;
    out += '\n';
  }
}

// Those that -s or -u asks for, or all.
void list_all(Process& p, const ShoptOptions& o, std::string& out) {
  auto wanted = [&](bool on) { return o.set ? on : o.unset ? !on : true; };
  if (o.set_options) {
    for (const interp::SetOptionInfo& row : interp::set_option_table())
      if (wanted(p.has(row.option))) append_state(out, o, row.name, p.has(row.option));
  } else {
    for (const interp::ShoptInfo& row : interp::shopt_table())
      if (wanted(p.has(row.option))) append_state(out, o, row.name, p.has(row.option));
  }
}

int invalid_name(Process& p, CommandContext& ctx, const ShoptOptions& o, std::string_view name) {
  ctx.out.flush();
  interp::builtin_error(p, "shopt",
                        std::string(name) + (o.set_options ? ": invalid option name"
                                                           : ": invalid shell option name"));
  return 1;
}

// One name: changed, or shown.
int handle(Process& p, CommandContext& ctx, const ShoptOptions& o, std::string_view name) {
  bool on;
  if (o.set_options) {
    auto option = interp::find_set_option(name);
    if (!option) return invalid_name(p, ctx, o, name);
    if (o.set || o.unset) set_option(p, *option, o.set);
    on = p.has(*option);
  } else {
    auto option = interp::find_shopt(name);
    if (!option) return invalid_name(p, ctx, o, name);
    if (o.set || o.unset) set_shopt(p, *option, o.set);
    on = p.has(*option);
  }
  if (o.set || o.unset) return 0;
  if (!o.quiet) {
    std::string out;
    append_state(out, o, name, on);
    ctx.out.write(out);
  }
  return on ? 0 : 1;
}

int shopt_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_shopt, "psuoq");
  ShoptOptions o;
  while (char c = options.next()) {
    switch (c) {
      case 's': o.set = true; break;
      case 'u': o.unset = true; break;
      case 'q': o.quiet = true; break;
      case 'o': o.set_options = true; break;
      case 'p': o.print = true; break;
    }
  }
  if (options.failed()) return options.status();
  if (o.set && o.unset) {
    interp::builtin_error(p, "shopt", "cannot set and unset shell options simultaneously");
    return 1;
  }
  Args names = options.rest();
  if (names.empty()) {
    std::string out;
    if (!o.quiet) list_all(p, o, out);
    ctx.out.write(out);
    return 0;
  }
  int status = 0;
  for (std::string_view name : names) status |= handle(p, ctx, o, name);
  return status;
}

}  // namespace

extern const Command command_shopt = {
    "shopt", "shopt [-pqsu] [-o] [optname ...]",
    "shopt: shopt [-pqsu] [-o] [optname ...]\n"
    "    Turn options of the shell on and off, or show them.\n"
    "    \n"
    "    Options:\n"
    "      -o\tdeal with the options of `set -o'\n"
    "      -p\tshow options as commands that would set them\n"
    "      -q\tprint nothing: the status tells whether all OPTNAMEs are on\n"
    "      -s\tturn each OPTNAME on, or list those that are on\n"
    "      -u\tturn each OPTNAME off, or list those that are off\n"
    "    \n"
    "    Returns 0 when each OPTNAME is on (or was set), otherwise 1.\n",
    CommandKind::builtin, nullptr, shopt_builtin};

}  // namespace nacre::builtins
