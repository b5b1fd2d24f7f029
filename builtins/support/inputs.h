// What commands read: operands opened in turn, and loops over their bytes and
// lines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interp/command.h"

namespace nacre::builtins {

// One input operand: a file, or standard input for "-".
class InputFile {
 public:
  // The operand's stream; null when it could not be opened (see error()).
  interp::Input* open(interp::CommandContext& ctx, std::string_view operand);
  // The same, and "NAME: FILE: No such file or directory" on an error.
  interp::Input* open_or_report(interp::CommandContext& ctx, std::string_view operand);
  // A path alone; "-" is a file of that name.
  interp::Input* open_path(interp::CommandContext& ctx, std::string_view path);
  std::errc error() const { return error_; }

 private:
  std::optional<interp::Input> own_;
  std::errc error_{};
};

inline constexpr std::string_view kStdinOperand[] = {"-"};

// The operands, or "-" alone when there are none.
inline std::span<const std::string_view> operands_or_stdin(
    std::span<const std::string_view> operands) {
  return operands.empty() ? std::span<const std::string_view>(kStdinOperand) : operands;
}

// Work units for looking at `bytes` of data (what streams move, they charge themselves).
constexpr int64_t work_for(size_t bytes) { return 1 + static_cast<int64_t>(bytes >> 12); }

// Whether reading goes on in place (a file) or takes what arrives (a pipe).
inline bool is_seekable(const interp::Input& in) { return in.file() && in.file()->seekable(); }

// Appends the rest of `in`, its size checked against max_string_bytes and
// charged through `charge`. False on a read error.
bool read_whole(interp::CommandContext& ctx, interp::Input& in, std::string& out,
                limits::MemoryCharge& charge);

// Copies the rest of `in` to `out`, chunk by chunk. False on a read error.
bool copy_stream(interp::Input& in, interp::Output& out);

// Number of bytes equal to `c`; several GB/s.
uint64_t count_byte(std::string_view s, char c);
// Offset just after the n-th `c` of s (n >= 1); npos when there are fewer.
size_t after_nth(std::string_view s, char c, uint64_t n);

// The names in a --files0-from file, one after the other. Reports its own
// errors (the caller remembers failed()).
class NulNames {
 public:
  NulNames(interp::CommandContext& ctx, std::string_view from) : ctx_(ctx), from_(from) {}
  // False when the file cannot be opened: error() says why; this one alone is
  // left to the caller to report.
  bool open();
  std::errc error() const { return file_.error(); }
  // The next name, which holds until the next call; false at the end. Names
  // that may not be (empty ones, "-" when they come from standard input) are
  // reported and passed over.
  bool next(std::string& name);
  bool failed() const { return failed_; }
  // Whether the names lie in a file, so that all of them can be known beforehand.
  bool from_file() const { return is_seekable(*in_); }

 private:
  void complain(std::string_view text);

  interp::CommandContext& ctx_;
  std::string_view from_;
  InputFile file_;
  interp::Input* in_ = nullptr;
  uint64_t number_ = 0;
  bool failed_ = false;
};

}  // namespace nacre::builtins
