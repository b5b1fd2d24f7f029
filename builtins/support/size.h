// Numbers with multiplier suffixes, as the GNU tools take them (gnulib's
// xstrtoumax and xdectoumax): 10, 10K, 10KB, 10KiB, 2b, M.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interp/command.h"

namespace nacre::builtins {

enum class SizeError : uint8_t { none, invalid, suffix, overflow, suffix_and_overflow };

struct Size {
  uint64_t value = 0;          // UINT64_MAX when it overflowed
  SizeError error = SizeError::none;
};

// `suffixes` are the letters that may follow; '0' among them allows B and iB
// after a letter (KB = 1000, KiB = K = 1024). A lone suffix means 1 of it.
Size parse_size(std::string_view text, std::string_view suffixes);

// The usual suffixes of head, tail, split, truncate.
inline constexpr std::string_view kSizeSuffixes = "bkKmMGTPEZY0";

// What follows "NAME: " when a count is wrong: ‘x’, ‘99..’: Value too large ...
//   "invalid number of lines: ‘x’"
std::string size_error_text(std::string_view complaint, std::string_view text, SizeError error);

// parse_size() within [min, max]; an error is reported through ctx.error() and
// gives false.
bool read_count(interp::CommandContext& ctx, std::string_view text, std::string_view suffixes,
                uint64_t min, uint64_t max, std::string_view complaint, uint64_t& value);

// xstrtol_fatal(): "invalid -S argument 'x'", "invalid suffix in --width
// argument '3q'", "-w argument '9..9' too large". `option` holds the dashes.
std::string option_number_error(std::string_view option, std::string_view text, SizeError error);

}  // namespace nacre::builtins
