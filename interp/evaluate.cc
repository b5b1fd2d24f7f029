// The tree walk: compound commands. Simple commands are in simple_command.cc,
// pipelines and jobs in pipeline.cc, functions in function_call.cc.
#include "interp/evaluate.h"

#include "base/numbers.h"
#include "interp/arith.h"
#include "interp/assign.h"
#include "interp/cond.h"
#include "interp/evaluate_parts.h"
#include "interp/expand.h"
#include "interp/expansion_failure.h"
#include "interp/jobs.h"
#include "interp/redirect.h"
#include "interp/trace.h"
#include "interp/traps.h"
#include "interp/variables.h"

namespace nacre::interp {

using namespace parser;

Outcome leave(Process& p, Outcome o) {
  if (o.flow == Flow::exit && !p.exit_trap_done && p.kill_signal != 9) {
    int status = o.status & 0xff;
    run_exit_trap(p, status);
    o.status = status;
  }
  return o;
}

Outcome take_failure(Process& p) {
  Outcome o = p.failure;
  p.failure = Outcome();
  if (o.flow == Flow::next || o.flow == Flow::discard) o.status = o.status ? o.status : 1;
  p.status = o.status;
  return leave(p, o);
}

Outcome settle(Process& p, Outcome o, bool trapped) {
  p.status = o.status;
  if (o.status == 0 || o.unwinding() || p.errexit_off) return o;
  if (trapped && has_trap(p, kTrapErr)) {
    Outcome t = run_trap(p, kTrapErr);
    if (t.unwinding()) return t;
    p.status = o.status;
  }
  if (p.has(SetOption::errexit)) return leave(p, Outcome(o.status, Flow::exit));
  return o;
}

Outcome before_command(Process& p, const Node& node) {
  if (p.pending_signals) {
    Outcome o = run_pending_signals(p);
    if (o.unwinding()) return o;
  }
  p.line = node.line;
  if (p.running_trap < 0 || p.running_trap != kTrapDebug) {
    if (p.running_trap != kTrapErr && p.running_trap != kTrapExit) p.command = &node;
    if (p.state.traps && has_trap(p, kTrapDebug)) {
      Outcome o = run_trap(p, kTrapDebug);
      if (o.unwinding()) return o;
      if (p.has(Shopt::extdebug) && o.status == 2 && (p.function_level || p.source_level))
        return Outcome(0, Flow::return_);
      if (p.has(Shopt::extdebug) && o.status != 0) return Outcome(kSkipCommand);
    }
  }
  return Outcome();
}

namespace {

// Inside a condition: set -e and ERR do not act.
class Exempt {
 public:
  explicit Exempt(Process& p) : p_(p) { ++p_.errexit_off; }
  ~Exempt() { --p_.errexit_off; }

 private:
  Process& p_;
};

class LoopScope {
 public:
  explicit LoopScope(Process& p) : p_(p) { ++p_.loop_depth; }
  ~LoopScope() { --p_.loop_depth; }

