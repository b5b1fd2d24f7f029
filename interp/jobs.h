// Background jobs and signals. A job is a pipeline whose stages are processes
// on fibers of their own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

struct Job {
  int number = 0;                       // %1
  std::vector<int> pids;                // stages, in order
  std::string command;                  // as `jobs` prints it
  std::string directory;                // where it was started
  bool listed = false;                  // `jobs` has shown it running
  bool notified = false;                // its end has been reported or waited for
  bool controlled = false;              // started under set -m
  bool pipefail = false;                // set -o pipefail when it was started
};

// Starts `node` as a background job (the & operator); sets $!; gives 0.
int start_background(Process& p, const parser::Node& node);
// Coprocesses that have ended and have been read out: their variables and
// descriptors go.
void reap_coprocs(Process& p);
// Starts coproc; sets NAME, NAME_PID.
int start_coproc(Process& p, const parser::Coproc& c);
// Runs a pipeline of several stages; sets pipe_status.
Outcome run_pipeline(Process& p, const parser::Pipeline& pipeline);

// What BASH_SUBSHELL is in a child that runs `node`.
void adjust_subshell_level(Process& child, const parser::Node& node);
// Starts the first `count` stages; the reading end behind the last of them goes
// to last_read when it is given. Their pids.
std::vector<int> start_stages(Process& p, const parser::Pipeline& pipeline, size_t count,
                              OpenFileRef* last_read);

// Starts a child process on a fiber of its own running `body`; gives its record.
ProcessRecord& spawn_process(Process& parent, Process::ChildKind kind,
                             std::function<Outcome(Process&)> body, std::string command);
// "Terminated" and the like on stderr, for a foreground child that a signal killed.
void report_signal(Process& p, int signal);
// The signals that end an interruptible wait: not CHLD, but in posix mode.
uint64_t interrupting_signals(const Process& p);
// Blocks until the process has ended; -1 when a trapped signal or the deadline
// came first. Reaps it when `reap`.
int wait_for_pid(Process& p, int pid, int64_t deadline = INT64_MAX);
void reap(Session& s, int pid);

// Jobs by number, pid or spec (%1 %+ %- %name %?text); null when there is none.
Job* find_job(Process& p, std::string_view spec, bool& ambiguous);
Job* job_of_pid(Process& p, int pid);
bool job_done(Process& p, const Job& j);
int job_status(Process& p, const Job& j);      // when done
Job* current_job(Process& p);                  // %+
Job* previous_job(Process& p);                 // %-
void remove_job(Process& p, Job* j);

// kill(2) inside the session: false when there is no such process.
bool send_signal(Process& from, int pid, int signo);

struct SignalInfo {
  int number;
  std::string_view name;        // "SIGINT"
  std::string_view description; // "Interrupt"
  char default_action;          // 'T' terminate, 'C' core, 'I' ignore, 'S' stop
};
const SignalInfo* signal_by_number(int n);
// "INT", "SIGINT", "2", "EXIT", "DEBUG", ..: the number, or -1.
int signal_by_name(std::string_view text);

}  // namespace nacre::interp
