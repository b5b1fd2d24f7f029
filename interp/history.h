// The list of commands that `history` and `fc` work on. A script's own lines
// are not recorded; only what `history -s` and `history -r` put there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ref.h"

namespace nacre::interp {

struct HistoryList : base::RefCounted {
  struct Entry {
    std::string text;
    int64_t time = 0;         // seconds since the epoch
    bool modified = false;    // shown with a star
  };
  std::vector<Entry> entries;
  int64_t base = 1;           // number of the first entry
  int64_t most = -1;          // HISTSIZE when it was last looked at; -1: no bound
  int64_t new_entries = 0;    // since the last `history -a`
  int64_t lines_in_file = 0;  // read so far, for `history -n`
};

}  // namespace nacre::interp
