// getopts: one option of a script at a time.
//
// OPTIND is the next argument to look at. Inside a group of letters (-abc) the
// place is kept in the state (getopts_word, getopts_offset) and not in OPTIND;
// setting OPTIND to 1 or less forgets it, which is special_variable_changed()'s
// part. Arguments may change between calls: a place that no longer exists in
// its word counts as the end of the word.
#include <string>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "interp/assign.h"
#include "interp/invoke.h"
#include "interp/process.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Outcome;
using interp::Process;

extern const Command command_getopts;

namespace {

// What one step found.
struct Step {
  enum class Kind : uint8_t { option, end, invalid, missing_argument } kind = Kind::end;
  char letter = 0;
  bool has_value = false;
  std::string_view value;
};

// The words that are parsed: operands, or the positional parameters. Number 1
// is the first.
class Words {
 public:
  Words(const Process& p, Args operands) : p_(p), operands_(operands) {}
  size_t count() const { return operands_.empty() ? p_.state.param_count() : operands_.size(); }
  std::string_view operator[](size_t n) const {
    return operands_.empty() ? p_.state.param(n) : operands_[n - 1];
  }

 private:
  const Process& p_;
  Args operands_;
};

int64_t read_optind(Process& p) {
  std::string buffer;
  std::string_view text;
  if (!interp::read_variable(p, p.session.names.optind, text, buffer)) return 1;
  auto n = base::parse_legal_number(text);
  return n && *n > 0 ? *n : 1;
}

// OPTERR as atoi() has it; unset or empty is 1.
bool errors_wanted(Process& p) {
  std::string buffer;
  std::string_view text;
  if (!interp::read_variable(p, p.session.names.opterr, text, buffer) || text.empty()) return true;
  size_t i = text.find_first_not_of(" \t\n\v\f\r");
  if (i == std::string_view::npos) return false;
  if (text[i] == '-' || text[i] == '+') ++i;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
    if (text[i] != '0') return true;
  return false;
}

// Takes the next option; moves `optind` and the place inside a group.
Step take(Process& p, const Words& words, std::string_view letters, int64_t& optind) {
  int& word = p.state.getopts_word;
  int& offset = p.state.getopts_offset;
  auto count = static_cast<int64_t>(words.count());
  Step step;
  if (optind > count) {
    optind = count + 1;
    return step;
  }
  std::string_view group;
  if (offset > 0 && word <= count) group = words[static_cast<size_t>(word)];
  if (offset <= 0 || static_cast<size_t>(offset) >= group.size()) {
    group = words[static_cast<size_t>(optind)];
    offset = 0;
    if (group == "--") {
      ++optind;
      return step;
    }
    if (group.size() < 2 || group[0] != '-') return step;
    word = static_cast<int>(optind);
    offset = 1;
  }
  step.letter = group[static_cast<size_t>(offset++)];
  bool last = static_cast<size_t>(offset) == group.size();
  size_t at = letters.find(step.letter);
  if (at == std::string_view::npos || step.letter == ':') {
    step.kind = Step::Kind::invalid;
  } else if (at + 1 < letters.size() && letters[at + 1] == ':') {
    step.kind = Step::Kind::option;
    step.has_value = true;
    if (!last) {
      step.value = group.substr(static_cast<size_t>(offset));
    } else if (optind < count) {
      step.value = words[static_cast<size_t>(++optind)];
    } else {
      step.kind = Step::Kind::missing_argument;
    }
    last = true;
  } else {
    step.kind = Step::Kind::option;
  }
  if (last) {
    ++optind;
    offset = 0;
  }
  return step;
}

void complain(Process& p, std::string_view what, char letter) {
  std::string text = p.state.arg0;
  text += ": ";
  text += what;
  text += " -- ";
  text += letter;
  text += '\n';
  p.write_stderr(text);
}

// NAME=letter: 0, 1 (not an identifier), 2 (readonly).
int set_name(Process& p, std::string_view name, char letter) {
  if (!base::is_identifier(name)) {
    std::string text = "`";
    text += name;
    text += "': not a valid identifier";
    interp::builtin_error(p, "getopts", text);
    return 1;
  }
  if (interp::assign_variable(p, p.session.symbols.intern(name), std::string_view(&letter, 1)))
    return 0;
  p.failure = Outcome();
  return 2;
}

void set_optarg(Process& p, std::string_view value) {
  if (!interp::assign_variable(p, p.session.names.optarg, value)) p.failure = Outcome();
}

void set_optind(Process& p, int64_t optind) {
  // The assignment's side effect would forget the place inside a group.
  int word = p.state.getopts_word, offset = p.state.getopts_offset;
  if (!interp::assign_number(p, p.session.names.optind, optind)) p.failure = Outcome();
  p.state.getopts_word = word;
  p.state.getopts_offset = offset;
}

int getopts_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_getopts, "");
  options.next();
  if (options.failed()) return options.status();
  Args rest = options.rest();
  if (rest.size() < 2) return interp::builtin_usage(p, command_getopts);
  std::string_view letters = rest[0], name = rest[1];
  bool silent = letters.starts_with(':');
  if (silent) letters.remove_prefix(1);
  bool print_errors = !silent && errors_wanted(p);

  int64_t optind = read_optind(p);
  Words words(p, rest.subspan(2));
  Step step = take(p, words, letters, optind);
  set_optind(p, optind);

  switch (step.kind) {
    case Step::Kind::option:
      if (step.letter == '?' && silent) set_optarg(p, "?");  // taken for an unknown one
      else if (step.has_value) set_optarg(p, step.value);
      else p.state.vars.unset(p.session.names.optarg);
      return set_name(p, name, step.letter);
    case Step::Kind::end:
      p.state.vars.unset(p.session.names.optarg);
      set_name(p, name, '?');
      return 1;
    case Step::Kind::invalid:
    case Step::Kind::missing_argument: break;
  }
  bool missing = step.kind == Step::Kind::missing_argument;
  if (print_errors)
    complain(p, missing ? "option requires an argument" : "illegal option", step.letter);
  if (silent) set_optarg(p, std::string_view(&step.letter, 1));
  else p.state.vars.unset(p.session.names.optarg);
  return set_name(p, name, missing && silent ? ':' : '?');
}

}  // namespace

extern const Command command_getopts = {
    "getopts", "getopts optstring name [arg ...]",
    "getopts: getopts optstring name [arg ...]\n"
    "    Take the next option of a script's arguments.\n"
    "    \n"
    "    OPTSTRING holds the letters of the options; a colon behind a letter says\n"
    "    that the option takes a value. Each call puts the next letter into the\n"
    "    variable NAME, its value into OPTARG, and the number of the argument to\n"
    "    be looked at next into OPTIND (set it to 1 to start again). The positional\n"
    "    parameters are parsed, or the ARGs when there are any.\n"
    "    \n"
    "    An option that is not known sets NAME to `?' and prints a message. With a\n"
    "    colon first in OPTSTRING nothing is printed, the letter is put into OPTARG,\n"
    "    and a missing value sets NAME to `:'. OPTERR=0 silences the messages too.\n"
    "    \n"
    "    Returns 0 when an option was found, 1 at the end of the options.\n",
    CommandKind::builtin, nullptr, getopts_builtin};

}  // namespace nacre::builtins
