// How the shell speaks on descriptor 2.
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::interp {

std::string Process::error_prefix() const {
  // As bash's get_name_for_error: the file that holds the running code, or $0.
  std::string_view name = frames.empty() ? std::string_view(script_name) : frames.back().source;
  if (name.empty()) name = state.arg0;
  std::string out(name);
  if (line > 0) {
    out += ": line ";
    base::append_int(out, line);
  }
  out += ": ";
  return out;
}

void Process::error(std::string_view text) {
  std::string message = error_prefix();
  message += text;
  message += '\n';
  write_stderr(message);
}

void Process::write_stderr(std::string_view text) { write_fd(2, text); }

void Process::write_fd(int fd, std::string_view text) {
  // A message that cannot be written is lost, as with bash.
  if (OpenFile* file = state.fds->get(fd)) (void)file->write(text);
}

void builtin_error(Process& p, std::string_view builtin, std::string_view text) {
  std::string message(builtin);
  message += ": ";
  message += text;
  p.error(message);
}

int builtin_usage(Process& p, const Command& command) {
  std::string text(command.name);
  text += ": usage: ";
  text += command.synopsis;
  text += '\n';
  p.write_stderr(text);
  return 2;
}

int builtin_invalid_option(Process& p, const Command& command, std::string_view option) {
  std::string text(option);
  text += ": invalid option";
  builtin_error(p, command.name, text);
  p.session.add_unsupported(command.name, option);
  return builtin_usage(p, command);
}

}  // namespace nacre::interp
