// Files that are run as commands: by their #! line, or by a fresh shell.
#include "base/errno_text.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/fresh_shell.h"
#include "interp/invoke.h"
#include "interp/redirect.h"
#include "interp/variables.h"

namespace nacre::interp {
namespace {

// The interpreter and its one argument from "#!/bin/sh -e".
bool split_interpreter(std::string_view line, std::string_view& program, std::string_view& argument) {
  if (!line.starts_with("#!")) return false;
  line.remove_prefix(2);
  constexpr std::string_view kBlank = " \t\r";
  size_t begin = line.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  size_t end = line.find_first_of(" \t");
  program = line.substr(0, end);
  argument = {};
  if (end == std::string_view::npos) return true;
  line.remove_prefix(end);
  begin = line.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return true;
  line.remove_prefix(begin);
  argument = line.substr(0, line.find_last_not_of(kBlank) + 1);
  return true;
}

// True when the start of a file holds bytes that no script has (bash's check).
bool looks_binary(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\n'));
  return line.find('\0') != std::string_view::npos;
}

}  // namespace

int run_script(Process& p, const std::string& path, Args args) {
  limits::DepthGuard depth = p.deeper_call();
  auto file = open_path(p, path, {.read = true}, 0);
  std::string_view head;
  if (file) {
    auto peeked = (*file)->peek();
    if (peeked) head = peeked->substr(0, 256);
    else file = std::unexpected(peeked.error());
  }
  if (!file) {
    p.error(path + ": " + std::string(base::errno_text(file.error())));
    return 126;
  }
  std::string first(head.substr(0, head.find('\n')));
  std::string_view program, argument;
  if (split_interpreter(first, program, argument)) {
    std::string_view base_name = program.substr(program.rfind('/') + 1);
    std::vector<std::string_view> argv{program};
    if (base_name == "env" && !argument.empty()) {
      // #!/usr/bin/env bash
      argv.push_back(argument);
    } else if (!argument.empty()) {
      argv.push_back(argument);
    }
    argv.push_back(path);
    argv.insert(argv.end(), args.begin() + 1, args.end());
    Resolved r = resolve_command(p, program, {.functions = false, .builtins = false});
    if (r.kind == Resolved::Kind::utility) {
      Process child(p, Process::ChildKind::subshell);
      return run_utility(child, *r.command, argv);
    }
    if (r.kind == Resolved::Kind::script) {
      Process child(p, Process::ChildKind::subshell);
      return run_script(child, r.path, argv);
    }
    p.error(path + ": cannot execute: required file not found");
    p.session.add_unsupported(program, "command");
    return 127;
  }
  if (looks_binary(head)) {
    p.error(path + ": cannot execute binary file: Exec format error");
    return 126;
  }
  FreshShell options;
  options.script = path;
  options.args = args.subspan(1);
  return run_fresh_shell(p, options);
}

}  // namespace nacre::interp
