// How a declaration is made, in bash's order:
//
//   1. the argument is checked (identifier, name references);
//   2. the binding is found or made: a local one inside a function, the global
//      one under -g, what a name reference points to unless -n or +n;
//   3. what cannot be is refused (readonly, array to the other kind, ..);
//   4. the binding becomes an array when it has to;
//   5. attributes are set, then the value, then those attributes that would
//      stand in the value's way (-r, -n).
//
// NAME=(...) on a command line goes through this twice, as in bash: the array is
// declared and its elements assigned while the arguments are expanded, then
// NAME alone is declared with all attributes.
#include "builtins/shell/declaration.h"

#include <string>

#include "base/numbers.h"
#include "interp/assign.h"
#include "interp/invoke.h"
#include "interp/variables.h"
#include "parser/parser.h"

namespace nacre::builtins {

using interp::AssignFlags;
using interp::Flow;
using interp::Outcome;
using interp::Process;
using interp::VarAttrs;
using interp::Variable;

namespace {

// The bracket that closes the one at `open`; npos when there is none.
size_t closing_bracket(std::string_view s, size_t open) {
  int depth = 0;
  for (size_t i = open; i < s.size(); ++i) {
    switch (s[i]) {
      case '\\': ++i; break;
      case '\'':
      case '"': {
        size_t end = s.find(s[i], i + 1);
        if (end == std::string_view::npos) return end;
        i = end;
        break;
      }
      case '[': ++depth; break;
      case ']':
        if (--depth == 0) return i;
        break;
      default: break;
    }
  }
  return std::string_view::npos;
}

void copy_value(Variable& to, const Variable& from) {
  if (!from.is_set()) return;
  if (const interp::IndexedArray* a = from.has(interp::kIndexed) ? from.indexed() : nullptr) {
    interp::IndexedArray& copy = to.writable_indexed();
    a->for_each([&](int64_t i, const std::string& value) {
      to.charge_elements(static_cast<int64_t>(value.size()) + 64);
      copy.at(i) = value;
      return true;
    });
  } else if (const interp::AssocArray* m = from.has(interp::kAssoc) ? from.assoc() : nullptr) {
    interp::AssocArray& copy = to.writable_assoc();
    m->for_each([&](std::string_view key, const std::string& value) {
      to.charge_elements(static_cast<int64_t>(key.size() + value.size()) + 64);
      copy.at(key) = value;
      return true;
    });
  } else if (!from.is_array()) {
    to.set_text(from.text());
  }
  to.attrs &= ~interp::kUnset;
}

class Declarer {
 public:
  Declarer(Process& p, const Declaration& d, std::string_view argument)
      : p_(p), d_(d), argument_(argument), target_(parse_target(argument)) {}

  int run() {
    if (!check_argument()) return 1;
    symbol_ = p_.session.symbols.intern(target_.name);
    global_ = d_.global;
    if (global_ && d_.existing_local && p_.function_level > 0 && p_.state.vars.is_local(symbol_))
      global_ = false;
    Variable* v = p_.function_level > 0 && !global_ ? local_binding() : current_binding();
    if (!v || !check_binding(*v)) return 1;
    return apply(*v);
  }

 private:
  bool fail(std::string_view what, std::string_view text) {
    std::string message(what);
    message += text;
    if (d_.builtin.empty()) p_.error(message);
    else interp::builtin_error(p_, d_.builtin, message);
    return false;
  }
  bool wants_reference() const { return d_.on & interp::kNameref; }
  bool touches_reference() const { return (d_.on | d_.off) & interp::kNameref; }

  bool check_argument();
  bool check_reference();
  Variable* local_binding();
  Variable* current_binding();
  bool follow(base::Symbol symbol);
  bool check_binding(const Variable& v);
  int apply(Variable& v);
  bool assign(bool was_array);
  bool assign_text_elements();
  bool assign_reference(Variable& v);
  void keep_beyond_command(const Variable& v);

