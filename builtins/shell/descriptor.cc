#include "builtins/shell/descriptor.h"

#include <string>

#include "base/numbers.h"
#include "interp/invoke.h"

namespace nacre::builtins {

bool parse_descriptor(interp::Process& p, std::string_view builtin, std::string_view text,
                      int& fd) {
  auto n = base::parse_legal_number(text);
  std::string message;
  if (!n || *n < 0 || *n > INT32_MAX) {
    message += text;
    message += ": invalid file descriptor specification";
  } else if (!p.state.fds->get(static_cast<int>(*n))) {
    base::append_int(message, *n);
    message += ": invalid file descriptor: Bad file descriptor";
  } else {
    fd = static_cast<int>(*n);
    return true;
  }
  interp::builtin_error(p, builtin, message);
  return false;
}

}  // namespace nacre::builtins
