// disown: takes jobs out of the table.
#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/jobs.h"

namespace nacre::builtins {

extern const interp::Command command_disown;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Job;
using interp::Process;

namespace {

void let_go(Process& p, Job* job) {
  for (int pid : job->pids)
    if (auto* record = p.session.find_process(pid)) record->disowned = true;
  interp::remove_job(p, job);
}

int disown_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_disown, "ahr");
  bool all = false, keep = false, running = false;
  while (char c = options.next()) switch (c) {
      case 'a': all = true; break;
      // A shell that gets SIGHUP passes it on to its jobs; none does here, and
      // so -h only leaves them in the table.
      case 'h': keep = true; break;
      default: running = true; break;
    }
  if (options.failed()) return options.status();
  Args specs = options.rest();
  if (specs.empty() && (all || running)) {
    for (size_t i = p.jobs.size(); !keep && i-- > 0;)
      if (!running || !interp::job_done(p, *p.jobs[i])) let_go(p, p.jobs[i].get());
    return 0;
  }
  int status = 0;
  for (size_t i = 0; i == 0 || i < specs.size(); ++i) {
    std::string_view spec = specs.empty() ? std::string_view() : specs[i];
    bool ambiguous = false;
    Job* job = nullptr;
    if (auto pid = base::parse_legal_number(spec); pid && !spec.empty())
      job = *pid <= INT32_MAX ? interp::job_of_pid(p, static_cast<int>(*pid)) : nullptr;
    else if (specs.empty() || !spec.empty())
      job = job_operand(p, "disown", spec, ambiguous);
    if (!job) {
      say_no_such_job(p, "disown", specs.empty() ? "current" : spec);
      status = 1;
    } else if (!keep) {
      let_go(p, job);
    }
  }
  return status;
}

}  // namespace

const Command command_disown = {
    "disown", "disown [-h] [-ar] [jobspec ... | pid ...]",
    "disown: disown [-h] [-ar] [jobspec ... | pid ...]\n"
    "    Take jobs out of the shell's table of jobs.\n"
    "    \n"
    "    Without a JOBSPEC, this is the current job.\n"
    "    \n"
    "    Options:\n"
    "      -a\tall jobs, when no JOBSPEC is given\n"
    "      -h\tleave the job in the table, but do not send it a SIGHUP when the\n"
    "    \t\tshell gets one\n"
    "      -r\tonly jobs that run\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option or a job is unknown.\n",
    CommandKind::builtin, nullptr, disown_builtin};

}  // namespace nacre::builtins
