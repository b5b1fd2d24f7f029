// help: what builtins and reserved words do. The texts are those of the
// Command rows (usage) and of help_topics.cc; here they are found and laid out.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/help_topics.h"
#include "builtins/shell/messages.h"
#include "interp/invoke.h"
#include "interp/variables.h"

namespace nacre::builtins {

extern const interp::Command command_help;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

namespace {

struct Topic {
  HelpTopic text;
  bool disabled = false;
};

std::vector<Topic> all_topics(Process& p) {
  std::vector<Topic> topics;
  for (const Command* c : p.session.commands.all()) {
    if (c->kind == CommandKind::utility) continue;
    base::Symbol s = p.session.symbols.find(c->name);
    topics.push_back({{c->name, c->synopsis, c->usage},
                      s != base::kNoSymbol && interp::is_disabled(p, s)});
  }
  for (const HelpTopic& t : help_topics()) topics.push_back({t, false});
  std::ranges::sort(topics, {}, [](const Topic& t) { return t.text.name; });
  return topics;
}

// The text without its first line, which repeats the synopsis.
std::string_view body_of(const HelpTopic& t) {
  size_t newline = t.text.find('\n');
  return newline == std::string_view::npos ? std::string_view() : t.text.substr(newline + 1);
}

// The first line of the body: one sentence.
std::string_view summary_of(const HelpTopic& t) {
  std::string_view body = body_of(t);
  std::string_view line = body.substr(0, body.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

void print_manual_page(CommandContext& ctx, const HelpTopic& t) {
  ctx.out << "NAME\n    " << t.name << " - " << summary_of(t) << "\n\nSYNOPSIS\n    " << t.synopsis
          << "\n\nDESCRIPTION\n"
          << body_of(t)
          << "\nSEE ALSO\n    bash(1)\n\nIMPLEMENTATION\n"
             "    GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n"
             "    Copyright (C) 2022 Free Software Foundation, Inc.\n"
             "    License GPLv3+: GNU GPL version 3 or later <http://gnu.org/licenses/gpl.html>\n\n";
}

enum class Form : uint8_t { full, summary, manual_page, synopsis };

void print_topic(CommandContext& ctx, const HelpTopic& t, Form form) {
  switch (form) {
    case Form::summary: ctx.out << t.name << " - " << summary_of(t) << "\n"; break;
    case Form::manual_page: print_manual_page(ctx, t); break;
    case Form::synopsis: ctx.out << t.name << ": " << t.synopsis << "\n"; break;
    case Form::full: ctx.out << t.text; break;
  }
}

// `text` cut to the column; `>` says that something is missing.
void append_cell(std::string& out, const Topic& t, size_t width) {
  out += t.disabled ? '*' : ' ';
  if (t.text.synopsis.size() < width - 2) {
    out += t.text.synopsis;
  } else {
    out += t.text.synopsis.substr(0, width - 3);
    out += '>';
  }
}

// The list in two columns, read downwards.
void print_list(Process& p, CommandContext& ctx) {
  ctx.out << "GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n"
             "These shell commands are defined internally.  Type `help' to see this list.\n"
             "Type `help name' to find out more about the function `name'.\n"
             "Use `info bash' to find out more about the shell in general.\n"
             "Use `man -k' or `info' to find out more about commands not in this list.\n"
             "\n"
             "A star (*) next to a name means that the command is disabled.\n"
             "\n";
  constexpr size_t kDefaultColumns = 80, kWidest = 128, kFallback = 40;
  auto columns = base::parse_legal_number(interp::variable_or(p, p.session.names.columns, ""));
  size_t width = columns && *columns > 0 ? static_cast<size_t>(*columns) : kDefaultColumns;
  width = std::min(width / 2, kWidest);
  if (width <= 3) width = kFallback;
  std::vector<Topic> topics = all_topics(p);
  size_t height = (topics.size() + 1) / 2;
  for (size_t i = 0; i < height; ++i) {
    std::string line;
    append_cell(line, topics[i], width);
    if (i + height < topics.size()) {
      if (line.size() < width) line.append(width - line.size(), ' ');
      append_cell(line, topics[i + height], width - 1);
    }
    ctx.out << line << "\n";
  }
}

// Names that the pattern is, or matches; when there are none, those it begins.
bool print_matches(Process& p, CommandContext& ctx, const std::vector<Topic>& topics,
                   std::string_view pattern, Form form) {
  bool found = false;
  regex::PatternOptions options;
  options.extglob = true;
  for (const Topic& t : topics) {
    bool match = t.text.name == pattern ||
                 p.session.patterns.pattern(pattern, options, p.meter()).matches(t.text.name, p.meter());
    if (!match) continue;
    print_topic(ctx, t.text, form);
    found = true;
  }
  if (found) return true;
  for (const Topic& t : topics)
    if (t.text.name.starts_with(pattern)) {
      print_topic(ctx, t.text, form);
      found = true;
    }
  return found;
}

int help_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_help, "dms");
  bool summary = false, page = false, synopsis = false;
  while (char c = options.next()) (c == 'd' ? summary : c == 'm' ? page : synopsis) = true;
  if (options.failed()) return options.status();
  Args patterns = options.rest();
  if (patterns.empty()) {
    print_list(p, ctx);
    return 0;
  }
  Form form = summary ? Form::summary
              : page  ? Form::manual_page
                      : (synopsis ? Form::synopsis : Form::full);
  if (regex::has_active_pattern(patterns[0], true)) {
    ctx.out << "Shell commands matching keyword" << (patterns.size() > 1 ? "s" : "") << " `";
    for (size_t i = 0; i < patterns.size(); ++i) ctx.out << (i > 0 ? ", " : "") << patterns[i];
    ctx.out << "'\n\n";
  }
  std::vector<Topic> topics = all_topics(p);
  bool any = false;
  for (std::string_view pattern : patterns) any |= print_matches(p, ctx, topics, pattern, form);
  if (any) return 0;
  ctx.out.flush();
  std::string last(patterns.back());
  say(p, "help",
      "no help topics match `" + last + "'.  Try `help help' or `man -k " + last +
          "' or `info " + last + "'.");
  return 1;
}

}  // namespace

const Command command_help = {
    "help", "help [-dms] [pattern ...]",
    "help: help [-dms] [pattern ...]\n"
    "    Describe builtin commands.\n"
    "    \n"
    "    Print what is known of the commands whose names match PATTERN, or begin\n"
    "    with it.  Without PATTERN, print a list of all.\n"
    "    \n"
    "    Options:\n"
    "      -d\tone line for each command\n"
    "      -m\tin the form of a manual page\n"
    "      -s\tonly how each command is called\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless nothing matches or an option is invalid.\n",
    CommandKind::builtin, nullptr, help_builtin};

}  // namespace nacre::builtins
