// bash, sh and dash as commands: a fresh shell with what exec would hand it.
//
// Options are read as bash's own main does: long ones first (one dash or two),
// then groups of letters, of which o and O take a word each. Start-up files of
// interactive and login shells do not exist here; their options are accepted.
#include <optional>
#include <vector>

#include "base/numbers.h"
#include "builtins/shell/shell_options.h"
#include "interp/fresh_shell.h"
#include "interp/utility_host.h"

namespace nacre::builtins {

extern const interp::Command command_bash;
extern const interp::Command command_dash;
extern const interp::Command command_sh;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::FreshShell;
using interp::Process;
using interp::SetOption;
using interp::SetOptionInfo;
using interp::Shopt;
using interp::ShoptInfo;

namespace {

constexpr int kBadUsage = 2;

constexpr std::string_view kVersion =
    "GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n"
    "Copyright (C) 2022 Free Software Foundation, Inc.\n"
    "License GPLv3+: GNU GPL version 3 or later <http://gnu.org/licenses/gpl.html>\n"
    "\n"
    "This is free software; you are free to change and redistribute it.\n"
    "There is NO WARRANTY, to the extent permitted by law.\n";

constexpr std::string_view kUsage =
    "Usage:\tbash [GNU long option] [option] ...\n"
    "\tbash [GNU long option] [option] script-file ...\n"
    "GNU long options:\n"
    "\t--debug\n"
    "\t--debugger\n"
    "\t--dump-po-strings\n"
    "\t--dump-strings\n"
    "\t--help\n"
    "\t--init-file\n"
    "\t--login\n"
    "\t--noediting\n"
    "\t--noprofile\n"
    "\t--norc\n"
    "\t--posix\n"
    "\t--pretty-print\n"
    "\t--rcfile\n"
    "\t--restricted\n"
    "\t--verbose\n"
    "\t--version\n"
    "Shell options:\n"
    "\t-ilrsD or -c command or -O shopt_option\t\t(invocation only)\n"
    "\t-abefhkmnptuvxBCEHPT or -o option\n";

constexpr std::string_view kHelpTail =
    "Type `bash -c \"help set\"' for more information about shell options.\n"
    "Type `bash -c help' for more information about shell builtin commands.\n"
    "Use the `bashbug' command to report bugs.\n"
    "\n"
    "bash home page: <http://www.gnu.org/software/bash>\n"
    "General help using GNU software: <http://www.gnu.org/gethelp/>\n";

enum class LongOption : uint8_t {
  none, accept, take_file, help, login, posix, restricted, verbose, version, unsupported,
};
struct LongRow {
  std::string_view name;
  LongOption what;
};
constexpr LongRow kLong[] = {
    {"debug", LongOption::accept},           {"debugger", LongOption::unsupported},
    {"dump-po-strings", LongOption::unsupported}, {"dump-strings", LongOption::unsupported},
    {"help", LongOption::help},              {"init-file", LongOption::take_file},
    {"login", LongOption::login},            {"noediting", LongOption::accept},
    {"noprofile", LongOption::accept},       {"norc", LongOption::accept},
    {"posix", LongOption::posix},            {"pretty-print", LongOption::unsupported},
    {"protected", LongOption::accept},       {"rcfile", LongOption::take_file},
    {"restricted", LongOption::restricted},  {"verbose", LongOption::verbose},
    {"version", LongOption::version},
};

class Invocation {
 public:
  Invocation(CommandContext& ctx) : ctx_(ctx), args_(ctx.args) {}

  // The status of an invocation that ends here; nullopt when a shell is to run.
  std::optional<int> parse(FreshShell& shell) {
    if (auto status = parse_long(shell)) return status;
    while (at_ < args_.size() && !args_[at_].empty() && (args_[at_][0] == '-' || args_[at_][0] == '+')) {
      std::string_view word = args_[at_++];
      if (word == "-" || word == "--") break;
      if (auto status = parse_letters(word, shell)) return status;
    }
    return take_operands(shell);
  }

 private:
  std::optional<int> invalid(std::string_view option) {
    ctx_.error(std::string(option) + ": invalid option");
    ctx_.err << kUsage;
    ctx_.host.unsupported(ctx_.name(), option);
    return kBadUsage;
  }

  std::optional<int> parse_long(FreshShell& shell) {
    bool help = false, version = false;
    for (; at_ < args_.size() && args_[at_].starts_with('-'); ++at_) {
      std::string_view name = args_[at_].substr(1);
      bool two_dashes = name.starts_with('-');
      if (two_dashes) name.remove_prefix(1);
      if (two_dashes && name.empty()) break;
      LongOption what = LongOption::none;
      for (const LongRow& row : kLong)
        if (row.name == name) what = row.what;
      switch (what) {
        case LongOption::none:
          if (two_dashes) return invalid(args_[at_]);
          break;
        case LongOption::accept: break;
        case LongOption::unsupported: ctx_.host.unsupported(ctx_.name(), args_[at_]); break;
        case LongOption::take_file:
          if (++at_ >= args_.size()) {
            ctx_.error(std::string(name) + ": option requires an argument");
            return kBadUsage;
          }
          break;
        case LongOption::help: help = true; break;
        case LongOption::version: version = true; break;
        case LongOption::login: shell.options.put(Shopt::login_shell, true); break;
        case LongOption::posix: shell.posix_option = true; break;
        case LongOption::restricted: restrict_shell(shell); break;
        case LongOption::verbose: shell.options.put(SetOption::verbose, true); break;
      }
      if (what == LongOption::none) break;
    }
    if (help) {
      ctx_.out << "GNU bash, version 5.2.15(1)-release-(x86_64-pc-linux-gnu)\n" << kUsage << kHelpTail;
      return 0;
    }
    if (version) {
      ctx_.out << kVersion;
      return 0;
    }
    return std::nullopt;
  }

