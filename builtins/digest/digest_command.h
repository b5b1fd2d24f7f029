// What md5sum, sha*sum, b2sum, cksum and sum have in common once their options
// are read: printing digests of files, and checking lists of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "builtins/digest/digest.h"
#include "builtins/support/inputs.h"
#include "interp/command.h"

namespace nacre::builtins {

struct DigestOptions {
  DigestKind kind = DigestKind::md5;
  size_t bytes = 16;
  bool tagged = false;
  bool binary = false;
  char delimiter = '\n';
  // Checking.
  bool any_kind = false;  // each line says its kind
  bool ignore_missing = false, quiet = false, silent = false, strict = false, warn = false;
};

// Prints the digest of each operand; the exit status.
int print_digests(interp::CommandContext& ctx, const DigestOptions& options,
                  std::span<const std::string_view> operands);
// Checks the lists that the operands name; the exit status.
int check_digests(interp::CommandContext& ctx, const DigestOptions& options,
                  std::span<const std::string_view> operands);

}  // namespace nacre::builtins
