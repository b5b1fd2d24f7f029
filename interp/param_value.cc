#include "interp/param_value.h"

#include "base/utf8.h"
#include "interp/arith.h"
#include "interp/assign.h"
#include "interp/variables.h"

namespace nacre::interp {

using parser::Param;
using parser::Subscript;

bool is_list(const Param& param) {
  if (param.kind == Param::Kind::special) return param.special == '@' || param.special == '*';
  return param.sub && param.sub->kind != Subscript::Kind::index;
}

bool is_star(const Param& param) {
  if (param.kind == Param::Kind::special) return param.special == '*';
  return param.sub && param.sub->kind == Subscript::Kind::star;
}

namespace {

// False when the special parameter is unset ($! before any job).
bool special_text(Process& p, char name, std::string& out) {
  switch (name) {
    case '#':
      base::append_uint(out, p.state.param_count());
      return true;
    case '?':
      base::append_int(out, p.status);
      return true;
    case '-':
      out = option_letters(p);
      return true;
    case '$':
      base::append_int(out, p.shell_pid);
      return true;
    case '!':
      out = p.last_async_pid;
      return !out.empty();
    case '0':
      out = p.state.arg0;
      return true;
    default:
      return false;
  }
}

// x[sub] for reading. A negative index counts from the end; one that is before
// the beginning is reported, and the element is then just unset.
bool read_subscripted(Process& p, const Param& param, ScalarValue& out) {
  base::Symbol name = param.name;
  const Variable* v = array_variable(p, name);
  if (v && v->has(kAssoc)) {
    std::string key;
    if (!subscript_key(p, *param.sub, key)) return false;
    if (key.empty()) {
      p.error(std::string(p.session.symbols.name(param.name)) + ": bad array subscript");
      return true;
    }
    v = p.state.vars.find(name);
    const std::string* e = v && v->assoc() ? v->assoc()->find(key) : nullptr;
    if (e) out.set = true, out.text = *e;
    return true;
  }
  int64_t index;
  if (!eval_arith(p, param.sub->arith, index)) {
    if (expression_failed(p)) fail_discard_all(p);
    return false;
  }
  v = array_variable(p, name);
  if (!v) return true;
  if (!v->has(kIndexed)) {
    // A scalar is its own element 0 (and -1).
    if (index == 0 || index == -1) out.set = read_variable(p, name, out.text, out.buffer);
    return true;
  }
  const IndexedArray* a = v->indexed();
  if (index < 0) {
    index += (a ? a->max_index() : -1) + 1;
    if (index < 0 && out.on_bad_subscript == BadSubscript::discard) {
      p.error(std::string(param.sub->raw) + "]: bad array subscript");
      fail_discard(p);
      return false;
    }
    if (index < 0) {
      p.error(std::string(p.session.symbols.name(param.name)) + ": bad array subscript");
      return true;
    }
  }
  const std::string* e = a ? a->find(index) : nullptr;
  if (e) out.set = true, out.text = *e;
  return true;
}

}  // namespace

const Variable* array_variable(Process& p, base::Symbol& name) {
  const Variable* v = p.state.vars.find(name);
  if (!v) return nullptr;
  if (v->has(kNameref)) {
    base::Symbol target = resolve_nameref(p, name);
    if (target == base::kNoSymbol) return nullptr;
    name = target;
    v = p.state.vars.find(name);
    if (!v) return nullptr;
  }
  if (v->dynamic != Dynamic::none && v->is_array()) {
    refresh_dynamic_array(p, name);
    v = p.state.vars.find(name);
  }
  return v;
}

bool subscript_key(Process& p, const Subscript& sub, std::string& key) {
  if (sub.kind == Subscript::Kind::at) {
    key = "@";
    return true;
  }
  if (sub.kind == Subscript::Kind::star) {
    key = "*";
    return true;
  }
  key.clear();
  return expand_string(p, *sub.word, ExpandAs::plain, key);
}

bool read_scalar(Process& p, const Param& param, ScalarValue& out) {
  switch (param.kind) {
    case Param::Kind::variable:
      if (param.sub) return read_subscripted(p, param, out);
      out.set = read_variable(p, param.name, out.text, out.buffer);
      return !p.failure.unwinding() || out.set;
    case Param::Kind::positional:
      if (param.position == 0) {
        out.set = true;
        out.text = p.state.arg0;
      } else if (param.position <= p.state.param_count()) {
        out.set = true;
        out.text = p.state.param(param.position);
      }
      return true;
    case Param::Kind::special:
      out.set = special_text(p, param.special, out.buffer);
      out.text = out.buffer;
      return true;
  }
  return true;
}

size_t list_size(Process& p, const Param& param) {
  if (param.kind == Param::Kind::special) return p.state.param_count();
  return element_count(p, param.name);
}

bool read_list(Process& p, const Param& param, ValueList& values) {
  if (param.kind == Param::Kind::special) {
    for (size_t i = 1; i <= p.state.param_count(); ++i) values.add(p.state.param(i));
    return !values.empty();
  }
  base::Symbol name = param.name;
  const Variable* v = array_variable(p, name);
  if (!v) return false;
  if (v->has(kIndexed)) {
    if (v->indexed())
      v->indexed()->for_each([&](int64_t, const std::string& e) {
        values.add(e);
        return true;
      });
  } else if (v->has(kAssoc)) {
    if (v->assoc())
      v->assoc()->for_each([&](std::string_view, const std::string& e) {
        values.add(e);
        return true;
      });
  } else {
    std::string buffer;
    std::string_view text;
    if (read_variable(p, name, text, buffer)) values.add(text);
  }
  return !values.empty();
}

bool byte_locale(Process& p) {
  for (std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    base::Symbol s = p.session.symbols.find(name);
    std::string buffer;
    std::string_view text;
    if (s == base::kNoSymbol || !read_variable(p, s, text, buffer) || text.empty()) continue;
    return text == "C" || text == "POSIX";
  }
  return false;
}

size_t count_units(Process& p, std::string_view text) {
  if (base::is_ascii(text) || byte_locale(p)) return text.size();
  return base::count_chars(text);
}

bool unbound(Process& p, std::string_view name) {
  p.error(std::string(name) + ": unbound variable");
  fail_exit(p);
  return false;
}

std::string parameter_name(Process& p, const Param& param) {
  std::string out;
  switch (param.kind) {
    case Param::Kind::variable:
      out = p.session.symbols.name(param.name);
      if (param.sub) {
        out += '[';
        out += param.sub->raw;
        out += ']';
      }
      return out;
    case Param::Kind::positional:
      base::append_uint(out, param.position);
      return out;
    case Param::Kind::special:
      out = param.special;
      return out;
  }
  return out;
}

}  // namespace nacre::interp
