// echo: writes its arguments. Options are taken only when each of their letters
// is one of n, e, E; the last of e and E wins.
#include "builtins/shell/escapes.h"
#include "interp/command.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Output;
using interp::Process;
using interp::SetOption;
using interp::Shopt;

namespace {

// False when \c ended the output.
bool write_unescaped(Output& out, std::string_view s, EscapeStyle style) {
  for (size_t pos = 0; pos < s.size();) {
    size_t slash = s.find('\\', pos);
    if (slash == std::string_view::npos) {
      out.write(s.substr(pos));
      return true;
    }
    out.write(s.substr(pos, slash - pos));
    Escape e = decode_escape(s, slash, style);
    if (e.stop) return false;
    out.write({e.bytes, e.size});
    pos = slash + e.length;
  }
  return true;
}

bool is_option(std::string_view s) {
  return s.size() > 1 && s[0] == '-' && s.find_first_not_of("neE", 1) == std::string_view::npos;
}

int echo(Output& out, Args args, EscapeStyle style, bool options, bool escapes) {
  size_t i = 1;
  bool newline = true;
  for (; options && i < args.size() && is_option(args[i]); ++i)
    for (char c : args[i].substr(1)) {
      if (c == 'n') newline = false;
      else escapes = c == 'e';
    }
  for (size_t first = i; i < args.size(); ++i) {
    if (i > first) out.put(' ');
    if (!escapes) out.write(args[i]);
    else if (!write_unescaped(out, args[i], style)) return 0;
  }
  if (newline) out.put('\n');
  return 0;
}

int echo_builtin(Process& p, CommandContext& ctx) {
  bool xpg = p.has(Shopt::xpg_echo);
  return echo(ctx.out, ctx.args, EscapeStyle::echo, !(xpg && p.has(SetOption::posix)), xpg);
}

int echo_utility(CommandContext& ctx) { return echo(ctx.out, ctx.args, EscapeStyle::gnu, true, false); }

}  // namespace

extern const Command command_echo = {
    "echo", "echo [-neE] [arg ...]",
    "echo: echo [-neE] [arg ...]\n"
    "    Print the ARGs, one space between them and a newline behind them.\n"
    "    \n"
    "    Options:\n"
    "      -n\tprint no newline\n"
    "      -e\texpand the backslash escapes below\n"
    "      -E\tdo not expand them (the default)\n"
    "    \n"
    "    Escapes: \\a alert, \\b backspace, \\c end of all output, \\e or \\E escape,\n"
    "    \\f form feed, \\n newline, \\r carriage return, \\t tab, \\v vertical tab,\n"
    "    \\\\ backslash, \\0NNN octal byte, \\xHH hexadecimal byte, \\uHHHH and\n"
    "    \\UHHHHHHHH Unicode characters.\n"
    "    \n"
    "    Returns 0 unless writing fails.\n",
    CommandKind::builtin, echo_utility, echo_builtin};

}  // namespace nacre::builtins
