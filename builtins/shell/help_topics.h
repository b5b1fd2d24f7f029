// What `help` knows beside the builtins: reserved words and the like.
#pragma once

#include <span>
#include <string_view>

namespace nacre::builtins {

struct HelpTopic {
  std::string_view name;       // as `help NAME` matches it
  std::string_view synopsis;
  std::string_view text;       // as Command::usage
};

std::span<const HelpTopic> help_topics();   // sorted by name

}  // namespace nacre::builtins
