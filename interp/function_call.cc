// Function calls.
#include <utility>

#include "base/numbers.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/evaluate_parts.h"
#include "interp/redirect.h"
#include "interp/traps.h"

namespace nacre::interp {
namespace {

// Everything that a call changes and its end puts back, whatever way it ends.
class CallScope {
 public:
  CallScope(Process& p, const FunctionDef& f, Args args)
      : p_(p),
        params_(std::move(p.state.params)),
        base_(p.state.param_base),
        program_(std::move(p.program)),
        loop_depth_(p.loop_depth),
        running_builtin_(std::exchange(p.running_builtin, {})),
        hidden_traps_(p.hidden_traps),
        getopts_word_(p.state.getopts_word),
        getopts_offset_(p.state.getopts_offset) {
    if (args.size() > 1) {
      p.state.params = base::make_ref<ParamList>();
      auto& values = p.state.params->values;
      values.reserve(args.size() - 1);
      for (std::string_view a : args.subspan(1)) values.emplace_back(a);
    } else {
      p.state.params.reset();
    }
    p.state.param_base = 0;
    p.program = f.program;
    p.loop_depth = 0;
    ++p.function_level;
    p.frames.push_back({CallFrame::Kind::function, p.session.symbols.name(f.node->name), f.source,
                        p.line, f.trace || p.has(SetOption::functrace)});
    p.state.vars.push_scope(ScopeKind::function);
    if (p.state.traps) hide_traps_from_call(p, f.trace || p.has(SetOption::functrace));
  }
  ~CallScope() {
    // A function with an OPTIND of its own leaves its caller's getopts alone.
    if (p_.state.vars.is_local(p_.session.names.optind)) {
      p_.state.getopts_word = getopts_word_;
      p_.state.getopts_offset = getopts_offset_;
    }
    if (p_.state.vars.pop_scope(p_.session.names.last())) special_variables_restored(p_);
    if (p_.local_options_level == p_.function_level) restore_local_options();
    p_.frames.pop_back();
    --p_.function_level;
    p_.state.params = std::move(params_);
    p_.state.param_base = base_;
    p_.program = std::move(program_);
    p_.loop_depth = loop_depth_;
    p_.running_builtin = running_builtin_;
    p_.hidden_traps = hidden_traps_;
  }

 private:
  // `local -` was used in this call.
  void restore_local_options() {
    p_.state.options.copy_set_options(p_.saved_options.back().options);
    p_.saved_options.pop_back();
    p_.local_options_level = p_.saved_options.empty() ? -1 : p_.saved_options.back().level;
  }

  Process& p_;
  base::Ref<ParamList> params_;
  size_t base_;
  base::Ref<const parser::Program> program_;
  int loop_depth_;
  std::string_view running_builtin_;
  uint8_t hidden_traps_;
  int getopts_word_, getopts_offset_;
};

}  // namespace

namespace {

// FUNCNEST, when it is a number above 0.
int64_t nesting_limit(Process& p) {
  const Variable* v = p.state.vars.find(p.session.names.funcnest);
  if (!v || !v->is_set()) return 0;
  return base::parse_legal_number(v->text()).value_or(0);
}

}  // namespace

Outcome call_function(Process& p, const FunctionDef& f, Args args) {
  limits::DepthGuard depth(p.meter(), p.call_depth, p.meter().limits().max_function_depth,
                           LimitName::max_function_depth);
  if (int64_t most = nesting_limit(p); most > 0 && p.function_level >= most) {
    p.error(std::string(p.session.symbols.name(f.node->name)) +
            ": maximum function nesting level exceeded (" + base::int_text(most) + ")");
    return Outcome(1, Flow::discard);
  }
  FunctionRef keep(const_cast<FunctionDef*>(&f));  // it may redefine or unset itself
  uint32_t call_line = p.line;
  Outcome o;
  {
    CallScope scope(p, f, args);
    RedirectScope redirects(p);
    if (!f.node->redirects.empty() && !redirects.apply(f.node->redirects)) return take_failure(p);
    if (p.state.traps && has_trap(p, kTrapDebug)) {
      p.line = f.node->line;
      Outcome d = run_trap(p, kTrapDebug);
      if (d.unwinding()) return d;
    }
    o = evaluate(p, *f.node->body);
    if (p.state.traps && has_trap(p, kTrapReturn)) {
      p.status = o.flow == Flow::return_ ? p.status_before_return : o.status;
      Outcome r = run_trap(p, kTrapReturn);
      if (r.flow == Flow::exit || r.flow == Flow::discard) o = r;
    }
  }
  p.line = call_line;
  switch (o.flow) {
    case Flow::return_:
    case Flow::break_:
    case Flow::continue_:
      o = Outcome(o.status);
      break;
    default:
      break;
  }
  p.status = o.status;
  return o;
}

}  // namespace nacre::interp
