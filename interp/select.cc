// select NAME in WORDS: a menu on stderr, an answer from stdin.
#include "base/numbers.h"
#include "base/utf8.h"
#include "interp/assign.h"
#include "interp/evaluate_parts.h"
#include "interp/expand.h"
#include "interp/trace.h"
#include "interp/variables.h"

namespace nacre::interp {
namespace {

int width_of(std::string_view s) {
  int width = 0;
  for (size_t i = 0; i < s.size();) {
    base::Utf8Char c = base::decode_utf8(s, i);
    int w = c.valid ? base::char_width(c.code) : 1;
    width += w > 0 ? w : 0;
    i += c.size;
  }
  return width;
}

int digits_of(size_t n) { return static_cast<int>(base::int_text(static_cast<int64_t>(n)).size()); }

// The list in columns, filled downwards, as wide as COLUMNS allows (bash's
// print_select_list).
std::string menu(Process& p, const FieldList& items) {
  const auto count = static_cast<int>(items.size());
  if (count == 0) return "\n";
  int columns = 80;
  if (auto text = variable_text(p, "COLUMNS"))
    if (auto n = base::parse_legal_number(*text); n && *n > 0 && *n < 10000)
      columns = static_cast<int>(*n);
  const int index_width = digits_of(items.size());
  int longest = 0;
  for (size_t i = 0; i < items.size(); ++i) longest = std::max(longest, width_of(items[i]));
  const int cell = longest + index_width + 2 + 2;  // "N) " and a gap of two
  int across = std::max(columns / cell, 1);
  int rows = (count + across - 1) / across;
  across = (count + rows - 1) / rows;
  if (rows == 1) {
    rows = across;
    across = 1;
  }
  const int first_width = digits_of(static_cast<size_t>(rows));
  std::string out;
  for (int row = 0; row < rows; ++row) {
    int position = 0;
    for (int at = row, column = 0; at < count; at += rows, ++column) {
      int number_width = column == 0 ? first_width : index_width;
      std::string number = base::int_text(at + 1);
      out.append(static_cast<size_t>(std::max(number_width - static_cast<int>(number.size()), 0)), ' ');
      out += number;
      out += ") ";
      out += items[static_cast<size_t>(at)];
      int used = number_width + 2 + width_of(items[static_cast<size_t>(at)]);
      position += used;
      if (at + rows >= count) break;
      // Tabs and blanks up to the next cell.
      int to = (column + 1) * cell;
      while (position < to) {
        if (to / 8 > position / 8) {
          out += '\t';
          position += 8 - position % 8;
        } else {
          out += ' ';
          ++position;
        }
      }
    }
    out += '\n';
  }
  return out;
}

// One line from stdin, with `read`'s backslash rule; false at the end of input.
bool read_answer(Process& p, std::string& line) {
  line.clear();
  OpenFile* in = p.state.fds->get(0);
  if (!in) return false;
  for (;;) {
    auto chunk = in->peek();
    if (!chunk || chunk->empty()) return false;
    size_t newline = chunk->find('\n');
    bool whole = newline != std::string_view::npos;
    line.append(chunk->substr(0, newline));
    in->consume(whole ? newline + 1 : chunk->size());
    if (!whole) continue;
    size_t slashes = 0;
    while (slashes < line.size() && line[line.size() - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return true;
    line.pop_back();
  }
}

}  // namespace

Outcome run_select(Process& p, const parser::For& node) {
  p.line = node.line;
  if (!base::is_identifier(node.name_text)) {
    p.error("`" + std::string(node.name_text) + "': not a valid identifier");
    return settle(p, Outcome(1));
  }
  FieldList items(p.scratch());
  if (node.has_in) {
    if (!expand_words(p, node.words, items)) return take_failure(p);
  } else {
    for (size_t i = 1; i <= p.state.param_count(); ++i) items.add(p.state.param(i));
  }
  if (items.empty()) {
    p.status = 0;
    return Outcome();
  }
  if (p.has(SetOption::xtrace)) trace_for(p, node);
  ++p.loop_depth;
  int64_t iterations = 0;
  Outcome o;
  bool show = true;
  std::string answer;
  for (;;) {
    if (show) p.write_stderr(menu(p, items));
    std::string prompt = variable_text(p, "PS3").value_or("#? ");
    p.write_stderr(prompt);
    if (!read_answer(p, answer)) {
      p.write_fd(1, "\n");
      o = Outcome(1);
      break;
    }
    assign_variable(p, p.session.names.reply, answer);
    if (answer.empty()) {
      show = true;
      continue;
    }
    show = false;
    auto n = base::parse_legal_number(answer);
    std::string_view chosen;
    if (n && *n >= 1 && static_cast<size_t>(*n) <= items.size()) chosen = items[static_cast<size_t>(*n - 1)];
    if (!assign_variable(p, node.name, chosen)) {
      p.failure = Outcome();
      o = Outcome(1);
      break;
    }
    p.meter().charge_iteration(iterations);
    o = evaluate(p, *node.body);
    if (!o.unwinding()) continue;
    if (o.flow == Flow::break_) {
      if (o.levels > 1) --o.levels;
      else o = Outcome(o.status);
      break;
    }
    if (o.flow == Flow::continue_ && o.levels <= 1) {
      o = Outcome(o.status);
      continue;
    }
    if (o.flow == Flow::continue_) --o.levels;
    break;
  }
  --p.loop_depth;
  p.status = o.status;
  return o;
}

}  // namespace nacre::interp
