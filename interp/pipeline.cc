// Pipelines of several stages: each is a process on a fiber, joined by pipes.
#include "base/numbers.h"
#include "interp/evaluate.h"
#include "interp/evaluate_parts.h"
#include "interp/job_report.h"
#include "interp/traps.h"
#include "parser/printer.h"

namespace nacre::interp {

void adjust_subshell_level(Process& child, const parser::Node& node) {
  if (node.kind == parser::NodeKind::simple) child.subshell_level_due = true;
  if (node.kind == parser::NodeKind::simple || node.kind == parser::NodeKind::subshell)
    --child.subshell_level;
}

std::vector<int> start_stages(Process& p, const parser::Pipeline& pipeline, size_t count,
                              OpenFileRef* last_read) {
  std::vector<int> pids;
  OpenFileRef previous;
  for (size_t i = 0; i < count; ++i) {
    PipeEnds ends;
    const bool joined = i + 1 < pipeline.stages.size();
    if (joined) ends = make_pipe(p.session.scheduler, p.meter());
    const parser::Node& stage = *pipeline.stages[i];
    // A stage does not inherit the DEBUG trap: it runs here, before the stage starts.
    if (stage.kind == parser::NodeKind::simple && p.state.traps &&
        !p.has(SetOption::functrace))
      before_command(p, stage);
    ProcessRecord& r = spawn_process(
        p, Process::ChildKind::pipeline_stage,
        [&stage, program = p.program](Process& child) { return evaluate(child, stage); },
        std::string());
    adjust_subshell_level(*r.process, stage);
    FdTable& fds = base::writable(r.process->state.fds);
    if (previous) (void)fds.set(0, std::move(previous), p.meter());
    if (joined) {
      const bool both = i < pipeline.pipe_both.size() && pipeline.pipe_both[i];
      (void)fds.set(1, ends.write, p.meter());
      if (both && stage.redirects.empty()) (void)fds.set(2, ends.write, p.meter());
      else if (both) r.process->join_stderr_due = true;
      previous = std::move(ends.read);
    }
    pids.push_back(r.pid);
  }
  if (last_read) *last_read = std::move(previous);
  return pids;
}

// What bash says of a foreground child that a signal killed.
void report_signal(Process& p, int signal) {
  if (signal == 0 || signal == 2 || signal == 13) return;
  if (const SignalInfo* info = signal_by_number(signal))
    p.write_stderr(std::string(info->description) + "\n");
}

Outcome run_pipeline(Process& p, const parser::Pipeline& pipeline) {
  TimedSection timing(p, pipeline.timed, pipeline.time_posix);
  const size_t n = pipeline.stages.size();
  const bool last_here = p.has(Shopt::lastpipe) && !p.has(SetOption::monitor);
  OpenFileRef last_read;
  std::vector<int> pids = start_stages(p, pipeline, last_here ? n - 1 : n,
                                       last_here ? &last_read : nullptr);
  Outcome here;
  if (last_here) {
    // The last stage runs in this shell, reading from the pipe.
    OpenFileRef old = p.state.fds->ref(0);
    (void)base::writable(p.state.fds).set(0, std::move(last_read), p.meter());
    ++p.errexit_off;
    here = evaluate(p, *pipeline.stages[n - 1]);
    --p.errexit_off;
    FdTable& fds = base::writable(p.state.fds);
    if (old) (void)fds.set(0, std::move(old), p.meter());
    else fds.close(0);
  }
  std::vector<int32_t> statuses;
  for (int pid : pids) {
    statuses.push_back(wait_for_pid(p, pid));
    if (ProcessRecord* r = p.session.find_process(pid)) report_signal(p, r->signal);
    reap(p.session, pid);
  }
  if (last_here) statuses.push_back(here.status);
  int status = statuses.back();
  if (p.has(SetOption::pipefail)) {
    status = 0;
    for (int32_t s : statuses)
      if (s != 0) status = s;
  }
  p.pipe_status = std::move(statuses);
  if (!p.jobs.empty()) notice_ended_jobs(p);
  timing.report();
  if (here.unwinding()) return here;
  if (pipeline.negated) {
    p.status = status == 0;
    return Outcome(p.status);
  }
  return settle(p, Outcome(status));
}

}  // namespace nacre::interp
