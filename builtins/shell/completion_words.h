// The word list of compgen -W: split by IFS outside of quotes, each word then
// expanded as the shell does, without pathnames.
#pragma once

#include <string>
#include <string_view>

#include "interp/process.h"

namespace nacre::builtins {

void expand_word_list(interp::Process& p, std::string_view list, interp::FieldList& out);

// Quotes and backslashes removed.
std::string dequote_word(std::string_view word);

}  // namespace nacre::builtins
