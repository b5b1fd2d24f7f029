// Assignments as they stand in the source, and targets that builtins get as text.
#include <vector>

#include "base/numbers.h"
#include "base/quoting.h"
#include "interp/arith.h"
#include "interp/assign.h"
#include "interp/expand.h"
#include "interp/variables.h"
#include "parser/parser.h"

namespace nacre::interp {
namespace {

bool bad_subscript(Process& p, std::string_view name, std::string_view raw) {
  std::string text(name);
  text += '[';
  text += raw;
  text += "]: bad array subscript";
  p.error(text);
  p.failure = Outcome(1, Flow::discard);
  return false;
}

// [sub]=value as it was written (an element's word holds all of it).
std::string element_text(const parser::ArrayElement& e) {
  if (e.value && e.value->raw.starts_with('[')) return std::string(e.value->raw);
  std::string text = "[";
  text += e.sub->raw;
  text += e.append ? "]+=" : "]=";
  if (e.value) text += e.value->raw;
  return text;
}

// The index behind the last; it wraps, as in bash.
int64_t after(int64_t index) { return index == INT64_MAX ? INT64_MIN : index + 1; }

bool is_assoc(Process& p, base::Symbol name) {
  const Variable* v = p.state.vars.find(name);
  return v && v->has(kAssoc);
}

}  // namespace

bool assign_subscript(Process& p, base::Symbol name, const parser::Subscript& sub,
                      std::string_view value, AssignFlags flags) {
  if (!flags.local && !flags.global) {
    base::Symbol target = resolve_nameref(p, name);
    if (target == base::kNoSymbol) return true;
    name = target;
  }
  std::string_view text = p.session.symbols.name(name);
  if (is_assoc(p, name)) {
    std::string key;
    if (sub.kind == parser::Subscript::Kind::at) key = "@";
    else if (sub.kind == parser::Subscript::Kind::star) key = "*";
    else if (!expand_string(p, *sub.word, ExpandAs::plain, key)) return false;
    if (key.empty()) {
      bad_subscript(p, text, sub.raw);
      p.failure = Outcome(1, Flow::exit);
      return false;
    }
    return assign_key(p, name, key, value, flags);
  }
  if (sub.kind != parser::Subscript::Kind::index) return bad_subscript(p, text, sub.raw);
  int64_t index = 0;
  if (!eval_index(p, name, sub, index)) {
    if (!p.failure.unwinding()) p.failure = Outcome(1, Flow::discard);
    return false;
  }
  return assign_element(p, name, index, value, flags);
}

bool element_index(Process& p, base::Symbol s, std::string_view subscript, int64_t& index) {
  base::Arena arena;
  const parser::Subscript* sub =
      parser::parse_subscript(subscript, arena, p.session.symbols, p, p.meter());
  return sub && sub->kind == parser::Subscript::Kind::index && eval_index(p, s, *sub, index);
}

bool assign_target(Process& p, std::string_view target, std::string_view value,
                   std::string_view who, AssignFlags flags) {
  size_t bracket = target.find('[');
  std::string_view name = target.substr(0, bracket);
  bool valid = base::is_identifier(name);
  if (bracket != std::string_view::npos)
    valid = valid && target.size() > bracket + 2 && target.back() == ']';
  if (!valid) {
    std::string text(who);
    if (!who.empty()) text += ": ";
    text += '`';
    text += target;
    text += "': not a valid identifier";
    p.error(text);
    return false;
  }
  base::Symbol s = p.session.symbols.intern(name);
  if (bracket == std::string_view::npos) return assign_variable(p, s, value, flags);
  base::Arena arena;
  std::string_view inside = target.substr(bracket + 1, target.size() - bracket - 2);
  const parser::Subscript* sub =
      parser::parse_subscript(inside, arena, p.session.symbols, p, p.meter());
  if (!sub) return bad_subscript(p, name, inside);
  return assign_subscript(p, s, *sub, value, flags);
}

int unset_target(Process& p, std::string_view target, std::string_view who, bool nameref_itself) {
  size_t bracket = target.find('[');
  std::string_view name = target.substr(0, bracket);
  if (!base::is_identifier(name) ||
      (bracket != std::string_view::npos && (target.size() < bracket + 2 || target.back() != ']'))) {
    p.error(std::string(who) + ": `" + std::string(target) + "': not a valid identifier");
    return 1;
  }
  VarTable& vars = p.state.vars;
  base::Symbol s = p.session.symbols.intern(name);
  std::string element;
  if (!nameref_itself) {
    base::Symbol to = resolve_nameref(p, s, &element);
    if (to == base::kNoSymbol) return 1;
    if (to == s && vars.find(s) && vars.find(s)->has(kNameref) && vars.find(s)->is_set())
      to = s;
    s = to;
  }
  const Variable* v = vars.find(s);
  if (v && v->has(kReadonly)) {
    p.error(std::string(who) + ": " + std::string(p.session.symbols.name(s)) +
            ": cannot unset: readonly variable");
    return 1;
  }
  if (v && v->dynamic == Dynamic::pipestatus) return 0;  // the next pipeline sets it again
  if (v && v->has(kNoUnset)) {
    p.error(std::string(who) + ": " + std::string(name) + ": cannot unset");
    return 1;
  }
  std::string_view inside;
  if (bracket != std::string_view::npos)
    inside = target.substr(bracket + 1, target.size() - bracket - 2);
  else if (!element.empty())
    inside = element;
  if (inside.empty()) {
    if (bracket != std::string_view::npos) {
      p.error(std::string(who) + ": []: bad array subscript");
      return 1;
    }
    vars.unset(s, p.has(Shopt::localvar_unset));
    if (s <= p.session.names.last()) special_variable_changed(p, s);
    return 0;
  }
  if (!v) return 0;
  if (!v->is_array()) {
    int64_t index = 0;
    if (inside != "@" && inside != "*" && element_index(p, s, inside, index) && index == 0) {
      vars.unset(s, p.has(Shopt::localvar_unset));
      return 0;
    }
    p.error(std::string(who) + ": " + std::string(name) + ": not an array variable");
    return 1;
  }
  base::Arena arena;
  const parser::Subscript* sub =
      parser::parse_subscript(inside, arena, p.session.symbols, p, p.meter());
  if (!sub) return 1;
  bool whole = sub->kind != parser::Subscript::Kind::index;
  if (v->has(kAssoc)) {
    std::string key;
    if (whole && bracket != std::string_view::npos) {
      // unset 'm[@]' removes that key when it exists; otherwise everything goes.
      if (v->assoc() && v->assoc()->find(inside)) key = inside;
      else {
        vars.unset(s, p.has(Shopt::localvar_unset));
        return 0;
      }
    } else if (!expand_string(p, *sub->word, ExpandAs::plain, key)) {
      return 1;
    }
    Variable& w = *vars.find_writable(s);
    if (w.dynamic == Dynamic::bash_aliases && p.state.aliases)
      base::writable(p.state.aliases).by_name.erase(key);
    w.writable_assoc().erase(key);
    return 0;
  }
  if (whole) {
    // The elements go, the array stays.
    Variable& w = *vars.find_writable(s);
    const VarAttrs keep = w.attrs;
    w.drop_value();
    w.writable_indexed();
    w.attrs = keep;
    return 0;
  }
  int64_t index = 0;
  if (!eval_arith(p, sub->arith, index)) return 1;
  if (index < 0) {
    int64_t top = v->indexed() ? v->indexed()->end_index() : 0;
    if (index + top < 0) {
      p.error(std::string(who) + ": [" + std::string(inside) + "]: bad array subscript");
      return 1;
    }
    index += top;
  }
  vars.find_writable(s)->writable_indexed().erase(index);
  return 0;
}

bool assign_elements(Process& p, base::Symbol name,
                     std::span<const parser::ArrayElement> elements, AssignFlags flags) {
  if (!flags.local && !flags.global && !flags.no_nameref) {
    base::Symbol target = resolve_nameref(p, name);
    if (target == base::kNoSymbol) return true;
    name = target;
  }
  // Values may refer to the array that is about to be replaced, so all of them
  // are expanded first. A plain element may give several fields.
  const bool assoc = flags.local ? (p.state.vars.is_local(name) && is_assoc(p, name))
                                 : is_assoc(p, name);
  FieldList fields(p.scratch());
  std::vector<size_t> ends;
  ends.reserve(elements.size());
  for (const parser::ArrayElement& e : elements) {
    if (e.sub) {
      std::string text;
      const ExpandAs as = assoc ? ExpandAs::assoc_value : ExpandAs::assignment;
      if (e.value && !expand_string(p, *e.value, as, text)) return false;
      fields.add(text);
    } else if (assoc) {
      // Keys and values in turn: not split.
      std::string text;
      if (!expand_string(p, *e.value, ExpandAs::assoc_value, text)) return false;
      fields.add(text);
    } else if (!expand_word_fields(p, *e.value, fields)) {
      return false;
    }
    ends.push_back(fields.size());
  }
  Variable* v = make_array(p, name, assoc ? kAssoc : kIndexed, flags);
  if (!v) return false;
  if (v->has(kNoAssign)) return true;
  // [k]+=v in a new list adds to what the old one held.
  base::Ref<AssocArray> before;
  if (assoc && v->assoc()) before = base::make_ref<AssocArray>(*v->assoc());
  if (!flags.append) {
    VarAttrs keep = v->attrs;
    v->drop_value();
    v->attrs = keep;
    if (assoc) v->writable_assoc();
    else v->writable_indexed();
  }
  v->attrs &= ~kUnset;
  AssignFlags store = flags;
  store.local = false;
  size_t at = 0;
  if (assoc && !elements.empty() && !elements[0].sub) {
    // m=(key value key value)
    size_t n = fields.size();
    for (size_t i = 0; i < n; i += 2) {
      store.append = false;
      if (fields[i].empty()) {
        bad_subscript(p, "", "");
        return false;
      }
      if (!assign_key(p, name, fields[i], i + 1 < n ? fields[i + 1] : std::string_view(), store))
        return false;
    }
    return true;
  }
  int64_t next = 0;
  if (flags.append && !assoc && v->indexed()) next = after(v->indexed()->max_index());
  for (size_t i = 0; i < elements.size(); ++i) {
    const parser::ArrayElement& e = elements[i];
    size_t end = ends[i];
    store.append = e.append;
    if (!e.sub) {
      if (assoc) {
        std::string text(p.session.symbols.name(name));
        text += ": ";
        // The declaration builtins have the word quoted by then.
        if (p.declaration_assigns.empty()) text += e.value->raw;
        else text += base::single_quote(fields[at]);
        text += ": must use subscript when assigning associative array";
        p.error(text);
        at = end;
        continue;
      }
      store.append = false;
      for (; at < end; ++at) {
        if (!assign_element(p, name, next, fields[at], store)) return false;
        next = after(next);
      }
      continue;
    }
    std::string_view value = fields[at];
    at = end;
    if (assoc) {
      std::string key;
      if (e.sub->kind == parser::Subscript::Kind::at) key = "@";
      else if (e.sub->kind == parser::Subscript::Kind::star) key = "*";
      else if (!expand_string(p, *e.sub->word, ExpandAs::plain, key)) return false;
      if (key.empty()) {
        p.error(element_text(e) + ": bad array subscript");
        continue;
      }
      std::string joined;
      if (e.append && !flags.append) {
        const std::string* old = before ? before->find(key) : nullptr;
        joined = (old ? *old : std::string()) + std::string(value);
        value = joined;
        store.append = false;
      }
      if (!assign_key(p, name, key, value, store)) return false;
      continue;
    }
    int64_t index = 0;
    bool ok = e.sub->kind == parser::Subscript::Kind::index && eval_arith(p, e.sub->arith, index);
    if (ok && index < 0) {
      const Variable* now = p.state.vars.find(name);
      index += now && now->indexed() ? now->indexed()->end_index() : 0;
    }
    if (!ok && e.sub->kind == parser::Subscript::Kind::index) return false;
    if (!ok || index < 0) {
      std::string text = element_text(e);
      text += e.sub->kind == parser::Subscript::Kind::index
                  ? ": bad array subscript"
                  : ": cannot assign to non-numeric index";
      p.error(text);
      continue;
    }
    if (!assign_element(p, name, index, value, store)) return false;
    next = after(index);
  }
  return true;
}

bool perform_assignment(Process& p, const parser::Assign& a, AssignFlags flags) {
  flags.append |= a.append;
  if (a.is_array) {
    if (a.sub) {
      std::string text(p.session.symbols.name(a.name));
      text += '[';
      text += a.sub->raw;
      text += "]: cannot assign list to array member";
      p.error(text);
      p.failure = Outcome(1, Flow::discard);
      return false;
    }
    return assign_elements(p, a.name, a.elements, flags);
  }
  if (!a.value) {
    if (a.sub) return assign_subscript(p, a.name, *a.sub, {}, flags);
    return assign_variable(p, a.name, {}, flags);
  }
  if (a.value->is_literal) {
    if (a.sub) return assign_subscript(p, a.name, *a.sub, a.value->literal, flags);
    return assign_variable(p, a.name, a.value->literal, flags);
  }
  if (!a.sub && !flags.append && a.value->parts.size() == 1 &&
      a.value->parts[0].kind == parser::PartKind::arith_sub && !flags.local && !flags.global) {
    // x=$((..)): the number stays a number.
    int64_t n = 0;
    if (!eval_arith(p, *a.value->parts[0].arith, n)) return false;
    return assign_number(p, a.name, n);
  }
  std::string value;
  if (!expand_string(p, *a.value, ExpandAs::assignment, value)) return false;
  if (a.sub) return assign_subscript(p, a.name, *a.sub, value, flags);
  return assign_variable(p, a.name, value, flags);
}

}  // namespace nacre::interp
