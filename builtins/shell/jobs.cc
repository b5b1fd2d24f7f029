// jobs: the table of background jobs.
#include <vector>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/invoke.h"
#include "interp/job_report.h"

namespace nacre::builtins {

extern const interp::Command command_jobs;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Job;
using interp::JobFormat;
using interp::Outcome;
using interp::Process;
using interp::SetOption;

namespace {

struct Wanted {
  JobFormat format = JobFormat::standard;
  bool changed_only = false;   // -n
  bool running_only = false;   // -r
  bool stopped_only = false;   // -s: nothing stops here
};

void list_job(Process& p, CommandContext& ctx, Job& job, const Wanted& wanted) {
  const bool done = interp::job_done(p, job);
  bool& shown = done ? job.notified : job.listed;
  if (wanted.changed_only && shown) return;
  std::string line;
  interp::append_job(p, job, wanted.format, line);
  ctx.out << line;
  shown = true;
}

void forget_reported(Process& p) {
  std::erase_if(p.jobs, [&](const auto& j) { return j->notified && interp::job_done(p, *j); });
}

int list_all(Process& p, CommandContext& ctx, const Wanted& wanted) {
  for (auto& job : p.jobs) {
    bool done = interp::job_done(p, *job);
    if (wanted.stopped_only || (wanted.running_only && done)) continue;
    list_job(p, ctx, *job, wanted);
  }
  forget_reported(p);
  return 0;
}

int list_named(Process& p, CommandContext& ctx, Args specs, const Wanted& wanted) {
  int status = 0;
  for (std::string_view spec : specs) {
    bool ambiguous = false;
    Job* job = spec.empty() ? nullptr : job_operand(p, "jobs", spec, ambiguous);
    if (job) {
      list_job(p, ctx, *job, wanted);
    } else {
      say_no_such_job(p, "jobs", spec);
      status = 1;
    }
  }
  forget_reported(p);
  return status;
}

// jobs -x: %specs become process groups, and the rest is a command.
int run_with_groups(Process& p, Args words) {
  if (words.empty()) return 0;
  std::vector<std::string> texts(words.begin(), words.end());
  for (std::string& text : texts) {
    if (!text.starts_with('%')) continue;
    bool ambiguous = false;
    const Job* job = job_operand(p, "jobs", text, ambiguous);
    // Without job control all processes share the shell's group.
    if (job)
      text = base::int_text(p.has(SetOption::monitor) ? job->pids.front() : p.shell_pid);
  }
  std::vector<std::string_view> argv(texts.begin(), texts.end());
  Outcome o = interp::run_command(p, argv);
  if (o.unwinding()) p.failure = o;
  return o.status;
}

int jobs_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_jobs, "lpnxrs");
  Wanted wanted;
  bool execute = false;
  while (char c = options.next()) switch (c) {
      case 'l': wanted.format = JobFormat::with_pids; wanted.changed_only = false; break;
      case 'p': wanted.format = JobFormat::pid_only; wanted.changed_only = false; break;
      case 'n': wanted.format = JobFormat::standard; wanted.changed_only = true; break;
      case 'r': wanted.running_only = true; wanted.stopped_only = false; break;
      case 's': wanted.stopped_only = true; wanted.running_only = false; break;
      default:
        if (wanted.format != JobFormat::standard || wanted.changed_only) {
          say(p, "jobs", "no other options allowed with `-x'");
          return 1;
        }
        execute = true;
    }
  if (options.failed()) return options.status();
  if (execute) {
    ctx.out.flush();
    return run_with_groups(p, options.rest());
  }
  Args specs = options.rest();
  return specs.empty() ? list_all(p, ctx, wanted) : list_named(p, ctx, specs, wanted);
}

}  // namespace

const Command command_jobs = {
    "jobs", "jobs [-lnprs] [jobspec ...] or jobs -x command [args]",
    "jobs: jobs [-lnprs] [jobspec ...] or jobs -x command [args]\n"
    "    Show the state of jobs.\n"
    "    \n"
    "    JOBSPEC picks one; without it, all active jobs are listed.\n"
    "    \n"
    "    Options:\n"
    "      -l\tshow process IDs as well\n"
    "      -n\tshow only what has changed since it was last shown\n"
    "      -p\tshow nothing but process IDs\n"
    "      -r\tonly jobs that run\n"
    "      -s\tonly jobs that are stopped\n"
    "    \n"
    "    With -x, run COMMAND with each job among ARGS replaced by the process ID\n"
    "    of that job's group leader.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option or a job is unknown; with -x, that of COMMAND.\n",
    CommandKind::builtin, nullptr, jobs_builtin};

}  // namespace nacre::builtins
