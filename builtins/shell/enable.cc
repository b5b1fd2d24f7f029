// enable: turns builtins off and on, and lists them.
#include <algorithm>
#include <string>

#include "builtins/shell/getopt.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::DisabledBuiltins;
using interp::Process;

extern const Command command_enable;

namespace {

bool is_disabled(const Process& p, std::string_view name) {
  base::Symbol s = p.session.symbols.find(name);
  return s != base::kNoSymbol && interp::is_disabled(p, s);
}

enum class Which : uint8_t { enabled, disabled, all };

void list(Process& p, CommandContext& ctx, Which which, bool special_only) {
  std::string out;
  for (const Command* c : p.session.commands.all()) {
    if (!c->builtin || (special_only && c->kind != CommandKind::special)) continue;
    const bool off = is_disabled(p, c->name);
    if ((which == Which::enabled && off) || (which == Which::disabled && !off)) continue;
    out += off ? "enable -n " : "enable ";
    out += c->name;
    out += '\n';
  }
  ctx.out.write(out);
}

void switch_builtin(Process& p, std::string_view name, bool on) {
  base::Symbol s = p.session.symbols.intern(name);
  if (interp::is_disabled(p, s) != on) return;
  if (!p.state.disabled) p.state.disabled = base::make_ref<DisabledBuiltins>();
  auto& names = base::writable(p.state.disabled).names;
  if (on) std::erase(names, s);
  else names.push_back(s);
}

int fail(Process& p, std::string text) {
  interp::builtin_error(p, "enable", text);
  return 1;
}

int enable_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_enable, "adnpsf:");
  bool all = false, off = false, print = false, special = false, unload = false, load = false;
  std::string_view file;
  while (char c = options.next()) {
    switch (c) {
      case 'a': all = true; break;
      case 'd': unload = true; break;
      case 'n': off = true; break;
      case 'p': print = true; break;
      case 's': special = true; break;
      case 'f':
        load = true;
        file = options.value();
        break;
    }
  }
  if (options.failed()) return options.status();
  interp::Args names = options.rest();
  if (names.empty() || print) {
    list(p, ctx, all ? Which::all : off ? Which::disabled : Which::enabled, special);
    return 0;
  }
  // There is nothing to load from.
  if (load) {
    std::string text = "cannot open shared object " + std::string(file) + ": " + std::string(file);
    return fail(p, text + ": cannot open shared object file: No such file or directory");
  }
  int status = 0;
  for (std::string_view name : names) {
    const Command* c = p.session.commands.find(name);
    if (!c || !c->builtin || (special && c->kind != CommandKind::special))
      status = fail(p, std::string(name) + ": not a shell builtin");
    else if (unload) status = fail(p, std::string(name) + ": not dynamically loaded");
    else switch_builtin(p, name, !off);
  }
  return status;
}

}  // namespace

extern const Command command_enable = {
    "enable", "enable [-a] [-dnps] [-f filename] [name ...]",
    "enable: enable [-a] [-dnps] [-f filename] [name ...]\n"
    "    Turn builtins on, or off so that a command of the same name is found in PATH.\n"
    "    \n"
    "    Options:\n"
    "      -a\tlist all builtins, those that are off too\n"
    "      -n\tturn each NAME off, or list those that are off\n"
    "      -p\tlist builtins as commands that would turn them on\n"
    "      -s\tdeal only with POSIX's special builtins\n"
    "      -f filename\tload each NAME from a shared object (there are none)\n"
    "      -d\tremove a loaded builtin\n"
    "    \n"
    "    Returns 0 unless a NAME is no builtin.\n",
    CommandKind::builtin, nullptr, enable_builtin};

}  // namespace nacre::builtins
