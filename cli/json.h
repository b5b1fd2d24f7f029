// A Result as one JSON object.
#pragma once

#include <string>

#include "nacre/nacre.h"

namespace nacre::cli {

// Bytes that are not UTF-8 become lone surrogates \udcXX, as Python's
// `surrogateescape` writes and reads them, so that nothing is lost.
std::string to_json(const Result& result);

}  // namespace nacre::cli
