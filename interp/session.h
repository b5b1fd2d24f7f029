// What all processes of one Shell share: names, the meter, the clock, the
// scheduler, the command table, caches. One Session a Shell; nothing here is
// shared between Shells (I6).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/symbol.h"
#include "interp/command.h"
#include "interp/open_file.h"
#include "interp/scheduler.h"
#include "limits/clock.h"
#include "limits/meter.h"
#include "regex/pattern.h"
#include "regex/regex.h"

namespace nacre::interp {

class Process;

// Symbols that the evaluator asks for by itself.
struct WellKnown {
  explicit WellKnown(base::SymbolTable& t);
  base::Symbol ifs, path, home, pwd, oldpwd, optind, opterr, optarg, reply, ps4, random, seconds,
      lineno, underscore, cdpath, globignore, bash_rematch, coproc, pipestatus, funcname,
      bash_source, bash_lineno, dirstack, mapfile, timeformat, tmout, bash_xtracefd, tz, env,
      bash_env, posixly_correct, shlvl, fignore, histfile, lang, lc_all, bash_command, columns,
      funcnest, bash_argv0;
  // The names above come first in the table: s <= last() tells whether it is one.
  base::Symbol last() const { return bash_argv0; }
};

// Something that the script asked for and did not get.
struct Unsupported {
  std::string command, what;
  bool operator==(const Unsupported&) const = default;
};

// Compiled patterns and expressions, bounded; keyed by their text and options.
class PatternCache {
 public:
  // The reference holds until the next call.
  const regex::Pattern& pattern(std::string_view text, regex::PatternOptions options,
                                limits::Meter& meter);
  // Null on a syntax error.
  const regex::Regex* regex(std::string_view text, regex::RegexOptions options,
                            limits::Meter& meter);

 private:
  static constexpr size_t kMost = 256;
  std::unordered_map<std::string, regex::Pattern> patterns_;
  std::unordered_map<std::string, regex::Regex> regexes_;
  std::string key_;
};

// A process of the session as others see it (kill, wait).
struct ProcessRecord {
  int pid = 0;
  int parent = 0;
  Process* process = nullptr;   // null when it has ended
  Fiber* fiber = nullptr;       // null for the main process
  bool done = false;
  int status = 0;               // as wait(1) gives it: 128+n for a signal
  int signal = 0;               // that killed it, or 0
  bool disowned = false;        // its shell no longer waits for it
  std::string command;
};

struct Session {
  Session(const CommandTable& commands, limits::Clock& clock);
  ~Session();
  Session(const Session&) = delete;

  base::SymbolTable symbols;
  WellKnown names;
  limits::Meter meter;
  limits::Clock* clock;
  Scheduler scheduler;
  const CommandTable& commands;
  FifoTable fifos;
  PatternCache patterns;

  std::vector<std::unique_ptr<ProcessRecord>> processes;  // live ones and unreaped ones
  Process* main_process = nullptr;   // the shell itself
  Process* live_process(int pid);    // null when it has ended
  WaitQueue process_ended;      // notified whenever a process ends
  int commands_since_yield = 0; // since the last fiber switch at a command
  int next_pid = 1000;          // $$ of the first shell
  uint64_t random_state;        // for SRANDOM, mktemp, shuf; seeded by the host
  uint64_t random();            // splitmix64 over random_state
  std::vector<Unsupported> unsupported;
  void add_unsupported(std::string_view command, std::string_view what);

  ProcessRecord* find_process(int pid);
  const Command* find_command(base::Symbol name);   // cached by symbol; null when none
  // "user", "localhost" and so on.
  std::string user_name = "user", host_name = "localhost";

 private:
  std::vector<const Command*> command_cache_;
  std::vector<bool> command_cached_;
};

}  // namespace nacre::interp