 private:
  Process& p_;
};

// What an unwinding outcome means to the innermost loop. True: the loop ends
// with `o` (which may unwind further); false: it goes on.
bool ends_loop(Outcome& o) {
  switch (o.flow) {
    case Flow::break_:
      if (o.levels > 1) --o.levels;
      else o = Outcome(o.status);
      return true;
    case Flow::continue_:
      if (o.levels > 1) {
        --o.levels;
        return true;
      }
      o = Outcome(o.status);
      return false;
    case Flow::next:
      return false;
    default:
      return true;
  }
}

Outcome run_list(Process& p, const List& list) {
  Outcome o;
  for (const ListItem& item : list.items) {
    if (item.background) o = Outcome(start_background(p, *item.node));
    else o = evaluate(p, *item.node);
    if (o.unwinding()) return o;
    p.status = o.status;
  }
  return o;
}

Outcome run_and_or(Process& p, const AndOr& list) {
  Outcome o;
  for (size_t i = 0; i < list.items.size(); ++i) {
    if (i > 0) {
      bool wants_success = list.ops[i - 1] == ListOp::and_;
      if ((o.status == 0) != wants_success) continue;
    }
    if (i + 1 < list.items.size()) {
      Exempt exempt(p);
      o = evaluate(p, *list.items[i]);
    } else {
      o = evaluate(p, *list.items[i]);
    }
    if (o.unwinding()) return o;
    p.status = o.status;
  }
  return o;
}

Outcome run_if(Process& p, const If& node) {
  for (const IfClause& clause : node.clauses) {
    if (clause.condition) {
      Outcome o;
      {
        Exempt exempt(p);
        o = evaluate(p, *clause.condition);
      }
      if (o.unwinding()) return o;
      if (o.status != 0) continue;
    }
    return evaluate(p, *clause.body);
  }
  p.status = 0;
  return Outcome();
}

Outcome run_while(Process& p, const While& node) {
  LoopScope loop(p);
  int64_t iterations = 0;
  int last = 0;
  for (;;) {
    Outcome o;
    {
      Exempt exempt(p);
      o = evaluate(p, *node.condition);
    }
    if (o.unwinding()) {
      if (ends_loop(o)) return o;
      continue;
    }
    if ((o.status == 0) == node.until) break;
    p.meter().charge_iteration(iterations);
    o = evaluate(p, *node.body);
    if (o.unwinding() && ends_loop(o)) return o;
    last = o.status;
  }
  p.status = last;
  return Outcome(last);
}

bool check_loop_name(Process& p, const For& node) {
  if (base::is_identifier(node.name_text)) return true;
  p.error("`" + std::string(node.name_text) + "': not a valid identifier");
  return false;
}

Outcome run_for(Process& p, const For& node) {
  p.line = node.line;
  if (!check_loop_name(p, node)) return settle(p, Outcome(1));
  FieldList fields(p.scratch());
  if (node.has_in) {
    const size_t substitutions = p.open_substitutions.size();
    if (!expand_words(p, node.words, fields)) return take_failure(p);
    close_substitutions(p, substitutions);
  } else {
    for (size_t i = 1; i <= p.state.param_count(); ++i) fields.add(p.state.param(i));
  }
  LoopScope loop(p);
  int64_t iterations = 0;
  int last = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    p.meter().charge_iteration(iterations);
    p.line = node.line;
    if (p.has(SetOption::xtrace)) trace_for(p, node);
    if (p.state.traps) {
      Outcome d = before_command(p, node);
      if (d.unwinding() && ends_loop(d)) return d;
      if (d.status == kSkipCommand) continue;
    }
    // A nameref as the loop's variable is pointed at each name in turn.
    const Variable* v = p.state.vars.find(node.name);
    const bool reference = v && v->has(kNameref);
    if (!assign_variable(p, node.name, fields[i], {.no_nameref = reference})) {
      p.failure = Outcome();
      return settle(p, Outcome(1));
    }
    Outcome o = evaluate(p, *node.body);
    if (o.unwinding() && ends_loop(o)) return o;
    last = o.status;
  }
  p.status = last;
  return Outcome(last);
}

// One of the three expressions; false after an error.
bool for_expression(Process& p, const Arith* e, int64_t& value) {
  if (!e) {
    if (p.has(SetOption::xtrace)) trace_line(p, "(( 1 ))");
    return true;
  }
  if (p.has(SetOption::xtrace)) trace_arith(p, *e);
  if (eval_arith(p, *e, value, "((: ")) return true;
  return false;
}

// The DEBUG trap before one of the three expressions; false when it unwinds.
bool debug_expression(Process& p, const ArithFor& node, const Arith* e, Outcome& stop) {
  if (!p.state.traps) return true;
  p.command_expression = e ? e->source : std::string_view("1");
  stop = before_command(p, node);
  return !stop.unwinding();
}

Outcome run_arith_for(Process& p, const ArithFor& node) {
  p.line = node.line;
  int64_t value = 1;
  Outcome stop;
  auto failed = [&] {
    if (!expression_failed(p)) return take_failure(p);
    p.failure = Outcome();
    return settle(p, Outcome(1));
  };
  if (!debug_expression(p, node, node.init, stop)) return stop;
  if (!for_expression(p, node.init, value)) return failed();
  LoopScope loop(p);
  int64_t iterations = 0;
  int last = 0;
  for (;;) {
    p.line = node.line;
    if (!debug_expression(p, node, node.test, stop) && ends_loop(stop)) return stop;
    value = 1;
    if (!for_expression(p, node.test, value)) return failed();
    if (value == 0) break;
    p.meter().charge_iteration(iterations);
    Outcome o = evaluate(p, *node.body);
    if (o.unwinding() && ends_loop(o)) return o;
    last = o.status;
    if (p.pending_signals) {
      Outcome s = run_pending_signals(p);
      if (s.unwinding() && ends_loop(s)) return s;
    }
    p.line = node.line;
    if (!debug_expression(p, node, node.step, stop) && ends_loop(stop)) return stop;
    if (!for_expression(p, node.step, value)) return failed();
  }
  p.status = last;
  return Outcome(last);
}

bool pattern_matches(Process& p, const Word& pattern, std::string_view text, bool& matched) {
  const bool ignore_case = p.has(Shopt::nocasematch);
  if (pattern.is_literal && !ignore_case) {
    matched = pattern.literal == text;
    return true;
  }
  std::string expanded;
  if (!expand_string(p, pattern, ExpandAs::pattern, expanded)) return false;
  regex::PatternOptions options;
  options.extglob = p.has(Shopt::extglob);
  options.ignore_case = ignore_case;
  matched = p.session.patterns.pattern(expanded, options, p.meter()).matches(text, p.meter());
  return true;
}

Outcome run_case(Process& p, const Case& node) {
  Outcome before = before_command(p, node);
  if (before.unwinding()) return before;
  if (before.status == kSkipCommand) return Outcome();
  if (p.has(SetOption::xtrace)) trace_case(p, node);
  std::string text;
  if (!expand_string(p, *node.word, ExpandAs::plain, text)) return take_failure(p);
  Outcome o;
  bool fall = false;
  for (const CaseClause& clause : node.clauses) {
    bool matched = fall;
    for (size_t i = 0; !matched && i < clause.patterns.size(); ++i)
      if (!pattern_matches(p, *clause.patterns[i], text, matched)) return take_failure(p);
    if (!matched) continue;
    o = clause.body ? evaluate(p, *clause.body) : Outcome();
    if (o.unwinding()) return o;
    if (clause.end == CaseEnd::break_) break;
    fall = clause.end == CaseEnd::fall_through;
  }
  p.status = o.status;
  return o;
}

Outcome run_function_definition(Process& p, const Function& node) {
  p.line = node.line;
  const FunctionDef* old = p.state.functions->find(node.name);
  std::string_view name = p.session.symbols.name(node.name);
  const Command* command = p.session.find_command(node.name);
  if (p.has(SetOption::posix) && command && command->kind == CommandKind::special) {
    p.error("`" + std::string(name) + "': is a special builtin");
    return leave(p, Outcome(2, Flow::exit));
  }
  if (name.find_first_of("$`'\"\\") != std::string_view::npos ||
      (p.has(SetOption::posix) && !base::is_identifier(name))) {
    p.error("`" + std::string(name) + "': not a valid identifier");
    return settle(p, Outcome(1));
  }
  if (old && old->readonly) {
    p.error(std::string(name) + ": readonly function");
    return settle(p, Outcome(1));
  }
  auto def = base::make_ref<FunctionDef>();
  def->program = p.program;
  def->node = &node;
  def->source = !p.frames.empty() ? std::string(p.frames.back().source)
                : p.script_name.empty() ? (p.runs_string ? "environment" : "main")
                                        : p.script_name;
  if (p.has(SetOption::allexport)) def->exported = true;
  base::writable(p.state.functions).set(node.name, std::move(def));
  p.status = 0;
  return Outcome();
}

Outcome run_cond(Process& p, const Cond& node) {
  p.meter().charge_command();
  Outcome before = before_command(p, node);
  if (before.unwinding()) return before;
  if (before.status == kSkipCommand) return Outcome();
  int status = eval_cond(p, *node.expr);
  if (p.failure.unwinding()) return take_failure(p);
  p.pipe_status.assign(1, status);
  return settle(p, Outcome(status));
}

Outcome run_arith(Process& p, const ArithCommand& node) {
  p.meter().charge_command();
  Outcome before = before_command(p, node);
  if (before.unwinding()) return before;
  if (before.status == kSkipCommand) return Outcome();
  if (p.has(SetOption::xtrace)) trace_arith(p, *node.expr);
  int64_t value = 0;
  int status = 1;
  if (eval_arith(p, *node.expr, value, "((: ")) status = value == 0;
  else if (!expression_failed(p)) return take_failure(p);
  p.failure = Outcome();
  p.pipe_status.assign(1, status);
  return settle(p, Outcome(status));
}

Outcome run_single_pipeline(Process& p, const Pipeline& node) {
  if (!node.timed && !node.negated && !node.stages.empty()) return evaluate(p, *node.stages[0]);
  TimedSection timing(p, node.timed, node.time_posix);
  Outcome o;
  if (node.negated) {
    Exempt exempt(p);
    o = node.stages.empty() ? Outcome() : evaluate(p, *node.stages[0]);
  } else if (!node.stages.empty()) {
    o = evaluate(p, *node.stages[0]);
  }
  if (o.unwinding()) return o;
  timing.report();
  if (node.negated) o.status = o.status == 0;
  p.status = o.status;
  return o;
}

Outcome run_compound(Process& p, const Node& node) {
  switch (node.kind) {
    case NodeKind::group: return evaluate(p, *static_cast<const Group&>(node).body);
    case NodeKind::if_: return run_if(p, static_cast<const If&>(node));
    case NodeKind::while_: return run_while(p, static_cast<const While&>(node));
    case NodeKind::for_: return run_for(p, static_cast<const For&>(node));
    case NodeKind::arith_for: return run_arith_for(p, static_cast<const ArithFor&>(node));
    case NodeKind::select: return run_select(p, static_cast<const For&>(node));
    case NodeKind::case_: return run_case(p, static_cast<const Case&>(node));
    case NodeKind::cond: return run_cond(p, static_cast<const Cond&>(node));
    case NodeKind::arith: return run_arith(p, static_cast<const ArithCommand&>(node));
    case NodeKind::subshell: {
      p.line = node.line;
      int status = run_subshell(p, *static_cast<const Subshell&>(node).body,
                                Process::ChildKind::subshell);
      if (p.running_trap < 0) p.command = &node;
      p.pipe_status.assign(1, status);
      return settle(p, Outcome(status));
    }
    default: return Outcome();
  }
}

}  // namespace

