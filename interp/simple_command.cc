// Simple commands: expansion, assignments, redirections, and the call.
#include "base/numbers.h"
#include "base/quoting.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/evaluate_parts.h"
#include "interp/expand.h"
#include "interp/invoke.h"
#include "interp/job_report.h"
#include "interp/jobs.h"
#include "interp/redirect.h"
#include "interp/trace.h"
#include "interp/traps.h"
#include "interp/variables.h"

namespace nacre::interp {

using namespace parser;

namespace {

// Fibers switch here at a counted number of commands, so that a busy loop does
// not starve the others.
constexpr int kCommandsBetweenYields = 512;

void give_way(Process& p) {
  if (p.session.scheduler.live() == 0) return;
  if (++p.session.commands_since_yield < kCommandsBetweenYields) return;
  p.session.commands_since_yield = 0;
  p.session.scheduler.yield();
}

void set_last_argument(Process& p, std::string_view text) {
  Symbol s = p.session.names.underscore;
  Variable* v = p.state.vars.find_writable(s);
  if (!v) v = &p.state.vars.create(s);
  v->set_text(text);
}

std::string assigned_text(Process& p, const Assign& a) {
  std::string buffer;
  std::string_view value;
  if (a.append || a.is_array) {
    // The trace shows what was appended, not the result.
    std::string text;
    if (a.value && a.value->is_literal) text = a.value->literal;
    else if (a.value) expand_string(p, *a.value, ExpandAs::assignment, text);
    return text;
  }
  if (!a.sub && read_variable(p, a.name, value, buffer)) return std::string(value);
  std::string text;
  if (a.value) expand_string(p, *a.value, ExpandAs::assignment, text);
  return text;
}

// Nothing but assignments and redirections (and words that came to nothing).
Outcome run_assignments(Process& p, const SimpleCommand& c) {
  for (const Assign* a : c.assigns) {
    if (!perform_assignment(p, *a)) {
      Outcome o = take_failure(p);
      return o.unwinding() ? o : settle(p, o);
    }
    if (p.has(SetOption::xtrace)) trace_assignment(p, *a, assigned_text(p, *a));
  }
  if (!c.redirects.empty()) {
    RedirectScope scope(p);
    if (!scope.apply(c.redirects)) {
      Outcome o = take_failure(p);
      return o.unwinding() ? o : settle(p, o);
    }
  }
  set_last_argument(p, {});
  int status = p.substitution_status >= 0 ? p.substitution_status : 0;
  p.pipe_status.assign(1, status);
  return settle(p, Outcome(status));
}

// x=1 y=2 before a command: bindings that live as long as it.
class TemporaryEnvironment {
 public:
  explicit TemporaryEnvironment(Process& p) : p_(p) {}
  ~TemporaryEnvironment() {
    if (active_) pop();
  }
  // Expands and binds; each value sees those before it. False when an expansion
  // failed; a readonly variable only warns.
  bool apply(std::span<const Assign* const> assigns) {
    push();
    for (const Assign* a : assigns) {
      std::string value;
      if (a->is_array) value = array_text(*a);
      else if (a->value && a->value->is_literal) value = a->value->literal;
      else if (a->value && !expand_string(p_, *a->value, ExpandAs::assignment, value)) return false;
      if (p_.has(SetOption::xtrace)) trace_assignment(p_, *a, value);
      if (a->sub) {
        // An element cannot be exported.
        std::string target(a->raw.substr(0, a->raw.find('=')));
        if (!target.empty() && target.back() == '+') target.pop_back();
        p_.error("`" + target + "': not a valid identifier");
        continue;
      }
      const Variable* old = p_.state.vars.find(a->name);
      if (old && old->has(kReadonly)) {
        p_.error(std::string(p_.session.symbols.name(a->name)) + ": readonly variable");
        continue;
      }
      if (a->append && old && old->is_set()) value.insert(0, old->text());
      bind(a->name, value);
    }
    return true;
  }
  // Redirections do not see the bindings (`x=f cat <$x`): out of sight and back.
  void hide() {
    for (Binding& b : bindings_) b.value = p_.state.vars.find(b.name)->text();
    pop();
  }
  void show() {
    push();
    std::vector<Binding> bindings = std::move(bindings_);
    bindings_.clear();
    for (const Binding& b : bindings) bind(b.name, b.value);
  }
  // The bindings stay (`exec`, special builtins in posix mode).
  void keep() { active_ = false; }

