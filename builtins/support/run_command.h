// Running another command from within one (env, nice, nohup, timeout, xargs).
#pragma once

#include "interp/command.h"

namespace nacre::builtins {

// Runs argv, and says "NAME: 'x': No such file or directory" (127) when there
// is no such command.
int run_or_report(interp::CommandContext& ctx, interp::Args argv,
                  const interp::RunOptions& options);

}  // namespace nacre::builtins
