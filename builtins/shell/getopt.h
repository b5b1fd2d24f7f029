// The options of shell builtins, with bash's own habits (not GNU getopt's):
// scanning stops at the first argument that is no option, at `-` or after `--`;
// letters bundle (-rt5); a required value may be attached or be the next
// argument; `--help` prints the builtin's help.
//
//   BuiltinOptions options(p, ctx, command_cd, "LPe@");
//   while (char c = options.next()) switch (c) { case 'L': ... }
//   if (options.failed()) return options.status();
//   Args rest = options.rest();
//
// The specification holds the letters. Behind a letter, `:` means a required
// value, `;` an optional one (the next argument, unless that looks like an
// option) and `#` a required number. A leading `+` makes +x an option as well.
//
// Errors are printed here, with the usage line:
//   bash: line 1: cd: -x: invalid option
//   cd: usage: cd [-L|[-P [-e]] [-@]] [dir]
#pragma once

#include <string_view>

#include "interp/command.h"
#include "interp/process.h"

namespace nacre::builtins {

class BuiltinOptions {
 public:
  // Everything passed must outlive this object. args[0] is skipped.
  BuiltinOptions(interp::Process& p, interp::CommandContext& ctx, const interp::Command& command,
                 std::string_view spec)
      : p_(p), ctx_(ctx), command_(command), spec_(spec) {
    if (!spec_.empty() && spec_[0] == '+') {
      plus_allowed_ = true;
      spec_.remove_prefix(1);
    }
  }

  // The next option's letter; 0 at the end, after an error, and after --help.
  char next() {
    if (offset_ == 0 && (index_ >= ctx_.args.size() || !is_option(ctx_.args[index_]))) return 0;
    return next_slow();
  }
  // The value of the option that next() gave; empty (and !has_value()) when it has none.
  std::string_view value() const { return value_; }
  bool has_value() const { return has_value_; }
  // True when the option was written +x.
  bool plus() const { return plus_; }

  // An error was printed, or the help: return status() at once.
  bool failed() const { return failed_; }
  int status() const { return 2; }
  // The operands behind the options.
  interp::Args rest() const { return ctx_.args.subspan(index_); }
  // Where rest() starts in args (for what runs parallel to them).
  size_t rest_index() const { return index_; }

 private:
  bool is_option(std::string_view s) const {
    return s.size() > 1 && (s[0] == '-' || (plus_allowed_ && s[0] == '+'));
  }
  char next_slow();
  char fail(std::string_view option, std::string_view text);
  void take_value(std::string_view rest_of_word, char kind, std::string_view option);

  interp::Process& p_;
  interp::CommandContext& ctx_;
  const interp::Command& command_;
  std::string_view spec_;
  std::string_view value_;
  size_t index_ = 1;     // argument that is looked at
  size_t offset_ = 0;    // of the next letter in it; 0: it has not been begun
  bool plus_allowed_ = false;
  bool plus_ = false;
  bool has_value_ = false;
  bool failed_ = false;
};

// What `help NAME` prints (also `NAME --help`): on stdout.
void print_builtin_help(interp::CommandContext& ctx, const interp::Command& command);

// "bash: line 1: NAME: -x: invalid option" and the usage line; gives 2.
int option_error(interp::Process& p, const interp::Command& command, std::string_view text);

}  // namespace nacre::builtins
