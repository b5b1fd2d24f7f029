// The interface between the evaluator and commands. A command gets everything
// it may touch in its CommandContext and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/open_file.h"
#include "interp/streams.h"
#include "limits/clock.h"
#include "limits/meter.h"
#include "vfs/view.h"

namespace nacre::interp {

class Process;
struct CommandContext;

using Args = std::span<const std::string_view>;
using CommandMain = int (*)(CommandContext&);
using BuiltinMain = int (*)(Process&, CommandContext&);

enum class CommandKind : uint8_t {
  special,   // POSIX special builtin: assignments before it stay in posix mode, errors end the shell there
  builtin,   // in the shell: works on the Process
  utility,   // /usr/bin/NAME: sees only its context
};

struct Command {
  std::string_view name;
  std::string_view synopsis;        // one line, for help and for a model's prompt
  std::string_view usage;           // the text of --help (builtins: of `help NAME`)
  CommandKind kind = CommandKind::utility;
  CommandMain main = nullptr;       // utility (a builtin may have one too: `env printf`)
  BuiltinMain builtin = nullptr;    // special, builtin
  bool declaration = false;         // its arguments expand as assignments (declare, export, ...)
};

// How a command starts another (xargs, find -exec, timeout, env).
struct RunOptions {
  OpenFileRef in, out, err;                      // null: inherit
  const std::vector<std::string>* environment = nullptr;  // "NAME=value"; null: inherit
  std::string cwd;                               // "": inherit
};

// The outside of the shell that a utility may use; implemented by the evaluator.
class CommandHost {
 public:
  virtual ~CommandHost() = default;
  // Looks `argv[0]` up as execvp would (no functions, no builtins that are not
  // utilities too) and runs it as a child process; gives its status (127, 126
  // as in a shell, without a message).
  virtual int run(Args argv, const RunOptions& options) = 0;
  // Starts it as a fiber; wait() for it (or kill it) through the returned id.
  virtual int start(Args argv, const RunOptions& options) = 0;       // pid
  virtual std::optional<int> poll(int pid) = 0;                      // status when it has ended
  virtual int wait(int pid, int64_t deadline) = 0;                   // status; -1: deadline passed
  virtual bool signal(int pid, int signo) = 0;                       // kill(2)
  // Opens a path for this process, devices, FIFOs and /dev/fd/N included.
  virtual std::expected<OpenFileRef, std::errc> open(std::string_view path, vfs::OpenFlags flags,
                                                     uint32_t mode) = 0;
  virtual OpenFileRef fd(int number) = 0;
  virtual PipeEnds pipe() = 0;
  virtual std::optional<std::string_view> getenv(std::string_view name) const = 0;
  virtual std::vector<std::string> environment() const = 0;          // "NAME=value", bash's order
  virtual bool exists(std::string_view command) const = 0;           // `which`
  // Told to the host in the result: an option or command that was asked for
  // and is not here.
  virtual void unsupported(std::string_view command, std::string_view what) = 0;
  // False when a signal ended it early.
  virtual bool sleep_until(int64_t deadline) = 0;
  virtual uint64_t random() = 0;
  virtual int pid() const = 0;
  // True when no other process of the session is left that could write to a
  // file (`tail -f` then has nothing more to wait for).
  virtual bool alone() const { return true; }
};

struct CommandContext {
  Args args;               // args[0] is the name it was called by
  Input& in;
  Output& out;
  Output& err;
  const vfs::View& fs;
  limits::Meter& meter;
  limits::Clock& clock;
  CommandHost& host;

  std::string_view name() const { return args[0]; }
  // "NAME: text\n" on stderr, after flushing stdout.
  void error(std::string_view text);
  // "NAME: what: strerror\n" (what is printed as it is; quote it first).
  void error(std::string_view what, std::errc code);
};

// The table of all commands, made from builtins/meson.build. `names` is sorted.
class CommandTable {
 public:
  virtual ~CommandTable() = default;
  virtual const Command* find(std::string_view name) const = 0;
  virtual std::span<const Command* const> all() const = 0;
};

}  // namespace nacre::interp
