// fc: lists commands of the history, edits them and runs them again.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/history_list.h"
#include "builtins/shell/messages.h"
#include "interp/evaluate.h"
#include "interp/redirect.h"
#include "interp/variables.h"

namespace nacre::builtins {

extern const interp::Command command_fc;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::HistoryList;
using interp::Outcome;
using interp::Process;
using interp::SetOption;

namespace {

constexpr int64_t kNotFound = -1, kInvalid = -2;

// The index that a specification means: a number as it is shown, a number back
// from the end, or the beginning of a command.
int64_t find(const HistoryList& list, std::string_view spec, bool first_of_range, bool listing) {
  const int64_t last = static_cast<int64_t>(list.entries.size()) - 1;
  std::string_view digits = spec.starts_with('-') ? spec.substr(1) : spec;
  if (!digits.empty() && digits[0] >= '0' && digits[0] <= '9') {
    constexpr int64_t kMost = INT32_MAX;
    int64_t n = 0;
    for (char c : digits) {
      if (c < '0' || c > '9') break;
      n = std::min(n * 10 + (c - '0'), kMost);
    }
    if (spec[0] == '-') {
      if (n == 0) return listing ? last : kInvalid;
      return std::max<int64_t>(last + 1 - n, 0);
    }
    if (n == 0) return last;
    n -= list.base;
    if (n < 0 || n >= last) return n == last || !first_of_range ? last : 0;
    return n;
  }
  for (int64_t i = last; i >= 0; --i)
    if (list.entries[static_cast<size_t>(i)].text.starts_with(spec)) return i;
  return kNotFound;
}

int not_found(Process& p) {
  say(p, "fc", "no command found");
  return 1;
}

int run(Process& p, std::string_view text, bool verbose) {
  interp::SourceOptions how;
  how.label = "fc: ";
  how.first_line = p.line;
  how.verbose = verbose;
  uint32_t line = p.line;
  bool was_verbose = p.has(SetOption::verbose);
  if (verbose) p.state.options.put(SetOption::verbose, true);
  Outcome o = interp::run_text(p, text, how);
  if (verbose) p.state.options.put(SetOption::verbose, was_verbose);
  p.line = line;
  if (o.unwinding()) p.failure = o;
  return o.status;
}

void substitute(Process& p, std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  std::string out;
  size_t done = 0;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, done)) {
    out.append(text, done, at - done);
    out += to;
    p.meter().check_string(static_cast<int64_t>(out.size()));
    done = at + from.size();
  }
  out.append(text, done);
  text = std::move(out);
}

// fc -s [OLD=NEW]... [COMMAND]
int run_again(Process& p, CommandContext& ctx, Args operands) {
  size_t changes = 0;
  while (changes < operands.size() && operands[changes].find('=') != std::string_view::npos)
    ++changes;
  HistoryList& list = history_of(p);
  Args rest = operands.subspan(changes);
  int64_t index = rest.empty() ? static_cast<int64_t>(list.entries.size()) - 1
                               : find(list, rest[0], true, false);
  if (index < 0) return not_found(p);
  std::string text = list.entries[static_cast<size_t>(index)].text;
  for (std::string_view change : operands.first(changes)) {
    size_t eq = change.find('=');
    substitute(p, text, change.substr(0, eq), change.substr(eq + 1));
  }
  ctx.out.flush();
  p.write_stderr(text + "\n");
  // It takes the place of the `fc` that a shell with a history would have kept.
  list.entries.back().text = text;
  return run(p, text, false);
}

struct Range {
  int64_t first, last;
  bool reverse;
};

void append_entries(Process& p, const HistoryList& list, Range range, bool numbers, bool listing,
                    std::string& out) {
  int64_t count = range.last - range.first + 1;
  for (int64_t k = 0; k < count; ++k) {
    int64_t i = range.reverse ? range.last - k : range.first + k;
    const HistoryList::Entry& e = list.entries[static_cast<size_t>(i)];
    if (numbers) base::append_int(out, list.base + i);
    if (listing) {
      out += '\t';
      if (!p.has(SetOption::posix)) out += e.modified ? '*' : ' ';
    }
    out += e.text;
    out += '\n';
  }
}

