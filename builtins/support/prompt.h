// Questions to the user: rm -i, cp -i, mv -i.
#pragma once

#include <string_view>

#include "interp/command.h"

namespace nacre::builtins {

// Prints "NAME: TEXT? " on stderr and reads a line from standard input; true
// when it starts with y or Y.
inline bool ask(interp::CommandContext& ctx, std::string_view text) {
  ctx.out.flush();
  ctx.err << ctx.name() << ": " << text << "? ";
  ctx.err.flush();
  std::string_view line;
  return ctx.in && ctx.in.read_line(line) && !line.empty() && (line[0] == 'y' || line[0] == 'Y');
}

}  // namespace nacre::builtins
