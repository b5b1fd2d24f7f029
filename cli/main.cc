// The nacre program: flags to a Shell, a Shell's result to an exit status.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/json.h"
#include "cli/mount.h"
#include "cli/options.h"
#include "nacre/nacre.h"

namespace {

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      // Nobody reads any more: end as any program in a pipeline does.
      std::signal(SIGPIPE, SIG_DFL);
      if (errno == EPIPE) std::raise(SIGPIPE);
      return;
    }
    text.remove_prefix(static_cast<size_t>(n));
  }
}

size_t read_stdin(char* buffer, size_t size) {
  for (;;) {
    ssize_t n = ::read(0, buffer, size);
    if (n >= 0) return static_cast<size_t>(n);
    if (errno != EINTR) return 0;
  }
}

int fail(const std::string& text, int status) {
  write_all(2, "nacre: " + text + "\n");
  return status;
}

bool read_file(const std::string& path, std::string& out) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  out.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  return !in.bad();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace nacre;
  cli::Options o;
  std::string error;
  if (!cli::parse(argc, argv, o, error)) {
    write_all(2, "nacre: " + error + "\nTry 'nacre --help' for more information.\n");
    return 2;
  }
  if (o.help) {
    write_all(1, cli::help_text());
    return 0;
  }
  if (o.version) {
    write_all(1, "nacre " + std::string(version()) + " (bash 5.2)\n");
    return 0;
  }

  ShellOptions shell_options;
  shell_options.limits = o.limits;
  if (o.virtual_clock) shell_options.clock = ClockKind::virtual_;
  if (o.seeded) shell_options.seed = o.seed;
  Shell shell(shell_options);
  for (const cli::Mount& m : o.mounts) {
    std::string skipped;
    if (!cli::copy_into(shell.files(), m.host, m.guest, skipped, error)) return fail(error, 2);
    if (!skipped.empty()) write_all(2, "nacre: left out (neither file, directory nor link):\n" + skipped);
  }

  ExecOptions exec;
  exec.arg0 = o.arg0;
  exec.args = o.args;
  exec.env = o.env;
  exec.cwd = o.cwd;
  exec.stdin_source = read_stdin;
  exec.check_only = o.check_only;
  exec.script_on_stdin = o.from_stdin;
  std::string script = o.command;
  if (!o.file.empty()) {
    if (!read_file(o.file, script)) return fail(o.file + ": No such file or directory", 127);
    exec.script_name = o.file;
  }
  if (!o.json) {
    exec.on_stdout = [](std::string_view s) { write_all(1, s); };
    exec.on_stderr = [](std::string_view s) { write_all(2, s); };
  }
  if (!o.settings.empty()) {
    ExecOptions quiet;
    quiet.on_stderr = [](std::string_view s) { write_all(2, s); };
    if (Result r = shell.exec(o.settings, quiet); r.status != 0) return 2;
  }
  Result r = shell.exec(script, exec);
  if (o.json) write_all(1, cli::to_json(r) + "\n");
  return r.status;
}
