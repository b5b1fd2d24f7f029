// What a name would run, told in the forms of `type` and `command -v`.
#pragma once

#include <cstdint>
#include <string_view>

#include "interp/command.h"
#include "interp/process.h"

namespace nacre::builtins {

struct DescribeOptions {
  enum class Form : uint8_t {
    sentence,   // echo is a shell builtin     (type, command -V)
    word,       // builtin                     (type -t)
    reusable,   // echo, alias a='b'           (command -v)
    path,       // /usr/bin/ls, files only     (type -p)
  } form = Form::sentence;
  bool all = false;            // -a
  bool functions = true;       // not -f
  bool only_files = false;     // -P
  bool default_path = false;   // command -p
};

// Prints; false when there is nothing to tell.
bool describe_command(interp::Process& p, interp::CommandContext& ctx, std::string_view name,
                      DescribeOptions o);

}  // namespace nacre::builtins
