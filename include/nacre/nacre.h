// nacre: a bash that lives inside a process.
//
//     nacre::Shell shell;                                  // in-memory tree, default limits
//     nacre::Result r = shell.exec("echo hello | tr a-z A-Z");
//     // r.out == "HELLO\n", r.status == 0
//
// A Shell keeps variables, functions, options, working directory and files
// from one exec() to the next. It runs nothing of the host: every command is
// code in this library, every path is a path in its own tree, every unit of
// work is charged against a limit (limits.h).
//
// Threads: a Shell is used by one thread at a time; Shells share nothing.
// Errors: nothing here throws but std::bad_alloc. All text is bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "nacre/limits.h"

namespace nacre {

// How a run ended.
enum class Ending : uint8_t {
  completed,     // the end of the script was reached
  exited,        // `exit`, set -e, or a fatal error of the shell
  limit,         // a limit was reached: see Result::limit
  timeout,       // the limit `timeout` was reached; status 124
  cancelled,     // through ExecOptions::cancel; status 130
  syntax_error,  // the script does not parse; status 2
  deadlock,      // every process of the script waited for another; status 1
};
std::string_view ending_text(Ending ending);

// A command or option that the script asked for and that is not here.
struct UnsupportedFeature {
  std::string command;  // "curl"
  std::string feature;  // "command", or the option: "--foo"
};

struct Statistics {
  int64_t commands = 0;          // simple commands run
  int64_t loop_iterations = 0;
  int64_t bytes_in = 0;          // of stdin
  int64_t bytes_out = 0;         // to stdout and stderr
  int64_t peak_memory = 0;       // bytes, beside the tree
  int64_t wall_time_ns = 0;
};

struct Result {
  std::string out, err;          // what no sink took
  int status = 0;                // 0..255, as bash would exit
  Ending ended = Ending::completed;
  std::optional<LimitName> limit;  // which limit was reached
  int64_t limit_value = 0;
  bool out_truncated = false;    // output stopped at max_output_bytes
  std::vector<LimitName> quotas;   // quotas of the tree that an operation met
  std::vector<UnsupportedFeature> unsupported;
  Statistics statistics;
};

// Set from any thread to end a run; it ends within 50 ms.
class CancellationToken {
 public:
  void cancel() { flag_.store(true, std::memory_order_relaxed); }
  void reset() { flag_.store(false, std::memory_order_relaxed); }
  const std::atomic<bool>* flag() const { return &flag_; }

 private:
  std::atomic<bool> flag_{false};
};

struct ExecOptions {
  std::string_view stdin_text;
  // Instead of stdin_text: fills a buffer, gives the bytes read (0: the end).
  std::function<size_t(char* buffer, size_t size)> stdin_source;
  std::string arg0 = "bash";                   // $0
  std::vector<std::string> args;               // $1 ...
  std::vector<std::pair<std::string, std::string>> env;  // exported variables, kept
  std::string cwd;                             // "": where the last run ended
  // Take output as it comes, instead of Result::out and err.
  std::function<void(std::string_view)> on_stdout, on_stderr;
  const CancellationToken* cancel = nullptr;
  // Undo every change to the tree and to the shell's state unless status is 0.
  bool atomic = false;
  // The script is a file of this name (for messages and BASH_SOURCE) rather
  // than the operand of -c.
  std::string script_name;
  // The script is read from stdin, line by line, as `bash < script` does.
  bool script_on_stdin = false;
  // Parse only: nothing runs (bash -n).
  bool check_only = false;
};

// The tree of a Shell, from the host's side: as root, without quotas on reading.
class Files {
 public:
  template <class T>
  using Expected = std::pair<T, std::errc>;    // errc{} when it is well

  virtual ~Files() = default;
  // Makes missing parents; they and the file belong to the session's user.
  virtual std::errc write(std::string_view path, std::string_view contents, uint32_t mode = 0644) = 0;
  virtual std::errc make_directory(std::string_view path, uint32_t mode = 0755) = 0;
  virtual std::errc make_symlink(std::string_view target, std::string_view path) = 0;
  virtual Expected<std::string> read(std::string_view path) const = 0;
  struct Entry {
    std::string name;
    char type;            // f d l p c
    uint32_t mode;        // 07777
    uint64_t size;
    std::string target;   // of a link
  };
  // Sorted by name.
  virtual Expected<std::vector<Entry>> list(std::string_view path) const = 0;
};

enum class ClockKind : uint8_t { real, virtual_ };

struct ShellOptions {
  Limits limits = Limits::standard();
  ClockKind clock = ClockKind::real;
  int64_t virtual_start = 1'700'000'000;       // seconds since the epoch, for virtual_
  std::optional<uint64_t> seed;                // of RANDOM, SRANDOM, mktemp, shuf; given: deterministic
  std::string user_name = "user", host_name = "localhost";
  uint32_t uid = 1000, gid = 1000;
  bool default_environment = true;             // HOME, PATH, USER, SHELL, LANG ...
};

class Shell {
 public:
  Shell();
  explicit Shell(const ShellOptions& options);
  ~Shell();
  Shell(Shell&&) noexcept;
  Shell& operator=(Shell&&) noexcept;

  // Runs a script to its end. The EXIT trap runs at the end of each.
  Result exec(std::string_view script, const ExecOptions& options = {});

  Files& files();
  // A variable's value; nullopt when it is not set.
  std::optional<std::string> variable(std::string_view name) const;
  void set_variable(std::string_view name, std::string_view value, bool exported = false);
  const Limits& limits() const;
  void set_limits(const Limits& limits);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// "0.1.0"
std::string_view version();

}  // namespace nacre
