#include "interp/assign.h"

#include "base/numbers.h"
#include "base/utf8.h"
#include "interp/arith.h"
#include "interp/variables.h"

namespace nacre::interp {
namespace {

// What a plain variable must not have for the short way to do.
constexpr VarAttrs kSlow = kReadonly | kNameref | kInteger | kCaseMask | kArrayMask | kNoAssign;
constexpr int64_t kElementCost = 64;  // bookkeeping of one array element

// The number that a value stands for; an error names the builtin that assigns it.
bool eval_value(Process& p, std::string_view text, int64_t& out) {
  if (p.running_builtin.empty()) return eval_arith_text(p, text, out);
  std::string who(p.running_builtin);
  who += ": ";
  return eval_arith_text(p, text, out, who);
}

bool is_plain(const Process& p, base::Symbol name, const Variable& v) {
  return !v.has(kSlow) && v.dynamic == Dynamic::none && name > p.session.names.last();
}

void put_text(Process& p, Variable& v, std::string_view value, bool append) {
  if (append && v.is_set()) {
    p.meter().check_string(static_cast<int64_t>(v.text().size() + value.size()));
    v.append_text(value);
  } else {
    p.meter().check_string(static_cast<int64_t>(value.size()));
    v.set_text(value);
  }
  if (p.has(SetOption::allexport)) v.attrs |= kExported;
}

bool assign_dynamic(Process& p, Variable& v, std::string_view value) {
  int64_t n = 0;
  switch (v.dynamic) {
    case Dynamic::random:
      if (!eval_value(p, value, n)) return false;
      p.state.random_seed = static_cast<uint32_t>(n);
      p.state.last_random = 0;
      return true;
    case Dynamic::seconds:
      if (!eval_value(p, value, n)) return false;
      p.state.seconds_base = p.session.clock->now() - n * 1'000'000'000;
      return true;
    case Dynamic::bash_subshell:
      p.subshell_level = static_cast<int>(base::parse_legal_number(value).value_or(0));
      return true;
    case Dynamic::bash_argv0:
      p.state.arg0 = value;
      return true;
    case Dynamic::lineno:
      if (auto number = base::parse_legal_number(value)) p.line = static_cast<uint32_t>(*number);
      return true;
    default:
      return true;  // the value is made when it is read: what is assigned is lost
  }
}

// The variable that an assignment means, after namerefs; null after a message.
Variable* target_variable(Process& p, base::Symbol& name, AssignFlags flags, std::string* element) {
  VarTable& vars = p.state.vars;
  if (flags.local) return &vars.make_local(name);
  if (flags.global) return &vars.create_global(name);
  if (!flags.no_nameref) {
    const Variable* v = vars.find(name);
    if (v && v->has(kNameref)) {
      base::Symbol target = resolve_nameref(p, name, element);
      if (target == base::kNoSymbol) return v->scope > 0 ? &vars.create_global(name) : nullptr;
      if (target == name && v->is_set() && !v->text().empty()) {
        // A local reference to its own name: the variable that it hides.
        return &vars.create_global(name);
      }
      name = target;
    }
  }
  return &vars.create(name);
}

bool readonly_error(Process& p, base::Symbol name) {
  p.error(std::string(p.session.symbols.name(name)) + ": readonly variable");
  p.failure = Outcome(1, p.has(SetOption::posix) ? Flow::exit : Flow::discard);
  return false;
}

}  // namespace

bool check_writable(Process& p, base::Symbol name) {
  const Variable* v = p.state.vars.find(name);
  return !v || !v->has(kReadonly) || readonly_error(p, name);
}

bool transform_value(Process& p, VarAttrs attrs, std::string& value) {
  if (attrs & kInteger) {
    int64_t n = 0;
    if (!eval_value(p, value, n)) return false;
    value = base::int_text(n);
  }
  if (attrs & kUppercase) value = base::upper(value);
  if (attrs & kLowercase) value = base::lower(value);
  if (attrs & kCapitalize && !value.empty()) {
    value = base::lower(value);
    size_t first = base::decode_utf8(value, 0).size;
    value = base::upper(std::string_view(value).substr(0, first)) + value.substr(first);
  }
  return true;
}

bool assign_variable(Process& p, base::Symbol name, std::string_view value, AssignFlags flags) {
  if (!flags.local && !flags.global) {
    Variable* v = p.state.vars.find_writable(name);
    if (v && is_plain(p, name, *v)) {
      put_text(p, *v, value, flags.append);
      return true;
    }
  }
  std::string element;
  Variable* v = target_variable(p, name, flags, &element);
  if (!v) {  // a circular reference
    p.failure = Outcome(1, Flow::discard);
    return false;
  }
  if (!element.empty()) {
    std::string target(p.session.symbols.name(name));
    target += '[' + element + ']';
    return assign_target(p, target, value, {}, flags);
  }
  if (v->has(kReadonly) && !flags.ignore_readonly) return readonly_error(p, name);
  if (v->dynamic != Dynamic::none) return assign_dynamic(p, *v, value);
  if (v->has(kNoAssign)) return true;
  if (v->has(kAssoc)) return assign_key(p, name, "0", value, flags);
  if (v->has(kIndexed)) return assign_element(p, name, 0, value, flags);
  if (v->has(kInteger | kCaseMask)) {
    std::string text(value);
    if (v->has(kInteger) && flags.append) {
      // += adds.
      int64_t old = 0, more = 0;
      std::string before(v->is_set() ? v->text() : "0");
      if (!eval_value(p, before, old) || !eval_value(p, value, more)) {
        p.failure = Outcome(1, Flow::exit);
        return false;
      }
      int64_t sum = static_cast<int64_t>(static_cast<uint64_t>(old) + static_cast<uint64_t>(more));
      v = target_variable(p, name, flags, nullptr);
      if (v) v->set_number(sum);
      return true;
    }
    if (flags.append && v->is_set()) text.insert(0, v->text());
    if (!transform_value(p, v->attrs, text)) {
      p.failure = Outcome(1, Flow::exit);
      return false;
    }
    v = target_variable(p, name, flags, nullptr);
    if (!v) return true;
    put_text(p, *v, text, false);
  } else {
    if (v->has(kNameref) && !value.empty() &&
        !base::is_identifier(value.substr(0, value.find('[')))) {
      p.error("`" + std::string(value) + "': not a valid identifier");
      p.failure = Outcome(1, Flow::discard);
      return false;
    }
    put_text(p, *v, value, flags.append);
  }
  if (name <= p.session.names.last()) special_variable_changed(p, name);
  return true;
}

bool assign_number(Process& p, base::Symbol name, int64_t value) {
  Variable* v = p.state.vars.find_writable(name);
  if (v && (is_plain(p, name, *v) || ((v->attrs & kSlow) == kInteger &&
                                      v->dynamic == Dynamic::none &&
                                      name > p.session.names.last()))) {
    v->set_number(value);
    if (p.has(SetOption::allexport)) v->attrs |= kExported;
    return true;
  }
  return assign_variable(p, name, base::int_text(value));
}

namespace {

// Writes an element's text, keeping the account of bytes.
bool store_element(Process& p, Variable& v, std::string& slot, bool fresh, std::string_view value,
                   AssignFlags flags) {
  std::string text;
  if (v.has(kInteger | kCaseMask)) {
    if (flags.append && !v.has(kInteger)) text = slot;
    if (flags.append && v.has(kInteger)) {
      int64_t old = 0, more = 0;
      std::string before = slot.empty() ? "0" : slot;
      if (!eval_value(p, before, old) || !eval_value(p, value, more)) return false;
      text = base::int_text(
          static_cast<int64_t>(static_cast<uint64_t>(old) + static_cast<uint64_t>(more)));
    } else {
      text += value;
      if (!transform_value(p, v.attrs, text)) return false;
    }
    value = text;
    flags.append = false;
  }
  auto before = static_cast<int64_t>(slot.capacity());
  size_t size = flags.append ? slot.size() + value.size() : value.size();
  p.meter().check_string(static_cast<int64_t>(size));
  if (flags.append) slot.append(value);
  else slot.assign(value);
  v.charge_elements(static_cast<int64_t>(slot.capacity()) - before + (fresh ? kElementCost : 0));
  v.attrs &= ~kUnset;
  if (p.has(SetOption::allexport)) v.attrs |= kExported;
  return true;
}

}  // namespace

Variable* make_array(Process& p, base::Symbol name, VarAttrs kind, AssignFlags flags) {
  Variable* v = target_variable(p, name, flags, nullptr);
  if (!v) return nullptr;
  if (v->has(kReadonly) && !flags.ignore_readonly) {
    readonly_error(p, name);
    return nullptr;
  }
  if (v->has(kind)) return v;
  std::string_view text = p.session.symbols.name(name);
  if (v->has(kAssoc) || v->has(kIndexed)) {
    p.error(std::string(text) + (v->has(kAssoc) ? ": cannot convert associative to indexed array"
                                                : ": cannot convert indexed to associative array"));
    return nullptr;
  }
  bool had = v->is_set();
  std::string old(had ? v->text() : std::string_view());
  VarAttrs keep = v->attrs & ~kUnset;
  v->drop_value();
  v->attrs = keep | kind;
  if (kind == kAssoc) v->writable_assoc();
  else v->writable_indexed();
  if (had) {
    std::string& slot = kind == kAssoc ? v->writable_assoc().at("0") : v->writable_indexed().at(0);
    store_element(p, *v, slot, true, old, {});
  } else {
    v->attrs |= kUnset;
  }
  return v;
}

namespace {

// DIRSTACK[n]=dir changes the stack, but for its top, which is where the shell is.
void assign_directory(Process& p, int64_t index, std::string_view value) {
  if (index < 1 || !p.state.dirs || index > static_cast<int64_t>(p.state.dirs->dirs.size())) return;
  base::writable(p.state.dirs).dirs[static_cast<size_t>(index - 1)] = value;
}

}  // namespace

bool assign_element(Process& p, base::Symbol name, int64_t index, std::string_view value,
                    AssignFlags flags) {
  // The value may be a view into this very array.
  std::string copy;
  const Variable* seen = p.state.vars.find(name);
  if (seen && seen->has(kAssoc)) return assign_key(p, name, base::int_text(index), value, flags);
  Variable* v;
  if (seen && !flags.local && !flags.global && (seen->attrs & (kSlow & ~kIndexed)) == 0 &&
      seen->has(kIndexed) && seen->dynamic == Dynamic::none) {
    v = p.state.vars.find_writable(name);
  } else {
    copy = value;
    value = copy;
    v = make_array(p, name, kIndexed, flags);
    if (!v) return false;
    if (v->has(kNoAssign)) return true;
  }
  if (!v->has(kIndexed)) return false;
  if (v->dynamic == Dynamic::dirstack) {
    assign_directory(p, index, value);
    return true;
  }
  IndexedArray& a = v->writable_indexed();
  bool fresh = a.find(index) == nullptr;
  if (fresh) p.meter().check_elements(static_cast<int64_t>(a.size()) + 1);
  return store_element(p, *v, a.at(index), fresh, value, flags);
}

bool assign_key(Process& p, base::Symbol name, std::string_view key, std::string_view value,
                AssignFlags flags) {
  std::string copy(value);
  Variable* v = make_array(p, name, kAssoc, flags);
  if (!v) return false;
  if (v->dynamic == Dynamic::bash_aliases) {
    if (!p.state.aliases) p.state.aliases = base::make_ref<AliasTable>();
    base::writable(p.state.aliases).by_name[std::string(key)] = copy;
    return true;
  }
  if (v->dynamic == Dynamic::bash_cmds) {
    if (!p.state.hashed) p.state.hashed = base::make_ref<HashTable>();
    base::writable(p.state.hashed).by_name[std::string(key)].path = copy;
    return true;
  }
  AssocArray& a = v->writable_assoc();
  bool fresh = a.find(key) == nullptr;
  if (fresh) {
    p.meter().check_elements(static_cast<int64_t>(a.size()) + 1);
    v->charge_elements(static_cast<int64_t>(key.size()));
  }
  return store_element(p, *v, a.at(key), fresh, copy, flags);
}

bool assign_array(Process& p, base::Symbol name, std::span<const std::string_view> values,
                  AssignFlags flags) {
  Variable* v = make_array(p, name, kIndexed, flags);
  if (!v) return false;
  v->drop_value();
  v->attrs &= ~kUnset;
  IndexedArray& a = v->writable_indexed();
  p.meter().check_elements(static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < values.size(); ++i)
    if (!store_element(p, *v, a.at(static_cast<int64_t>(i)), true, values[i], {})) return false;
  return true;
}

void special_variable_changed(Process& p, base::Symbol name) {
  const WellKnown& n = p.session.names;
  const Variable* v = p.state.vars.find(name);
  bool set = v && v->is_set();
  if (name == n.ifs) {
    p.state.ifs_unset = !set;
    p.state.ifs = set ? v->text() : std::string_view(" \t\n");
  } else if (name == n.optind) {
    // Setting it to 1 starts getopts anew; other values leave its place in a group.
    int64_t n = 0;
    if (!set || !v->number(n) || n <= 1) p.state.getopts_offset = 0;
  } else if (name == n.path) {
    p.state.hashed.reset();
  } else if (name == n.posixly_correct) {
    p.state.options.put(SetOption::posix, set);
  } else if (name == n.bash_xtracefd) {
    auto fd = set ? base::parse_legal_number(v->text()) : std::nullopt;
    if (set && (!fd || !p.state.fds->get(static_cast<int>(*fd))))
      p.error("BASH_XTRACEFD: " + std::string(v->text()) +
              ": invalid value for trace file descriptor");
  } else if (name == n.globignore) {
    if (!set) p.state.options.put(Shopt::dotglob, false);
    else if (!v->text().empty()) p.state.options.put(Shopt::dotglob, true);
  }
}

void special_variables_restored(Process& p) { special_variable_changed(p, p.session.names.ifs); }

}  // namespace nacre::interp
