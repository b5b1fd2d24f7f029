// complete and compopt: they store and show specifications.
#include <algorithm>

#include "builtins/shell/completion.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/invoke.h"

namespace nacre::builtins {

extern const interp::Command command_complete;
extern const interp::Command command_compopt;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::CompletionSpec;
using interp::CompletionTable;
using interp::Process;

namespace {

using Row = CompletionTable::Row;

// bash keeps specifications in a hash table of 512 buckets, newest first in
// each, and lists them in that order.
uint32_t bucket_of(std::string_view name) {
  constexpr uint32_t kOffset = 2166136261u, kPrime = 16777619u, kBuckets = 512;
  uint32_t h = kOffset;
  for (unsigned char c : name) {
    h *= kPrime;
    h ^= c;
  }
  return h & (kBuckets - 1);
}

CompletionTable& writable_table(Process& p) {
  if (!p.state.completions) p.state.completions = base::make_ref<CompletionTable>();
  return base::writable(p.state.completions);
}

const Row* find_row(const Process& p, std::string_view name) {
  if (!p.state.completions) return nullptr;
  for (const Row& row : p.state.completions->rows)
    if (row.name == name) return &row;
  return nullptr;
}

CompletionSpec* writable_spec(Process& p, std::string_view name) {
  if (!find_row(p, name)) return nullptr;
  for (Row& row : writable_table(p).rows)
    if (row.name == name) return &row.spec;
  return nullptr;
}

void store(Process& p, std::string_view name, const CompletionSpec& spec) {
  if (CompletionSpec* old = writable_spec(p, name)) {
    *old = spec;
    return;
  }
  CompletionTable& table = writable_table(p);
  p.meter().check_elements(static_cast<int64_t>(table.rows.size()) + 1);
  uint32_t bucket = bucket_of(name);
  auto at = std::ranges::find_if(table.rows,
                                 [&](const Row& row) { return bucket_of(row.name) >= bucket; });
  table.rows.insert(at, Row{std::string(name), spec});
}

bool remove(Process& p, std::string_view name) {
  if (!find_row(p, name)) return false;
  std::erase_if(writable_table(p).rows, [&](const Row& row) { return row.name == name; });
  return true;
}

int no_specification(Process& p, std::string_view builtin, std::string_view name) {
  say(p, builtin, name, "no completion specification");
  return 1;
}

int print_specs(Process& p, CommandContext& ctx, Args names) {
  int status = 0;
  std::string line;
  if (names.empty() && p.state.completions)
    for (const Row& row : p.state.completions->rows)
      append_complete_command(line, row.name, row.spec);
  for (std::string_view name : names) {
    const Row* row = find_row(p, name);
    if (row) append_complete_command(line, row->name, row->spec);
    else status = no_specification(p, "complete", name);
  }
  ctx.out << line;
  return status;
}

int complete_builtin(Process& p, CommandContext& ctx) {
  if (ctx.args.size() == 1) return print_specs(p, ctx, {});
  int status = 0;
  auto request = parse_completion(p, ctx, command_complete, status);
  if (!request) return status;
  Args names = request->operands;
  std::string_view special[] = {request->special};
  if (!request->special.empty()) names = special;
  if (request->print) return print_specs(p, ctx, names);
  if (request->remove) {
    if (names.empty()) p.state.completions = {};
    for (std::string_view name : names)
      if (!remove(p, name)) status = no_specification(p, "complete", name);
    return status;
  }
  if (!request->any && names.empty()) return print_specs(p, ctx, {});
  if (names.empty()) return interp::builtin_usage(p, command_complete);
  for (std::string_view name : names) store(p, name, request->spec);
  return 0;
}

void append_option_states(std::string& out, std::string_view name, const CompletionSpec& spec) {
  out += "compopt";
  auto names = completion_option_names();
  for (size_t i = 0; i < names.size(); ++i) {
    out += spec.options >> i & 1 ? " -o " : " +o ";
    out += names[i];
  }
  out += ' ';
  if (name == kDefaultCommand) out += "-D";
  else if (name == kEmptyCommand) out += "-E";
  else if (name == kInitialWord) out += "-I";
  else out += name;
  out += '\n';
}

int compopt_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_compopt, "+o:DEI");
  uint32_t on = 0, off = 0;
  std::string_view special;
  while (char c = options.next()) switch (c) {
      case 'o': {
        auto names = completion_option_names();
        auto it = std::ranges::find(names, options.value());
        if (it == names.end()) {
          say(p, "compopt", options.value(), "invalid option name");
          return 2;
        }
        (options.plus() ? off : on) |= 1u << (it - names.begin());
        break;
      }
      case 'D': special = kDefaultCommand; break;
      case 'E': if (special != kDefaultCommand) special = kEmptyCommand; break;
      default: if (special.empty()) special = kInitialWord; break;
    }
  if (options.failed()) return options.status();
  Args names = options.rest();
  if (!special.empty()) names = Args(&special, 1);
  if (names.empty()) {
    say(p, "compopt", "not currently executing completion function");
    return 1;
  }
  int status = 0;
  std::string listing;
  for (std::string_view name : names) {
    CompletionSpec* spec = writable_spec(p, name);
    if (!spec) status = no_specification(p, "compopt", name);
    else if (!on && !off) append_option_states(listing, name, *spec);
    else spec->options = (spec->options | on) & ~off;
  }
  ctx.out << listing;
  return status;
}

}  // namespace

const Command command_complete = {
    "complete",
    "complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F "
    "function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]",
    "complete: complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] "
    "[-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]\n"
    "    Say how the arguments of commands are completed.\n"
    "    \n"
    "    Keep a specification for each NAME.  Without any option or NAME, print\n"
    "    those that there are, as commands that make them again.\n"
    "    \n"
    "    Options:\n"
    "      -p\tprint the specifications\n"
    "      -r\tremove the specification of each NAME, or all of them\n"
    "      -D\tthis one is for commands that have none\n"
    "      -E\tthis one is for empty lines\n"
    "      -I\tthis one is for the first word of a line\n"
    "    \n"
    "    The others are those of `compgen'.  -D goes before -E, and -E before -I;\n"
    "    with any of them NAMEs are ignored.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option is invalid or a NAME has no specification.\n",
    CommandKind::builtin, nullptr, complete_builtin};

const Command command_compopt = {
    "compopt", "compopt [-o|+o option] [-DEI] [name ...]",
    "compopt: compopt [-o|+o option] [-DEI] [name ...]\n"
    "    Show or change the options of completion specifications.\n"
    "    \n"
    "    -o turns OPTION on, +o turns it off, for each NAME, or for the completion\n"
    "    that is going on.  Without OPTION, print the options.\n"
    "    \n"
    "    Options:\n"
    "      -o option\tthe option to turn on; +o to turn it off\n"
    "      -D\tthe specification for commands that have none\n"
    "      -E\tthe specification for empty lines\n"
    "      -I\tthe specification for the first word of a line\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option is invalid or a NAME has no specification.\n",
    CommandKind::builtin, nullptr, compopt_builtin};

}  // namespace nacre::builtins