namespace {

Outcome run_redirected(Process& p, const Node& node) {
  if (node.redirects.empty()) return run_compound(p, node);
  RedirectScope scope(p);
  p.line = node.line;
  const size_t substitutions = p.open_substitutions.size();
  const bool applied = scope.apply(node.redirects);
  close_substitutions(p, substitutions);
  if (!applied) {
    Outcome o = take_failure(p);
    return o.unwinding() ? o : settle(p, o);
  }
  return run_compound(p, node);
}

}  // namespace

Outcome evaluate(Process& p, const Node& node) {
  switch (node.kind) {
    case NodeKind::simple: return run_simple(p, static_cast<const SimpleCommand&>(node));
    case NodeKind::list: return run_list(p, static_cast<const List&>(node));
    case NodeKind::and_or: return run_and_or(p, static_cast<const AndOr&>(node));
    case NodeKind::pipeline: {
      const auto& pipeline = static_cast<const Pipeline&>(node);
      return pipeline.stages.size() > 1 ? run_pipeline(p, pipeline)
                                        : run_single_pipeline(p, pipeline);
    }
    case NodeKind::function:
      return run_function_definition(p, static_cast<const Function&>(node));
    case NodeKind::coproc: return Outcome(start_coproc(p, static_cast<const Coproc&>(node)));
    default: break;
  }
  // All recursion of a script passes here: go on with a further stack before
  // this one runs out. How deep it may go is for the meter to say.
  constexpr size_t kReserve = 64 * 1024;
  Scheduler& scheduler = p.session.scheduler;
  if (size_t left = scheduler.stack_left(); left != 0 && left < kReserve) {
    Outcome o;
    scheduler.run_on_new_stack([&] { o = run_redirected(p, node); });
    return o;
  }
  return run_redirected(p, node);
}

}  // namespace nacre::interp
