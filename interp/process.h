// A process: one shell, subshell, pipeline stage or background job. It has its
// own ShellState and runs on its own fiber, or, for `( )` and `$( )`, on its
// caller's. This is the object that builtins get.
//
// The evaluator's parts are free functions over a Process, a file each:
//   evaluate.h   runs trees                 expand.h    words to fields
//   assign.h     sets variables             arith.h     arithmetic
//   redirect.h   descriptors of a command   cond.h      [[ ]]
//   jobs.h       background jobs, signals   traps.h     trap actions
//   invoke.h     finds and runs commands    variables.h reading, dynamic variables
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/outcome.h"
#include "interp/scratch.h"
#include "interp/session.h"
#include "interp/state.h"
#include "parser/parser.h"

namespace nacre::interp {

struct Job;

// A function call or sourced file, for FUNCNAME, BASH_SOURCE, BASH_LINENO, caller.
struct CallFrame {
  enum class Kind : uint8_t { function, source } kind;
  std::string_view name;        // function's name, or "source"
  std::string_view source;      // file that holds the called code
  uint32_t call_line;           // line of the call
  bool trace_enabled = true;    // DEBUG and RETURN traps run inside
};

class Process final : public parser::ParseEnvironment {
 public:
  // The first process of a session.
  explicit Process(Session& session);
  // A child that starts as a copy of `parent` (a subshell).
  enum class ChildKind : uint8_t { subshell, command_substitution, pipeline_stage, background };
  Process(Process& parent, ChildKind kind);
  ~Process() override;
  Process(const Process&) = delete;

  Session& session;
  ShellState state;
  Process* const parent;
  int pid;                       // BASHPID
  int shell_pid;                 // $$
  int subshell_level = 0;        // BASH_SUBSHELL
  // A simple command as a stage counts as a subshell only once its words have
  // been expanded (`echo $BASH_SUBSHELL | cat` prints 0).
  bool subshell_level_due = false;
  // A stage before |& : descriptor 2 joins 1 once its own redirections are done.
  bool join_stderr_due = false;

  // --- what is running ---
  int32_t status = 0;            // $?
  std::vector<int32_t> pipe_status{0};   // PIPESTATUS
  uint32_t line = 1;             // LINENO
  int trace_level = 0;           // how often the first character of PS4 is repeated, less one
  int loop_depth = 0;            // loops that break and continue can leave
  int errexit_off = 0;           // > 0: inside a condition, set -e and ERR do not act
  int function_level = 0;        // functions that `return` and `local` can refer to
  int source_level = 0;          // sourced files that `return` can leave
  int call_depth = 0;            // calls, source and eval levels alive (max_function_depth)
  int subshell_depth = 0;        // live processes inside each other (max_subshell_depth)
  int expansion_depth = 0;       // expansions inside each other whose depth the text decides
  int substitution_status = -1;  // of the last $( ) in the command being expanded; -1: none
  // For the declaration builtins: parallel to their arguments, the tree of a
  // compound assignment (`declare a=(1 2)`); null where the argument is text.
  std::span<const parser::Assign* const> declaration_assigns;
  // The builtin that runs, for errors in values that it assigns (`read n` where n
  // is an integer); empty in what a function or `eval` runs.
  std::string_view running_builtin;
  std::vector<CallFrame> frames;
  // `local -`: options to put back when the function of that level returns.
  struct SavedOptions {
    int level;
    Options options;
  };
  std::vector<SavedOptions> saved_options;
  int local_options_level = -1;  // level of the last entry, -1 when there is none
  const parser::Node* command = nullptr;          // BASH_COMMAND
  std::string_view command_expression;            // of for ((..)): the part that is due
  base::Ref<const parser::Program> program;       // owns what runs now
  std::string script_name;       // file of a script; "" under -c and stdin
  std::string last_async_pid;    // $! ("" when none)
  bool is_subshell = false;      // not a shell of its own (the first one, `bash -c`, a script)
  bool runs_string = false;      // -c
  bool reads_stdin = false;      // -s, or a script on stdin
  bool syntax_failed = false;    // the script itself did not parse
  // An error inside an expansion or a builtin that must unwind; the evaluator
  // takes it when the call returned false.
  Outcome failure;

  // Descriptors of <( ) and >( ), closed when the command that has them ends.
  std::vector<int> open_substitutions;
  struct CoprocInfo {
    base::Symbol name;
    int pid, read_fd, write_fd;
    const OpenFile *read, *write;  // what they referred to, to know them again
  };
  std::vector<CoprocInfo> coprocs;

  // --- jobs, signals, traps ---
  std::vector<std::unique_ptr<Job>> jobs;
  uint64_t pending_signals = 0;  // bit n-1: signal n waits for its trap (or for death)
  int kill_signal = 0;           // the signal that ended this process, or 0
  int running_trap = -1;         // signal whose action runs, or -1
  uint8_t active_traps = 0;      // DEBUG, ERR, RETURN actions that run, as bits from kTrapDebug
                                 // on: they do not run inside themselves
  int32_t trap_status = 0;       // $? when that action began (`exit` without operand gives it)
  int32_t status_before_return = 0;  // $? before the last `return`: what RETURN's action sees
  // ERR, DEBUG and RETURN (bit 0, 1, 2): set by a caller, and not inherited by
  // the function that runs.
  uint8_t hidden_traps = 0;
  bool exit_trap_done = false;
  bool in_interruptible_wait = false;  // `wait`, `read`: a trapped signal ends it
  Fiber* fiber = nullptr;        // null: main
  const OpenFile* original_stdin = nullptr;  // what fd 0 was when the shell began (not owned)

  Scratch& scratch() { return *scratch_; }
  limits::Meter& meter() { return session.meter; }
  // A call, source or eval level, while it lives. The script itself is the first
  // level, which max_function_depth does not count.
  limits::DepthGuard deeper_call();
  bool has(SetOption o) const { return state.options.has(o); }
  bool has(Shopt o) const { return state.options.has(o); }

  // parser::ParseEnvironment
  parser::ParseOptions parse_options() const override;
  std::optional<std::string_view> alias(std::string_view name) const override;

  // BASH_COMMAND: the text of `command`.
  std::string command_text() const;

  // --- diagnostics (diagnostics.cc) ---
  // "bash: line 3: " : what bash puts before a message (name as $0 or the
  // sourced file; the line in non-interactive shells).
  std::string error_prefix() const;
  // error_prefix() + text + "\n" on descriptor 2.
  void error(std::string_view text);
  void write_stderr(std::string_view text);   // raw, to descriptor 2
  void write_fd(int fd, std::string_view text);

 private:
  std::unique_ptr<Scratch> own_scratch_;
  Scratch* scratch_;

 public:
  void use_own_scratch();        // a process that starts its own fiber
};

}  // namespace nacre::interp
