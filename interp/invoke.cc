#include "interp/invoke.h"

#include <algorithm>
#include <utility>

#include "base/errno_text.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/redirect.h"
#include "interp/traps.h"
#include "interp/utility_host.h"
#include "interp/variables.h"

namespace nacre::interp {
namespace {

// The directories that name utilities.
bool is_bin(std::string_view dir) { return dir == "/usr/bin" || dir == "/bin"; }

const Command* utility_named(Process& p, std::string_view name) {
  const Command* c = p.session.commands.find(name);
  return c && c->main ? c : nullptr;
}

// Calls f(dir) for each element of a PATH text; f returns true to stop.
template <class F>
void for_each_dir(std::string_view path, F&& f) {
  for (;;) {
    size_t colon = path.find(':');
    std::string_view dir = path.substr(0, colon);
    if (f(dir.empty() ? std::string_view(".") : dir)) return;
    if (colon == std::string_view::npos) return;
    path.remove_prefix(colon + 1);
  }
}

std::string join(std::string_view dir, std::string_view name) {
  std::string out(dir);
  if (out.empty() || out.back() != '/') out += '/';
  out += name;
  return out;
}

bool is_executable_file(Process& p, const std::string& path) {
  auto st = p.state.view.stat(path);
  return st && st->type == vfs::FileType::regular && p.state.view.access(path, 1).has_value();
}

Resolved resolve_path(Process& p, std::string_view name) {
  Resolved r;
  size_t slash = name.rfind('/');
  std::string_view dir = name.substr(0, slash);
  if (is_bin(dir)) {
    if (const Command* c = utility_named(p, name.substr(slash + 1))) {
      r.kind = Resolved::Kind::utility;
      r.command = c;
      r.path = name;
      return r;
    }
  }
  r.path = name;
  auto st = p.state.view.stat(name);
  if (!st) return r;
  if (st->type == vfs::FileType::directory) r.kind = Resolved::Kind::directory;
  else if (!p.state.view.access(name, 1)) r.kind = Resolved::Kind::not_executable;
  else r.kind = Resolved::Kind::script;
  return r;
}

constexpr std::string_view kDefaultPath = "/bin:/usr/bin";

Resolved search_path(Process& p, std::string_view name, bool default_path) {
  Resolved r;
  std::string path = default_path ? std::string(kDefaultPath)
                                  : variable_or(p, p.session.names.path, "");
  std::string blocked;
  for_each_dir(path, [&](std::string_view dir) {
    if (is_bin(dir)) {
      if (const Command* c = utility_named(p, name)) {
        r.kind = Resolved::Kind::utility;
        r.command = c;
        r.path = join(dir, name);
        return true;
      }
      return false;
    }
    std::string candidate = join(dir, name);
    auto st = p.state.view.stat(candidate);
    if (!st || st->type == vfs::FileType::directory) return false;
    if (!p.state.view.access(candidate, 1)) {
      if (blocked.empty()) blocked = candidate;
      return false;
    }
    r.kind = Resolved::Kind::script;
    r.path = std::move(candidate);
    return true;
  });
  if (r.kind == Resolved::Kind::none && !blocked.empty()) {
    r.kind = Resolved::Kind::not_executable;
    r.path = std::move(blocked);
  }
  return r;
}

}  // namespace

bool is_disabled(const Process& p, base::Symbol name) {
  return p.state.disabled && std::ranges::find(p.state.disabled->names, name) !=
                                 p.state.disabled->names.end();
}

Resolved resolve_command(Process& p, std::string_view name, ResolveOptions options) {
  Resolved r;
  if (name.empty()) return r;
  base::Symbol s = p.session.symbols.find(name);
  if (options.functions && s != base::kNoSymbol) {
    if (const FunctionDef* f = p.state.functions->find(s)) {
      r.kind = Resolved::Kind::function;
      r.function = f;
      return r;
    }
  }
  if (options.builtins) {
    const Command* c = p.session.commands.find(name);
    if (c && c->builtin && (s == base::kNoSymbol || !is_disabled(p, s))) {
      r.kind = Resolved::Kind::builtin;
      r.command = c;
      return r;
    }
  }
  if (name.find('/') != std::string_view::npos) return resolve_path(p, name);
  if (p.state.hashed) {
    auto it = p.state.hashed->by_name.find(name);
    if (it != p.state.hashed->by_name.end()) {
      Resolved hashed = resolve_path(p, it->second.path);
      if (hashed.kind != Resolved::Kind::none || !p.has(Shopt::checkhash)) return hashed;
    }
  }
  return search_path(p, name, options.default_path);
}

std::vector<std::string> all_paths(Process& p, std::string_view name) {
  std::vector<std::string> out;
  if (name.find('/') != std::string_view::npos) {
    if (is_executable_file(p, std::string(name)) ||
        resolve_path(p, name).kind == Resolved::Kind::utility)
      out.emplace_back(name);
    return out;
  }
  std::string path = variable_or(p, p.session.names.path, "");
  for_each_dir(path, [&](std::string_view dir) {
    std::string candidate = join(dir, name);
    if (is_bin(dir) ? utility_named(p, name) != nullptr : is_executable_file(p, candidate))
      out.push_back(std::move(candidate));
    return false;
  });
  return out;
}

Outcome run_builtin(Process& p, const Command& command, Args args) {
  Input in(p.state.fds->ref(0), p.meter());
  Output out(p.state.fds->ref(1), p.meter(), Output::Buffering::full);
  Output err(p.state.fds->ref(2), p.meter(), Output::Buffering::none);
  const bool ignore_pipe = p.state.traps && ignores_signal(p, 13);
  out.set_ignore_sigpipe(ignore_pipe);
  err.set_ignore_sigpipe(ignore_pipe);
  UtilityHost host(p, args[0]);
  CommandContext context{args, in, out, err, p.state.view, p.meter(), *p.session.clock, host};
  std::string_view outer = std::exchange(p.running_builtin, command.name);
  int status = command.builtin(p, context);
  p.running_builtin = outer;
  out.flush();
  if (out.has_error()) {
    std::string text = "write error: ";
    text += base::errno_text(out.error());
    builtin_error(p, command.name, text);
    status = 1;
  }
  if (p.failure.flow != Flow::next) {
    Outcome o = p.failure;
    p.failure = Outcome();
    p.status = o.status;
    return o;
  }
  p.failure = Outcome();
  return Outcome(status);
}

int run_utility(Process& p, const Command& command, Args args) {
  Input in(p.state.fds->ref(0), p.meter());
  Output out(p.state.fds->ref(1), p.meter(), Output::Buffering::full);
  Output err(p.state.fds->ref(2), p.meter(), Output::Buffering::none);
  const bool ignore_pipe = p.state.traps && ignores_signal(p, 13);
  out.set_ignore_sigpipe(ignore_pipe);
  err.set_ignore_sigpipe(ignore_pipe);
  UtilityHost host(p, args[0]);
  CommandContext context{args, in, out, err, p.state.view, p.meter(), *p.session.clock, host};
  int status;
  try {
    status = command.main(context);
    out.flush();
  } catch (const BrokenPipe&) {
    return 128 + 13;
  }
  if (out.has_error()) {
    context.error("write error", out.error());
    if (status == 0) status = 1;
  }
  return status;
}

namespace {

// What `hash` lists: where a command was found, and how often it was run.
void count_hit(Process& p, std::string_view name, const std::string& path, ResolveOptions options) {
  if (!p.has(SetOption::hashall) || options.default_path ||
      name.find('/') != std::string_view::npos || p.state.vars.depth() > 0)
    return;
  if (!p.state.hashed) p.state.hashed = base::make_ref<HashTable>();
  HashTable& table = base::writable(p.state.hashed);
  auto it = table.by_name.find(name);
  if (it == table.by_name.end()) it = table.by_name.try_emplace(std::string(name)).first;
  it->second.path = path;
  ++it->second.hits;
}

Outcome not_found(Process& p, Args args) {
  base::Symbol handler = p.session.symbols.find("command_not_found_handle");
  if (handler != base::kNoSymbol && args[0].find('/') == std::string_view::npos) {
    if (const FunctionDef* f = p.state.functions->find(handler)) {
      // It runs in a process of its own, with the command line as its arguments.
      std::vector<std::string_view> argv{"command_not_found_handle"};
      argv.insert(argv.end(), args.begin(), args.end());
      Process child(p, Process::ChildKind::subshell);
      Outcome o = call_function(child, *f, argv);
      return Outcome(finish_process(child, o));
    }
  }
  p.session.add_unsupported(args[0], "command");
  p.error(std::string(args[0]) + (args[0].find('/') == std::string_view::npos
                                      ? ": command not found"
                                      : ": No such file or directory"));
  return Outcome(127);
}

}  // namespace

Outcome run_command(Process& p, Args args, ResolveOptions options) {
  Resolved r = resolve_command(p, args[0], options);
  if (r.kind == Resolved::Kind::utility || r.kind == Resolved::Kind::script)
    count_hit(p, args[0], r.path, options);
  switch (r.kind) {
    case Resolved::Kind::function: return call_function(p, *r.function, args);
    case Resolved::Kind::builtin: return run_builtin(p, *r.command, args);
    case Resolved::Kind::utility: return Outcome(run_utility(p, *r.command, args));
    case Resolved::Kind::script: return Outcome(run_script(p, r.path, args));
    case Resolved::Kind::directory:
      p.error(std::string(args[0]) + ": Is a directory");
      return Outcome(126);
    case Resolved::Kind::not_executable:
      p.error((args[0].find('/') == std::string_view::npos ? r.path : std::string(args[0])) +
              ": Permission denied");
      return Outcome(126);
    case Resolved::Kind::none: break;
  }
  if (args[0].find('/') != std::string_view::npos) {
    // ENOTDIR says more than "not found".
    auto st = p.state.view.stat(args[0]);
    if (!st && st.error() != std::errc::no_such_file_or_directory) {
      p.error(std::string(args[0]) + ": " + std::string(base::errno_text(st.error())));
      return Outcome(126);
    }
  }
  return not_found(p, args);
}

}  // namespace nacre::interp
