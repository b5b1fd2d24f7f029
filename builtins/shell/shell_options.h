// Turning options of `set` and `shopt` on and off, with what that brings along,
// and the forms in which both commands print them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interp/options.h"
#include "interp/process.h"

namespace nacre::builtins {

std::optional<interp::SetOption> set_option_by_letter(char letter);

void set_option(interp::Process& p, interp::SetOption option, bool on);
void set_shopt(interp::Process& p, interp::Shopt option, bool on);

// "errexit        \toff\n"
void append_option_state(std::string& out, std::string_view name, bool on);
// "set +o errexit\n"
void append_set_command(std::string& out, std::string_view name, bool on);

}  // namespace nacre::builtins
