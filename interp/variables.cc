#include "interp/variables.h"

#include <algorithm>

#include "base/numbers.h"
#include "interp/assign.h"

namespace nacre::interp {

base::Symbol resolve_nameref(Process& p, base::Symbol s, std::string* element) {
  constexpr int kMostHops = 8;
  base::Symbol at = s;
  for (int hop = 0; hop <= kMostHops; ++hop) {
    const Variable* v = p.state.vars.find(at);
    if (!v || !v->has(kNameref) || !v->is_set()) return at;
    std::string_view target = v->text();
    if (target.empty()) return at;
    size_t bracket = target.find('[');
    std::string_view name = target.substr(0, bracket);
    if (!base::is_identifier(name)) return at;
    base::Symbol next = p.session.symbols.intern(name);
    if (bracket != std::string_view::npos) {
      if (element && target.back() == ']')
        *element = target.substr(bracket + 1, target.size() - bracket - 2);
      return next;
    }
    if (next == at) {
      // A local reference to its own name means the variable that it hides.
      const Variable* outer = p.state.vars.find_outer(at);
      if (v->scope == 0 || !outer || outer->has(kNameref)) break;
      p.error("warning: " + std::string(p.session.symbols.name(s)) + ": circular name reference");
      return at;
    }
    at = next;
  }
  p.error("warning: " + std::string(p.session.symbols.name(s)) + ": circular name reference");
  return base::kNoSymbol;
}

namespace {

const Variable* scalar_source(Process& p, base::Symbol s, std::string& element) {
  const Variable* v = p.state.vars.find(s);
  if (v && v->has(kNameref)) {
    base::Symbol target = resolve_nameref(p, s, &element);
    if (target == base::kNoSymbol) return nullptr;
    if (target == s) return v->is_set() && !v->text().empty() ? p.state.vars.find_outer(s) : nullptr;
    v = p.state.vars.find(target);
  }
  return v;
}

// bash's generator for RANDOM (Park and Miller's, with the high bits folded in).
uint32_t next_random(int64_t& seed) {
  auto s = static_cast<int32_t>(seed);
  if (s == 0) s = 123459876;
  int32_t h = s / 127773;
  int32_t l = s - 127773 * h;
  int32_t t = 16807 * l - 2836 * h;
  s = t < 0 ? t + 0x7fffffff : t;
  seed = s;
  auto u = static_cast<uint32_t>(s);
  return ((u >> 16) ^ (u & 65535)) & 32767;
}

void join_options(std::string& out, std::string_view name) {
  if (!out.empty()) out += ':';
  out += name;
}

}  // namespace

void dynamic_text(Process& p, const Variable& v, std::string& out) {
  out.clear();
  switch (v.dynamic) {
    case Dynamic::random: {
      uint32_t r;
      do r = next_random(p.state.random_seed);
      while (r == p.state.last_random);
      p.state.last_random = r;
      base::append_int(out, r);
      return;
    }
    case Dynamic::srandom:
      base::append_uint(out, p.session.random() >> 32);
      return;
    case Dynamic::seconds:
      base::append_int(out, (p.session.clock->now() - p.state.seconds_base) / 1'000'000'000);
      return;
    case Dynamic::lineno:
      base::append_int(out, p.line);
      return;
    case Dynamic::epochseconds:
      base::append_int(out, p.session.clock->wall_now() / 1'000'000'000);
      return;
    case Dynamic::epochrealtime: {
      int64_t us = p.session.clock->wall_now() / 1000;
      base::append_int(out, us / 1'000'000);
      std::string fraction = base::int_text(us % 1'000'000);
      out += '.';
      out.append(6 - fraction.size(), '0');
      out += fraction;
      return;
    }
    case Dynamic::bash_subshell:
      base::append_int(out, p.subshell_level);
      return;
    case Dynamic::bashpid:
      base::append_int(out, p.pid);
      return;
    case Dynamic::bash_command:
      out = p.command_text();
      return;
    case Dynamic::bash_argv0:
      out = p.state.arg0;
      return;
    case Dynamic::histcmd:
      out = "1";
      return;
    case Dynamic::shellopts: {
      // In alphabetical order, which the table is in.
      for (const SetOptionInfo& o : set_option_table())
        if (p.has(o.option)) join_options(out, o.name);
      return;
    }
    case Dynamic::bashopts: {
      for (const ShoptInfo& o : shopt_table())
        if (p.has(o.option)) join_options(out, o.name);
      return;
    }
    default:
      return;
  }
}

void refresh_dynamic_array(Process& p, base::Symbol s) {
  const Variable* seen = p.state.vars.find(s);
  if (!seen || seen->dynamic == Dynamic::none) return;
  Dynamic kind = seen->dynamic;
  if (kind == Dynamic::bash_aliases) {
    Variable& v = *p.state.vars.find_writable(s);
    AssocArray& a = v.writable_assoc();
    a.clear();
    if (p.state.aliases)
      for (const auto& [name, text] : p.state.aliases->by_name) a.at(name) = text;
    v.attrs &= ~kUnset;
    return;
  }
  if (kind == Dynamic::bash_cmds) {
    Variable& v = *p.state.vars.find_writable(s);
    AssocArray& a = v.writable_assoc();
    a.clear();
    if (p.state.hashed)
      for (const auto& [name, entry] : p.state.hashed->by_name) a.at(name) = entry.path;
    v.attrs &= ~kUnset;
    return;
  }
  std::vector<std::string> values;
  const bool in_script = !p.script_name.empty();
  switch (kind) {
    case Dynamic::funcname:
    case Dynamic::bash_source:
    case Dynamic::bash_lineno:
      for (size_t i = p.frames.size(); i-- > 0;) {
        const CallFrame& f = p.frames[i];
        if (kind == Dynamic::funcname) values.emplace_back(f.name);
        else if (kind == Dynamic::bash_source) values.emplace_back(f.source);
        else values.push_back(base::int_text(f.call_line));
      }
      if (in_script)
        values.push_back(kind == Dynamic::funcname      ? std::string("main")
                         : kind == Dynamic::bash_source ? p.script_name
                                                        : std::string("0"));
      if (kind == Dynamic::funcname && p.function_level == 0) values.clear();
      break;
    case Dynamic::pipestatus:
      for (int32_t n : p.pipe_status) values.push_back(base::int_text(n));
      break;
    case Dynamic::dirstack:
      values.push_back(p.state.view.cwd());
      if (p.state.dirs)
        for (const std::string& d : p.state.dirs->dirs) values.push_back(d);
      break;
    case Dynamic::groups:
      values.push_back(base::int_text(p.state.view.credentials().gid));
      break;
    default:
      return;
  }
  Variable& v = *p.state.vars.find_writable(s);
  IndexedArray& a = v.writable_indexed();
  a.clear();
  for (size_t i = 0; i < values.size(); ++i) a.at(static_cast<int64_t>(i)) = std::move(values[i]);
  if (kind == Dynamic::funcname && values.empty()) v.attrs |= kUnset;
  else v.attrs &= ~kUnset;
}

bool read_variable(Process& p, base::Symbol s, std::string_view& out, std::string& buffer) {
  const Variable* v = p.state.vars.find(s);
  if (!v) return false;
  std::string element;
  if (v->has(kNameref)) {
    base::Symbol target = resolve_nameref(p, s, &element);
    if (target != base::kNoSymbol && !element.empty()) {
      const Variable* t = p.state.vars.find(target);
      if (t && t->has(kAssoc)) return read_element(p, target, element, out, buffer);
      int64_t index = 0;
      if (!element_index(p, target, element, index)) return false;
      return read_element(p, target, index, out, buffer);
    }
    v = scalar_source(p, s, element);
    if (!v) return false;
    s = target;
  }
  if (v->dynamic != Dynamic::none) {
    if (v->is_array()) {
      refresh_dynamic_array(p, s);
      v = p.state.vars.find(s);
    } else {
      if (v->dynamic == Dynamic::bash_command && !v->is_set() && !p.command) return false;
      dynamic_text(p, *v, buffer);
      out = buffer;
      return true;
    }
  }
  if (!v->is_set()) return false;
  if (v->has(kIndexed)) {
    const std::string* e = v->indexed() ? v->indexed()->find(0) : nullptr;
    if (!e) return false;
    out = *e;
    return true;
  }
  if (v->has(kAssoc)) {
    const std::string* e = v->assoc() ? v->assoc()->find("0") : nullptr;
    if (!e) return false;
    out = *e;
    return true;
  }
  out = v->text();
  return true;
}

std::optional<std::string> variable_text(Process& p, std::string_view name) {
  base::Symbol s = p.session.symbols.find(name);
  if (s == base::kNoSymbol) return std::nullopt;
  std::string_view text;
  std::string buffer;
  if (!read_variable(p, s, text, buffer)) return std::nullopt;
  return std::string(text);
}

std::string variable_or(Process& p, base::Symbol s, std::string_view fallback) {
  std::string_view text;
  std::string buffer;
  return std::string(read_variable(p, s, text, buffer) ? text : fallback);
}

bool read_element(Process& p, base::Symbol s, int64_t index, std::string_view& out,
                  std::string& buffer) {
  const Variable* v = p.state.vars.find(s);
  if (v && v->has(kNameref)) {
    s = resolve_nameref(p, s);
    if (s == base::kNoSymbol) return false;
    v = p.state.vars.find(s);
  }
  if (!v) return false;
  if (v->dynamic != Dynamic::none && v->is_array()) {
    refresh_dynamic_array(p, s);
    v = p.state.vars.find(s);
  }
  if (v->has(kIndexed)) {
    const std::string* e = v->indexed() ? v->indexed()->find(index) : nullptr;
    if (e) out = *e;
    return e != nullptr;
  }
  if (v->has(kAssoc)) return read_element(p, s, base::int_text(index), out, buffer);
  return index == 0 && read_variable(p, s, out, buffer);
}

bool read_element(Process& p, base::Symbol s, std::string_view key, std::string_view& out,
                  std::string& buffer) {
  const Variable* v = p.state.vars.find(s);
  if (v && v->has(kNameref)) {
    s = resolve_nameref(p, s);
    if (s == base::kNoSymbol) return false;
    v = p.state.vars.find(s);
  }
  if (!v) return false;
  if (v->dynamic != Dynamic::none) {
    refresh_dynamic_array(p, s);
    v = p.state.vars.find(s);
  }
  if (!v->has(kAssoc)) return false;
  (void)buffer;
  const std::string* e = v->assoc() ? v->assoc()->find(key) : nullptr;
  if (e) out = *e;
  return e != nullptr;
}

bool read_all_elements(Process& p, base::Symbol s, FieldList& values, FieldList* keys) {
  const Variable* v = p.state.vars.find(s);
  std::string buffer;
  if (v && v->has(kNameref)) {
    std::string element;
    base::Symbol target = resolve_nameref(p, s, &element);
    if (target == base::kNoSymbol) return false;
    if (!element.empty()) {
      std::string_view text;
      if (!read_variable(p, s, text, buffer)) return false;
      values.add(text);
      if (keys) keys->add("0");
      return true;
    }
    s = target;
    v = p.state.vars.find(s);
  }
  if (!v) return false;
  if (v->dynamic != Dynamic::none && v->is_array()) {
    refresh_dynamic_array(p, s);
    v = p.state.vars.find(s);
  }
  if (v->has(kIndexed)) {
    if (!v->indexed()) return false;
    v->indexed()->for_each([&](int64_t i, const std::string& e) {
      values.add(e);
      if (keys) keys->add(base::int_text(i));
      return true;
    });
    return v->indexed()->size() > 0;
  }
  if (v->has(kAssoc)) {
    if (!v->assoc()) return false;
    v->assoc()->for_each([&](std::string_view k, const std::string& e) {
      values.add(e);
      if (keys) keys->add(k);
      return true;
    });
    return v->assoc()->size() > 0;
  }
  std::string_view text;
  if (!read_variable(p, s, text, buffer)) return false;
  values.add(text);
  if (keys) keys->add("0");
  return true;
}

size_t element_count(Process& p, base::Symbol s) {
  const Variable* v = p.state.vars.find(s);
  if (v && v->has(kNameref)) {
    s = resolve_nameref(p, s);
    if (s == base::kNoSymbol) return 0;
    v = p.state.vars.find(s);
  }
  if (!v) return 0;
  if (v->dynamic != Dynamic::none) {
    if (!v->is_array()) return 1;
    refresh_dynamic_array(p, s);
    v = p.state.vars.find(s);
  }
  if (v->has(kIndexed)) return v->indexed() ? v->indexed()->size() : 0;
  if (v->has(kAssoc)) return v->assoc() ? v->assoc()->size() : 0;
  return v->is_set() ? 1 : 0;
}

std::string option_letters(const Process& p) {
  // bash prints the letters in the order of its own flag table.
  constexpr std::string_view kOrder = "abefhkmnptuvxBCEHPT";
  std::string out;
  for (char c : kOrder)
    for (const SetOptionInfo& o : set_option_table())
      if (o.letter == c && p.has(o.option)) out += c;
  if (p.reads_stdin) out += 's';
  else if (p.runs_string) out += 'c';
  return out;
}

std::vector<std::string> exported_environment(Process& p) {
  struct Entry {
    uint32_t bucket;
    std::string text;
  };
  std::vector<Entry> entries;
  p.state.vars.for_each([&](base::Symbol s, const Variable& v) {
    if (!v.has(kExported) || !v.is_set() || v.is_array()) return;
    std::string_view name = p.session.symbols.name(s);
    // bash lists its variables by the buckets of a hash table of 1,024.
    uint32_t h = 2166136261u;
    for (unsigned char c : name) h = (h * 16777619u) ^ c;
    std::string text(name);
    text += '=';
    if (v.dynamic != Dynamic::none) {
      std::string value;
      dynamic_text(p, v, value);
      text += value;
    } else {
      text += v.text();
    }
    entries.push_back({h & 1023, std::move(text)});
  });
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.bucket < b.bucket; });
  std::vector<std::string> out;
  out.reserve(entries.size());
  for (Entry& e : entries) out.push_back(std::move(e.text));
  return out;
}

}  // namespace nacre::interp
