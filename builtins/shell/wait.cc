// wait: until jobs or processes have ended.
//
// A trapped signal that comes in meanwhile ends the wait with 128 plus its
// number; its action runs after this builtin has returned.
#include <algorithm>
#include <optional>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/assign.h"
#include "interp/invoke.h"
#include "interp/job_report.h"

namespace nacre::builtins {

extern const interp::Command command_wait;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Job;
using interp::Process;
using interp::ProcessRecord;

namespace {

constexpr int kNoSuchProcess = 127;

class InterruptibleWait {
 public:
  explicit InterruptibleWait(Process& p) : p_(p), outer_(p.in_interruptible_wait) {
    p.in_interruptible_wait = true;
  }
  ~InterruptibleWait() { p_.in_interruptible_wait = outer_; }
  InterruptibleWait(const InterruptibleWait&) = delete;
  // The status of a wait that a signal has ended; nullopt when none has.
  std::optional<int> interrupted() const {
    uint64_t signals = interp::interrupting_signals(p_);
    if (!signals) return std::nullopt;
    return 128 + __builtin_ctzll(signals) + 1;
  }

 private:
  Process& p_;
  bool outer_;
};

// What was waited for last, for -p.
struct Waited {
  int status = 0;
  int pid = 0;   // 0: nothing
};

// False when a signal came first.
bool wait_for_job(Process& p, const InterruptibleWait& wait, const Job& job) {
  for (int pid : job.pids) {
    interp::wait_for_pid(p, pid);
    const ProcessRecord* r = p.session.find_process(pid);
    if (wait.interrupted() && r && !r->done) return false;
  }
  return true;
}

// Ended processes that no job holds are no longer asked for.
void forget_ended(Process& p) {
  std::vector<int> gone;
  for (const auto& r : p.session.processes)
    if (r->done && r->parent == p.pid && !interp::job_of_pid(p, r->pid)) gone.push_back(r->pid);
  for (int pid : gone) interp::reap(p.session, pid);
}

// wait without operands. Process substitutions count only as far as $! names one.
int wait_for_all(Process& p, const InterruptibleWait& wait) {
  forget_ended(p);
  while (!p.jobs.empty()) {
    if (!wait_for_job(p, wait, *p.jobs.front())) return *wait.interrupted();
    interp::finish_job(p, p.jobs.front().get());
  }
  auto last = base::parse_legal_number(p.last_async_pid);
  const ProcessRecord* r = last ? p.session.find_process(static_cast<int>(*last)) : nullptr;
  if (r && r->parent == p.pid && !r->disowned && !r->done) {
    interp::wait_for_pid(p, r->pid);
    if (auto status = wait.interrupted()) return *status;
  }
  return 0;
}

// wait -n: the first of `candidates` (all jobs when there are none given) that ends.
Waited wait_for_any(Process& p, const InterruptibleWait& wait, bool chosen_only,
                    const std::vector<int>& chosen) {
  for (;;) {
    bool running = false;
    for (auto& job : p.jobs) {
      if (chosen_only && std::ranges::find(chosen, job->number) == chosen.end()) continue;
      if (!interp::job_done(p, *job)) {
        running = true;
      } else {
        Waited w{interp::job_status(p, *job), job->pids.back()};
        interp::finish_job(p, job.get());
        return w;
      }
    }
    if (!running) return {kNoSuchProcess, 0};
    if (auto status = wait.interrupted()) return {*status, 0};
    p.session.scheduler.wait(p.session.process_ended);
  }
}

Waited wait_for_first(Process& p, const InterruptibleWait& wait, Args operands) {
  std::vector<int> chosen;
  for (std::string_view word : operands) {
    bool ambiguous = false;
    Job* job = nullptr;
    if (auto pid = base::parse_legal_number(word)) job = interp::job_of_pid(p, static_cast<int>(*pid));
    else if (!word.empty()) job = job_operand(p, "wait", word, ambiguous);
    if (job) chosen.push_back(job->number);
    else say_no_such_job(p, "wait", word);
  }
  if (!operands.empty() && chosen.empty()) return {kNoSuchProcess, 0};
  return wait_for_any(p, wait, !operands.empty(), chosen);
}

Waited wait_for_process(Process& p, const InterruptibleWait& wait, int64_t pid) {
  ProcessRecord* r = pid > 0 && pid <= INT32_MAX ? p.session.find_process(static_cast<int>(pid))
                                                 : nullptr;
  if (!r || r->parent != p.pid) {
    std::string text = "pid ";
    base::append_int(text, pid);
    text += " is not a child of this shell";
    say(p, "wait", text);
    return {kNoSuchProcess, 0};
  }
  int number = r->pid;
  // bash keeps a status of 0 for what it has let go of.
  if (r->disowned) return {0, number};
  interp::wait_for_pid(p, number);
  r = p.session.find_process(number);
  if (r && !r->done)
    if (auto status = wait.interrupted()) return {*status, 0};
  int status = r ? r->status : kNoSuchProcess;
  if (Job* job = interp::job_of_pid(p, number)) {
    if (number == job->pids.back()) status = interp::job_status(p, *job);
    if (interp::job_done(p, *job)) interp::finish_job(p, job);
  }
  return {status, number};
}

// The operands one after another; the status is the last one's.
Waited wait_for_each(Process& p, const InterruptibleWait& wait, Args operands) {
  Waited last;
  for (std::string_view word : operands) {
    if (!word.empty() && word[0] >= '0' && word[0] <= '9') {
      auto pid = base::parse_legal_number(word);
      if (!pid || *pid > INT32_MAX) {
        say(p, "wait", "`" + std::string(word) + "'", "not a pid or valid job spec");
        return {1, 0};
      }
      last = wait_for_process(p, wait, *pid);
    } else if (word.starts_with('%')) {
      bool ambiguous = false;
      Job* job = job_operand(p, "wait", word, ambiguous);
      if (!job) {
        if (!ambiguous) say_no_such_job(p, "wait", word);
        last = {kNoSuchProcess, 0};
      } else if (wait_for_job(p, wait, *job)) {
        last = {interp::job_status(p, *job), job->pids.back()};
        interp::finish_job(p, job);
      }
    } else {
      say(p, "wait", "`" + std::string(word) + "'", "not a pid or valid job spec");
      last = {1, 0};
    }
    if (auto status = wait.interrupted()) return {*status, 0};
  }
  return last;
}

bool is_target(std::string_view name) {
  size_t bracket = name.find('[');
  if (bracket == std::string_view::npos) return base::is_identifier(name);
  return base::is_identifier(name.substr(0, bracket)) && name.ends_with(']') &&
         name.size() > bracket + 2;
}

int wait_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_wait, "fnp:");
  bool any = false;
  std::string_view target;
  bool has_target = false;
  while (char c = options.next()) switch (c) {
      case 'n': any = true; break;
      case 'p':
        target = options.value();
        has_target = true;
        break;
      default: break;  // -f: jobs never change to anything but their end
    }
  if (options.failed()) return options.status();
  if (has_target) {
    if (!is_target(target)) {
      say(p, "wait", "`" + std::string(target) + "'", "not a valid identifier");
      return 1;
    }
    const interp::Variable* v = nullptr;
    if (base::Symbol s = p.session.symbols.find(target); s != base::kNoSymbol)
      v = p.state.vars.find(s);
    if (v && v->has(interp::kReadonly)) {
      say(p, "wait", target, "cannot unset", "readonly variable");
      return 1;
    }
    interp::unset_target(p, target, "wait: ", false);
  }
  InterruptibleWait wait(p);
  if (auto status = wait.interrupted()) return *status;
  Args operands = options.rest();
  if (!any && operands.empty()) return wait_for_all(p, wait);
  Waited w = any ? wait_for_first(p, wait, operands) : wait_for_each(p, wait, operands);
  if (has_target && w.pid > 0) {
    std::string text = base::int_text(w.pid);
    interp::assign_target(p, target, text, "wait: ");
  }
  return w.status;
}

}  // namespace

const Command command_wait = {
    "wait", "wait [-fn] [-p var] [id ...]",
    "wait: wait [-fn] [-p var] [id ...]\n"
    "    Wait until jobs have ended, and give their exit status.\n"
    "    \n"
    "    Each ID is a process ID or a job specification; for a job, all its\n"
    "    processes are waited for.  Without ID, wait for all active jobs and give\n"
    "    status 0.\n"
    "    \n"
    "    With -n, wait only for the first of the IDs, or of all jobs, and give its\n"
    "    status.\n"
    "    \n"
    "    With -p, the variable VAR gets the ID of what the status belongs to.  It\n"
    "    is unset before; this is of use with -n.\n"
    "    \n"
    "    With -f and job control, wait until the ID has ended, not only until its\n"
    "    state changes.\n"
    "    \n"
    "    Exit Status:\n"
    "    That of the last ID; 127 when there is nothing to wait for, 1 for an ID\n"
    "    that is neither a process ID nor a job specification.\n",
    CommandKind::builtin, nullptr, wait_builtin};

}  // namespace nacre::builtins
