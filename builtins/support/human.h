// Sizes as ls, du and df print them: in blocks of some size, or scaled with a
// letter (-h, --si), rounded up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "builtins/support/size.h"
#include "interp/command.h"

namespace nacre::builtins {

struct SizeFormat {
  uint64_t block = 1;        // the unit
  bool autoscale = false;    // -h, --si, and what "human-readable" says
  bool base_1024 = true;
  bool suffix = false;       // print the unit's letter behind (--block-size=K)
  bool suffix_b = false;     // and a B (--block-size=KB, KiB)
  bool group = false;        // --block-size="'1": thousands (none in this locale)

  static SizeFormat human() { return {1, true, true, true, false, false}; }
  static SizeFormat si() { return {1, true, false, true, false, false}; }
};

enum class Rounding : uint8_t { up, nearest, down };

// `amount` units of `unit` bytes.
std::string size_text(uint64_t amount, uint64_t unit, const SizeFormat& format,
                      Rounding rounding = Rounding::up);

// "K", "1M", "human-readable", "si", "'1K".
SizeError parse_block_size(std::string_view text, SizeFormat& format);
// The unit that the environment asks for: `variable` (LS_BLOCK_SIZE), then
// BLOCK_SIZE and BLOCKSIZE; else 1024. What is wrong there is passed over.
SizeFormat default_block_size(const interp::CommandContext& ctx, std::string_view variable);

}  // namespace nacre::builtins
