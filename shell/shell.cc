// The public Shell: one session, one main process, the run's edge.
#include "nacre/nacre.h"

#include <memory>

#include "base/numbers.h"
#include "builtins/registry.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/fresh_shell.h"
#include "interp/jobs.h"
#include "interp/session.h"
#include "interp/variables.h"
#include "limits/clock.h"
#include "shell/files.h"
#include "shell/host_input.h"
#include "vfs/bare_tree.h"

namespace nacre {

using interp::Flow;
using interp::Outcome;
using interp::Process;

std::string_view ending_text(Ending ending) {
  constexpr std::string_view kTexts[] = {"completed", "exited",       "limit",   "timeout",
                                         "cancelled", "syntax_error", "deadlock"};
  return kTexts[static_cast<int>(ending)];
}

std::string_view version() { return "0.1.0"; }

struct Shell::Impl {
  explicit Impl(const ShellOptions& options);

  Result exec(std::string_view script, const ExecOptions& options);
  Outcome run(std::string_view script, const ExecOptions& options, Result& result);
  void open_descriptors(const ExecOptions& options, Result& result);
  void prepare(std::string_view script, const ExecOptions& options);
  void wait_for_others();
  void end_run();

  ShellOptions options;
  std::unique_ptr<limits::Clock> clock;
  std::vector<std::string_view> utilities;   // names in /usr/bin, sorted
  vfs::BareTree tree;
  std::unique_ptr<interp::Session> session;
  std::unique_ptr<Process> process;
  std::unique_ptr<TreeFiles> files;
};

namespace {

std::unique_ptr<limits::Clock> make_clock(const ShellOptions& o) {
  if (o.clock == ClockKind::virtual_)
    return std::make_unique<limits::VirtualClock>(o.virtual_start * 1'000'000'000);
  return std::make_unique<limits::RealClock>();
}

void set_exported(Process& p, std::string_view name, std::string_view value) {
  interp::Variable& v = p.state.vars.create(p.session.symbols.intern(name));
  v.set_text(value);
  v.attrs |= interp::kExported;
}

}  // namespace

Shell::Impl::Impl(const ShellOptions& o) : options(o), clock(make_clock(o)) {
  for (const interp::Command* c : builtins::command_table().all())
    if (c->main) utilities.push_back(c->name);
  tree = vfs::make_bare_tree({options.limits, *clock, utilities,
                              {options.uid, options.gid}});
  session = std::make_unique<interp::Session>(builtins::command_table(), *clock);
  session->user_name = o.user_name;
  session->host_name = o.host_name;
  session->random_state = o.seed ? *o.seed : static_cast<uint64_t>(clock->wall_now());
  session->meter.begin(options.limits, *clock, nullptr);
  process = std::make_unique<Process>(*session);
  session->main_process = process.get();
  Process& p = *process;
  p.state.view = vfs::View(tree.root, {o.uid, o.gid}, std::string(vfs::kHome));
  p.state.seconds_base = clock->now();
  p.state.random_seed = static_cast<int64_t>(session->random() & 0x7fffffff);
  interp::initialise_variables(p);
  if (o.default_environment) {
    set_exported(p, "HOME", vfs::kHome);
    set_exported(p, "PATH", "/usr/bin:/bin");
    set_exported(p, "PWD", p.state.view.cwd());
    p.state.vars.create(session->names.oldpwd).attrs |= interp::kExported;
    set_exported(p, "SHLVL", "1");
    set_exported(p, "LANG", "C.UTF-8");
    set_exported(p, "USER", o.user_name);
    set_exported(p, "LOGNAME", o.user_name);
    set_exported(p, "SHELL", "/bin/bash");
  }
  files = std::make_unique<TreeFiles>(vfs::View(tree.root, {0, 0}, "/"), o.uid, o.gid);
}

void Shell::Impl::open_descriptors(const ExecOptions& o, Result& result) {
  limits::Meter& meter = session->meter;
  auto fds = base::make_ref<interp::FdTable>();
  interp::OpenFileRef in;
  if (o.stdin_source) {
    in = interp::OpenFileRef(
        new HostInput(o.stdin_source, meter, &result.statistics.bytes_in));
  } else {
    result.statistics.bytes_in = static_cast<int64_t>(o.stdin_text.size());
    in = o.stdin_text.empty() ? interp::open_device(vfs::Device::null, {}, {})
                              : interp::open_text(std::string(o.stdin_text), meter);
  }
  auto sink = [&](const std::function<void(std::string_view)>& taker, std::string& text) {
    if (taker) return interp::open_sink(taker, meter, &result.out_truncated);
    return interp::open_sink([&text](std::string_view s) { text.append(s); }, meter,
                             &result.out_truncated);
  };
  (void)fds->set(0, in, meter);
  (void)fds->set(1, sink(o.on_stdout, result.out), meter);
  (void)fds->set(2, sink(o.on_stderr, result.err), meter);
  process->original_stdin = fds->get(0);
  process->state.fds = std::move(fds);
}

void Shell::Impl::prepare(std::string_view script, const ExecOptions& o) {
  Process& p = *process;
  p.state.arg0 = o.script_name.empty() ? o.arg0 : o.script_name;
  p.script_name = o.script_name;
  p.runs_string = o.script_name.empty() && !o.script_on_stdin;
  p.reads_stdin = o.script_on_stdin;
  p.state.params.reset();
  p.state.param_base = 0;
  if (!o.args.empty()) {
    p.state.params = base::make_ref<interp::ParamList>();
    p.state.params->values = o.args;
  }
  for (const auto& [name, value] : o.env) {
    set_exported(p, name, value);
    base::Symbol s = p.session.symbols.intern(name);
    if (s <= p.session.names.last()) interp::special_variable_changed(p, s);
  }
  if (!o.cwd.empty() && p.state.view.chdir(o.cwd))
    p.state.vars.create(p.session.names.pwd).set_text(p.state.view.cwd());
  if (p.runs_string)
    p.state.vars.create(p.session.symbols.intern("BASH_EXECUTION_STRING")).set_text(script);
  p.line = 1;
  p.loop_depth = p.errexit_off = p.function_level = p.source_level = 0;
  p.call_depth = p.subshell_depth = p.trace_level = 0;
  p.frames.clear();
  p.saved_options.clear();
  p.local_options_level = -1;
  p.failure = Outcome();
  p.pending_signals = 0;
  p.kill_signal = 0;
  p.running_trap = -1;
  p.exit_trap_done = false;
  p.in_interruptible_wait = false;
  p.fiber = session->scheduler.current();
}

// What a reader of the output's pipe would wait for: processes in the
// background that may still write.
void Shell::Impl::wait_for_others() {
  for (;;) {
    bool waiting = false;
    for (const auto& r : session->processes) waiting |= !r->done;
    if (!waiting) return;
    session->scheduler.wait(session->process_ended);
  }
}

Outcome Shell::Impl::run(std::string_view script, const ExecOptions& o, Result& result) {
  Process& p = *process;
  Outcome how;
  try {
    interp::SourceOptions source_options;
    if (o.script_on_stdin) {
      interp::DescriptorSource source(p, 0);
      how = interp::run_source(p, source, source_options);
    } else {
      if (o.script_name.empty()) source_options.label = "-c: ";
      how = interp::run_text(p, script, source_options);
    }
    result.ended = p.syntax_failed                               ? Ending::syntax_error
                   : how.flow == Flow::exit ? Ending::exited : Ending::completed;
    result.status = interp::finish_process(p, how);
  } catch (const interp::BrokenPipe&) {
    result.status = 128 + 13;
    result.ended = Ending::exited;
  } catch (const interp::FiberKilled&) {
    result.status = 128 + p.kill_signal;
    result.ended = Ending::exited;
  }
  // What it held open is closed, so that those that read from it see the end.
  p.state.fds = base::make_ref<interp::FdTable>();
  wait_for_others();
  return how;
}

void Shell::Impl::end_run() {
  Process& p = *process;
  p.jobs.clear();
  p.coprocs.clear();
  p.open_substitutions.clear();
  session->processes.clear();
  if (p.state.traps) p.state.traps.reset();
  // The sinks refer to the Result.
  p.state.fds = base::make_ref<interp::FdTable>();
}

Result Shell::Impl::exec(std::string_view script, const ExecOptions& o) {
  Result result;
  limits::Meter& meter = session->meter;
  const int64_t start = clock->now();
  meter.begin(options.limits, *clock, o.cancel ? o.cancel->flag() : nullptr);
  session->unsupported.clear();
  tree.root->clear_quota_hits();
  std::optional<vfs::MemoryFs::Snapshot> tree_before;
  std::optional<interp::ShellState> state_before;
  if (o.atomic) {
    tree_before.emplace(tree.files->snapshot());
    state_before.emplace(process->state);
  }
  auto stop = [&](Ending how, int status, std::string message) {
    result.ended = how;
    result.status = status;
    message.insert(0, "bash: ");
    message += '\n';
    if (o.on_stderr) o.on_stderr(message);
    else result.err += message;
  };
  try {
    if (static_cast<int64_t>(script.size()) > options.limits.max_input_bytes)
      meter.exceeded(LimitName::max_input_bytes);
    open_descriptors(o, result);
    process->syntax_failed = false;
    if (o.check_only) process->state.options.put(interp::SetOption::noexec, true);
    session->scheduler.run([&] {
      prepare(script, o);
      run(script, o, result);
    });
  } catch (const limits::LimitExceeded& e) {
    result.limit = e.name;
    result.limit_value = e.limit;
    bool timeout = e.name == LimitName::timeout;
    stop(timeout ? Ending::timeout : Ending::limit, timeout ? 124 : 1,
         limits::limit_message(e.name, e.limit));
  } catch (const limits::Cancelled&) {
    stop(Ending::cancelled, 130, "cancelled");
  } catch (const interp::Deadlock&) {
    stop(Ending::deadlock, 1, "deadlock: every process waits for another");
  }
  end_run();
  if (o.check_only) process->state.options.put(interp::SetOption::noexec, false);
  if (o.atomic && result.status != 0) {
    tree.files->restore(*tree_before);
    process->state = *state_before;
  }
  for (interp::Unsupported& u : session->unsupported)
    result.unsupported.push_back({std::move(u.command), std::move(u.what)});
  const vfs::QuotaHits quotas = tree.root->quota_hits();
  for (LimitName name : {LimitName::max_fs_bytes, LimitName::max_file_bytes, LimitName::max_files,
                         LimitName::max_path_depth, LimitName::max_path_bytes,
                         LimitName::max_symlink_hops})
    if (quotas.has(name)) result.quotas.push_back(name);
  const limits::Meter::Counters c = meter.counters();
  result.statistics.commands = c.commands;
  result.statistics.loop_iterations = c.loop_iterations;
  result.statistics.bytes_out = c.output;
  result.statistics.peak_memory = c.peak_memory;
  result.statistics.wall_time_ns = clock->now() - start;
  return result;
}

Shell::Shell() : Shell(ShellOptions{}) {}
Shell::Shell(const ShellOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Shell::~Shell() = default;
Shell::Shell(Shell&&) noexcept = default;
Shell& Shell::operator=(Shell&&) noexcept = default;

Result Shell::exec(std::string_view script, const ExecOptions& options) {
  return impl_->exec(script, options);
}

Files& Shell::files() { return *impl_->files; }

std::optional<std::string> Shell::variable(std::string_view name) const {
  return interp::variable_text(*impl_->process, name);
}

void Shell::set_variable(std::string_view name, std::string_view value, bool exported) {
  base::Symbol s = impl_->session->symbols.intern(name);
  interp::assign_variable(*impl_->process, s, value);
  if (exported)
    if (interp::Variable* v = impl_->process->state.vars.find_writable(s)) v->attrs |= interp::kExported;
}

const Limits& Shell::limits() const { return impl_->options.limits; }
void Shell::set_limits(const Limits& limits) { impl_->options.limits = limits; }

}  // namespace nacre
