// History expansion (bash manual, 9.3): !! !n !-n !text !?text? !# ^old^new^,
// with word designators and modifiers, as `history -p` performs it.
#pragma once

#include <string>
#include <string_view>

#include "interp/history.h"
#include "limits/meter.h"

namespace nacre::builtins {

// False when an event, a word or a modifier is not there. max_string_bytes applies.
bool expand_history(const interp::HistoryList& list, std::string_view line, std::string& out,
                    limits::Meter& meter);

}  // namespace nacre::builtins
