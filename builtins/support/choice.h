// Words that an option's value must be one of (gnulib's argmatch): --sort=WORD.
// An unambiguous beginning of a word will do.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "builtins/support/options.h"
#include "interp/command.h"

namespace nacre::builtins {

// Words of one value that stand together are synonyms: shown on one line.
struct Choice {
  std::string_view word;
  int value;
};

enum class ChoiceError : uint8_t { none, invalid, ambiguous };
ChoiceError find_choice(std::string_view text, std::span<const Choice> choices, int& value);

// The value, or nullopt after the message with all valid words and the usage line:
//   ls: invalid argument ‘x’ for ‘--sort’
//   Valid arguments are: ...
std::optional<int> read_choice(interp::CommandContext& ctx, const OptionSpec& spec,
                               std::string_view option, std::string_view text,
                               std::span<const Choice> choices);

}  // namespace nacre::builtins
