// strerror() without the C library's static buffers: the texts of glibc for
// the errors that a tree, a pipe or a descriptor can give.
#pragma once

#include <string_view>
#include <system_error>

namespace nacre::base {

// "No such file or directory" and so on; "Unknown error" for what is not known.
std::string_view errno_text(std::errc error);
// "ENOENT" and so on, for logs and JSON.
std::string_view errno_name(std::errc error);

}  // namespace nacre::base
