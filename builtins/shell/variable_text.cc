#include "builtins/shell/variable_text.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/quoting.h"
#include "interp/variables.h"
#include "parser/printer.h"

namespace nacre::builtins {

using interp::Dynamic;
using interp::FunctionDef;
using interp::Process;
using interp::SetOption;
using interp::Variable;

namespace {

// True for a dynamic variable that a list shows without a value.
bool is_hidden(const Variable& v) {
  switch (v.dynamic) {
    case Dynamic::none:
    case Dynamic::shellopts:
    case Dynamic::bashopts:
    case Dynamic::underscore: return false;
    default: return !v.is_array();
  }
}

// The variable, its elements made when it is a dynamic array that is asked for.
const Variable* refreshed(Process& p, base::Symbol s, Asked asked) {
  const Variable* v = p.state.vars.find(s);
  if (v->dynamic != Dynamic::none && v->is_array() &&
      (asked == Asked::by_name || v->dynamic == Dynamic::pipestatus)) {
    interp::refresh_dynamic_array(p, s);
    v = p.state.vars.find(s);
  }
  return v;
}

bool has_value(const Variable& v, Asked asked) {
  return v.is_set() && (asked == Asked::by_name || !is_hidden(v));
}

std::string_view scalar_text(Process& p, const Variable& v, std::string& buffer) {
  if (v.dynamic == Dynamic::none) return v.text();
  interp::dynamic_text(p, v, buffer);
  return buffer;
}

void append_key(std::string& out, std::string_view key) {
  if (base::needs_ansi_c(key)) out += base::ansi_c_quote(key);
  else if (key == "@" || key == "*" || base::has_shell_metas(key)) out += base::declare_quote(key);
  else out += key;
}

void append_value(Process& p, base::Symbol s, const Variable& v, std::string& out) {
  if (v.is_array()) {
    append_array_text(p, s, out);
    return;
  }
  std::string buffer;
  out += base::declare_quote(scalar_text(p, v, buffer));
}

}  // namespace

void sort_symbols(const Process& p, std::vector<base::Symbol>& symbols) {
  const base::SymbolTable& names = p.session.symbols;
  std::sort(symbols.begin(), symbols.end(),
            [&](base::Symbol a, base::Symbol b) { return names.name(a) < names.name(b); });
}

std::vector<base::Symbol> sorted_functions(const Process& p) {
  std::vector<base::Symbol> out;
  p.state.functions->for_each([&](base::Symbol s, const FunctionDef&) { out.push_back(s); });
  sort_symbols(p, out);
  return out;
}

std::string attribute_letters(interp::VarAttrs attrs) {
  constexpr struct {
    interp::VarAttrs bit;
    char letter;
  } kLetters[] = {
      {interp::kIndexed, 'a'},   {interp::kAssoc, 'A'},     {interp::kInteger, 'i'},
      {interp::kNameref, 'n'},   {interp::kReadonly, 'r'},  {interp::kTrace, 't'},
      {interp::kExported, 'x'},  {interp::kCapitalize, 'c'}, {interp::kLowercase, 'l'},
      {interp::kUppercase, 'u'},
  };
  std::string out;
  for (const auto& row : kLetters)
    if (attrs & row.bit) out += row.letter;
  return out;
}

void append_array_text(Process& p, base::Symbol s, std::string& out) {
  const Variable* v = p.state.vars.find(s);
  out += '(';
  if (const interp::AssocArray* a = v->has(interp::kAssoc) ? v->assoc() : nullptr) {
    a->for_each([&](std::string_view key, const std::string& value) {
      out += '[';
      append_key(out, key);
      out += "]=";
      out += base::declare_quote(value);
      out += ' ';
      return true;
    });
  } else if (const interp::IndexedArray* list = v->indexed()) {
    bool first = true;
    list->for_each([&](int64_t index, const std::string& value) {
      if (!first) out += ' ';
      first = false;
      out += '[';
      base::append_int(out, index);
      out += "]=";
      out += base::declare_quote(value);
      return true;
    });
  }
  out += ')';
}

void append_set_line(Process& p, base::Symbol s, std::string& out) {
  const Variable* v = refreshed(p, s, Asked::in_a_list);
  if (!has_value(*v, Asked::in_a_list)) return;
  out += p.session.symbols.name(s);
  out += '=';
  if (v->is_array()) {
    append_array_text(p, s, out);
  } else {
    std::string buffer;
    std::string_view text = scalar_text(p, *v, buffer);
    if (!text.empty()) out += base::quote_if_needed(text);
  }
  out += '\n';
}

void append_declare_line(Process& p, base::Symbol s, Asked asked, std::string& out) {
  const Variable* v = refreshed(p, s, asked);
  std::string letters = attribute_letters(v->attrs);
  out += "declare -";
  out += letters.empty() ? std::string_view("-") : std::string_view(letters);
  out += ' ';
  out += p.session.symbols.name(s);
  if (has_value(*v, asked)) {
    out += '=';
    append_value(p, s, *v, out);
  }
  out += '\n';
}

void append_attribute_line(Process& p, base::Symbol s, std::string_view builtin,
                           std::string& out) {
  if (!p.has(SetOption::posix)) {
    append_declare_line(p, s, Asked::in_a_list, out);
    return;
  }
  // posix mode prints the builtin, and of the attributes only the kind of array.
  const Variable* v = refreshed(p, s, Asked::in_a_list);
  out += builtin;
  out += v->has(interp::kIndexed) ? " -a " : v->has(interp::kAssoc) ? " -A " : " ";
  out += p.session.symbols.name(s);
  if (has_value(*v, Asked::in_a_list)) {
    out += '=';
    append_value(p, s, *v, out);
  }
  out += '\n';
}

void append_function(Process& p, const FunctionDef& f, std::string& out) {
  out += parser::print_function(*f.node, p.session.symbols);
  out += '\n';
}

void append_function_attributes(Process& p, const FunctionDef& f, std::string& out) {
  out += "declare -f";
  if (f.readonly) out += 'r';
  if (f.trace) out += 't';
  if (f.exported) out += 'x';
  out += ' ';
  out += p.session.symbols.name(f.node->name);
  out += '\n';
}

}  // namespace nacre::builtins
