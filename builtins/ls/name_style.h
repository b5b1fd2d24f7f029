// How names are written: quoting styles, control characters, widths.
#pragma once

#include <string>
#include <string_view>

#include "builtins/ls/settings.h"

namespace nacre::builtins::ls {

// The name in the style; `is_quoted` tells whether it was put in quotes that
// not every name gets. A name that heads a directory has its colons escaped.
std::string styled_name(std::string_view name, const Settings& settings, bool& is_quoted,
                        bool heading = false);
// Columns on a terminal.
size_t text_width(std::string_view s);

}  // namespace nacre::builtins::ls
