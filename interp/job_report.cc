#include "interp/job_report.h"

#include "base/numbers.h"
#include "interp/traps.h"
#include "interp/variables.h"

namespace nacre::interp {
namespace {

// Width of the column for states: bash's LONGEST_SIGNAL_DESC.
constexpr size_t kStateWidth = 24;

void append_padded(std::string& out, std::string_view text, size_t width) {
  out += text;
  if (text.size() < width) out.append(width - text.size(), ' ');
}

void append_pid(std::string& out, int pid) {
  std::string digits = base::int_text(pid);
  if (digits.size() < 5) out.append(5 - digits.size(), ' ');
  out += digits;
}

std::string exit_text(const Process& p, const ProcessRecord& r) {
  if (r.signal) {
    const SignalInfo* info = signal_by_number(r.signal);
    return std::string(info ? info->description : "Unknown signal");
  }
  if (r.status == 0) return "Done";
  std::string out = p.has(SetOption::posix) ? "Done(" : "Exit ";
  base::append_int(out, r.status);
  if (p.has(SetOption::posix)) out += ')';
  return out;
}

// The state shown for one process of a job: that of the job's end when the job
// is done.
std::string state_text(Process& p, const Job& job, const ProcessRecord* r) {
  if (!job_done(p, job)) return "Running";
  return r ? exit_text(p, *r) : "Done";
}

std::string polite(Process& p, std::string_view path) {
  std::string home = variable_or(p, p.session.names.home, "");
  if (home.size() > 1 && path.starts_with(home) &&
      (path.size() == home.size() || path[home.size()] == '/'))
    return "~" + std::string(path.substr(home.size()));
  return std::string(path);
}

void append_place(Process& p, const Job& job, std::string& out) {
  if (job.directory == p.state.view.cwd()) return;
  out += "  (wd: ";
  out += polite(p, job.directory);
  out += ')';
}

char job_mark(Process& p, const Job& job) {
  if (current_job(p) == &job) return '+';
  return previous_job(p) == &job ? '-' : ' ';
}

void append_head(Process& p, const Job& job, std::string& out) {
  out += '[';
  base::append_int(out, job.number);
  out += ']';
  out += job_mark(p, job);
  out += "  ";
}

void append_tail(Process& p, const Job& job, std::string& out) {
  if (!job_done(p, job)) out += " &";
  append_place(p, job, out);
  out += '\n';
}

// One line a process.
void append_processes(Process& p, const Job& job, std::string& out) {
  const std::string first_state = state_text(p, job, p.session.find_process(job.pids.front()));
  for (size_t i = 0; i < job.pids.size(); ++i) {
    const ProcessRecord* r = p.session.find_process(job.pids[i]);
    if (i > 0) out += "     ";
    append_pid(out, job.pids[i]);
    out += ' ';
    std::string state = state_text(p, job, r);
    if (i == 0) {
      append_padded(out, state, kStateWidth);
    } else {
      if (state == first_state) out.append(kStateWidth - 2, ' ');
      else append_padded(out, state, kStateWidth);
      out += "| ";
    }
    out += r && job.pids.size() > 1 ? r->command : job.command;
    if (i + 1 < job.pids.size()) out += '\n';
    else append_tail(p, job, out);
  }
}

}  // namespace

void append_job(Process& p, const Job& job, JobFormat format, std::string& out) {
  switch (format) {
    case JobFormat::pid_only:
      base::append_int(out, job.pids.front());
      out += '\n';
      return;
    case JobFormat::with_pids:
      append_head(p, job, out);
      append_processes(p, job, out);
      return;
    case JobFormat::killed:
      append_processes(p, job, out);
      return;
    case JobFormat::standard: break;
  }
  append_head(p, job, out);
  // A pipeline that has ended reads as its last process did.
  append_padded(out, state_text(p, job, p.session.find_process(job.pids.back())), kStateWidth);
  out += job.command;
  append_tail(p, job, out);
}

std::string job_command_and_place(Process& p, const Job& job) {
  std::string out = job.command;
  append_place(p, job, out);
  return out;
}

namespace {

void report_end(Process& p, const Job& job) {
  const ProcessRecord* last = p.session.find_process(job.pids.back());
  const int signal = last ? last->signal : 0;
  constexpr int kInterrupt = 2, kPipe = 13, kTerminate = 15;
  std::string text;
  if (signal && signal != kInterrupt && signal != kPipe && signal != kTerminate &&
      !has_trap(p, signal)) {
    text = p.error_prefix();
    append_job(p, job, JobFormat::killed, text);
  } else if (p.has(SetOption::monitor)) {
    append_job(p, job, JobFormat::standard, text);
  }
  if (!text.empty()) p.write_stderr(text);
}

}  // namespace

void finish_job(Process& p, Job* job, bool silent) {
  if (!job->notified && !silent) report_end(p, *job);
  remove_job(p, job);
}

void notice_ended_jobs(Process& p) {
  for (auto& job : p.jobs)
    if (!job->notified && job_done(p, *job)) {
      report_end(p, *job);
      job->notified = true;
    }
  std::erase_if(p.jobs, [&](const auto& job) { return job->notified && job_done(p, *job); });
}

}  // namespace nacre::interp
