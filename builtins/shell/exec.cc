// exec: a command in the shell's place. With redirections alone they stay,
// which is the evaluator's doing; nothing is left to do here then.
#include <algorithm>

#include "base/errno_text.h"
#include "builtins/shell/directory.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/invoke.h"
#include "interp/variables.h"

namespace nacre::builtins {

extern const interp::Command command_exec;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::Outcome;
using interp::Process;
using interp::Resolved;
using interp::ResolveOptions;
using interp::Shopt;

namespace {

// A shell that cannot exec ends, unless it shall not (a subshell always does);
// its EXIT trap runs.
int cannot_exec(Process& p, int status) {
  if (p.is_subshell || !p.has(Shopt::execfail)) p.failure = Outcome(status, Flow::exit);
  return status;
}

// exec -c: the command sees no variables.
void hide_variables(Process& p) {
  std::vector<base::Symbol> exported;
  p.state.vars.for_each([&](base::Symbol s, const interp::Variable& v) {
    if (v.has(interp::kExported)) exported.push_back(s);
  });
  for (base::Symbol s : exported)
    if (interp::Variable* v = p.state.vars.find_writable(s)) v->attrs &= ~interp::kExported;
}

int run_in_place(Process& p, Args words, bool clean, bool login, std::string_view as_name) {
  std::string_view name = words[0];
  ResolveOptions how;
  how.functions = false;
  how.builtins = false;
  // bash makes the name absolute before it runs it, and says it so.
  bool path = name.find('/') != std::string_view::npos;
  std::string full = path ? absolute_path(p, name.starts_with("./") ? name.substr(2) : name)
                          : std::string(name);
  Resolved found = interp::resolve_command(p, path ? std::string_view(full) : name, how);
  if (found.kind == Resolved::Kind::none && !path) {
    say(p, "exec", name, "not found");
    return cannot_exec(p, 127);
  }
  bool refused = found.kind == Resolved::Kind::directory ||
                 found.kind == Resolved::Kind::not_executable || found.kind == Resolved::Kind::none;
  if (refused) {
    std::errc why = std::errc::permission_denied;
    if (auto st = p.state.view.stat(full); !st) why = st.error();
    else if (st->type == vfs::FileType::directory) why = std::errc::is_a_directory;
    if (path) {
      std::string text = full;
      text += ": ";
      text += base::errno_text(why);
      p.error(text);
    }
    if (why == std::errc::no_such_file_or_directory) return cannot_exec(p, 127);
    std::string text = "cannot execute: ";
    text += base::errno_text(why);
    say(p, "exec", full, text);
    return cannot_exec(p, 126);
  }
  std::vector<std::string_view> argv(words.begin(), words.end());
  if (path && found.kind != Resolved::Kind::utility) argv[0] = full;
  std::string shown(as_name.empty() ? name : as_name);
  if (login) shown.insert(0, "-");
  bool renamed = login || !as_name.empty();
  if (clean) hide_variables(p);
  // The shell is gone once the command runs, and its traps with it; what it
  // ignores stays ignored.
  if (p.state.traps)
    std::erase_if(base::writable(p.state.traps).actions,
                  [](const auto& row) { return !row.second.text.empty(); });
  int status = 0;
  if (found.kind == Resolved::Kind::utility) {
    if (renamed) argv[0] = shown;
    status = interp::run_utility(p, *found.command, argv);
  } else {
    if (!path && !found.path.empty()) argv[0] = found.path;
    status = interp::run_command(p, argv, how).status;
  }
  p.failure = Outcome(status, Flow::exit);
  return status;
}

int exec_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_exec, "cla:");
  bool clean = false, login = false;
  std::string_view as_name;
  while (char c = options.next()) switch (c) {
      case 'c': clean = true; break;
      case 'l': login = true; break;
      default: as_name = options.value(); break;
    }
  if (options.failed()) return options.status();
  Args words = options.rest();
  if (words.empty()) return 0;
  return run_in_place(p, words, clean, login, as_name);
}

}  // namespace

const Command command_exec = {
    "exec", "exec [-cl] [-a name] [command [argument ...]] [redirection ...]",
    "exec: exec [-cl] [-a name] [command [argument ...]] [redirection ...]\n"
    "    Run COMMAND in the place of the shell.\n"
    "    \n"
    "    The shell ends and COMMAND, with its ARGUMENTs, goes on as its process.\n"
    "    Without COMMAND, the redirections are made for the shell itself.\n"
    "    \n"
    "    Options:\n"
    "      -a name\tgive COMMAND that name as its argument 0\n"
    "      -c\tgive COMMAND an empty environment\n"
    "      -l\tput a dash before COMMAND's argument 0\n"
    "    \n"
    "    A shell that cannot run COMMAND ends, unless it is interactive or\n"
    "    `shopt -s execfail' is set.\n"
    "    \n"
    "    Exit Status:\n"
    "    That of COMMAND; 127 when it is not found, 126 when it cannot be run, 1\n"
    "    after an error in a redirection.\n",
    CommandKind::special, nullptr, exec_builtin};

}  // namespace nacre::builtins
