// The table of all commands, made from the list in builtins/meson.build.
//
// To add a command NAME: write builtins/NAME.cc with a
//     extern const interp::Command command_NAME;
//     const interp::Command command_NAME = {.name = "NAME", ...};
// in nacre::builtins, and put NAME into the list. All of it is constant data:
// nothing is built at start.
#pragma once

#include "interp/command.h"

namespace nacre::builtins {

// Of static storage, immutable, shared by all sessions.
const interp::CommandTable& command_table();

}  // namespace nacre::builtins
