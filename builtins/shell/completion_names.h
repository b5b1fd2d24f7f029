// Names of each kind that compgen -A knows, as far as they begin with a word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "builtins/shell/completion.h"
#include "limits/meter.h"

namespace nacre::builtins {

// Completions found so far; their bytes are charged while they are kept.
struct CompletionMatches {
  explicit CompletionMatches(interp::Process& p) : charge(p.meter()), meter(p.meter()) {}
  void add(std::string_view text) {
    meter.check_elements(static_cast<int64_t>(texts.size()) + 1);
    charge.add(static_cast<int64_t>(text.size() + sizeof(std::string)));
    texts.emplace_back(text);
  }
  limits::MemoryCharge charge;
  limits::Meter& meter;
  std::vector<std::string> texts;
};

// All actions of the specification, in bash's order.
void add_names(interp::Process& p, const interp::CompletionSpec& spec, std::string_view word,
               CompletionMatches& out);

enum class PathKind : uint8_t { all, directories, executables };
void add_paths(interp::Process& p, std::string_view word, PathKind kind, CompletionMatches& out);

}  // namespace nacre::builtins
