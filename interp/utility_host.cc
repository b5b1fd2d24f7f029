#include "interp/utility_host.h"

#include "interp/evaluate.h"
#include "interp/invoke.h"
#include "interp/jobs.h"
#include "interp/redirect.h"
#include "interp/variables.h"

namespace nacre::interp {
namespace {

// Makes `child` what the options ask for.
void prepare(Process& child, const RunOptions& options) {
  auto put = [&](int fd, const OpenFileRef& file) {
    if (file) (void)base::writable(child.state.fds).set(fd, file, child.meter());
  };
  put(0, options.in);
  put(1, options.out);
  put(2, options.err);
  if (!options.cwd.empty()) (void)child.state.view.chdir(options.cwd);
  if (!options.environment) return;
  std::vector<base::Symbol> exported;
  child.state.vars.for_each([&](base::Symbol s, const Variable& v) {
    if (v.has(kExported)) exported.push_back(s);
  });
  for (base::Symbol s : exported) child.state.vars.find_writable(s)->attrs &= ~kExported;
  for (const std::string& entry : *options.environment) {
    size_t eq = entry.find('=');
    if (eq == std::string::npos) continue;
    base::Symbol s = child.session.symbols.intern(std::string_view(entry).substr(0, eq));
    Variable& v = child.state.vars.create(s);
    v.set_text(std::string_view(entry).substr(eq + 1));
    v.attrs |= kExported;
  }
}

Outcome run_external(Process& child, Args argv) {
  Resolved r = resolve_command(child, argv[0], {.functions = false, .builtins = false});
  switch (r.kind) {
    case Resolved::Kind::utility: return Outcome(run_utility(child, *r.command, argv), Flow::exit);
    case Resolved::Kind::script: return Outcome(run_script(child, r.path, argv), Flow::exit);
    case Resolved::Kind::directory:
    case Resolved::Kind::not_executable: return Outcome(126, Flow::exit);
    default:
      child.session.add_unsupported(argv[0], "command");
      return Outcome(127, Flow::exit);
  }
}

}  // namespace

int UtilityHost::run(Args argv, const RunOptions& options) {
  Process child(p_, Process::ChildKind::subshell);
  prepare(child, options);
  child.meter().charge_command();
  try {
    return run_external(child, argv).status;
  } catch (const BrokenPipe&) {
    return 128 + 13;
  } catch (const FiberKilled&) {
    if (child.kill_signal == 0) throw;
    return 128 + child.kill_signal;
  }
}

int UtilityHost::start(Args argv, const RunOptions& options) {
  std::vector<std::string> copy(argv.begin(), argv.end());
  std::string text;
  for (const std::string& a : copy) text += (text.empty() ? "" : " ") + a;
  p_.meter().charge_command();
  ProcessRecord& r = spawn_process(
      p_, Process::ChildKind::background,
      [copy](Process& child) {
        std::vector<std::string_view> views(copy.begin(), copy.end());
        return run_external(child, views);
      },
      text);
  prepare(*r.process, options);
  return r.pid;
}

std::optional<int> UtilityHost::poll(int pid) {
  ProcessRecord* r = p_.session.find_process(pid);
  if (!r) return 127;
  if (!r->done) return std::nullopt;
  int status = r->status;
  reap(p_.session, pid);
  return status;
}

int UtilityHost::wait(int pid, int64_t deadline) {
  int status = wait_for_pid(p_, pid, deadline);
  if (status >= 0) reap(p_.session, pid);
  return status;
}

bool UtilityHost::signal(int pid, int signo) { return send_signal(p_, pid, signo); }

std::expected<OpenFileRef, std::errc> UtilityHost::open(std::string_view path,
                                                        vfs::OpenFlags flags, uint32_t mode) {
  return open_path(p_, path, flags, mode);
}

PipeEnds UtilityHost::pipe() { return make_pipe(p_.session.scheduler, p_.meter()); }

std::optional<std::string_view> UtilityHost::getenv(std::string_view name) const {
  base::Symbol s = p_.session.symbols.find(name);
  if (s == base::kNoSymbol) return std::nullopt;
  const Variable* v = p_.state.vars.find(s);
  if (!v || !v->has(kExported) || !v->is_set() || v->is_array() || v->dynamic != Dynamic::none)
    return std::nullopt;
  return v->text();
}

std::vector<std::string> UtilityHost::environment() const {
  std::vector<std::string> out = exported_environment(p_);
  Resolved r = resolve_command(p_, command_, {.functions = false, .builtins = false});
  std::erase_if(out, [](const std::string& e) { return e.starts_with("_="); });
  out.push_back("_=" + (r.path.empty() ? std::string(command_) : r.path));
  return out;
}

bool UtilityHost::exists(std::string_view command) const {
  Resolved r = resolve_command(p_, command, {.functions = false, .builtins = false});
  return r.kind == Resolved::Kind::utility || r.kind == Resolved::Kind::script;
}

void UtilityHost::unsupported(std::string_view command, std::string_view what) {
  p_.session.add_unsupported(command, what);
}

bool UtilityHost::sleep_until(int64_t deadline) {
  // A trapped signal waits until the command has ended, as with a child of bash.
  while (p_.session.clock->now() < deadline) p_.session.scheduler.sleep_until(deadline);
  return true;
}

}  // namespace nacre::interp
