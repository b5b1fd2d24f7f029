// Permission bits: how `ls -l` shows them, and how chmod, mkdir -m, install -m
// and umask take them (POSIX chmod(1), with the GNU additions: several
// operators in a clause, =rwx with numbers, special bits of directories kept).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vfs/types.h"

namespace nacre::builtins {

// "drwxr-xr-x", ten characters.
std::string mode_string(const vfs::Stat& st);
// "regular empty file", "directory", "symbolic link": stat -c %F.
std::string_view file_type_text(const vfs::Stat& st);
// S_IFMT bits of st_mode for the type.
uint32_t type_bits(vfs::FileType type);

class ModeChange {
 public:
  // nullopt: no valid mode ("u=rwx,g+s", "0755", "+x").
  static std::optional<ModeChange> compile(std::string_view text);
  // The mode of a reference file.
  static ModeChange of(uint32_t mode);

  // The new bits for a file that has `mode`; `umask` hides bits where no
  // who was given. `touched` (if not null) gets the bits that were named.
  uint32_t apply(uint32_t mode, bool directory, uint32_t umask, uint32_t* touched = nullptr) const;

 private:
  enum class Flag : uint8_t { ordinary, x_if_any, copy };
  struct Step {
    char op;            // = + -
    Flag flag;
    uint32_t affected;  // bits of who; 0: all, less umask
    uint32_t value;
    uint32_t mentioned; // bits that were named outright
  };
  std::vector<Step> steps_;
};

}  // namespace nacre::builtins
