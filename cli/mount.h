// --mount: a directory of the host, copied into a session's tree.
#pragma once

#include <string>

#include "nacre/nacre.h"

namespace nacre::cli {

// Regular files, directories and links; other things are left out and named in
// `skipped`. False with `error` set when something cannot be read or does not fit.
bool copy_into(Files& files, const std::string& host, const std::string& guest,
               std::string& skipped, std::string& error);

}  // namespace nacre::cli
