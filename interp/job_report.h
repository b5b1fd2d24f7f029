// What the shell says about jobs: the lines of `jobs`, and the notices of jobs
// that have ended.
#pragma once

#include <string>

#include "interp/jobs.h"

namespace nacre::interp {

enum class JobFormat : uint8_t {
  standard,    // [1]+  Running                 sleep 1 &
  with_pids,   // the same with process ids, a line for each process (jobs -l)
  pid_only,    // jobs -p
  killed,      //  1002 Killed                  sleep 1
};

void append_job(Process& p, const Job& job, JobFormat format, std::string& out);
// "sleep 1 | cat", with "  (wd: ~/x)" when the job was started elsewhere (fg).
std::string job_command_and_place(Process& p, const Job& job);

// Jobs that have ended since the last notice are reported on stderr where bash
// does so (job control, or a death by signal), and leave the table; `wait PID`
// still knows their statuses. Called when a foreground child has ended.
void notice_ended_jobs(Process& p);
// The same for one job that `wait` or `fg` has seen the end of. `job` is gone after it.
void finish_job(Process& p, Job* job, bool silent = false);

}  // namespace nacre::interp