 private:
  // a=(1 2) cmd: the text is the value.
  static std::string array_text(const Assign& a) {
    size_t open = a.raw.find('(');
    return std::string(open == std::string_view::npos ? a.raw : a.raw.substr(open));
  }

  struct Binding {
    Symbol name;
    std::string value;
  };
  void push() {
    p_.state.vars.push_scope(ScopeKind::temporary);
    active_ = true;
  }
  void pop() {
    active_ = false;
    if (p_.state.vars.pop_scope(p_.session.names.last())) special_variables_restored(p_);
  }
  void bind(Symbol name, std::string_view value) {
    if (Symbol target = resolve_nameref(p_, name); target != base::kNoSymbol) name = target;
    Variable& v = p_.state.vars.make_local(name, ScopeKind::temporary);
    v.set_text(value);
    v.attrs |= kExported | kTempEnv;
    bindings_.push_back({name, {}});
    if (name <= p_.session.names.last()) special_variable_changed(p_, name);
  }

  Process& p_;
  bool active_ = false;
  std::vector<Binding> bindings_;
};

// The declaration builtin that a command line names, or null: `declare`, and
// behind `command` and `builtin` too.
const Command* declaration_builtin(Process& p, const SimpleCommand& c) {
  for (const Word* w : c.words) {
    if (!w->is_literal || w->symbol == base::kNoSymbol) return nullptr;
    const Command* command = p.session.find_command(w->symbol);
    if (!command || command->kind == CommandKind::utility) return nullptr;
    if (command->declaration) return p.state.functions->find(w->symbol) ? nullptr : command;
    if (command->name != "command" && command->name != "builtin") return nullptr;
  }
  return nullptr;
}

// Text of a compound assignment for the trace: x=('1' 'b c').
std::string traced_elements(Process& p, const Assign& a) {
  std::string line(p.session.symbols.name(a.name));
  line += a.append ? "+=(" : "=(";
  bool first = true;
  for (const ArrayElement& e : a.elements) {
    if (!first) line += ' ';
    first = false;
    if (e.sub) {
      line += '[';
      line += base::single_quote(e.sub->raw);
      line += e.append ? "]+=" : "]=";
    }
    std::string text;
    if (e.value && e.value->is_literal) text = e.value->literal;
    else if (e.value) expand_string(p, *e.value, ExpandAs::assignment, text);
    line += e.sub && text.empty() ? std::string() : base::single_quote(text);
  }
  line += ')';
  return line;
}

// Arguments of a declaration builtin: assignments are not split.
bool expand_declaration(Process& p, const SimpleCommand& c, FieldList& out,
                        std::vector<const Assign*>& trees) {
  std::string text;
  for (const Word* w : c.words) {
    const Assign* a = w->assign;
    if (!a || w->has_brace) {
      if (!expand_word_fields(p, *w, out)) return false;
      trees.resize(out.size(), nullptr);
      continue;
    }
    text.assign(p.session.symbols.name(a->name));
    if (a->is_array) {
      if (p.has(SetOption::xtrace)) trace_line(p, traced_elements(p, *a));
      out.add(text);
      trees.resize(out.size(), nullptr);
      trees.back() = a;
      continue;
    }
    if (a->sub) {
      text += '[';
      text += a->sub->raw;
      text += ']';
    }
    text += a->append ? "+=" : "=";
    if (a->value) {
      if (a->value->is_literal) text += a->value->literal;
      else if (!expand_string(p, *a->value, ExpandAs::assignment, text)) return false;
    }
    out.add(text);
    trees.resize(out.size(), nullptr);
  }
  return true;
}

class DeclarationScope {
 public:
  DeclarationScope(Process& p, std::span<const Assign* const> trees)
      : p_(p), outer_(p.declaration_assigns) {
    p.declaration_assigns = trees;
  }
  ~DeclarationScope() { p_.declaration_assigns = outer_; }

