// Child processes on the caller's fiber: ( ), $( ); and <( ) on one of its own.
#include "base/numbers.h"
#include "interp/evaluate.h"
#include "interp/evaluate_parts.h"
#include "interp/expand.h"
#include "interp/job_report.h"
#include "interp/traps.h"

namespace nacre::interp {
namespace {

// Runs `body` in `child` to its end, whatever ends it.
int run_child(Process& child, const parser::Node& body) {
  try {
    return finish_process(child, evaluate(child, body));
  } catch (const BrokenPipe&) {
    return 128 + 13;
  } catch (const FiberKilled&) {
    if (child.kill_signal == 0) throw;
    int status = 128 + child.kill_signal;
    if (child.kill_signal != 9) run_exit_trap(child, status);
    return status;
  }
}

}  // namespace

int run_subshell(Process& p, const parser::Node& body, Process::ChildKind kind) {
  Process child(p, kind);
  int status = run_child(child, body);
  report_signal(p, child.kill_signal);
  p.status = status;
  if (!p.jobs.empty()) notice_ended_jobs(p);
  return status;
}

bool capture_output(Process& p, const parser::CommandSub& sub, std::string& out) {
  out.clear();
  if (!sub.body && sub.error.empty()) {
    p.status = p.substitution_status = 0;
    return true;
  }
  Capture capture(p.session.scheduler, p.meter());
  int status;
  {
    Process child(p, Process::ChildKind::command_substitution);
    ++child.trace_level;
    auto ok = base::writable(child.state.fds).set(1, capture.writer(), p.meter());
    if (!ok) return false;
    status = sub.body ? run_child(child, *sub.body) : 0;
  }
  if (!sub.error.empty()) {
    // What follows did not parse; what came before has run.
    std::string_view rest = sub.error;
    for (;;) {
      const size_t end = rest.find('\n');
      p.write_stderr(p.state.arg0 + ": " + std::string(rest.substr(0, end)) + "\n");
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    status = 2;
  }
  // A background job inside may still hold the other end.
  while (!capture.wait_closed()) {
    // A signal came: its trap waits until the substitution is whole.
  }
  std::string& text = capture.text();
  if (text.find('\0') != std::string::npos) {
    std::erase(text, '\0');
    p.error("warning: command substitution: ignored null byte in input");
  }
  size_t end = text.size();
  while (end > 0 && text[end - 1] == '\n') --end;
  text.resize(end);
  out = std::move(text);
  p.status = p.substitution_status = status;
  return true;
}

bool start_process_substitution(Process& p, const parser::ProcessSub& sub, std::string& path) {
  PipeEnds ends = make_pipe(p.session.scheduler, p.meter());
  ProcessRecord& r = spawn_process(
      p, Process::ChildKind::background,
      [&sub, program = p.program](Process& child) {
        return sub.body ? evaluate(child, *sub.body) : Outcome();
      },
      "process substitution");
  FdTable& theirs = base::writable(r.process->state.fds);
  (void)theirs.set(sub.output ? 0 : 1, sub.output ? ends.read : ends.write, p.meter());
  // bash counts down from 63.
  int fd = 63;
  while (p.state.fds->get(fd)) --fd;
  auto ok = base::writable(p.state.fds).set(fd, sub.output ? std::move(ends.write) : std::move(ends.read),
                                            p.meter());
  if (!ok) return false;
  p.open_substitutions.push_back(fd);
  p.last_async_pid = base::int_text(r.pid);
  path = "/dev/fd/";
  base::append_int(path, fd);
  return true;
}

void close_substitutions(Process& p, size_t count) {
  while (p.open_substitutions.size() > count) {
    base::writable(p.state.fds).close(p.open_substitutions.back());
    p.open_substitutions.pop_back();
  }
}

}  // namespace nacre::interp
