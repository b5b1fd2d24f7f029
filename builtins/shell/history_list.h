// The history list's own rules: what is kept (HISTSIZE, HISTCONTROL,
// HISTIGNORE), and the file that it is read from and written to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interp/history.h"
#include "interp/process.h"

namespace nacre::builtins {

// The list, ready to be changed, cut to HISTSIZE.
interp::HistoryList& history_of(interp::Process& p);

// Adds a line unless HISTCONTROL or HISTIGNORE leave it out.
void add_history(interp::Process& p, std::string_view line);
void clear_history(interp::Process& p);

// All lines of the file (or those behind `skip` lines); false when it cannot be read.
bool read_history(interp::Process& p, const std::string& path, int64_t skip);
// The last `count` entries; appended, or in the place of what the file held.
bool write_history(interp::Process& p, const std::string& path, size_t count, bool append);

}  // namespace nacre::builtins
