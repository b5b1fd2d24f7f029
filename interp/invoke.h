// Finding commands by name and running them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interp/process.h"

namespace nacre::interp {

struct Resolved {
  enum class Kind : uint8_t { none, function, builtin, utility, script, directory, not_executable } kind = Kind::none;
  const FunctionDef* function = nullptr;
  const Command* command = nullptr;   // builtin, utility
  std::string path;                   // utility and script: where it was found
};
struct ResolveOptions {
  bool functions = true;
  bool builtins = true;
  bool default_path = false;          // command -p
};
// Function, special builtin, builtin, then PATH (or the path itself when it has a slash).
Resolved resolve_command(Process& p, std::string_view name, ResolveOptions options = {});
// Every place where PATH finds it (type -a, which -a).
std::vector<std::string> all_paths(Process& p, std::string_view name);

// `enable -n NAME` was used.
bool is_disabled(const Process& p, base::Symbol name);

// Runs a resolved or named command with its arguments in this process: a
// builtin works on p; a utility gets a context. No redirections, no expansion.
Outcome run_builtin(Process& p, const Command& command, Args args);
int run_utility(Process& p, const Command& command, Args args);
// Runs args[0] however it resolves; prints "command not found" and gives 127.
Outcome run_command(Process& p, Args args, ResolveOptions options = {});
// A script file in the tree: a fresh shell with the exported variables.
int run_script(Process& p, const std::string& path, Args args);

// Builtins' messages: "bash: line 1: cd: text\n".
void builtin_error(Process& p, std::string_view builtin, std::string_view text);
// "cd: usage: cd [-L|[-P [-e]] [-@]] [dir]\n" after "-x: invalid option"; gives 2.
int builtin_usage(Process& p, const Command& command);
int builtin_invalid_option(Process& p, const Command& command, std::string_view option);

}  // namespace nacre::interp
