// Paths without links, "." and "..", where some of what they name may be
// missing: realpath, readlink -f, ln -r.
#pragma once

#include <string>
#include <string_view>

#include "interp/command.h"

namespace nacre::builtins {

enum class MayMiss : uint8_t {
  nothing,  // -e: every component must exist
  last,     // -f: but for the last
  all,      // -m
};

// With `keep_links` (realpath -s) links are names like others. ELOOP after as
// many links as the tree's own resolver follows.
vfs::Result<std::string> canonical_path(interp::CommandContext& ctx, std::string_view path,
                                        MayMiss may_miss, bool keep_links = false);

// How `path` is reached from `directory` (both canonical): "../b/c", ".".
std::string relative_path(std::string_view path, std::string_view directory);

}  // namespace nacre::builtins
