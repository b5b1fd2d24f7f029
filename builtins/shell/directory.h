// Changing the working directory as cd does, for cd, pushd and popd.
//
// The shell's idea of where it is lives in the process's View (cwd()); PWD and
// OLDPWD only follow it, and a script may set them to anything.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "interp/process.h"

namespace nacre::builtins {

enum class Links : uint8_t { logical, physical };

// chdir, with the text of the new place kept as bash keeps it: `..` taken
// textually (logical) or through the tree (physical). Sets the error when it fails.
bool change_directory(interp::Process& p, std::string_view dir, Links links, std::errc& error);

// PWD and OLDPWD after a change; gives the builtin's status (1 when one of
// them is readonly).
int update_pwd(interp::Process& p, Links links);

// What `cd DIR` does, CDPATH and messages included; `args` are cd's without
// its name. Used by pushd and popd under their own names.
int cd_with(interp::Process& p, interp::CommandContext& ctx, interp::Args args);

// "~/x" for a path below HOME.
std::string polite_directory(interp::Process& p, std::string_view path);

// An absolute path for `path`, against cwd, not normalised (make_absolute).
std::string absolute_path(const interp::Process& p, std::string_view path);

}  // namespace nacre::builtins
