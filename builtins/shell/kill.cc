// kill: sends signals to processes and jobs of the session, and names signals.
#include <optional>
#include <string>

#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "builtins/shell/signal_table.h"
#include "interp/invoke.h"
#include "interp/jobs.h"

namespace nacre::builtins {

extern const interp::Command command_kill;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Job;
using interp::Process;
using interp::ProcessRecord;
using interp::SetOption;

namespace {

constexpr int kSignals = 65;   // 0..64
constexpr int kTerminate = 15;

bool has_sig_prefix(std::string_view s) {
  return s.size() >= 3 && (s[0] | 32) == 's' && (s[1] | 32) == 'i' && (s[2] | 32) == 'g';
}

// A signal's number as kill takes it: in posix mode names have no SIG. -1: none.
int decode(const Process& p, std::string_view word) {
  if (auto n = base::parse_legal_number(word)) return *n >= 0 && *n < kSignals ? static_cast<int>(*n) : -1;
  if (p.has(SetOption::posix) && has_sig_prefix(word)) return -1;
  return interp::signal_by_name(word);
}

int invalid_signal(Process& p, std::string_view word) {
  say(p, "kill", word, "invalid signal specification");
  return 1;
}

// kill -l without operands in posix mode: the names on one line.
void list_names(CommandContext& ctx) {
  for (int n = 1; n < kSignals; ++n)
    if (const auto* info = interp::signal_by_number(n))
      ctx.out << info->name.substr(3) << (n + 1 == kSignals ? "\n" : " ");
}

int list_signals(Process& p, CommandContext& ctx, Args words) {
  if (words.empty()) {
    if (p.has(SetOption::posix)) {
      list_names(ctx);
    } else {
      std::string table;
      append_signal_table(table);
      ctx.out << table;
    }
    return 0;
  }
  int status = 0;
  for (std::string_view word : words) {
    if (auto n = base::parse_legal_number(word)) {
      // An exit status of 128 and a signal counts too.
      int64_t number = *n > 128 ? *n - 128 : *n;
      if (number < 0 || number >= kSignals) {
        status = invalid_signal(p, word);
      } else if (number == 0) {
        ctx.out << "EXIT\n";
      } else if (const auto* info = interp::signal_by_number(static_cast<int>(number))) {
        ctx.out << info->name.substr(3) << "\n";
      }
      continue;
    }
    int number = decode(p, word);
    if (number < 0) {
      status = invalid_signal(p, word);
      continue;
    }
    ctx.out.write_int(number);
    ctx.out.put('\n');
  }
  return status;
}

// All of one group. Without job control every process is in its shell's group.
bool signal_group(Process& p, int64_t leader, int signo) {
  if (leader == p.shell_pid) {
    for (auto& job : p.jobs)
      for (int pid : job->pids) interp::send_signal(p, pid, signo);
    return interp::send_signal(p, p.pid, signo);
  }
  if (!p.has(SetOption::monitor) || leader > INT32_MAX) return false;
  Job* job = interp::job_of_pid(p, static_cast<int>(leader));
  if (!job || job->pids.front() != leader) return false;
  bool any = false;
  for (int pid : job->pids) any |= interp::send_signal(p, pid, signo);
  return any;
}

bool signal_pid(Process& p, int64_t pid, int signo) {
  if (pid == 0) return signal_group(p, p.shell_pid, signo);
  if (pid == -1) {
    // Every process but the one that asks, as on Linux.
    std::vector<int> all;
    for (const auto& r : p.session.processes)
      if (!r->done && r->pid != p.pid) all.push_back(r->pid);
    for (int other : all) interp::send_signal(p, other, signo);
    return true;
  }
  if (pid < 0) return signal_group(p, -pid, signo);
  return pid <= INT32_MAX && interp::send_signal(p, static_cast<int>(pid), signo);
}

// One operand; true when something got the signal.
bool signal_operand(Process& p, std::string_view word, int signo) {
  if (auto pid = base::parse_legal_number(word); pid && !word.empty()) {
    if (signal_pid(p, *pid, signo)) return true;
    std::string text = "(";
    base::append_int(text, *pid);
    text += ") - No such process";
    say(p, "kill", text);
    return false;
  }
  if (word.empty()) {
    say(p, "kill", "`'", "not a pid or valid job spec");
    return false;
  }
  if (word[0] != '%') {
    say(p, "kill", word, "arguments must be process or job IDs");
    return false;
  }
  bool ambiguous = false;
  Job* job = job_operand(p, "kill", word, ambiguous);
  if (!job) {
    if (!ambiguous) say_no_such_job(p, "kill", word);
    return false;
  }
  for (int pid : job->pids) interp::send_signal(p, pid, signo);
  return true;
}

struct Request {
  std::string_view signal_word = "TERM";
  int signo = kTerminate;
  bool list = false;
};

// Takes the options off `words`; nullopt after an error with its status in `status`.
std::optional<Request> parse(Process& p, Args& words, int& status) {
  Request r;
  bool saw_signal = false;
  auto take = [&](std::string_view spec) {
    r.signal_word = spec;
    r.signo = decode(p, spec);
    saw_signal = true;
    words = words.subspan(1);
  };
  while (!words.empty()) {
    std::string_view word = words[0];
    if (word == "-l" || word == "-L") {
      r.list = true;
      words = words.subspan(1);
    } else if (word == "-s" || word == "-n") {
      words = words.subspan(1);
      if (words.empty()) {
        say(p, "kill", word, "option requires an argument");
        status = 1;
        return std::nullopt;
      }
      take(words[0]);
    } else if (word.size() > 2 && word.starts_with("-s") &&
               ((word[2] | 32) >= 'a' && (word[2] | 32) <= 'z')) {
      take(word.substr(2));
    } else if (word.size() > 2 && word.starts_with("-n") && word[2] >= '0' && word[2] <= '9') {
      take(word.substr(2));
    } else if (word == "--") {
      words = words.subspan(1);
      break;
    } else if (word == "-?") {
      status = interp::builtin_usage(p, command_kill);
      return std::nullopt;
    } else if (word.starts_with('-') && !saw_signal) {
      take(word.substr(1));
    } else {
      break;
    }
  }
  return r;
}

int kill_builtin(Process& p, CommandContext& ctx) {
  Args words = ctx.args.subspan(1);
  if (words.empty()) return interp::builtin_usage(p, command_kill);
  if (words[0] == "--help") {
    print_builtin_help(ctx, command_kill);
    return 2;
  }
  int status = 0;
  auto request = parse(p, words, status);
  if (!request) return status;
  if (request->list) return list_signals(p, ctx, words);
  if (request->signo < 0 || request->signo >= kSignals) return invalid_signal(p, request->signal_word);
  if (words.empty()) return interp::builtin_usage(p, command_kill);
  bool any = false;
  for (std::string_view word : words) any |= signal_operand(p, word, request->signo);
  return any ? 0 : 1;
}

}  // namespace

const Command command_kill = {
    "kill", "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
    "kill: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n"
    "    Send a signal to processes or jobs.\n"
    "    \n"
    "    The signal is SIGTERM unless SIGSPEC or SIGNUM says another.\n"
    "    \n"
    "    Options:\n"
    "      -s sig\tSIG is the name of a signal\n"
    "      -n sig\tSIG is the number of a signal\n"
    "      -l\tlist the names of signals; with arguments, the names for numbers\n"
    "    \t\tand the numbers for names\n"
    "      -L\tthe same as -l\n"
    "    \n"
    "    As a builtin, kill takes jobs as well as process IDs, and works when no\n"
    "    more processes can be made.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless nothing could be signalled or an option is invalid.\n",
    CommandKind::builtin, nullptr, kill_builtin};

}  // namespace nacre::builtins
