#include "interp/process.h"

#include "interp/jobs.h"
#include "interp/traps.h"
#include "parser/printer.h"

namespace nacre::interp {

Process::Process(Session& s)
    : session(s), state(s.meter), parent(nullptr), pid(s.next_pid++), shell_pid(pid) {
  own_scratch_ = std::make_unique<Scratch>(s.meter);
  scratch_ = own_scratch_.get();
  state.functions = base::make_ref<FunctionTable>();
  state.fds = base::make_ref<FdTable>();
}

Process::Process(Process& from, ChildKind kind)
    : session(from.session),
      state(from.state),
      parent(&from),
      pid(from.session.next_pid++),
      shell_pid(from.shell_pid),
      subshell_level(from.subshell_level + 1),
      status(from.status),
      pipe_status(from.pipe_status),
      line(from.line),
      trace_level(from.trace_level),
      errexit_off(from.errexit_off),
      function_level(from.function_level),
      source_level(from.source_level),
      call_depth(from.call_depth),
      subshell_depth(from.subshell_depth + 1),
      frames(from.frames),
      command(from.command),
      command_expression(from.command_expression),
      program(from.program),
      script_name(from.script_name),
      last_async_pid(from.last_async_pid),
      is_subshell(true),
      runs_string(from.runs_string),
      reads_stdin(from.reads_stdin),
      fiber(from.fiber),
      original_stdin(from.original_stdin) {
  scratch_ = from.scratch_;
  if (subshell_depth > session.meter.limits().max_subshell_depth)
    session.meter.exceeded(LimitName::max_subshell_depth);
  hidden_traps = from.hidden_traps;
  // set -e does not reach into $( ) unless asked to.
  if (kind == ChildKind::command_substitution && !has(Shopt::inherit_errexit) &&
      !has(SetOption::posix))
    state.options.put(SetOption::errexit, false);
  // break in $( ) ends the substitution; elsewhere the parent's loops are out of reach.
  if (kind == ChildKind::command_substitution) loop_depth = from.loop_depth;
  // $(jobs -p) and `jobs | cat` list their parent's jobs.
  if (kind == ChildKind::command_substitution || kind == ChildKind::pipeline_stage)
    for (const auto& j : from.jobs)
      if (!j->pids.empty()) jobs.push_back(std::make_unique<Job>(*j));
  state.options.put(SetOption::monitor, false);
  reset_traps_for_child(*this);
}

Process::~Process() = default;

limits::DepthGuard Process::deeper_call() {
  int64_t most = session.meter.limits().max_function_depth;
  if (most < Limits::kUnlimited) ++most;
  return {session.meter, call_depth, most, LimitName::max_function_depth};
}

void Process::use_own_scratch() {
  own_scratch_ = std::make_unique<Scratch>(session.meter);
  scratch_ = own_scratch_.get();
}

std::string Process::command_text() const {
  if (!command) return {};
  // Loops and case are named by their first line.
  switch (command->kind) {
    case parser::NodeKind::for_:
    case parser::NodeKind::select: {
      const auto& loop = static_cast<const parser::For&>(*command);
      std::string text = command->kind == parser::NodeKind::for_ ? "for " : "select ";
      text += loop.name_text;
      text += " in ";
      return text + (loop.has_in ? parser::print_words(loop.words, session.symbols) : "\"$@\"");
    }
    case parser::NodeKind::case_:
      return "case " + std::string(static_cast<const parser::Case&>(*command).word->raw) + " in ";
    case parser::NodeKind::arith_for: return "((" + std::string(command_expression) + "))";
    default: return parser::print_command(*command, session.symbols);
  }
}

parser::ParseOptions Process::parse_options() const {
  parser::ParseOptions o;
  o.extglob = has(Shopt::extglob);
  o.expand_aliases = has(Shopt::expand_aliases) || has(SetOption::posix);
  o.posix = has(SetOption::posix);
  o.brace_expand = has(SetOption::braceexpand);
  return o;
}

std::optional<std::string_view> Process::alias(std::string_view name) const {
  if (!state.aliases) return std::nullopt;
  auto it = state.aliases->by_name.find(name);
  if (it == state.aliases->by_name.end()) return std::nullopt;
  return std::string_view(it->second);
}

}  // namespace nacre::interp
