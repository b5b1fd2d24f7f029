// alias and unalias.
#include <algorithm>
#include <string>
#include <vector>

#include "base/quoting.h"
#include "builtins/shell/getopt.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::AliasTable;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

extern const Command command_alias;
extern const Command command_unalias;

namespace {

bool is_alias_name(std::string_view s) {
  return !s.empty() && s.find_first_of(" \t\n()<>;&|\"'`\\$/") == std::string_view::npos;
}

AliasTable& writable_aliases(Process& p) {
  if (!p.state.aliases) p.state.aliases = base::make_ref<AliasTable>();
  return base::writable(p.state.aliases);
}

const std::string* find(const Process& p, std::string_view name) {
  if (!p.state.aliases) return nullptr;
  auto it = p.state.aliases->by_name.find(name);
  return it == p.state.aliases->by_name.end() ? nullptr : &it->second;
}

void append_alias(std::string& out, std::string_view name, std::string_view value, bool reusable) {
  if (reusable) out += name.starts_with('-') ? "alias -- " : "alias ";
  out += name;
  out += '=';
  out += base::single_quote(value);
  out += '\n';
}

void append_all(const Process& p, bool reusable, std::string& out) {
  if (!p.state.aliases) return;
  std::vector<const std::pair<const std::string, std::string>*> rows;
  for (const auto& row : p.state.aliases->by_name) rows.push_back(&row);
  // bash compares first bytes as signed characters.
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    return static_cast<signed char>(a->first[0]) < static_cast<signed char>(b->first[0]);
  });
  for (const auto* row : rows) append_alias(out, row->first, row->second, reusable);
}

int not_found(Process& p, CommandContext& ctx, std::string_view builtin, std::string_view name) {
  ctx.out.flush();
  interp::builtin_error(p, builtin, std::string(name) + ": not found");
  return 1;
}

int alias_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_alias, "p");
  bool reusable = !p.has(interp::SetOption::posix), print = false;
  while (options.next()) print = reusable = true;
  if (options.failed()) return options.status();
  std::string out;
  if (print || options.rest().empty()) append_all(p, reusable, out);
  ctx.out.write(out);
  int status = 0;
  for (std::string_view word : options.rest()) {
    size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      const std::string* value = find(p, word);
      if (!value) {
        status = not_found(p, ctx, "alias", word);
        continue;
      }
      out.clear();
      append_alias(out, word, *value, reusable);
      ctx.out.write(out);
      continue;
    }
    std::string_view name = word.substr(0, equals);
    if (!is_alias_name(name)) {
      ctx.out.flush();
      interp::builtin_error(p, "alias", "`" + std::string(name) + "': invalid alias name");
      status = 1;
      continue;
    }
    std::string& slot = writable_aliases(p).by_name[std::string(name)];
    p.meter().check_string(static_cast<int64_t>(word.size()));
    slot = word.substr(equals + 1);
  }
  return status;
}

int unalias_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_unalias, "a");
  bool all = false;
  while (options.next()) all = true;
  if (options.failed()) return options.status();
  if (all) {
    p.state.aliases.reset();
    return 0;
  }
  if (options.rest().empty()) return interp::builtin_usage(p, command_unalias);
  int status = 0;
  for (std::string_view name : options.rest()) {
    if (!find(p, name)) {
      status = not_found(p, ctx, "unalias", name);
      continue;
    }
    AliasTable& table = writable_aliases(p);
    table.by_name.erase(table.by_name.find(name));
  }
  return status;
}

}  // namespace

extern const Command command_alias = {
    "alias", "alias [-p] [name[=value] ... ]",
    "alias: alias [-p] [name[=value] ... ]\n"
    "    Define aliases, or show them.\n"
    "    \n"
    "    A blank at the end of VALUE makes the next word open to aliases too.\n"
    "    \n"
    "    Options:\n"
    "      -p\tshow all aliases as commands that would define them\n"
    "    \n"
    "    Returns 0 unless a NAME without a value is no alias.\n",
    CommandKind::builtin, nullptr, alias_builtin};

extern const Command command_unalias = {
    "unalias", "unalias [-a] name [name ...]",
    "unalias: unalias [-a] name [name ...]\n"
    "    Remove each NAME from the aliases.\n"
    "    \n"
    "    Options:\n"
    "      -a\tremove all of them\n"
    "    \n"
    "    Returns 0 unless a NAME is no alias.\n",
    CommandKind::builtin, nullptr, unalias_builtin};

}  // namespace nacre::builtins
