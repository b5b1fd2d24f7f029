// set: options, positional parameters, the list of variables.
#include <string>

#include "builtins/shell/getopt.h"
#include "builtins/shell/set_listing.h"
#include "builtins/shell/shell_options.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::ParamList;
using interp::Process;
using interp::SetOption;

extern const Command command_set;

namespace {

void set_params(Process& p, Args args) {
  p.state.param_base = 0;
  if (args.empty()) {
    p.state.params.reset();
    return;
  }
  // The arguments may be views into the old list.
  auto fresh = base::make_ref<ParamList>(p.meter(), args);
  p.state.params = std::move(fresh);
}

// set -o (plus: set +o) without a name.
void list_options(Process& p, CommandContext& ctx, bool plus) {
  std::string out;
  for (const interp::SetOptionInfo& row : interp::set_option_table()) {
    bool on = p.has(row.option);
    if (plus) append_set_command(out, row.name, on);
    else append_option_state(out, row.name, on);
  }
  ctx.out.write(out);
}

int invalid_letter(Process& p, char sign, char letter) {
  std::string text{sign, letter};
  return option_error(p, command_set, text + ": invalid option");
}

bool is_flag_word(std::string_view s) { return s.size() > 1 && (s[0] == '-' || s[0] == '+'); }

// Letters are all checked before any of them is set.
int check_letters(Process& p, CommandContext& ctx, Args args) {
  for (size_t i = 0; i < args.size() && is_flag_word(args[i]); ++i) {
    if (args[i] == "--") return 0;
    if (args[i] == "--help") {
      print_builtin_help(ctx, command_set);
      return 2;
    }
    bool takes_name = false;
    for (char c : args[i].substr(1)) {
      if (c == 'o') takes_name = true;
      else if (!set_option_by_letter(c)) return invalid_letter(p, args[i][0], c);
    }
    if (takes_name && i + 1 < args.size() && !is_flag_word(args[i + 1])) ++i;
  }
  return 0;
}

int set_builtin(Process& p, CommandContext& ctx) {
  Args args = ctx.args.subspan(1);
  if (args.empty()) {
    std::string out;
    append_set_listing(p, out);
    ctx.out.write(out);
    return 0;
  }
  if (int status = check_letters(p, ctx, args)) return status;

  size_t i = 0;
  bool replace_params = false;
  for (; i < args.size(); ++i) {
    std::string_view word = args[i];
    if (word == "-" || word == "--") {
      if (word == "-") {
        set_option(p, SetOption::xtrace, false);
        set_option(p, SetOption::verbose, false);
      }
      replace_params = word == "--" || i + 1 < args.size();
      ++i;
      break;
    }
    if (!is_flag_word(word)) {
      replace_params = true;
      break;
    }
    const bool on = word[0] == '-';
    for (char c : word.substr(1)) {
      if (c != 'o') {
        set_option(p, *set_option_by_letter(c), on);
        continue;
      }
      // The name is the next argument; without one the options are listed.
      if (i + 1 >= args.size() || is_flag_word(args[i + 1])) {
        list_options(p, ctx, !on);
        continue;
      }
      std::string_view name = args[++i];
      auto option = interp::find_set_option(name);
      if (!option) {
        interp::builtin_error(p, "set", std::string(name) + ": invalid option name");
        return 2;
      }
      set_option(p, *option, on);
    }
  }
  if (replace_params) set_params(p, args.subspan(i));
  return 0;
}

}  // namespace

extern const Command command_set = {
    "set", "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
    "set: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]\n"
    "    Change the shell's options and positional parameters, or list its variables.\n"
    "    \n"
    "    Options (+ instead of - turns one off); the name is for -o:\n"
    "      -a  allexport    export each variable that is set\n"
    "      -b  notify       tell at once when a job ends\n"
    "      -e  errexit      leave the shell when a command fails\n"
    "      -f  noglob       do not expand patterns to file names\n"
    "      -h  hashall      remember where commands were found\n"
    "      -k  keyword      assignments anywhere in a command go to its environment\n"
    "      -m  monitor      job control\n"
    "      -n  noexec       read commands without running them\n"
    "      -p  privileged   do not read startup files\n"
    "      -t  onecmd       leave after one command\n"
    "      -u  nounset      an unset variable is an error\n"
    "      -v  verbose      print lines as they are read\n"
    "      -x  xtrace       print commands as they are run\n"
    "      -B  braceexpand  expand braces\n"
    "      -C  noclobber    > does not overwrite files\n"
    "      -E  errtrace     functions inherit the ERR trap\n"
    "      -H  histexpand   expand ! from the history\n"
    "      -P  physical     cd does not follow the logical path\n"
    "      -T  functrace    functions inherit the DEBUG and RETURN traps\n"
    "    and by name alone: emacs, history, ignoreeof, interactive-comments, nolog,\n"
    "    pipefail (the last failure in a pipeline is its status), posix, vi.\n"
    "    \n"
    "      --  the rest are positional parameters; with no rest there are none\n"
    "      -   the same, but without a rest nothing changes; -x and -v go off\n"
    "    \n"
    "    Returns 0 unless an option is wrong.\n",
    CommandKind::special, nullptr, set_builtin};

}  // namespace nacre::builtins
