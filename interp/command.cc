#include "interp/command.h"

#include "base/errno_text.h"

namespace nacre::interp {

// One write a message, so that messages of fibers do not mix.
void CommandContext::error(std::string_view text) {
  out.flush();
  std::string message;
  message.reserve(name().size() + text.size() + 3);
  message.append(name()).append(": ").append(text).append("\n");
  err.write(message);
  err.flush();
}

void CommandContext::error(std::string_view what, std::errc code) {
  std::string text;
  text.append(what).append(": ").append(base::errno_text(code));
  error(text);
}

}  // namespace nacre::interp
