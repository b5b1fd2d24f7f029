// Reading, parsing and running: one complete command at a time.
#include <utility>

#include "interp/evaluate.h"
#include "interp/evaluate_parts.h"
#include "interp/expansion_failure.h"
#include "interp/traps.h"

namespace nacre::interp {
namespace {

// Puts back what a nested source changes.
class SourceScope {
 public:
  explicit SourceScope(Process& p)
      : p_(p), program_(p.program), builtin_(std::exchange(p.running_builtin, {})) {}
  ~SourceScope() {
    p_.program = std::move(program_);
    p_.running_builtin = builtin_;
  }

 private:
  Process& p_;
  base::Ref<const parser::Program> program_;
  std::string_view builtin_;
};

void print_syntax_error(Process& p, const parser::SyntaxError& e, std::string_view label) {
  std::string_view name = p.frames.empty() ? std::string_view(p.script_name) : p.frames.back().source;
  if (name.empty()) name = p.state.arg0;
  // One message a line, each with the name before it.
  std::string_view rest = e.text;
  std::string out;
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    out += name;
    out += ": ";
    out += label;
    out += rest.substr(0, end);
    out += '\n';
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  p.write_stderr(out);
}

// set -v: each line is printed as it is read.
class EchoingSource final : public parser::LineSource {
 public:
  EchoingSource(Process& p, parser::LineSource& inner, bool active)
      : p_(p), inner_(inner), active_(active) {}
  bool next_line(std::string& out) override {
    const size_t from = out.size();
    if (!inner_.next_line(out)) return false;
    if (active_ && p_.has(SetOption::verbose)) {
      std::string line = out.substr(from);
      if (line.empty() || line.back() != '\n') line += '\n';
      p_.write_stderr(line);
    }
    return true;
  }

 private:
  Process& p_;
  parser::LineSource& inner_;
  bool active_;
};

// set -x marks what eval, source and traps run with one more sign.
class TraceLevel {
 public:
  TraceLevel(Process& p, bool deeper) : p_(p), deeper_(deeper) { p_.trace_level += deeper_; }
  ~TraceLevel() { p_.trace_level -= deeper_; }

 private:
  Process& p_;
  bool deeper_;
};

}  // namespace

Outcome run_source(Process& p, parser::LineSource& source, SourceOptions options) {
  limits::DepthGuard depth = p.deeper_call();
  const bool top_level = p.call_depth == 1;
  SourceScope scope(p);
  TraceLevel trace(p, options.trace_deeper && !top_level);
  EchoingSource echoing(p, source, options.verbose);
  parser::Parser parser(echoing, p.session.symbols, p, p.meter(), options.first_line);
  Outcome last(0);
  bool ran = false;
  for (;;) {
    parser::ParseResult r = parser.next();
    if (!r.warnings.empty()) {
      parser::SyntaxError warning;
      warning.text = std::move(r.warnings);
      print_syntax_error(p, warning, {});
    }
    if (r.status == parser::ParseStatus::end) break;
    if (r.status == parser::ParseStatus::error) {
      print_syntax_error(p, r.error, options.label);
      if (r.error.recoverable) {
        last = Outcome(1);
        p.status = 1;
        ran = true;
        continue;
      }
      if (top_level) p.syntax_failed = true;
      if (r.error.fatal) {
        p.status = p.is_subshell ? 1 : p.runs_string ? 127 : 2;
        return Outcome(p.status, Flow::exit);
      }
      p.status = 2;
      return Outcome(2);
    }
    if (!r.program->root) continue;
    if (p.has(SetOption::noexec)) continue;
    p.program = base::Ref<const parser::Program>(r.program.get());
    Outcome o = evaluate(p, *r.program->root);
    ran = true;
    if (o.flow == Flow::discard && (top_level || o.levels < kDiscardAll)) {
      // bash drops the rest of that line and goes on with the next, in eval and
      // source too.
      p.status = o.status;
      last = Outcome(o.status);
      if (p.has(SetOption::errexit) && !p.errexit_off) return Outcome(o.status, Flow::exit);
      continue;
    }
    if (o.unwinding()) return o;
    last = o;
    p.status = o.status;
    if (p.has(SetOption::onecmd)) return Outcome(o.status, Flow::exit);
  }
  if (p.pending_signals) {
    Outcome o = run_pending_signals(p);
    if (o.unwinding()) return o;
  }
  if (!ran) p.status = 0;
  return last;
}

Outcome run_text(Process& p, std::string_view text, SourceOptions options) {
  parser::StringSource source(text);
  return run_source(p, source, options);
}

int finish_process(Process& p, Outcome how) {
  int status = how.status & 0xff;
  if (p.kill_signal != 9) run_exit_trap(p, status);
  return status & 0xff;
}

}  // namespace nacre::interp
