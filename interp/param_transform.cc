// ${x@Q} and the other transformations.
#include "base/quoting.h"
#include "base/utf8.h"
#include "interp/param_value.h"
#include "interp/prompt.h"
#include "parser/ansi_c.h"

namespace nacre::interp {

namespace {

// An associative array's key as `declare -p` and @A print it.
void append_key(std::string_view key, TextBuffer& out) {
  if (base::needs_ansi_c(key)) out.append(base::ansi_c_quote(key));
  else if (base::has_shell_metas(key) || key == "@" || key == "*" || key.empty())
    out.append(base::declare_quote(key));
  else out.append(key);
}

template <class F>
void for_each_pair(const Variable& v, F&& f) {
  if (v.has(kIndexed) && v.indexed()) {
    v.indexed()->for_each([&](int64_t i, const std::string& e) {
      f(base::int_text(i), e);
      return true;
    });
  } else if (v.has(kAssoc) && v.assoc()) {
    v.assoc()->for_each([&](std::string_view key, const std::string& e) {
      f(key, e);
      return true;
    });
  }
}

}  // namespace

bool valid_transform(char letter) {
  return std::string_view("QEPAKkauUL").find(letter) != std::string_view::npos && letter != 0;
}

bool transform_text(Process& p, char letter, std::string_view value, TextBuffer& out) {
  switch (letter) {
    case 'Q':
      out.append(base::at_q_quote(value));
      return true;
    case 'E': {
      std::string text;
      parser::decode_ansi_c(value, text);
      out.append(text);
      return true;
    }
    case 'P': {
      std::string decoded, text;
      decode_prompt(p, value, decoded);
      if (!p.has(Shopt::promptvars)) text = std::move(decoded);
      else if (!expand_prompt_text(p, decoded, text)) return false;
      out.append(text);
      return true;
    }
    case 'U':
      change_case(p, value, {}, parser::ParamOp::upper_all, out);
      return true;
    case 'u':
      change_case(p, value, {}, parser::ParamOp::upper_first, out);
      return true;
    case 'L':
      change_case(p, value, {}, parser::ParamOp::lower_all, out);
      return true;
    default:
      return true;
  }
}

void append_attributes(const Variable& v, std::string& out) {
  struct Letter {
    VarAttrs attr;
    char letter;
  };
  constexpr Letter kLetters[] = {
      {kIndexed, 'a'},  {kAssoc, 'A'},   {kInteger, 'i'},    {kNameref, 'n'},   {kReadonly, 'r'},
      {kTrace, 't'},    {kExported, 'x'}, {kCapitalize, 'c'}, {kLowercase, 'l'}, {kUppercase, 'u'},
  };
  for (const Letter& l : kLetters)
    if (v.has(l.attr)) out += l.letter;
}

void append_assignment(Process& p, base::Symbol name, const Variable& v,
                       const std::string_view* value, TextBuffer& out) {
  std::string letters;
  append_attributes(v, letters);
  if (letters.empty() && !value) return;
  if (!letters.empty()) {
    out.append("declare -");
    out.append(letters);
    out.push(' ');
  }
  out.append(p.session.symbols.name(name));
  if (value) {
    out.push('=');
    out.append(base::at_q_quote(*value));
  }
}

void append_array_assignment(Process& p, base::Symbol name, const Variable& v, TextBuffer& out) {
  if (!v.is_array()) {
    std::string_view text;
    if (v.is_set()) text = v.text();
    append_assignment(p, name, v, v.is_set() ? &text : nullptr, out);
    return;
  }
  append_assignment(p, name, v, nullptr, out);
  if (!v.is_set()) return;
  out.append("=(");
  bool first = true;
  for_each_pair(v, [&](std::string_view key, std::string_view value) {
    if (!first && v.has(kIndexed)) out.push(' ');
    first = false;
    out.push('[');
    append_key(key, out);
    out.append("]=");
    out.append(base::declare_quote(value));
    if (v.has(kAssoc)) out.push(' ');
  });
  out.push(')');
}

void append_quoted_pairs(const Variable& v, TextBuffer& out) {
  bool first = true;
  for_each_pair(v, [&](std::string_view key, std::string_view value) {
    if (!first && v.has(kIndexed)) out.push(' ');
    first = false;
    append_key(key, out);
    out.push(' ');
    out.append(base::declare_quote(value));
    if (v.has(kAssoc)) out.push(' ');
  });
}

}  // namespace nacre::interp
