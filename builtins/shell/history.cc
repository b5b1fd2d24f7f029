// history: shows and changes the list of commands.
#include <algorithm>
#include <optional>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/history_expand.h"
#include "builtins/shell/history_list.h"
#include "builtins/shell/messages.h"
#include "builtins/shell/printf_time.h"
#include "interp/variables.h"

namespace nacre::builtins {

extern const interp::Command command_history;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::HistoryList;
using interp::Outcome;
using interp::Process;

namespace {

int show(Process& p, CommandContext& ctx, Args operands) {
  const HistoryList& list = history_of(p);
  size_t count = list.entries.size();
  if (!operands.empty()) {
    auto n = base::parse_legal_number(operands[0]);
    if (!n) {
      say_need_number(p, "history", operands[0]);
      return 1;
    }
    if (operands.size() > 1) {
      say(p, "history", "too many arguments");
      p.failure = Outcome(1, Flow::exit);
      return 1;
    }
    uint64_t wanted = *n < 0 ? 0 - static_cast<uint64_t>(*n) : static_cast<uint64_t>(*n);
    count = static_cast<size_t>(std::min<uint64_t>(wanted, count));
  }
  std::string format = interp::variable_text(p, "HISTTIMEFORMAT").value_or("");
  std::string line;
  for (size_t i = list.entries.size() - count; i < list.entries.size(); ++i) {
    constexpr size_t kWidth = 5;
    const HistoryList::Entry& e = list.entries[i];
    std::string number = base::int_text(list.base + static_cast<int64_t>(i));
    line.assign(number.size() < kWidth ? kWidth - number.size() : 0, ' ');
    line += number;
    line += e.modified ? '*' : ' ';
    line += ' ';
    if (!format.empty()) append_printf_time(p, line, format, e.time);
    line += e.text;
    ctx.out << line << "\n";
  }
  return 0;
}

int out_of_range(Process& p, std::string_view what) {
  say(p, "history", what, "history position out of range");
  return 1;
}

// A position as an operand: a number as it is shown, or one counted from the
// end. nullopt when there is no such entry.
std::optional<int64_t> position(const HistoryList& list, std::string_view text) {
  auto n = base::parse_legal_number(text);
  if (!n || text.empty()) return std::nullopt;
  const auto size = static_cast<int64_t>(list.entries.size());
  if (*n < -size || *n > list.base + size) return std::nullopt;
  int64_t index = *n < 0 ? size + *n : *n - list.base;
  if (index < 0 || index >= size) return std::nullopt;
  return index;
}

int remove(Process& p, std::string_view which) {
  HistoryList& list = history_of(p);
  size_t dash = which.find('-', 1);
  std::string_view first = which.substr(0, dash);
  std::string_view last = dash == std::string_view::npos ? first : which.substr(dash + 1);
  if (dash != std::string_view::npos &&
      (!base::parse_legal_number(first) || !base::parse_legal_number(last)))
    return out_of_range(p, which);
  auto begin = position(list, first);
  if (!begin) return out_of_range(p, first);
  auto end = position(list, last);
  if (!end) return out_of_range(p, last);
  if (*end < *begin) return 1;
  list.entries.erase(list.entries.begin() + *begin, list.entries.begin() + *end + 1);
  return 0;
}

int print_expanded(Process& p, CommandContext& ctx, Args words) {
  int status = 0;
  std::string text;
  for (std::string_view word : words) {
    if (expand_history(history_of(p), word, text, p.meter())) {
      ctx.out << text << "\n";
    } else {
      ctx.out.flush();
      say(p, "history", word, "history expansion failed");
      status = 1;
    }
  }
  return status;
}

int store(Process& p, Args words) {
  std::string line;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) line += ' ';
    line += words[i];
    p.meter().check_string(static_cast<int64_t>(line.size()));
  }
  add_history(p, line);
  return 0;
}

int use_file(Process& p, char what, Args operands) {
  std::string path = operands.empty() ? interp::variable_text(p, "HISTFILE").value_or("")
                                      : std::string(operands[0]);
  HistoryList& list = history_of(p);
  if (path.empty()) return operands.empty() && !interp::variable_text(p, "HISTFILE") ? 0 : what == 'r';
  switch (what) {
    case 'a': {
      auto count = static_cast<size_t>(list.new_entries);
      return count == 0 || write_history(p, path, count, true) ? 0 : 1;
    }
    case 'w': return write_history(p, path, list.entries.size(), false) ? 0 : 1;
    case 'r': return read_history(p, path, 0) ? 0 : 1;
    default: return read_history(p, path, list.lines_in_file) ? 0 : 1;
  }
}

int history_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_history, "acd:npsrw");
  bool clear = false, add = false, print = false, has_which = false, several = false;
  char file = 0;
  std::string_view which;
  while (char c = options.next()) switch (c) {
      case 'c': clear = true; break;
      case 's': add = true; break;
      case 'p': print = true; break;
      case 'd':
        which = options.value();
        has_which = true;
        break;
      default:
        several |= file && file != c;
        file = c;
        break;
    }
  if (options.failed()) return options.status();
  if (several) {
    say(p, "history", "cannot use more than one of -anrw");
    return 1;
  }
  Args operands = options.rest();
  if (clear) {
    clear_history(p);
    if (operands.empty()) return 0;
  }
  if (add) return operands.empty() ? 0 : store(p, operands);
  if (print) return print_expanded(p, ctx, operands);
  if (has_which) return remove(p, which);
  if (file) return use_file(p, file, operands);
  return clear ? 0 : show(p, ctx, operands);
}

}  // namespace

const Command command_history = {
    "history",
    "history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
    "history: history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg "
    "[arg...]\n"
    "    Show or change the list of commands.\n"
    "    \n"
    "    Print the commands with their numbers, a star at those that were changed;\n"
    "    with N, the last N of them.\n"
    "    \n"
    "    Options:\n"
    "      -c\tremove all\n"
    "      -d offset\tremove the one at OFFSET, or a range \"first-last\"; negative\n"
    "    \t\toffsets count from the end\n"
    "    \n"
    "      -a\tappend what is new to the history file\n"
    "      -n\tread what the file has got since it was last read\n"
    "      -r\tread the whole file\n"
    "      -w\twrite the list to the file, in the place of what it held\n"
    "    \n"
    "      -p\tperform history expansion on each ARG and print the result\n"
    "      -s\tadd the ARGs to the list, as one entry\n"
    "    \n"
    "    The file is FILENAME, or else the one that HISTFILE names.  With\n"
    "    HISTTIMEFORMAT, each entry is shown with its time, in that format of\n"
    "    strftime.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option is invalid or something fails.\n",
    CommandKind::builtin, nullptr, history_builtin};

}  // namespace nacre::builtins