 private:
  Process& p_;
  std::span<const Assign* const> outer_;
};

Outcome failed_redirect(Process& p, const Command* command) {
  Outcome o = take_failure(p);
  if (o.unwinding()) return o;
  // A special builtin whose redirection fails ends a posix shell.
  if (command && command->kind == CommandKind::special && p.has(SetOption::posix))
    return Outcome(o.status, Flow::exit);
  return settle(p, o);
}

Outcome run_resolved(Process& p, const SimpleCommand& c, std::span<const Assign* const> assigns,
                     Args args, const FunctionDef* function, const Command* builtin) {
  TemporaryEnvironment environment(p);
  if (!assigns.empty() && !environment.apply(assigns)) {
    Outcome o = take_failure(p);
    return o.unwinding() ? o : settle(p, o);
  }
  if (p.has(SetOption::xtrace)) trace_words(p, args);
  RedirectScope scope(p);
  const bool hidden = !c.redirects.empty() && !assigns.empty();
  if (hidden) environment.hide();
  if (!c.redirects.empty() && !scope.apply(c.redirects)) {
    // A utility's redirections are its own process's: their errors end only that.
    if (!function && !builtin && p.failure.unwinding()) p.failure = Outcome(p.failure.status);
    return failed_redirect(p, builtin);
  }
  if (hidden) environment.show();
  if (p.subshell_level_due) {
    p.subshell_level_due = false;
    ++p.subshell_level;
  }
  const bool trapped = p.state.traps && has_trap(p, kTrapErr);
  Outcome o;
  if (function) {
    o = call_function(p, *function, args);
  } else if (builtin) {
    o = leave(p, run_builtin(p, *builtin, args));
    if (builtin->name == "exec" && !o.unwinding() && o.status == 0) scope.keep();
    if (builtin->kind == CommandKind::special && p.has(SetOption::posix)) environment.keep();
  } else {
    o = run_command(p, args, {.functions = false, .builtins = false, .default_path = false});
    if (!p.jobs.empty()) notice_ended_jobs(p);
  }
  p.pipe_status.assign(1, o.status);
  return settle(p, o, trapped);
}

Outcome run_words(Process& p, const SimpleCommand& c) {
  p.meter().charge_command();
  give_way(p);
  Outcome before = before_command(p, c);
  if (before.unwinding()) return before;
  if (before.status == kSkipCommand) return Outcome();
  if (!p.coprocs.empty()) reap_coprocs(p);
  p.substitution_status = -1;
  if (c.words.empty()) return run_assignments(p, c);

  FieldList fields(p.scratch());
  std::vector<const Assign*> trees;
  const Word* first = c.words[0];
  const bool declares = declaration_builtin(p, c) != nullptr;
  // set -k: assignments anywhere in the line belong to the environment.
  std::span<const Assign* const> assigns = c.assigns;
  std::span<const Word* const> words = c.words;
  std::vector<const Assign*> all_assigns;
  std::vector<const Word*> other_words;
  if (p.has(SetOption::keyword)) {
    all_assigns.assign(c.assigns.begin(), c.assigns.end());
    for (const Word* w : c.words) {
      if (w->assign && w != first) all_assigns.push_back(w->assign);
      else other_words.push_back(w);
    }
    assigns = all_assigns;
    words = other_words;
  }
  const bool expanded = declares ? expand_declaration(p, c, fields, trees)
                                 : expand_words(p, words, fields);
  if (!expanded) {
    Outcome o = take_failure(p);
    return o.unwinding() ? o : settle(p, o);
  }
  if (fields.empty()) return run_assignments(p, c);

  Args args = fields.view();
  Symbol name = first->is_literal && first->symbol != base::kNoSymbol
                    ? first->symbol
                    : p.session.symbols.find(args[0]);
  const FunctionDef* function = nullptr;
  const Command* builtin = nullptr;
  if (name != base::kNoSymbol) {
    function = p.state.functions->find(name);
    builtin = p.session.find_command(name);
    if (builtin && (builtin->kind == CommandKind::utility || is_disabled(p, name))) builtin = nullptr;
    if (function && builtin && builtin->kind == CommandKind::special && p.has(SetOption::posix))
      function = nullptr;
  } else if (const Command* found = p.session.commands.find(args[0]);
             found && found->kind != CommandKind::utility) {
    builtin = found;
  }
  if (function) builtin = nullptr;

  DeclarationScope declaration(p, trees);
  Outcome o = run_resolved(p, c, assigns, args, function, builtin);
  set_last_argument(p, args.back());
  return o;
}

}  // namespace

Outcome run_simple(Process& p, const SimpleCommand& c) {
  const size_t substitutions = p.open_substitutions.size();
  Outcome o = run_words(p, c);
  if (p.open_substitutions.size() > substitutions) close_substitutions(p, substitutions);
  return o;
}

}  // namespace nacre::interp
