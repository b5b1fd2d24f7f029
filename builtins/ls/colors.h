// The colours of ls --color: dircolors' defaults, changed by LS_COLORS.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "builtins/ls/entry.h"
#include "interp/command.h"

namespace nacre::builtins::ls {

class Colors {
 public:
  enum Kind : uint8_t {
    kLeft, kRight, kEnd, kReset, kNormal, kFile, kDirectory, kLink, kPipe, kSocket, kBlock,
    kChar, kMissing, kOrphan, kExecutable, kDoor, kSetUid, kSetGid, kSticky, kOtherWritable,
    kStickyOtherWritable, kCapability, kMultiHardLink, kClearLine, kKindCount
  };

  // Reads LS_COLORS; what is wrong in it is reported.
  explicit Colors(interp::CommandContext& ctx);

  bool link_as_target() const { return code_[kLink] == "target"; }
  // The colour of an entry, or of what a link leads to; empty: none.
  std::string_view of(const Entry& e) const;
  std::string_view of_target(const Entry& e) const;
  bool color_normal() const { return is_set(kNormal) || is_set(kFile); }

  // The first colour of a run is preceded by a reset.
  void begin(interp::Output& out, std::string_view color);
  void end(interp::Output& out) const;
  bool used() const { return used_; }

 private:
  bool is_set(Kind kind) const {
    return !code_[kind].empty() && code_[kind] != "0" && code_[kind] != "00";
  }
  Kind kind_of(vfs::FileType type, uint32_t mode, uint64_t links) const;
  bool parse(std::string_view text);
  std::string_view extension(std::string_view name) const;

  std::array<std::string, kKindCount> code_;
  struct Extension {
    std::string suffix, code;
  };
  std::vector<Extension> extensions_;
  bool used_ = false;
};

}  // namespace nacre::builtins::ls
