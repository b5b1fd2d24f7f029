// What complete, compgen and compopt share: the tables of actions and options,
// the options that make up a specification, and its printed form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interp/command.h"
#include "interp/completion.h"
#include "interp/process.h"

namespace nacre::builtins {

// In the order in which `complete -p` prints them (those with letters first),
// which is not that in which compgen gives their matches.
enum class Action : uint8_t {
  alias, builtin, command, directory, exported, file, group, job, keyword, service, user, variable,
  arrayvar, binding, disabled, enabled, function, helptopic, hostname, running, setopt, shopt,
  signal, stopped,
};
struct ActionInfo {
  Action action;
  std::string_view name;
  char letter;   // 0: none
};
std::span<const ActionInfo> completion_actions();

enum class CompletionOption : uint8_t {
  bashdefault, default_, dirnames, filenames, noquote, nosort, nospace, plusdirs,
};
std::span<const std::string_view> completion_option_names();   // by their numbers

inline bool has_action(const interp::CompletionSpec& s, Action a) {
  return s.actions >> static_cast<int>(a) & 1;
}
inline bool has_option(const interp::CompletionSpec& s, CompletionOption o) {
  return s.options >> static_cast<int>(o) & 1;
}

// complete -D, -E, -I: names under which bash keeps them.
inline constexpr std::string_view kDefaultCommand = "_DefaultCmD_";
inline constexpr std::string_view kEmptyCommand = "_EmptycmD_";
inline constexpr std::string_view kInitialWord = "_InitialWorD_";

struct CompletionRequest {
  interp::CompletionSpec spec;
  bool any = false;       // some option was given
  bool print = false;     // -p
  bool remove = false;    // -r
  std::string_view special;   // one of the names above, or ""
  interp::Args operands;
};
// Reads the options; nullopt after an error (its status in `status`). compgen
// takes neither -p nor -r nor -D, -E and -I.
std::optional<CompletionRequest> parse_completion(interp::Process& p, interp::CommandContext& ctx,
                                                  const interp::Command& command, int& status);

// "complete -o nospace -W 'a b' NAME\n"
void append_complete_command(std::string& out, std::string_view name,
                             const interp::CompletionSpec& spec);

}  // namespace nacre::builtins
