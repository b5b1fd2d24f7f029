#include "builtins/shell/getopt.h"

#include <string>

#include "base/numbers.h"
#include "interp/invoke.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::Process;

void print_builtin_help(CommandContext& ctx, const Command& command) {
  ctx.out << command.usage;
  if (!command.usage.ends_with('\n')) ctx.out.put('\n');
}

int option_error(Process& p, const Command& command, std::string_view text) {
  interp::builtin_error(p, command.name, text);
  return interp::builtin_usage(p, command);
}

char BuiltinOptions::fail(std::string_view option, std::string_view text) {
  failed_ = true;
  std::string message(option);
  message += ": ";
  message += text;
  option_error(p_, command_, message);
  return 0;
}

char BuiltinOptions::next_slow() {
  if (failed_) return 0;
  std::string_view word = ctx_.args[index_];
  if (offset_ == 0) {
    if (word == "--") {
      ++index_;
      return 0;
    }
    if (word == "--help") {
      print_builtin_help(ctx_, command_);
      failed_ = true;
      return 0;
    }
    plus_ = word[0] == '+';
    offset_ = 1;
  }
  char letter = word[offset_++];
  value_ = {};
  has_value_ = false;
  const char option[2] = {word[0], letter};
  std::string_view option_text(option, 2);
  size_t at = spec_.find(letter);
  if (at == std::string_view::npos || letter == ':' || letter == ';' || letter == '#')
    return fail(option_text, "invalid option");
  char kind = at + 1 < spec_.size() ? spec_[at + 1] : 0;
  if (kind == ':' || kind == ';' || kind == '#') {
    take_value(word.substr(offset_), kind, option_text);
    if (failed_) return 0;
  } else if (offset_ == word.size()) {
    ++index_;
    offset_ = 0;
  }
  return letter;
}

void BuiltinOptions::take_value(std::string_view rest_of_word, char kind,
                                std::string_view option) {
  ++index_;
  offset_ = 0;
  if (!rest_of_word.empty()) {
    if (kind == '#' && !base::parse_legal_number(rest_of_word)) {
      fail(option, "numeric argument required");
      return;
    }
    value_ = rest_of_word;
    has_value_ = true;
    return;
  }
  bool more = index_ < ctx_.args.size();
  if (kind == '#') {
    if (!more || !base::parse_legal_number(ctx_.args[index_])) {
      fail(option, "numeric argument required");
      return;
    }
  } else if (!more) {
    if (kind == ':') fail(option, "option requires an argument");
    return;
  } else if (kind == ';' && is_option(ctx_.args[index_])) {
    return;
  }
  value_ = ctx_.args[index_++];
  has_value_ = true;
}

}  // namespace nacre::builtins
