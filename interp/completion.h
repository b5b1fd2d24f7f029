// Completion specifications: what `complete` stores, `compopt` changes and
// `compgen` makes on the fly. No line editor uses them here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ref.h"

namespace nacre::interp {

struct CompletionSpec {
  uint32_t actions = 0;   // bit n: action n of completion.cc's table
  uint32_t options = 0;   // bit n: option n of its other table
  std::string glob, words, function, command, filter, prefix, suffix;
  bool has_glob = false, has_words = false, has_function = false, has_command = false,
       has_filter = false, has_prefix = false, has_suffix = false;
};

struct CompletionTable : base::RefCounted {
  struct Row {
    std::string name;
    CompletionSpec spec;
  };
  std::vector<Row> rows;  // in the order in which bash's hash table has them
};

}  // namespace nacre::interp
