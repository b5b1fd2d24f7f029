// What `ulimit` shows and sets. Nothing here bounds a run (the Meter does);
// a session only remembers the numbers, as a process does its rlimits.
#pragma once

#include <array>
#include <cstdint>

#include "base/ref.h"

namespace nacre::interp {

struct ResourceLimits : base::RefCounted {
  static constexpr uint64_t kUnlimited = UINT64_MAX;
  // In the order of ulimit's letters: R c d e f i l m n p q r s t u v x.
  static constexpr size_t kCount = 17;
  struct Pair {
    uint64_t soft = kUnlimited, hard = kUnlimited;
  };
  std::array<Pair, kCount> pairs;
};

}  // namespace nacre::interp
