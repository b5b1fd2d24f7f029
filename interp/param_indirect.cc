// ${!x}: the value of x names the parameter that is meant.
#include "interp/param_value.h"
#include "interp/variables.h"

namespace nacre::interp {

using parser::Param;

namespace {

bool fail(Process& p, std::string message) {
  p.error(message);
  fail_discard(p);
  return false;
}

// Reads `text` as a parameter: NAME, NAME[subscript], digits, one special character.
bool parse_parameter(Process& p, std::string_view text, base::Arena& arena, Param& out) {
  if (text.size() == 1 && std::string_view("@*#?-$!").find(text[0]) != std::string_view::npos) {
    out.kind = Param::Kind::special;
    out.special = text[0];
    return true;
  }
  if (base::all_digits(text) && text.size() < 10) {
    uint32_t n = 0;
    for (char c : text) n = n * 10 + static_cast<uint32_t>(c - '0');
    out.kind = Param::Kind::positional;
    out.position = n;
    return true;
  }
  size_t bracket = text.find('[');
  std::string_view name = text.substr(0, bracket);
  if (!base::is_identifier(name)) return false;
  out.kind = Param::Kind::variable;
  out.name = p.session.symbols.intern(name);
  if (bracket == std::string_view::npos) return true;
  if (text.back() != ']' || text.size() < bracket + 3) return false;
  std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
  out.sub = parser::parse_subscript(inside, arena, p.session.symbols, p, p.meter());
  return out.sub != nullptr;
}

// ${!ref} of a nameref is the name that it refers to. False when x is none.
bool nameref_target(Process& p, const Param& param, std::string& out) {
  if (param.kind != Param::Kind::variable || param.sub) return false;
  const Variable* v = p.state.vars.find(param.name);
  if (!v || !v->has(kNameref) || !v->is_set() || v->text().empty()) return false;
  std::string element;
  base::Symbol target = resolve_nameref(p, param.name, &element);
  if (target == base::kNoSymbol) return false;
  out = p.session.symbols.name(target);
  if (!element.empty()) {
    out += '[';
    out += element;
    out += ']';
  }
  return true;
}

}  // namespace

bool resolve_indirect(Process& p, const Param& param, Indirect& out) {
  if (nameref_target(p, param, out.text)) {
    out.is_text = true;
    out.param = param;
    out.param.indirect = false;
    return true;
  }
  std::string text;
  bool set;
  if (is_list(param)) {
    ValueList values(p.meter());
    set = read_list(p, param, values);
    for (size_t i = 0; i < values.size(); ++i) {
      if (i) text += ' ';
      text += values[i];
    }
  } else {
    ScalarValue value;
    if (!read_scalar(p, param, value)) return false;
    set = value.set;
    text = value.text;
  }
  if (!set) return fail(p, parameter_name(p, param) + ": invalid indirect expansion");
  std::string_view kept = out.arena.copy(text);
  if (kept.empty() || !parse_parameter(p, kept, out.arena, out.param))
    return fail(p, text + ": invalid variable name");
  return true;
}

}  // namespace nacre::interp
