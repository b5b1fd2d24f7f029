// Processes on fibers, the job table, and signals between processes.
#include "interp/jobs.h"

#include <algorithm>

#include "base/numbers.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/traps.h"
#include "parser/printer.h"

namespace nacre::interp {
namespace {

constexpr int kSigChld = 17;

// The body of a process's fiber. Whatever ends it, even being dropped before it
// began, the record says so and waiters are told.
struct Child {
  Session* session;
  ProcessRecord* record;
  std::unique_ptr<Process> process;
  std::function<Outcome(Process&)> body;

  ~Child() {
    // Killed before it ran.
    if (!record->done && process && process->kill_signal) {
      record->signal = process->kill_signal;
      record->status = 128 + process->kill_signal;
    }
    end(record->status);
  }

  void end(int status) {
    process.reset();
    if (record->done) return;
    record->done = true;
    record->status = status;
    record->process = nullptr;
    session->process_ended.notify_all();
    if (Process* parent = session->live_process(record->parent))
      if (parent->state.traps && has_trap(*parent, kSigChld))
        parent->pending_signals |= uint64_t{1} << (kSigChld - 1);
  }

  void run() {
    int status;
    Process& p = *process;
    try {
      status = finish_process(p, body(p));
      record->signal = p.kill_signal;
    } catch (const BrokenPipe&) {
      status = 128 + 13;
      record->signal = 13;
    } catch (const FiberKilled&) {
      if (p.kill_signal == 0) throw;
      status = 128 + p.kill_signal;
      record->signal = p.kill_signal;
      if (p.kill_signal != 9) run_exit_trap(p, status);
    }
    body = nullptr;
    end(status);
  }
};

// Old ended processes nobody has asked for are forgotten, as bash forgets them.
void forget_old(Session& s) {
  constexpr size_t kMost = 4096;
  if (s.processes.size() < kMost) return;
  for (size_t i = 0; i < s.processes.size() && s.processes.size() >= kMost / 2;) {
    ProcessRecord& r = *s.processes[i];
    if (!r.done) {
      ++i;
      continue;
    }
    if (r.fiber) s.scheduler.release(r.fiber);
    s.processes.erase(s.processes.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

ProcessRecord& spawn_process(Process& parent, Process::ChildKind kind,
                             std::function<Outcome(Process&)> body, std::string command) {
  Session& s = parent.session;
  forget_old(s);
  // First, for it may throw: a Child is not to be destroyed without its record.
  auto process = std::make_unique<Process>(parent, kind);
  process->use_own_scratch();
  auto record = std::make_unique<ProcessRecord>();
  record->pid = process->pid;
  record->parent = parent.pid;
  record->process = process.get();
  record->command = std::move(command);
  auto child = std::make_shared<Child>();
  child->session = &s;
  child->record = record.get();
  child->process = std::move(process);
  child->body = std::move(body);
  ProcessRecord& r = *record;
  // Pids rise, so the list stays sorted.
  auto at = std::lower_bound(s.processes.begin(), s.processes.end(), r.pid,
                             [](const auto& x, int n) { return x->pid < n; });
  s.processes.insert(at, std::move(record));
  r.fiber = s.scheduler.spawn([child] { child->run(); });
  r.process->fiber = r.fiber;
  return r;
}

uint64_t interrupting_signals(const Process& p) {
  uint64_t signals = p.pending_signals;
  if (!p.has(SetOption::posix)) signals &= ~(uint64_t{1} << (kSigChld - 1));
  return signals;
}

int wait_for_pid(Process& p, int pid, int64_t deadline) {
  ProcessRecord* r = p.session.find_process(pid);
  if (!r) return 127;
  while (!r->done) {
    if (p.in_interruptible_wait && interrupting_signals(p)) return -1;
    Wake why = p.session.scheduler.wait(p.session.process_ended, deadline);
    if (why == Wake::timed_out && !r->done) return -1;
  }
  return r->status;
}

void reap(Session& s, int pid) {
  auto it = std::lower_bound(s.processes.begin(), s.processes.end(), pid,
                             [](const auto& x, int n) { return x->pid < n; });
  if (it == s.processes.end() || (*it)->pid != pid || !(*it)->done) return;
  if ((*it)->fiber) s.scheduler.release((*it)->fiber);
  s.processes.erase(it);
}

bool job_done(Process& p, const Job& j) {
  return std::ranges::all_of(j.pids, [&](int pid) {
    ProcessRecord* r = p.session.find_process(pid);
    return !r || r->done;
  });
}

int job_status(Process& p, const Job& j) {
  int status = 0;
  for (int pid : j.pids) {
    ProcessRecord* r = p.session.find_process(pid);
    int s = r ? r->status : 127;
    if (!j.pipefail) status = s;
    else if (s != 0) status = s;
  }
  return status;
}

Job* job_of_pid(Process& p, int pid) {
  for (auto& j : p.jobs)
    if (std::ranges::find(j->pids, pid) != j->pids.end()) return j.get();
  return nullptr;
}

Job* current_job(Process& p) {
  for (size_t i = p.jobs.size(); i-- > 0;)
    if (!job_done(p, *p.jobs[i])) return p.jobs[i].get();
  return p.jobs.empty() ? nullptr : p.jobs.back().get();
}

Job* previous_job(Process& p) {
  Job* current = current_job(p);
  Job* done = nullptr;
  for (size_t i = p.jobs.size(); i-- > 0;) {
    if (p.jobs[i].get() == current) continue;
    if (!job_done(p, *p.jobs[i])) return p.jobs[i].get();
    if (!done) done = p.jobs[i].get();
  }
  return done ? done : current;
}

Job* find_job(Process& p, std::string_view spec, bool& ambiguous) {
  ambiguous = false;
  if (spec.starts_with('%')) spec.remove_prefix(1);
  if (spec.empty() || spec == "%" || spec == "+") return current_job(p);
  if (spec == "-") return previous_job(p);
  if (base::all_digits(spec)) {
    auto n = base::parse_legal_number(spec);
    for (auto& j : p.jobs)
      if (n && j->number == *n) return j.get();
    return nullptr;
  }
  bool anywhere = spec.front() == '?';
  if (anywhere) spec.remove_prefix(1);
  Job* found = nullptr;
  for (auto& j : p.jobs) {
    bool match = anywhere ? j->command.find(spec) != std::string::npos
                          : std::string_view(j->command).starts_with(spec);
    if (!match) continue;
    if (found) {
      ambiguous = true;
      return nullptr;
    }
    found = j.get();
  }
  return found;
}

void remove_job(Process& p, Job* job) {
  for (size_t i = 0; i < p.jobs.size(); ++i) {
    if (p.jobs[i].get() != job) continue;
    p.jobs.erase(p.jobs.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

namespace {

Job& add_job(Process& p, std::string command) {
  // Without job control, jobs that have ended make room in silence.
  std::erase_if(p.jobs, [&](const auto& j) { return j->notified && job_done(p, *j); });
  auto job = std::make_unique<Job>();
  job->number = p.jobs.empty() ? 1 : p.jobs.back()->number + 1;
  job->command = std::move(command);
  job->directory = p.state.view.cwd();
  job->pipefail = p.has(SetOption::pipefail);
  job->controlled = p.has(SetOption::monitor);
  p.jobs.push_back(std::move(job));
  return *p.jobs.back();
}

// Asynchronous commands do not read the shell's own stdin; one that was
// redirected since the shell began is theirs.
void detach_stdin(Process& child) {
  if (child.has(SetOption::monitor) || child.state.fds->get(0) != child.original_stdin) return;
  auto null = open_device(vfs::Device::null, {}, {});
  (void)base::writable(child.state.fds).set(0, null, child.meter());
}

}  // namespace

int start_background(Process& p, const parser::Node& node) {
  p.meter().charge_command();
  p.line = node.line;
  Job& job = add_job(p, parser::print_command(node, p.session.symbols));
  const bool monitor = p.has(SetOption::monitor);
  // The ! of an asynchronous command has no effect.
  const parser::Node* body = &node;
  if (node.kind == parser::NodeKind::pipeline) {
    const auto& pipeline = static_cast<const parser::Pipeline&>(node);
    if (pipeline.negated && !pipeline.timed && pipeline.stages.size() == 1) body = pipeline.stages[0];
  }
  if (node.kind == parser::NodeKind::pipeline &&
      static_cast<const parser::Pipeline&>(node).stages.size() > 1) {
    const auto& pipeline = static_cast<const parser::Pipeline&>(node);
    job.pids = start_stages(p, pipeline, pipeline.stages.size(), nullptr);
    for (size_t i = 0; i < job.pids.size(); ++i)
      p.session.find_process(job.pids[i])->command =
          parser::print_command(*pipeline.stages[i], p.session.symbols);
    if (!monitor) detach_stdin(*p.session.find_process(job.pids.front())->process);
  } else {
    ProcessRecord& r = spawn_process(
        p, Process::ChildKind::background,
        [body, program = p.program](Process& child) { return evaluate(child, *body); },
        job.command);
    job.pids.push_back(r.pid);
    if (body->kind == parser::NodeKind::subshell) --r.process->subshell_level;
    if (!monitor) detach_stdin(*r.process);
  }
  p.last_async_pid = base::int_text(job.pids.back());
  p.status = 0;
  return 0;
}

int start_coproc(Process& p, const parser::Coproc& c) {
  p.line = c.line;
  std::string_view name = p.session.symbols.name(c.name);
  if (!base::is_identifier(name)) {
    p.error("`" + std::string(name) + "': not a valid identifier");
    return 1;
  }
  if (!check_writable(p, c.name)) {
    p.failure = Outcome();
    return 0;
  }
  PipeEnds to = make_pipe(p.session.scheduler, p.meter());
  PipeEnds from = make_pipe(p.session.scheduler, p.meter());
  Job& job = add_job(p, parser::print_command(c, p.session.symbols));
  ProcessRecord& r = spawn_process(
      p, Process::ChildKind::background,
      [&c, program = p.program](Process& child) { return evaluate(child, *c.body); }, job.command);
  job.pids.push_back(r.pid);
  FdTable& theirs = base::writable(r.process->state.fds);
  (void)theirs.set(0, to.read, p.meter());
  (void)theirs.set(1, from.write, p.meter());
  FdTable& ours = base::writable(p.state.fds);
  int read_fd = 63;
  while (ours.get(read_fd)) --read_fd;
  (void)ours.set(read_fd, from.read, p.meter());
  int write_fd = 63;
  while (ours.get(write_fd)) --write_fd;
  (void)ours.set(write_fd, to.write, p.meter());
  std::string a = base::int_text(read_fd), b = base::int_text(write_fd);
  std::string_view fds[] = {a, b};
  assign_array(p, c.name, fds);
  std::string pid_name(p.session.symbols.name(c.name));
  pid_name += "_PID";
  assign_number(p, p.session.symbols.intern(pid_name), r.pid);
  p.last_async_pid = base::int_text(r.pid);
  p.coprocs.push_back({c.name, r.pid, read_fd, write_fd, ours.get(read_fd), ours.get(write_fd)});
  p.status = 0;
  return 0;
}

void reap_coprocs(Process& p) {
  for (size_t i = p.coprocs.size(); i-- > 0;) {
    const Process::CoprocInfo c = p.coprocs[i];
    ProcessRecord* r = p.session.find_process(c.pid);
    if (r && !r->done) continue;
    OpenFile* from = p.state.fds->get(c.read_fd);
    bool ended = true;
    if (from && from == c.read && from->ready()) {
      auto rest = from->peek_ready(ended);
      if (rest && !rest->empty()) continue;
    }
    FdTable& fds = base::writable(p.state.fds);
    if (fds.get(c.read_fd) == c.read) fds.close(c.read_fd);
    if (fds.get(c.write_fd) == c.write) fds.close(c.write_fd);
    p.coprocs.erase(p.coprocs.begin() + static_cast<std::ptrdiff_t>(i));
    std::string pid_name(p.session.symbols.name(c.name));
    pid_name += "_PID";
    p.state.vars.unset(c.name);
    p.state.vars.unset(p.session.symbols.intern(pid_name));
  }
}

bool send_signal(Process& from, int pid, int signo) {
  Process* target = nullptr;
  Fiber* fiber = nullptr;
  // This process or one that waits for it on the same fiber.
  for (Process* q = &from; q; q = q->parent)
    if (q->pid == pid || (pid == 0 && q == &from)) {
      target = q;
      fiber = q->fiber;
      break;
    }
  if (!target) {
    ProcessRecord* r = from.session.find_process(pid < 0 ? -pid : pid);
    if (!r || r->done) return false;
    target = r->process;
    fiber = r->fiber;
  }
  if (signo == 0 || !target) return true;
  if (signo != 9 && ignores_signal(*target, signo)) return true;
  const SignalInfo* info = signal_by_number(signo);
  const bool trapped = signo != 9 && has_trap(*target, signo);
  if (!trapped && (!info || info->default_action == 'I')) return true;
  if (!trapped && info->default_action == 'S') {
    from.session.add_unsupported("kill", std::string(info->name));
    return true;
  }
  if (signo == 9) target->exit_trap_done = true;
  const bool same_fiber = fiber == from.fiber;
  target->pending_signals |= uint64_t{1} << (signo - 1);
  if (trapped) {
    if (!same_fiber) from.session.scheduler.interrupt(fiber);
    return true;
  }
  if (target == &from) return true;  // it dies before its next command
  target->kill_signal = signo;
  if (!same_fiber) from.session.scheduler.kill(fiber);
  return true;
}

}  // namespace nacre::interp
