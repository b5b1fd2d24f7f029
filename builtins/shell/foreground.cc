// fg, bg, suspend: job control. Jobs never stop here, so that fg waits and bg
// has nothing to do.
#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/job_report.h"

namespace nacre::builtins {

extern const interp::Command command_bg;
extern const interp::Command command_fg;
extern const interp::Command command_suspend;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Job;
using interp::Process;
using interp::SetOption;
using interp::Shopt;

namespace {

Job* find(Process& p, std::string_view builtin, Args specs) {
  bool ambiguous = false;
  std::string_view spec = specs.empty() ? std::string_view() : specs[0];
  Job* job = specs.empty() || !spec.empty() ? job_operand(p, builtin, spec, ambiguous) : nullptr;
  if (!job && !ambiguous) say_no_such_job(p, builtin, specs.empty() ? "current" : spec);
  return job;
}

bool job_control(Process& p, std::string_view builtin) {
  if (p.has(SetOption::monitor)) return true;
  say(p, builtin, "no job control");
  return false;
}

bool started_with_job_control(Process& p, std::string_view builtin, const Job& job) {
  if (job.controlled) return true;
  std::string text = "job ";
  base::append_int(text, job.number);
  text += " started without job control";
  say(p, builtin, text);
  return false;
}

int to_background(Process& p, Args specs) {
  Job* job = find(p, "bg", specs);
  if (!job || !started_with_job_control(p, "bg", *job)) return 1;
  if (interp::job_done(p, *job)) {
    say(p, "bg", "job has terminated");
    return 1;
  }
  p.last_async_pid = base::int_text(job->pids.front());
  std::string text = "job ";
  base::append_int(text, job->number);
  text += " already in background";
  say(p, "bg", text);
  return 0;
}

int to_foreground(Process& p, CommandContext& ctx, Args specs) {
  Job* job = find(p, "fg", specs);
  if (!job || !started_with_job_control(p, "fg", *job)) return 1;
  if (interp::job_done(p, *job)) {
    say(p, "fg", "job has terminated");
    return 1;
  }
  ctx.out << interp::job_command_and_place(p, *job) << "\n";
  ctx.out.flush();
  for (int pid : std::vector<int>(job->pids)) interp::wait_for_pid(p, pid);
  int status = interp::job_status(p, *job);
  interp::finish_job(p, job, /*silent=*/true);
  return status;
}

int fg_builtin(Process& p, CommandContext& ctx) {
  if (ctx.args.size() > 1 && ctx.args[1] == "--help") {
    print_builtin_help(ctx, command_fg);
    return 2;
  }
  if (!job_control(p, "fg")) return 1;
  BuiltinOptions options(p, ctx, command_fg, "");
  options.next();
  if (options.failed()) return options.status();
  Args specs = options.rest();
  if (!specs.empty() && specs.back() == "&") return to_background(p, specs);
  return to_foreground(p, ctx, specs);
}

int bg_builtin(Process& p, CommandContext& ctx) {
  if (ctx.args.size() > 1 && ctx.args[1] == "--help") {
    print_builtin_help(ctx, command_bg);
    return 2;
  }
  if (!job_control(p, "bg")) return 1;
  BuiltinOptions options(p, ctx, command_bg, "");
  options.next();
  if (options.failed()) return options.status();
  Args specs = options.rest();
  int status = to_background(p, specs);
  for (size_t i = 1; i < specs.size(); ++i) status = to_background(p, specs.subspan(i));
  return status;
}

int suspend_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_suspend, "f");
  bool force = false;
  while (options.next()) force = true;
  if (options.failed()) return options.status();
  if (!options.rest().empty()) {
    say(p, "suspend", "too many arguments");
    return 1;
  }
  if (!force) {
    if (!p.has(SetOption::monitor)) {
      say(p, "suspend", "cannot suspend", "no job control");
      return 1;
    }
    if (p.has(Shopt::login_shell)) {
      say(p, "suspend", "cannot suspend a login shell");
      return 1;
    }
  }
  // Nobody could wake this shell again.
  p.session.add_unsupported("suspend", "stopping the shell");
  return 0;
}

}  // namespace

const Command command_fg = {
    "fg", "fg [job_spec]",
    "fg: fg [job_spec]\n"
    "    Bring a job to the foreground.\n"
    "    \n"
    "    The shell waits for JOB_SPEC, or for its current job.\n"
    "    \n"
    "    Exit Status:\n"
    "    That of the job; 1 after an error.\n",
    CommandKind::builtin, nullptr, fg_builtin};

const Command command_bg = {
    "bg", "bg [job_spec ...]",
    "bg: bg [job_spec ...]\n"
    "    Let stopped jobs go on in the background.\n"
    "    \n"
    "    They run as if they had been started with `&'.  Without JOB_SPEC, this is\n"
    "    the current job.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless there is no job control or a job is unknown.\n",
    CommandKind::builtin, nullptr, bg_builtin};

const Command command_suspend = {
    "suspend", "suspend [-f]",
    "suspend: suspend [-f]\n"
    "    Stop this shell until it gets a SIGCONT.\n"
    "    \n"
    "    A login shell, and a shell without job control, is not stopped.\n"
    "    \n"
    "    Options:\n"
    "      -f\tstop it all the same\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless the shell was not stopped.\n",
    CommandKind::builtin, nullptr, suspend_builtin};

}  // namespace nacre::builtins
