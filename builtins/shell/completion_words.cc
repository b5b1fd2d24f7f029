#include "builtins/shell/completion_words.h"

#include <algorithm>

#include "base/arena.h"
#include "interp/expand.h"
#include "parser/parser.h"

namespace nacre::builtins {

using interp::FieldList;
using interp::Process;

namespace {

// Where the quoted or substituted text that begins at `at` ends (one past it).
size_t skip_quoted(std::string_view s, size_t at) {
  char open = s[at];
  if (open == '\\') return std::min(at + 2, s.size());
  if (open == '\'' || open == '`') {
    size_t end = s.find(open, at + 1);
    return end == std::string_view::npos ? s.size() : end + 1;
  }
  if (open == '"') {
    for (size_t i = at + 1; i < s.size(); ++i) {
      if (s[i] == '\\') ++i;
      else if (s[i] == '"') return i + 1;
    }
    return s.size();
  }
  // $( ) and ${ }: nested by counting.
  char left = s[at + 1], right = left == '(' ? ')' : '}';
  int depth = 0;
  for (size_t i = at + 1; i < s.size(); ++i) {
    if (s[i] == '\\') ++i;
    else if (s[i] == left) ++depth;
    else if (s[i] == right && --depth == 0) return i + 1;
  }
  return s.size();
}

bool begins_quoted(std::string_view s, size_t i) {
  switch (s[i]) {
    case '\\': case '\'': case '"': case '`': return true;
    case '$': return i + 1 < s.size() && (s[i + 1] == '(' || s[i + 1] == '{');
    default: return false;
  }
}

// One word of the list, so that the parser takes its operators as text.
std::string protect_operators(std::string_view word) {
  std::string out;
  for (size_t i = 0; i < word.size();) {
    if (begins_quoted(word, i)) {
      size_t end = skip_quoted(word, i);
      out += word.substr(i, end - i);
      i = end;
      continue;
    }
    constexpr std::string_view kOperators = "|&;()<>*?[]#! \t\n";
    if (kOperators.find(word[i]) != std::string_view::npos) out += '\\';
    out += word[i++];
  }
  return out;
}

void expand_one(Process& p, std::string_view word, FieldList& out) {
  if (word.find_first_of("\\'\"`$~{") == std::string_view::npos) {
    out.add(word);
    return;
  }
  base::Arena arena;
  std::span<const parser::ArrayElement> elements;
  std::string text = protect_operators(word);
  if (!parser::parse_array_elements(text, arena, p.session.symbols, p, p.meter(), elements)) {
    out.add(dequote_word(word));
    return;
  }
  for (const parser::ArrayElement& e : elements) {
    if (e.value && !interp::expand_word_fields(p, *e.value, out)) {
      p.failure = {};
      return;
    }
  }
}

// No pathname expansion while the list is expanded.
class WithoutGlobbing {
 public:
  explicit WithoutGlobbing(Process& p) : p_(p), noglob_(p.has(interp::SetOption::noglob)) {
    p.state.options.put(interp::SetOption::noglob, true);
  }
  ~WithoutGlobbing() { p_.state.options.put(interp::SetOption::noglob, noglob_); }
  WithoutGlobbing(const WithoutGlobbing&) = delete;

 private:
  Process& p_;
  bool noglob_;
};

}  // namespace

void expand_word_list(Process& p, std::string_view list, FieldList& out) {
  WithoutGlobbing scope(p);
  std::string separators = p.state.ifs_unset ? " \t\n" : p.state.ifs;
  size_t i = 0;
  while (i < list.size()) {
    if (separators.find(list[i]) != std::string::npos) {
      ++i;
      continue;
    }
    size_t begin = i;
    while (i < list.size() && separators.find(list[i]) == std::string::npos)
      i = begins_quoted(list, i) ? skip_quoted(list, i) : i + 1;
    p.meter().charge_work();
    expand_one(p, list.substr(begin, i - begin), out);
  }
}

std::string dequote_word(std::string_view word) {
  std::string out;
  char quote = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    char c = word[i];
    if (quote == '\'') {
      if (c == '\'') quote = 0;
      else out += c;
    } else if (c == '\\' && i + 1 < word.size()) {
      out += word[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (!quote && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace nacre::builtins
