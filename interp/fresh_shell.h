// A new shell inside a session: `bash FILE`, `sh -c`, a script run by name.
// It gets what exec would hand over: exported variables, the working directory,
// descriptors; nothing else of the shell that starts it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interp/process.h"

namespace nacre::interp {

struct FreshShell {
  std::optional<std::string> script;       // file to run
  std::optional<std::string_view> text;    // -c
  bool from_stdin = false;                 // -s, or neither of the above
  std::string_view arg0 = "bash";
  std::span<const std::string_view> args;  // $1 ..
  Options options;
  bool posix = false;                      // as `sh`
  bool posix_option = false;               // --posix, -o posix: POSIXLY_CORRECT is set as well
};

// Gives the shell's exit status.
int run_fresh_shell(Process& p, const FreshShell& shell);

// Reads a script's lines from a descriptor, taking no more than it needs.
class DescriptorSource final : public parser::LineSource {
 public:
  explicit DescriptorSource(Process& p, int fd) : p_(p), fd_(fd) {}
  bool next_line(std::string& out) override;

 private:
  Process& p_;
  int fd_;
};

}  // namespace nacre::interp
