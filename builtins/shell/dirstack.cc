// pushd, popd, dirs: the stack of directories. The working directory is its
// top; DirStack holds what lies below, newest first. Indexes are bash's: +N
// counts from the top, -N from the bottom, both from 0.
#include <algorithm>

#include "base/numbers.h"
#include "builtins/shell/directory.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/invoke.h"

namespace nacre::builtins {

extern const interp::Command command_dirs;
extern const interp::Command command_popd;
extern const interp::Command command_pushd;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::DirStack;
using interp::Process;

namespace {

DirStack& writable_stack(Process& p) {
  if (!p.state.dirs) p.state.dirs = base::make_ref<DirStack>();
  return base::writable(p.state.dirs);
}

int64_t stack_size(const Process& p) {
  return p.state.dirs ? static_cast<int64_t>(p.state.dirs->dirs.size()) : 0;
}

void push(Process& p, std::string_view dir) {
  DirStack& stack = writable_stack(p);
  p.meter().check_elements(static_cast<int64_t>(stack.dirs.size()) + 1);
  stack.dirs.insert(stack.dirs.begin(), std::string(dir));
}

int stack_error(Process& p, std::string_view builtin, std::string_view word) {
  if (stack_size(p) == 0) say(p, builtin, "directory stack empty");
  else say(p, builtin, word, "directory stack index out of range");
  return 1;
}

int usage_error(Process& p, const Command& command, std::string_view word, std::string_view what) {
  say(p, command.name, word, what);
  return interp::builtin_usage(p, command);
}

int number_error(Process& p, const Command& command, std::string_view word) {
  say_invalid_number(p, command.name, word);
  return interp::builtin_usage(p, command);
}

std::string shown(Process& p, std::string_view dir, bool full) {
  return full ? std::string(dir) : polite_directory(p, dir);
}

void put_index(CommandContext& ctx, int64_t n) {
  if (n < 10) ctx.out.put(' ');
  ctx.out.write_int(n);
  ctx.out << "  ";
}

struct Listing {
  bool full = false;      // -l
  bool lines = false;     // -p
  bool numbers = false;   // -v
};

// The whole stack, as pushd and popd print it too.
void print_stack(Process& p, CommandContext& ctx, Listing how = {}) {
  if (how.numbers) put_index(ctx, 0);
  ctx.out << shown(p, p.state.view.cwd(), how.full);
  if (p.state.dirs) {
    int64_t n = 0;
    for (const std::string& dir : p.state.dirs->dirs) {
      ++n;
      ctx.out.put(how.numbers || how.lines ? '\n' : ' ');
      if (how.numbers) put_index(ctx, n);
      ctx.out << shown(p, dir, how.full);
    }
  }
  ctx.out.put('\n');
}

int change_and_print(Process& p, CommandContext& ctx, std::string_view dir) {
  const std::string_view args[] = {"--", dir};
  if (int status = cd_with(p, ctx, args)) return status;
  print_stack(p, ctx);
  return 0;
}

int swap_top(Process& p, CommandContext& ctx) {
  if (stack_size(p) == 0) {
    say(p, ctx.name(), "no other directory");
    return 1;
  }
  DirStack& stack = writable_stack(p);
  std::string target = std::move(stack.dirs.front());
  stack.dirs.front() = p.state.view.cwd();
  return change_and_print(p, ctx, target);
}

// The top n entries (the working directory among them) go to the bottom.
int rotate(Process& p, CommandContext& ctx, int64_t n, bool no_change) {
  std::string top = p.state.view.cwd();
  if (n > 0) {
    DirStack& stack = writable_stack(p);
    stack.dirs.insert(stack.dirs.begin(), top);
    std::rotate(stack.dirs.begin(), stack.dirs.begin() + n, stack.dirs.end());
    top = std::move(stack.dirs.front());
    stack.dirs.erase(stack.dirs.begin());
  }
  return no_change ? 0 : change_and_print(p, ctx, top);
}

int pushd_builtin(Process& p, CommandContext& ctx) {
  Args args = ctx.args.subspan(1);
  if (!args.empty() && args[0] == "--help") {
    print_builtin_help(ctx, command_pushd);
    return 2;
  }
  bool dashes = !args.empty() && args[0] == "--";
  if (dashes) args = args.subspan(1);
  if (args.empty()) return swap_top(p, ctx);
  bool no_change = false, rotated = false;
  int64_t number = 0;
  for (; !dashes && !args.empty(); args = args.subspan(1)) {
    std::string_view word = args[0];
    if (word == "-n") {
      no_change = true;
    } else if (word == "--") {
      args = args.subspan(1);
      break;
    } else if (word != "-" && (word.starts_with('+') || word.starts_with('-'))) {
      auto n = base::parse_legal_number(word.substr(1));
      if (!n) return number_error(p, command_pushd, word);
      number = word[0] == '-' ? stack_size(p) - *n : *n;
      if (number < 0 || number > stack_size(p)) return stack_error(p, ctx.name(), word);
      rotated = true;
    } else {
      break;
    }
  }
  if (rotated) return rotate(p, ctx, number, no_change);
  if (args.empty()) return 0;
  std::string here = p.state.view.cwd();
  if (no_change) {
    push(p, args[0]);
  } else {
    if (cd_with(p, ctx, args) != 0) return 1;
    push(p, here);
  }
  print_stack(p, ctx);
  return 0;
}

int popd_builtin(Process& p, CommandContext& ctx) {
  Args args = ctx.args.subspan(1);
  if (!args.empty() && args[0] == "--help") {
    print_builtin_help(ctx, command_popd);
    return 2;
  }
  bool no_change = false;
  int64_t which = 0;
  char direction = '+';
  std::string_view which_word;
  for (std::string_view word : args) {
    if (word == "-n") {
      no_change = true;
      continue;
    }
    if (word == "--") break;
    direction = word.empty() ? 0 : word[0];
    if (direction == '+' || direction == '-') {
      auto n = base::parse_legal_number(word.substr(1));
      if (!n) return number_error(p, command_popd, word);
      which = *n;
      which_word = word;
    } else if (!word.empty()) {
      return usage_error(p, command_popd, word, "invalid argument");
    } else {
      break;
    }
  }
  int64_t size = stack_size(p);
  if (which > size || which < -size || (size == 0 && which == 0))
    return stack_error(p, ctx.name(), which_word);
  if ((direction == '+' && which == 0) || (direction == '-' && which == size)) {
    std::string top = p.state.dirs->dirs.front();
    const std::string_view target[] = {"--", top};
    if (!no_change)
      if (int status = cd_with(p, ctx, target)) return status;
    DirStack& stack = writable_stack(p);
    stack.dirs.erase(stack.dirs.begin());
  } else {
    // Counted from the bottom.
    int64_t index = direction == '+' ? size - which : which;
    if (index < 0 || index >= size) return stack_error(p, ctx.name(), which_word);
    DirStack& stack = writable_stack(p);
    stack.dirs.erase(stack.dirs.begin() + (size - 1 - index));
  }
  print_stack(p, ctx);
  return 0;
}

int dirs_builtin(Process& p, CommandContext& ctx) {
  Args args = ctx.args.subspan(1);
  if (!args.empty() && args[0] == "--help") {
    print_builtin_help(ctx, command_dirs);
    return 2;
  }
  Listing how;
  bool clear = false, one = false;
  int64_t from_top = 0;
  int64_t size = stack_size(p);
  std::string_view digits;
  for (std::string_view word : args) {
    if (word == "-l") how.full = true;
    else if (word == "-c") clear = true;
    else if (word == "-v") how.numbers = true;
    else if (word == "-p") how.lines = true;
    else if (word == "--") break;
    else if (word.starts_with('+') || word.starts_with('-')) {
      digits = word.substr(1);
      auto n = base::parse_legal_number(digits);
      if (!n) return number_error(p, command_dirs, word);
      one = true;
      from_top = *n < 0 || *n > size ? -1 : word[0] == '+' ? *n : size - *n;
    } else {
      return usage_error(p, command_dirs, word, "invalid option");
    }
  }
  if (clear) {
    p.state.dirs = {};
    return 0;
  }
  if (!one) {
    print_stack(p, ctx, how);
    return 0;
  }
  if (from_top < 0) return stack_error(p, ctx.name(), digits);
  if (how.numbers) put_index(ctx, from_top);
  ctx.out << shown(p, from_top == 0 ? p.state.view.cwd() : p.state.dirs->dirs[from_top - 1],
                   how.full)
          << "\n";
  return 0;
}

}  // namespace

const Command command_pushd = {
    "pushd", "pushd [-n] [+N | -N | dir]",
    "pushd: pushd [-n] [+N | -N | dir]\n"
    "    Put a directory on top of the directory stack and go there.\n"
    "    \n"
    "    The working directory is the top of the stack.  Without an argument, the\n"
    "    two topmost directories change places.\n"
    "    \n"
    "    Options:\n"
    "      -n\tchange the stack only, not the working directory\n"
    "    \n"
    "    Arguments:\n"
    "      +N\tRotate the stack so that the Nth directory from the left, as\n"
    "    \t\t`dirs' shows it and counted from zero, comes to the top.\n"
    "    \n"
    "      -N\tThe same, counted from the right.\n"
    "    \n"
    "      dir\tPut DIR on top and make it the working directory.\n"
    "    \n"
    "    `dirs' shows the stack.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an argument is invalid or the directory cannot be entered.\n",
    CommandKind::builtin, nullptr, pushd_builtin};

const Command command_popd = {
    "popd", "popd [-n] [+N | -N]",
    "popd: popd [-n] [+N | -N]\n"
    "    Take a directory off the directory stack.\n"
    "    \n"
    "    Without an argument, the top goes, and the directory below it becomes\n"
    "    the working directory.\n"
    "    \n"
    "    Options:\n"
    "      -n\tchange the stack only, not the working directory\n"
    "    \n"
    "    Arguments:\n"
    "      +N\tRemove the Nth directory from the left, as `dirs' shows it and\n"
    "    \t\tcounted from zero: `popd +0' removes the first.\n"
    "    \n"
    "      -N\tThe same, counted from the right: `popd -0' removes the last.\n"
    "    \n"
    "    `dirs' shows the stack.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an argument is invalid or the directory cannot be entered.\n",
    CommandKind::builtin, nullptr, popd_builtin};

const Command command_dirs = {
    "dirs", "dirs [-clpv] [+N] [-N]",
    "dirs: dirs [-clpv] [+N] [-N]\n"
    "    Show the directory stack.\n"
    "    \n"
    "    `pushd' puts directories on the stack, `popd' takes them off.\n"
    "    \n"
    "    Options:\n"
    "      -c\tremove everything below the working directory\n"
    "      -l\tprint the home directory in full, not as ~\n"
    "      -p\tprint one directory a line\n"
    "      -v\tprint one directory a line, with its number\n"
    "    \n"
    "    Arguments:\n"
    "      +N\tPrint only the Nth directory from the left, counted from zero.\n"
    "    \n"
    "      -N\tPrint only the Nth directory from the right, counted from zero.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option or an argument is invalid.\n",
    CommandKind::builtin, nullptr, dirs_builtin};

}  // namespace nacre::builtins
