// The primaries of [[ ]] and test(1) that are not about files.
#pragma once

#include <string_view>

#include "interp/cond.h"

namespace nacre::interp {

// How -v takes the subscript of an associative array's element: [[ -v m[$k] ]]
// has expanded it already, test -v 'm[$k]' expands it.
enum class KeyText : uint8_t { as_is, expand };

// -v NAME, -v NAME[subscript], -v 1. p.failure is set when the subscript does
// not evaluate.
bool variable_is_set(Process& p, std::string_view text, KeyText key_text);

}  // namespace nacre::interp