// Writes the commands to a file, has it edited, and runs what it then holds.
int edit_and_run(Process& p, CommandContext& ctx, const std::string& text, std::string_view editor,
                 bool has_editor) {
  std::string path = interp::variable_text(p, "TMPDIR").value_or("/tmp") + "/bash-fc.";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (int i = 0; i < 6; ++i) path += kLetters[p.session.random() % kLetters.size()];
  vfs::OpenFlags flags;
  flags.write = flags.create = flags.exclusive = true;
  {
    auto file = interp::open_path(p, path, flags, 0600);
    if (!file || !(*file)->write(text)) {
      say(p, "fc", path, "cannot open temp file");
      return 1;
    }
  }
  std::string command(editor);
  if (!has_editor) {
    command = interp::variable_text(p, "FCEDIT").value_or("");
    if (command.empty() && !p.has(SetOption::posix))
      command = interp::variable_text(p, "EDITOR").value_or("");
    if (command.empty()) command = p.has(SetOption::posix) ? "ed" : "vi";
  }
  command += ' ';
  command += path;
  ctx.out.flush();
  int status = run(p, command, false);
  std::string edited;
  if (status == 0 && p.failure.flow == interp::Flow::next) {
    if (auto file = interp::open_path(p, path, {.read = true}, 0)) {
      interp::Input in(*file, p.meter());
      in.read_all(edited);
    }
  }
  (void)p.state.view.unlink(path);
  return status == 0 ? run(p, edited, true) : 1;
}

// A number with a minus sign is an operand, not options.
bool is_number(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word[1] >= '0' && word[1] <= '9';
}

int fc_builtin(Process& p, CommandContext& ctx) {
  Args all = ctx.args;
  BuiltinOptions options(p, ctx, command_fc, "e:lnrs");
  bool list_only = false, numbers = true, reverse = false, again = false, has_editor = false;
  std::string_view editor;
  while (options.rest_index() >= all.size() || !is_number(all[options.rest_index()])) {
    char c = options.next();
    if (!c) break;
    switch (c) {
      case 'l': list_only = true; break;
      case 'n': numbers = false; break;
      case 'r': reverse = true; break;
      case 's': again = true; break;
      default:
        editor = options.value();
        has_editor = true;
        break;
    }
  }
  if (options.failed()) return options.status();
  Args operands = options.rest();
  if (again || (has_editor && editor == "-")) return run_again(p, ctx, operands);
  HistoryList& list = history_of(p);
  if (list.entries.empty()) return 0;
  const int64_t last = static_cast<int64_t>(list.entries.size()) - 1;
  constexpr int64_t kListed = 16;
  Range range{list_only ? std::max<int64_t>(last - kListed + 1, 0) : last, last, reverse};
  if (!operands.empty()) {
    range.first = find(list, operands[0], true, list_only);
    range.last = operands.size() > 1 ? find(list, operands[1], false, list_only)
                 : list_only         ? last
                                     : range.first;
  }
  if (range.first == kInvalid || range.last == kInvalid) {
    say(p, "fc", "history specification out of range");
    return 1;
  }
  if (range.first == kNotFound || range.last == kNotFound) return not_found(p);
  if (range.last < range.first) {
    std::swap(range.first, range.last);
    range.reverse = true;
  }
  std::string text;
  append_entries(p, list, range, numbers && list_only, list_only, text);
  if (!list_only) return edit_and_run(p, ctx, text, editor, has_editor);
  ctx.out << text;
  return 0;
}

}  // namespace

const Command command_fc = {
    "fc", "fc [-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]",
    "fc: fc [-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]\n"
    "    List, edit and repeat commands of the history.\n"
    "    \n"
    "    FIRST and LAST are numbers of commands, or the beginnings of their texts;\n"
    "    negative numbers count back from the end.\n"
    "    \n"
    "    Options:\n"
    "      -e ename\tthe editor; without it FCEDIT, EDITOR or vi\n"
    "      -l\tlist the commands instead of editing them\n"
    "      -n\tleave the numbers out of the list\n"
    "      -r\tbegin with the newest\n"
    "    \n"
    "    `fc -s' runs COMMAND, or the last one, again, with PAT replaced by REP.\n"
    "    \n"
    "    Exit Status:\n"
    "    That of what is run; 1 after an error.\n",
    CommandKind::builtin, nullptr, fc_builtin};

}  // namespace nacre::builtins