  void restrict_shell(FreshShell& shell) {
    shell.options.put(Shopt::restricted_shell, true);
    ctx_.host.unsupported(ctx_.name(), "--restricted");
  }

  void list_set_options(const FreshShell& shell, bool as_commands) {
    for (const SetOptionInfo& o : interp::set_option_table()) {
      bool on = shell.options.has(o.option);
      // bash shows its defaults before they have been adapted to a script.
      if (o.option == SetOption::emacs) on = true;
      std::string line;
      if (as_commands) append_set_command(line, o.name, on);
      else append_option_state(line, o.name, on);
      ctx_.out << line;
    }
  }
  void list_shopts(const FreshShell& shell, bool as_commands) {
    for (const ShoptInfo& o : interp::shopt_table()) {
      bool on = shell.options.has(o.option);
      std::string line;
      if (as_commands) {
        line = on ? "shopt -s " : "shopt -u ";
        line += o.name;
        line += '\n';
      } else {
        append_option_state(line, o.name, on);
      }
      ctx_.out << line;
    }
  }

  std::optional<int> parse_letters(std::string_view word, FreshShell& shell) {
    const bool on = word[0] == '-';
    for (char c : word.substr(1)) {
      switch (c) {
        case 'c': want_text_ = true; break;
        case 's': shell.from_stdin = true; break;
        case 'l': shell.options.put(Shopt::login_shell, true); break;
        case 'r': if (on) restrict_shell(shell); break;
        // Strings for translation are not printed; the script does not run either.
        case 'D':
          shell.options.put(SetOption::noexec, true);
          ctx_.host.unsupported(ctx_.name(), "-D");
          break;
        case 'i': ctx_.host.unsupported(ctx_.name(), "-i"); break;
        case 'o':
          if (at_ >= args_.size()) {
            list_set_options(shell, !on);
          } else if (auto o = interp::find_set_option(args_[at_])) {
            put(shell, *o, on);
            ++at_;
          } else {
            return bad_name("bash: " + std::string(args_[at_]) + ": invalid option name");
          }
          break;
        case 'O':
          if (at_ >= args_.size()) {
            list_shopts(shell, !on);
          } else if (auto o = interp::find_shopt(args_[at_])) {
            shell.options.put(*o, on);
            ++at_;
          } else {
            return bad_name(std::string(args_[at_]) + ": invalid shell option name");
          }
          break;
        default: {
          const SetOptionInfo* found = nullptr;
          for (const SetOptionInfo& o : interp::set_option_table())
            if (o.letter && o.letter == c) found = &o;
          if (!found) return invalid(std::string{word[0], c});
          put(shell, found->option, on);
        }
      }
    }
    return std::nullopt;
  }

  void put(FreshShell& shell, SetOption o, bool on) {
    if (o == SetOption::posix) shell.posix_option = on;
    else shell.options.put(o, on);
  }

  // Found out before any line of a script was read.
  std::optional<int> bad_name(std::string_view text) {
    ctx_.err << ctx_.name() << ": line 0: " << text << "\n";
    return kBadUsage;
  }

  std::optional<int> take_operands(FreshShell& shell) {
    if (want_text_) {
      if (at_ >= args_.size()) {
        ctx_.error("-c: option requires an argument");
        return kBadUsage;
      }
      shell.text = args_[at_++];
      shell.from_stdin = false;
      // -t stops a shell after one line that it reads, not a string.
      shell.options.put(SetOption::onecmd, false);
      if (at_ < args_.size()) shell.arg0 = args_[at_++];
    } else if (at_ < args_.size() && !shell.from_stdin) {
      shell.script = std::string(args_[at_++]);
    } else {
      shell.from_stdin = true;
    }
    shell.args = args_.subspan(at_);
    return std::nullopt;
  }

  CommandContext& ctx_;
  Args args_;
  size_t at_ = 1;
  bool want_text_ = false;
};

int run_shell(CommandContext& ctx, bool posix) {
  auto* host = dynamic_cast<interp::UtilityHost*>(&ctx.host);
  if (!host) {
    ctx.error("cannot start a shell here");
    return 126;
  }
  FreshShell shell;
  shell.posix = posix;
  std::string_view name = ctx.name();
  shell.arg0 = name;
  shell.options.put(Shopt::login_shell, name.starts_with('-'));
  if (auto status = Invocation(ctx).parse(shell)) return *status;
  ctx.out.flush();
  return interp::run_fresh_shell(host->process(), shell);
}

int bash_main(CommandContext& ctx) { return run_shell(ctx, false); }
int sh_main(CommandContext& ctx) { return run_shell(ctx, true); }

}  // namespace

const Command command_bash = {"bash", "bash [options] [-c string | file] [argument ...]", kUsage,
                              CommandKind::utility, bash_main};
const Command command_sh = {"sh", "sh [options] [-c string | file] [argument ...]", kUsage,
                            CommandKind::utility, sh_main};
const Command command_dash = {"dash", "dash [options] [-c string | file] [argument ...]", kUsage,
                              CommandKind::utility, sh_main};

}  // namespace nacre::builtins
