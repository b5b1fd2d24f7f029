// Messages and argument habits that several builtins share: numbers, job and
// process operands, getting an absolute path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interp/command.h"
#include "interp/process.h"

namespace nacre::builtins {

// "bash: line 1: NAME: a: b" from its pieces.
void say(interp::Process& p, std::string_view builtin, std::string_view a, std::string_view b = {},
         std::string_view c = {});

// bash's three words for something that should have been a number:
// "x: invalid number", "08: invalid octal number", "0x1: invalid hex number".
void say_invalid_number(interp::Process& p, std::string_view builtin, std::string_view word);
// "x: numeric argument required"
void say_need_number(interp::Process& p, std::string_view builtin, std::string_view word);
// "%9: no such job"
void say_no_such_job(interp::Process& p, std::string_view builtin, std::string_view word);

// A job as an operand gives it (%1, %+, %name, name, 1); null after "ambiguous
// job spec" (`ambiguous` is then set) and, in silence, when there is none. An
// empty `spec` is the current job when `given` is false.
interp::Job* job_operand(interp::Process& p, std::string_view builtin, std::string_view spec,
                         bool& ambiguous);

// The operands behind an optional `--`, for builtins that take no options but
// --help. `shown` is set when the help was printed.
interp::Args plain_operands(interp::CommandContext& ctx, const interp::Command& command,
                            bool& shown);

}  // namespace nacre::builtins
