#include "interp/trace.h"

#include "base/numbers.h"
#include "base/quoting.h"
#include "base/utf8.h"
#include "interp/expand.h"
#include "interp/variables.h"
#include "parser/printer.h"

namespace nacre::interp {

std::string trace_prefix(Process& p) {
  std::string ps4 = variable_or(p, p.session.names.ps4, "");
  if (ps4.empty()) return ps4;
  // Nothing that PS4 itself runs is traced, and $? is kept.
  int32_t status = p.status;
  p.state.options.put(SetOption::xtrace, false);
  std::string text;
  if (!expand_prompt_text(p, ps4, text)) {
    text = ps4;
    p.failure = Outcome();
  }
  p.state.options.put(SetOption::xtrace, true);
  p.status = status;
  if (text.empty()) return text;
  size_t first = base::decode_utf8(text, 0).size;
  std::string out;
  for (int i = 0; i < p.trace_level; ++i) out.append(text, 0, first);
  return out + text;
}

void trace_line(Process& p, std::string_view text) {
  int fd = 2;
  std::string buffer;
  std::string_view value;
  if (read_variable(p, p.session.names.bash_xtracefd, value, buffer)) {
    auto n = base::parse_legal_number(value);
    if (n && p.state.fds->get(static_cast<int>(*n))) fd = static_cast<int>(*n);
  }
  std::string line = trace_prefix(p);
  line += text;
  line += '\n';
  p.write_fd(fd, line);
}

void trace_words(Process& p, std::span<const std::string_view> words) {
  std::string line;
  for (std::string_view w : words) {
    if (!line.empty()) line += ' ';
    line += base::xtrace_quote(w);
  }
  trace_line(p, line);
}

void trace_assignment(Process& p, const parser::Assign& a, std::string_view value) {
  if (a.is_array) return trace_line(p, a.raw);
  std::string line(p.session.symbols.name(a.name));
  if (a.sub) {
    line += '[';
    line += a.sub->raw;
    line += ']';
  }
  line += a.append ? "+=" : "=";
  if (!value.empty()) line += base::xtrace_quote(value);
  trace_line(p, line);
}

void trace_for(Process& p, const parser::For& node) {
  std::string line = node.kind == parser::NodeKind::select ? "select " : "for ";
  line += node.name_text;
  line += " in ";
  line += node.has_in ? parser::print_words(node.words, p.session.symbols) : std::string("\"$@\"");
  trace_line(p, line);
}

void trace_case(Process& p, const parser::Case& node) {
  trace_line(p, "case " + std::string(node.word->raw) + " in");
}

void trace_arith(Process& p, const parser::Arith& e) {
  trace_line(p, "(( " + std::string(e.source) + " ))");
}

namespace {

std::string_view shown(std::string_view operand) { return operand.empty() ? "''" : operand; }

// A pattern's text, each quoted character behind a backslash.
std::string shown_pattern(Process& p, const parser::Word& word) {
  std::string out;
  for (const parser::WordPart& part : word.parts) {
    parser::Word one = word;
    one.parts = {&part, 1};
    one.is_literal = false;
    std::string text;
    if (!expand_string(p, one, ExpandAs::plain, text)) return out;
    const bool quoted = part.kind == parser::PartKind::quoted || part.kind == parser::PartKind::double_quoted;
    for (char c : text) {
      if (quoted) out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace

void trace_cond_unary(Process& p, bool inverted, std::string_view op, std::string_view operand) {
  std::string line = inverted ? "[[ ! " : "[[ ";
  line += op;
  line += ' ';
  line += shown(operand);
  line += " ]]";
  trace_line(p, line);
}

void trace_cond_binary(Process& p, bool inverted, std::string_view lhs, std::string_view op,
                       const parser::Word& rhs, bool pattern) {
  std::string line = inverted ? "[[ ! " : "[[ ";
  line += shown(lhs);
  line += ' ';
  line += op;
  line += ' ';
  std::string text;
  if (pattern) text = shown_pattern(p, rhs);
  else expand_string(p, rhs, ExpandAs::plain, text);
  line += shown(text);
  line += " ]]";
  trace_line(p, line);
}

}  // namespace nacre::interp
