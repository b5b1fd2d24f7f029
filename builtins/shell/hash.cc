// hash: where commands were found.
#include <algorithm>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/hash_table.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::HashTable;
using interp::Process;
using interp::Resolved;

extern const Command command_hash;

namespace {

HashTable& writable_table(Process& p) {
  if (!p.state.hashed) p.state.hashed = base::make_ref<HashTable>();
  return base::writable(p.state.hashed);
}

// bash lists its table bucket by bucket: 256 of them, FNV-1.
unsigned bucket_of(std::string_view name) {
  uint32_t h = 2166136261u;
  for (unsigned char c : name) h = (h * 16777619u) ^ c;
  return h & 255;
}

void append_reusable(std::string& out, std::string_view name, std::string_view path) {
  out += "builtin hash -p ";
  out += base::quote_if_needed(path);
  out += ' ';
  out += base::quote_if_needed(name);
  out += '\n';
}

void list(Process& p, CommandContext& ctx, bool reusable) {
  if (!p.state.hashed || p.state.hashed->by_name.empty()) {
    if (!p.has(interp::SetOption::posix)) ctx.out << "hash: hash table empty\n";
    return;
  }
  std::vector<const std::pair<const std::string, HashTable::Entry>*> rows;
  for (const auto& row : p.state.hashed->by_name) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    return bucket_of(a->first) < bucket_of(b->first);
  });
  std::string out;
  if (!reusable) out = "hits\tcommand\n";
  for (const auto* row : rows) {
    if (reusable) {
      append_reusable(out, row->first, row->second.path);
      continue;
    }
    std::string hits = base::int_text(row->second.hits);
    if (hits.size() < 4) out.append(4 - hits.size(), ' ');
    out += hits;
    out += '\t';
    out += row->second.path;
    out += '\n';
  }
  ctx.out.write(out);
}

int not_found(Process& p, CommandContext& ctx, std::string_view name) {
  ctx.out.flush();
  interp::builtin_error(p, "hash", std::string(name) + ": not found");
  return 1;
}

// -t: where each name is.
int tell(Process& p, CommandContext& ctx, Args names, bool reusable) {
  int status = 0;
  for (std::string_view name : names) {
    const std::string* path = hashed_path(p, name);
    if (!path) {
      status = not_found(p, ctx, name);
      continue;
    }
    std::string out;
    if (reusable) {
      append_reusable(out, name, *path);
    } else {
      if (names.size() > 1) {
        out += name;
        out += '\t';
      }
      out += *path;
      out += '\n';
    }
    ctx.out.write(out);
  }
  return status;
}

int forget(Process& p, CommandContext& ctx, std::string_view name) {
  if (!p.state.hashed || !p.state.hashed->by_name.contains(name)) return not_found(p, ctx, name);
  auto& rows = writable_table(p).by_name;
  rows.erase(rows.find(name));
  return 0;
}

// Looks a name up and keeps what was found; builtins and functions need none.
int find_and_remember(Process& p, CommandContext& ctx, std::string_view name) {
  if (name.find('/') != std::string_view::npos) return 0;
  Resolved r = interp::resolve_command(p, name);
  if (r.kind == Resolved::Kind::function || r.kind == Resolved::Kind::builtin) return 0;
  // A new search, whatever the table says.
  if (p.state.hashed && p.state.hashed->by_name.contains(name)) {
    forget(p, ctx, name);
    r = interp::resolve_command(p, name);
  }
  if (r.kind != Resolved::Kind::utility && r.kind != Resolved::Kind::script)
    return not_found(p, ctx, name);
  remember_path(p, name, r.path);
  return 0;
}

int hash_builtin(Process& p, CommandContext& ctx) {
  if (!p.has(interp::SetOption::hashall)) {
    interp::builtin_error(p, "hash", "hashing disabled");
    return 1;
  }
  BuiltinOptions options(p, ctx, command_hash, "dlp:rt");
  bool remove = false, reusable = false, clear = false, where = false, has_path = false;
  std::string_view path;
  while (char c = options.next()) {
    switch (c) {
      case 'd': remove = true; break;
      case 'l': reusable = true; break;
      case 'p':
        has_path = true;
        path = options.value();
        break;
      case 'r': clear = true; break;
      case 't': where = true; break;
    }
  }
  if (options.failed()) return options.status();
  Args names = options.rest();
  if (names.empty() && (remove || where)) {
    interp::builtin_error(p, "hash", remove ? "-d: option requires an argument"
                                            : "-t: option requires an argument");
    return 1;
  }
  if (names.empty() && !clear) {
    list(p, ctx, reusable);
    return 0;
  }
  if (clear) p.state.hashed.reset();
  if (where) return tell(p, ctx, names, reusable);
  int status = 0;
  for (std::string_view name : names) {
    if (has_path) {
      auto st = p.state.view.stat(path);
      if (st && st->type == vfs::FileType::directory) {
        interp::builtin_error(p, "hash", std::string(path) + ": Is a directory");
        status = 1;
      } else {
        remember_path(p, name, path);
      }
    } else if (remove) {
      status |= forget(p, ctx, name);
    } else {
      status |= find_and_remember(p, ctx, name);
    }
  }
  return status;
}

}  // namespace

const std::string* hashed_path(Process& p, std::string_view name) {
  if (!p.state.hashed || !p.state.hashed->by_name.contains(name)) return nullptr;
  HashTable::Entry& entry = writable_table(p).by_name.find(name)->second;
  ++entry.hits;
  return &entry.path;
}

void remember_path(Process& p, std::string_view name, std::string_view path) {
  writable_table(p).by_name[std::string(name)] = {std::string(path), 0};
}

extern const Command command_hash = {
    "hash", "hash [-lr] [-p pathname] [-dt] [name ...]",
    "hash: hash [-lr] [-p pathname] [-dt] [name ...]\n"
    "    Remember where commands are, or show what is remembered.\n"
    "    \n"
    "    Options:\n"
    "      -d\tforget each NAME\n"
    "      -l\tshow the table as commands that would make it\n"
    "      -p pathname\tremember PATHNAME as the place of each NAME\n"
    "      -r\tforget everything\n"
    "      -t\tshow where each NAME is\n"
    "    \n"
    "    Returns 0 unless a NAME is not found or an option is wrong.\n",
    CommandKind::builtin, nullptr, hash_builtin};

}  // namespace nacre::builtins
