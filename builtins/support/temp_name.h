// Names that nobody else has: mktemp, and what is renamed into its place when
// it is complete (ln -f).
#pragma once

#include <string>

#include "interp/command.h"

namespace nacre::builtins {

// How often a name that exists is replaced by another.
inline constexpr int kNameAttempts = 1000;

// Replaces name[at, at + count) by letters and digits.
inline void randomise(interp::CommandHost& host, std::string& name, size_t at, size_t count) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (size_t i = 0; i < count; ++i) name[at + i] = kLetters[host.random() % kLetters.size()];
}

}  // namespace nacre::builtins