  Process& p_;
  const Declaration& d_;
  std::string_view argument_;
  Target target_;
  std::string followed_;     // owns the name when a reference led to an element
  base::Symbol symbol_ = base::kNoSymbol;
  bool global_ = false;
  bool made_ = false;        // the binding is new
};

bool Declarer::check_argument() {
  if (wants_reference() && !check_reference()) return false;
  if (base::is_identifier(target_.name)) return true;
  invalid_identifier(p_, d_.builtin, argument_);
  return false;
}

bool Declarer::check_reference() {
  if (target_.has_subscript) {
    std::string name(target_.name);
    name += '[';
    name += target_.subscript;
    name += ']';
    return fail(name, ": reference variable cannot be an array");
  }
  std::string_view value = target_.value;
  bool to_itself = value == target_.name ||
                   (value.size() > target_.name.size() && value.starts_with(target_.name) &&
                    value[target_.name.size()] == '[');
  if (target_.has_value && to_itself) {
    if (p_.function_level == 0)
      return fail(target_.name, ": nameref variable self references not allowed");
    const std::string warning = "warning: " + std::string(target_.name) + ": circular name reference";
    interp::builtin_error(p_, d_.builtin, warning);
    p_.error(warning);
  }
  if (!value.empty() && !target_.append) {
    Target t = parse_target(value);
    if (!base::is_identifier(t.name) || t.has_value)
      return fail("`" + std::string(value), "': invalid variable name for name reference");
  }
  return true;
}

// Goes where the name reference `symbol` points; false when it leads nowhere.
bool Declarer::follow(base::Symbol symbol) {
  std::string element;
  base::Symbol to = interp::resolve_nameref(p_, symbol, &element);
  if (to == base::kNoSymbol) return false;
  symbol_ = to;
  if (!element.empty() && !target_.has_subscript) {
    followed_ = element;
    target_.has_subscript = true;
    target_.subscript = followed_;
  }
  target_.name = p_.session.symbols.name(symbol_);
  return true;
}

Variable* Declarer::local_binding() {
  interp::VarTable& vars = p_.state.vars;
  const Variable* seen = vars.find(symbol_);
  if (seen && seen->has(interp::kNameref) && !touches_reference() && vars.is_local(symbol_)) {
    if (!follow(symbol_)) return nullptr;
    seen = vars.find(symbol_);
  }
  const bool bound_here = vars.is_local(symbol_);
  if (seen && !bound_here) {
    if (seen->has(interp::kReadonly) && seen->scope == 0) {
      fail(target_.name, ": readonly variable");
      return nullptr;
    }
    if (seen->has(interp::kNoAssign)) {
      fail(target_.name, ": variable may not be assigned value");
      return nullptr;
    }
  }
  // What the new binding takes over from the one that it hides.
  interp::VariableRef before(const_cast<Variable*>(bound_here ? nullptr : seen));
  Variable& v = vars.make_local(symbol_);
  if (!before) return &v;
  if (before->has(interp::kExported)) v.attrs |= interp::kExported;
  const bool inherit = d_.inherit || p_.has(interp::Shopt::localvar_inherit);
  if (before->has(interp::kTempEnv)) {
    copy_value(v, *before);
  } else if (inherit && !before->has(interp::kNameref)) {
    const bool kind_differs = (d_.on & interp::kArrayMask) && before->is_array() &&
                              !(before->attrs & d_.on & interp::kArrayMask);
    if (!kind_differs) {
      v.attrs |= before->attrs & (interp::kInteger | interp::kCaseMask | interp::kTrace |
                                  interp::kExported | interp::kArrayMask);
      copy_value(v, *before);
    }
  }
  return &v;
}

Variable* Declarer::current_binding() {
  interp::VarTable& vars = p_.state.vars;
  const Variable* seen = global_ ? vars.find_global(symbol_) : vars.find(symbol_);
  if (seen && seen->has(interp::kNameref) && !touches_reference() && seen->is_set()) {
    if (!follow(symbol_)) return nullptr;
    seen = global_ ? vars.find_global(symbol_) : vars.find(symbol_);
  }
  made_ = seen == nullptr;
  if (global_) return &vars.create_global(symbol_);
  return &vars.create(symbol_);
}

bool Declarer::check_binding(const Variable& v) {
  if (v.is_array() && wants_reference())
    return fail(target_.name, ": reference variable cannot be an array");
  if (v.has(interp::kReadonly) && (target_.has_value || (d_.off & interp::kReadonly)))
    return fail(target_.name, ": readonly variable");
  if (v.has(interp::kNoAssign) && target_.has_value) return false;
  if (v.attrs & d_.off & interp::kArrayMask)
    return fail(target_.name, ": cannot destroy array variables in this way");
  if ((d_.on & interp::kIndexed) && v.has(interp::kAssoc))
    return fail(target_.name, ": cannot convert associative to indexed array");
  if ((d_.on & interp::kAssoc) && v.has(interp::kIndexed))
    return fail(target_.name, ": cannot convert indexed to associative array");
  return true;
}

int Declarer::apply(Variable& binding) {
  Variable* v = &binding;
  const bool was_array = v->is_array();
  if (!was_array && ((d_.on & interp::kArrayMask) || target_.has_subscript) &&
      !v->has(interp::kNameref)) {
    VarAttrs kind = d_.on & interp::kAssoc ? interp::kAssoc : interp::kIndexed;
    AssignFlags flags;
    flags.global = global_;
    flags.ignore_readonly = true;
    v = interp::make_array(p_, symbol_, kind, flags);
    if (!v) return 1;
  }
  constexpr VarAttrs kLate = interp::kReadonly | interp::kNameref | interp::kArrayMask;
  v->attrs = (v->attrs | (d_.on & ~kLate)) & ~(d_.off & ~interp::kNameref);
  if (target_.has_value) {
    if (wants_reference() || v->has(interp::kNameref)) {
      if (!assign_reference(*v)) return 1;
    } else if (!assign(was_array)) {
      return 1;
    }
    v = global_ ? &p_.state.vars.create_global(symbol_) : &p_.state.vars.create(symbol_);
  }
  v->attrs = (v->attrs | (d_.on & (interp::kReadonly | interp::kNameref))) &
             ~(d_.off & interp::kNameref);
  if (v->has(interp::kTempEnv) && (d_.on & (interp::kExported | interp::kReadonly)))
    keep_beyond_command(*v);
  if (symbol_ <= p_.session.names.last()) interp::special_variable_changed(p_, symbol_);
  return 0;
}

// x=1 declare -x x: the variable outlives the command.
void Declarer::keep_beyond_command(const Variable& v) {
  interp::VariableRef temporary(const_cast<Variable*>(&v));
  Variable& kept = p_.state.vars.create_global(symbol_);
  copy_value(kept, *temporary);
  kept.attrs |= temporary->attrs & ~(interp::kTempEnv | interp::kLocalVar | interp::kUnset);
}

bool Declarer::assign_reference(Variable& v) {
  std::string text(target_.append && v.is_set() ? v.text() : std::string_view());
  text += target_.value;
  Target t = parse_target(text);
  if (text.empty() || !base::is_identifier(t.name) || t.has_value) {
    invalid_identifier(p_, d_.builtin, text);
    if (made_) p_.state.vars.unset(symbol_);
    return false;
  }
  v.set_text(text);
  return true;
}

bool Declarer::assign(bool was_array) {
  AssignFlags flags;
  flags.append = target_.append;
  flags.global = global_;
  flags.for_builtin = true;
  bool ok;
  std::string_view value = target_.value;
  const bool is_list = value.size() >= 2 && value.front() == '(' && value.back() == ')';
  if (target_.has_subscript) {
    std::string element(target_.name);
    element += '[';
    element += target_.subscript;
    element += ']';
    ok = interp::assign_target(p_, element, value, d_.builtin, flags);
  } else if (is_list && (was_array || (d_.on & interp::kArrayMask))) {
    ok = assign_text_elements();
  } else {
    ok = interp::assign_variable(p_, symbol_, value, flags);
  }
  if (ok) return true;
  // A bad subscript is only an error of this command; a bad expression drops the
  // line, or under -c the whole text.
  if (p_.failure.flow == Flow::exit && !p_.runs_string) p_.failure.flow = Flow::discard;
  return false;
}

// declare -a 'x=(1 2)': the text is parsed and expanded now.
bool Declarer::assign_text_elements() {
  base::Arena arena;
  std::span<const parser::ArrayElement> elements;
  std::string_view inside = target_.value.substr(1, target_.value.size() - 2);
  if (!parser::parse_array_elements(inside, arena, p_.session.symbols, p_, p_.meter(), elements))
    return false;
  AssignFlags flags;
  flags.append = target_.append;
  flags.global = global_;
  return interp::assign_elements(p_, symbol_, elements, flags);
}

}  // namespace

void invalid_identifier(Process& p, std::string_view builtin, std::string_view text) {
  std::string message = "`";
  message += text;
  message += "': not a valid identifier";
  interp::builtin_error(p, builtin, message);
}

Target parse_target(std::string_view argument) {
  Target t;
  t.name = argument;
  size_t i = 0;
  if (argument.empty() || !base::is_name_start(static_cast<unsigned char>(argument[0]))) return t;
  while (i < argument.size() && base::is_name_char(static_cast<unsigned char>(argument[i]))) ++i;
  size_t name_end = i;
  std::string_view subscript;
  bool has_subscript = false;
  if (i < argument.size() && argument[i] == '[') {
    size_t close = closing_bracket(argument, i);
    if (close == std::string_view::npos) return t;
    subscript = argument.substr(i + 1, close - i - 1);
    has_subscript = true;
    i = close + 1;
  }
  bool append = i + 1 < argument.size() && argument[i] == '+' && argument[i + 1] == '=';
  if (append) ++i;
  bool has_value = i < argument.size() && argument[i] == '=';
  if (i < argument.size() && !has_value) return t;
  if (has_subscript && !has_value && subscript.empty()) return t;
  t.name = argument.substr(0, name_end);
  t.subscript = subscript;
  t.has_subscript = has_subscript;
  t.has_value = has_value;
  t.append = append;
  if (has_value) t.value = argument.substr(i + 1);
  return t;
}

const parser::Assign* compound_assignment(const Process& p, size_t index) {
  return index < p.declaration_assigns.size() ? p.declaration_assigns[index] : nullptr;
}

int declare_variable(Process& p, const Declaration& d, std::string_view argument,
                     const parser::Assign* tree) {
  if (tree) {
    Declaration first = d;
    constexpr VarAttrs kBefore = interp::kArrayMask | interp::kInteger | interp::kCaseMask;
    first.on &= kBefore;
    first.off &= interp::kCaseMask;
    first.builtin = {};
    const bool declared = Declarer(p, first, argument).run() == 0;
    if (declared) {
      AssignFlags flags;
      flags.append = tree->append;
      const bool in_function = p.function_level > 0;
      flags.global = d.global && in_function &&
                     !(d.existing_local && p.state.vars.is_local(tree->name));
      if (!interp::assign_elements(p, tree->name, tree->elements, flags)) {
        if (!p.failure.unwinding()) p.failure = Outcome(1, Flow::discard);
        return 1;
      }
    } else if (p.failure.unwinding()) {
      return 1;
    }
  }
  return Declarer(p, d, argument).run();
}

}  // namespace nacre::builtins
