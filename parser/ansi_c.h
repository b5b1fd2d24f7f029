// The escapes of $'..', which ${x@E} takes too.
#pragma once

#include <string>
#include <string_view>

namespace nacre::parser {

// Decodes the text between the quotes, appended to `out`. A NUL ends it.
void decode_ansi_c(std::string_view text, std::string& out);

}  // namespace nacre::parser
