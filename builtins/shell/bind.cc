// bind: key bindings of a line editor that is not there. Options are checked
// as bash does when line editing is off; requests are told to the host.
#include <algorithm>
#include <array>

#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"

namespace nacre::builtins {

extern const interp::Command command_bind;

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

namespace {

constexpr std::array<std::string_view, 9> kKeymaps = {
    "emacs",    "emacs-ctlx", "emacs-meta", "emacs-standard", "vi",
    "vi-command", "vi-insert",  "vi-move",    "vi-move-mode"};

int bind_builtin(Process& p, CommandContext& ctx) {
  say(p, "bind", "warning: line editing not enabled");
  BuiltinOptions options(p, ctx, command_bind, "lvpVPsSXf:q:u:m:r:x:");
  while (char c = options.next()) {
    if (c == 'm' && std::ranges::find(kKeymaps, options.value()) == kKeymaps.end()) {
      say(p, "bind", "`" + std::string(options.value()) + "'", "invalid keymap name");
      return 1;
    }
    const char letter[] = {'-', c};
    p.session.add_unsupported("bind", {letter, sizeof letter});
  }
  if (options.failed()) return options.status();
  if (!options.rest().empty()) p.session.add_unsupported("bind", "key bindings");
  return 0;
}

}  // namespace

const Command command_bind = {
    "bind",
    "bind [-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x "
    "keyseq:shell-command] [keyseq:readline-function or readline-command]",
    "bind: bind [-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x "
    "keyseq:shell-command] [keyseq:readline-function or readline-command]\n"
    "    Show or set what keys do in the line editor.\n"
    "    \n"
    "    There is no line editor here: options are read, and nothing is bound.\n"
    "    \n"
    "    Options:\n"
    "      -m  keymap         the keymap to use\n"
    "      -l                 names of functions\n"
    "      -P                 functions and their keys\n"
    "      -p                 the same, as input for bind\n"
    "      -S                 macros and their keys\n"
    "      -s                 the same, as input for bind\n"
    "      -V                 variables\n"
    "      -v                 the same, as input for bind\n"
    "      -q  function-name  the keys of a function\n"
    "      -u  function-name  remove the keys of a function\n"
    "      -r  keyseq         remove the binding of a key\n"
    "      -f  filename       read bindings from a file\n"
    "      -x  keyseq:shell-command\tbind a key to a command\n"
    "      -X                 keys bound to commands\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option is invalid.\n",
    CommandKind::builtin, nullptr, bind_builtin};

}  // namespace nacre::builtins
