// One file in a listing.
#pragma once

#include <string>
#include <vector>

#include "vfs/types.h"

namespace nacre::builtins::ls {

struct Entry {
  std::string name;
  vfs::FileType type = vfs::FileType::regular;
  bool type_known = true;
  bool has_stat = false;
  vfs::Stat stat;
  bool is_argument = false;
  // Of a symbolic link: where it leads and what is there.
  std::string target;
  bool target_exists = false;
  vfs::FileType target_type = vfs::FileType::regular;
  uint32_t target_mode = 0;

  std::string shown;     // the name, quoted
  size_t width = 0;      // columns of `shown`
  bool is_quoted = false;
};

}  // namespace nacre::builtins::ls
