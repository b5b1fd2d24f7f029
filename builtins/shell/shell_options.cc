#include "builtins/shell/shell_options.h"

#include "interp/variables.h"

namespace nacre::builtins {

using interp::Process;
using interp::SetOption;
using interp::Shopt;

namespace {

// A variable that mirrors an option: set to `text`, or unset. It is written
// past its hook, which would set the option again.
void mirror(Process& p, base::Symbol name, std::string_view text, bool on) {
  if (!on) {
    p.state.vars.unset(name);
    return;
  }
  const interp::Variable* v = p.state.vars.find(name);
  if (!v || !v->is_set()) p.state.vars.create(name).set_text(text);
}

constexpr Shopt kCompat[] = {Shopt::compat31, Shopt::compat32, Shopt::compat40, Shopt::compat41,
                             Shopt::compat42, Shopt::compat43, Shopt::compat44};

}  // namespace

std::optional<SetOption> set_option_by_letter(char letter) {
  for (const interp::SetOptionInfo& row : interp::set_option_table())
    if (row.letter && row.letter == letter) return row.option;
  return std::nullopt;
}

void set_option(Process& p, SetOption option, bool on) {
  p.state.options.put(option, on);
  switch (option) {
    case SetOption::emacs:
      if (on) p.state.options.put(SetOption::vi, false);
      break;
    case SetOption::vi:
      if (on) p.state.options.put(SetOption::emacs, false);
      break;
    case SetOption::posix: mirror(p, p.session.names.posixly_correct, "y", on); break;
    case SetOption::ignoreeof: mirror(p, p.session.symbols.intern("IGNOREEOF"), "10", on); break;
    case SetOption::interactive_comments:
      p.state.options.put(Shopt::interactive_comments, on);
      break;
    default: break;
  }
}

void set_shopt(Process& p, Shopt option, bool on) {
  // What a running shell cannot change.
  if (option == Shopt::login_shell || option == Shopt::restricted_shell) return;
  // One level of compatibility at a time.
  for (Shopt level : kCompat)
    if (on && option >= Shopt::compat31 && option <= Shopt::compat44)
      p.state.options.put(level, false);
  p.state.options.put(option, on);
  if (option == Shopt::interactive_comments)
    p.state.options.put(SetOption::interactive_comments, on);
}

void append_option_state(std::string& out, std::string_view name, bool on) {
  out += name;
  if (name.size() < 15) out.append(15 - name.size(), ' ');
  out += on ? "\ton\n" : "\toff\n";
}

void append_set_command(std::string& out, std::string_view name, bool on) {
  out += on ? "set -o " : "set +o ";
  out += name;
  out += '\n';
}

}  // namespace nacre::builtins
