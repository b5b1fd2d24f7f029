// A file that a command writes besides standard output (sort -o, uniq's
// second operand, split, csplit).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "interp/command.h"

namespace nacre::builtins {

class OutputFile {
 public:
  // Creates or truncates `path`; null when that fails (see error()).
  interp::Output* open(interp::CommandContext& ctx, std::string_view path,
                       vfs::OpenFlags flags = {.write = true, .create = true, .truncate = true});
  std::errc error() const { return error_; }

  // Writes what is buffered and closes. False after "NAME: PATH: write error..."
  // (as far as something was open at all).
  bool finish(interp::CommandContext& ctx);
  bool is_open() const { return out_ != nullptr; }
  interp::Output& out() { return *out_; }

 private:
  std::unique_ptr<interp::Output> out_;
  std::string path_;
  std::errc error_{};
};

}  // namespace nacre::builtins
