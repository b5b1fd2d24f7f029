// cd and pwd.
#include "base/errno_text.h"
#include "base/quoting.h"
#include "builtins/shell/directory.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/expand.h"
#include "interp/invoke.h"
#include "interp/variables.h"

namespace nacre::builtins {

extern const interp::Command command_cd;
extern const interp::Command command_pwd;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;
using interp::SetOption;
using interp::Shopt;

namespace {

// CDPATH is not used for these.
bool is_anchored(std::string_view dir) {
  return dir.starts_with('/') || dir == "." || dir == ".." || dir.starts_with("./") ||
         dir.starts_with("../");
}

// An element of CDPATH with DIR behind it. A leading ~ expands.
std::string join_cdpath(Process& p, std::string_view element, std::string_view dir) {
  std::string out;
  if (element.starts_with('~')) {
    size_t slash = element.find('/');
    std::string home;
    if (interp::shell_tilde(p, element.substr(1, slash == std::string_view::npos ? slash : slash - 1),
                            home)) {
      out = home;
      if (slash != std::string_view::npos) out += element.substr(slash);
    } else {
      out = element;
    }
  } else {
    out = element;
  }
  if (!out.empty() && !out.ends_with('/')) out += '/';
  out += dir;
  return out;
}

// 0 or 1 when an element of CDPATH led somewhere, -1 when none did.
int cd_by_cdpath(Process& p, CommandContext& ctx, std::string_view cdpath, std::string_view dir,
                 Links links) {
  for (size_t pos = 0; pos <= cdpath.size();) {
    size_t end = cdpath.find(':', pos);
    if (end == std::string_view::npos) end = cdpath.size();
    std::string_view element = cdpath.substr(pos, end - pos);
    pos = end + 1;
    std::string path = join_cdpath(p, element, dir);
    std::errc error{};
    if (!change_directory(p, path, links, error)) continue;
    if (!element.empty())
      ctx.out << (links == Links::physical ? std::string_view(path) : p.state.view.cwd()) << "\n";
    return update_pwd(p, p.has(SetOption::posix) ? Links::physical : links);
  }
  return -1;
}

int change(Process& p, CommandContext& ctx, Args operands, Links links) {
  std::string dir;
  bool print = false;
  if (operands.empty()) {
    auto home = interp::variable_text(p, "HOME");
    if (!home) {
      say(p, ctx.name(), "HOME not set");
      return 1;
    }
    dir = std::move(*home);
  } else if (operands.size() > 1) {
    say(p, ctx.name(), "too many arguments");
    return 1;
  } else if (operands[0] == "-") {
    auto old = interp::variable_text(p, "OLDPWD");
    if (!old) {
      say(p, ctx.name(), "OLDPWD not set");
      return 1;
    }
    dir = std::move(*old);
    print = true;
  } else {
    dir = operands[0];
    if (!is_anchored(dir))
      if (auto cdpath = interp::variable_text(p, "CDPATH"); cdpath && !cdpath->empty()) {
        int status = cd_by_cdpath(p, ctx, *cdpath, dir, links);
        if (status >= 0) return status;
      }
  }
  std::errc error{};
  if (change_directory(p, dir, links, error)) {
    if (print) ctx.out << dir << "\n";
    return update_pwd(p, links);
  }
  if (p.has(Shopt::cdable_vars) && !operands.empty()) {
    auto value = interp::variable_text(p, operands[0]);
    std::errc ignored{};
    if (value && change_directory(p, *value, links, ignored)) {
      ctx.out << *value << "\n";
      return update_pwd(p, links);
    }
  }
  std::string shown = base::needs_ansi_c(dir) ? base::ansi_c_quote(dir) : dir;
  say(p, ctx.name(), shown, base::errno_text(error));
  return 1;
}

int cd_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_cd, "LPe");
  Links links = p.has(SetOption::physical) ? Links::physical : Links::logical;
  while (char c = options.next()) switch (c) {
      case 'L': links = Links::logical; break;
      case 'P': links = Links::physical; break;
      default: break;  // -e asks for a check that cannot fail here: cwd is always known
    }
  if (options.failed()) return options.status();
  return change(p, ctx, options.rest(), links);
}

int pwd_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_pwd, "LP");
  bool physical = p.has(SetOption::physical);
  bool asked = false;
  while (char c = options.next()) {
    physical = c == 'P';
    asked |= physical;
  }
  if (options.failed()) return options.status();
  std::string dir = p.state.view.cwd();
  if (physical) {
    auto real = p.state.view.real_path(dir);
    if (!real) {
      ctx.out.flush();
      p.write_stderr("pwd: error retrieving current directory: getcwd: cannot access parent "
                     "directories: No such file or directory\n");
      return 1;
    }
    dir = *real;
  }
  ctx.out << dir << "\n";
  if (p.has(SetOption::posix) && asked) {
    vfs::View& view = p.state.view;
    (void)view.chdir(dir, dir);
    return update_pwd(p, Links::physical);
  }
  return 0;
}

}  // namespace

int cd_with(Process& p, CommandContext& ctx, Args args) {
  if (!args.empty() && args[0] == "--") args = args.subspan(1);
  return change(p, ctx, args, p.has(SetOption::physical) ? Links::physical : Links::logical);
}

const Command command_cd = {
    "cd", "cd [-L|[-P [-e]] [-@]] [dir]",
    "cd: cd [-L|[-P [-e]] [-@]] [dir]\n"
    "    Make DIR the working directory.\n"
    "    \n"
    "    Without DIR, go to the directory that HOME names; with `-', go back to\n"
    "    the one that OLDPWD names and print it.\n"
    "    \n"
    "    A DIR that does not begin with a slash, `./' or `../' is looked for in\n"
    "    each directory of CDPATH, a list separated by colons in which an empty\n"
    "    entry stands for the working directory.  Under `shopt -s cdable_vars', a\n"
    "    DIR that is not found may be the name of a variable that holds one.\n"
    "    \n"
    "    Options:\n"
    "      -L\tfollow symbolic links by name: `..' drops the last part of the\n"
    "    \t\tpath as it is written\n"
    "      -P\tfollow symbolic links in the tree: `..' is the parent of the\n"
    "    \t\tdirectory that a link leads to\n"
    "      -e\twith -P: fail when the new directory cannot be determined\n"
    "      -@\ton systems that have them, show extended attributes as files\n"
    "    \n"
    "    -L is the default.  `..' needs a directory before it, or cd fails.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 when the directory was changed (and PWD set, with -P -e); 1 otherwise.\n",
    CommandKind::builtin, nullptr, cd_builtin};

const Command command_pwd = {
    "pwd", "pwd [-LP]",
    "pwd: pwd [-LP]\n"
    "    Print the working directory.\n"
    "    \n"
    "    Options:\n"
    "      -L\tprint the path by which it was entered, links included\n"
    "      -P\tprint the path without symbolic links\n"
    "    \n"
    "    -L is the default.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option is unknown or the directory cannot be read.\n",
    CommandKind::builtin, nullptr, pwd_builtin};

}  // namespace nacre::builtins
