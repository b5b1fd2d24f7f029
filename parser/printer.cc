#include "parser/printer.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/quoting.h"
#include "lexer/token.h"
#include "parser/layout.h"

namespace nacre::parser {

// --- words ----------------------------------------------------------------------

void Layout::word(const Word& w) {
  size_t at = 0;
  for (const RawCommand& c : w.commands) {
    put(w.raw.substr(at, c.begin - at));
    Layout inner(symbols_, Mode::substitution);
    if (c.body) inner.command(c.body);
    // A parenthesis at once would make it arithmetic.
    if (!inner.out_.empty() && inner.out_[0] == '(') put(" ");
    put(inner.out_);
    at = c.end;
  }
  put(w.raw.substr(at));
}

void Layout::words(std::span<const Word* const> list, std::string_view separator) {
  bool first = true;
  for (const Word* w : list) {
    if (!first) put(separator);
    first = false;
    word(*w);
  }
}

void Layout::arith(const Arith* a) {
  put(a ? a->source : "1");
}

void Layout::assign(const Assign& a) {
  Word w;
  w.raw = a.raw;
  w.commands = a.commands;
  word(w);
}

// --- numbering --------------------------------------------------------------------

void Layout::number(const Node& node) {
  if (!numbering_) return;
  for (; counted_ < out_.size(); ++counted_)
    if (out_[counted_] == '\n') ++newlines_;
  const_cast<Node&>(node).line = first_line_ + newlines_;
}

namespace {

void number_commands(const base::SymbolTable& symbols, std::span<const RawCommand> commands,
                     uint32_t line) {
  for (const RawCommand& c : commands) {
    if (c.command) c.command->line = line;
    if (!c.body) continue;
    Layout inner(symbols, Layout::Mode::substitution);
    inner.number_from(line);
    inner.command(c.body);
  }
}

}  // namespace

// The substitutions in a command's words start on the command's line.
void Layout::number_within(const Node& node) {
  if (!numbering_) return;
  const auto words = [&](std::span<const Word* const> list) {
    for (const Word* w : list) number_commands(symbols_, w->commands, node.line);
  };
  switch (node.kind) {
    case NodeKind::simple: {
      const auto& c = static_cast<const SimpleCommand&>(node);
      words(c.words);
      for (const Assign* a : c.assigns) number_commands(symbols_, a->commands, node.line);
      break;
    }
    case NodeKind::for_: case NodeKind::select:
      words(static_cast<const For&>(node).words);
      break;
    case NodeKind::case_: {
      const auto& c = static_cast<const Case&>(node);
      number_commands(symbols_, c.word->commands, node.line);
      for (const CaseClause& clause : c.clauses) words(clause.patterns);
      break;
    }
    default:
      break;
  }
  for (const Redirect& r : node.redirects)
    if (r.op != RedirectOp::here_doc && r.target)
      number_commands(symbols_, r.target->commands, node.line);
}

// --- commands ---------------------------------------------------------------------

void Layout::command(const Node* node) {
  if (!node) return;
  if (skip_indent_ > 0) --skip_indent_;
  else indent();
  body(*node);
  number_within(*node);
}

void Layout::body(const Node& node) {
  if (node.kind != NodeKind::simple) number(node);
  switch (node.kind) {
    case NodeKind::simple: simple(static_cast<const SimpleCommand&>(node)); return;
    case NodeKind::pipeline: pipeline(static_cast<const Pipeline&>(node)); return;
    case NodeKind::and_or: and_or(static_cast<const AndOr&>(node)); return;
    case NodeKind::list: list(static_cast<const List&>(node)); return;
    case NodeKind::function: inner_function(static_cast<const Function&>(node)); return;
    case NodeKind::subshell:
      put("( ");
      ++skip_indent_;
      command(static_cast<const Subshell&>(node).body);
      flush_if_held();
      put(" )");
      break;
    case NodeKind::group: group(static_cast<const Group&>(node)); break;
    case NodeKind::if_: if_clauses(static_cast<const If&>(node).clauses); break;
    case NodeKind::while_: while_loop(static_cast<const While&>(node)); break;
    case NodeKind::for_: case NodeKind::select: for_loop(static_cast<const For&>(node)); break;
    case NodeKind::arith_for: arith_for(static_cast<const ArithFor&>(node)); break;
    case NodeKind::case_: case_of(static_cast<const Case&>(node)); break;
    case NodeKind::cond:
      put("[[ ");
      cond(*static_cast<const Cond&>(node).expr);
      put(" ]]");
      break;
    case NodeKind::arith:
      put("((");
      put(static_cast<const ArithCommand&>(node).expr->source);
      put("))");
      break;
    case NodeKind::coproc: {
      const auto& c = static_cast<const Coproc&>(node);
      put("coproc ");
      put(symbols_.name(c.name));
      put(" ");
      ++skip_indent_;
      command(c.body);
      break;
    }
  }
  if (!node.redirects.empty()) {
    put(" ");
    redirects(node.redirects);
  }
}

void Layout::simple(const SimpleCommand& c) {
  number(c);
  bool first = true;
  int elements = 0;
  for (const Assign* a : c.assigns) {
    if (!first) put(" ");
    first = false;
    assign(*a);
    if (elements++ == 0) number(c);
  }
  for (const Word* w : c.words) {
    if (!first) put(" ");
    first = false;
    word(*w);
    // The line counts when the word after the first is read.
    if (c.assigns.empty() && elements++ < 2) number(c);
  }
  if (c.redirects.empty()) return;
  if (!first) put(" ");
  redirects(c.redirects);
}

void Layout::pipeline(const Pipeline& p) {
  if (p.timed) put(p.time_posix ? "time -p " : "time ");
  if (p.negated) put("! ");
  if (p.stages.empty()) return;
  const size_t last = p.stages.size() - 1;
  for (size_t i = 0; i <= last; ++i) {
    ++skip_indent_;
    if (last > 0) ++in_connection_;
    command(p.stages[i]);
    if (i < last) {
      if (p.pipe_both[i]) put(p.stages[i]->redirects.empty() ? " 2>&1" : " 2>&1");
      flush_heredocs(" |");
      put(" ");
    }
  }
  if (last > 0) flush_if_held();
  in_connection_ -= last > 0 ? static_cast<int>(last) + 1 : 0;
}

void Layout::and_or(const AndOr& n) {
  ++in_connection_;
  for (size_t i = 0; i < n.items.size(); ++i) {
    if (i > 0) flush_heredocs(n.ops[i - 1] == ListOp::and_ ? " && " : " || ");
    ++skip_indent_;
    command(n.items[i]);
    if (i > 0) flush_if_held();
  }
  --in_connection_;
}

void Layout::list(const List& n) {
  ++in_connection_;
  ++skip_indent_;
  for (size_t i = 0; i < n.items.size(); ++i) {
    const ListItem& item = n.items[i];
    const bool last = i + 1 == n.items.size();
    command(item.node);
    if (i > 0) flush_if_held();
    if (item.background) {
      flush_heredocs(" &");
      if (!last) {
        put(" ");
        ++skip_indent_;
      }
    } else if (!last) {
      const bool line = mode_ == Mode::substitution && item.newline;
      const bool after_heredoc = !held_.empty() || was_heredoc_;
      if (!held_.empty()) flush_heredocs(in_function_ ? "" : ";");
      else if (was_heredoc_) was_heredoc_ = false;
      else put(line ? "\n" : ";");
      if (in_function_) {
        put("\n");
      } else {
        if (!line) put(" ");
        else if (after_heredoc) put("\n");
        if (!line || !after_heredoc) ++skip_indent_;
      }
    }
  }
  --in_connection_;
}

void Layout::group(const Group& n) {
  put("{ ");
  if (in_function_) {
    put("\n");
    indentation_ += kIndent;
  } else {
    ++skip_indent_;
  }
  command(n.body);
  flush_if_held();
  if (in_function_) {
    put("\n");
    indentation_ -= kIndent;
    indent();
  } else {
    semicolon();
    put(" ");
  }
  put("}");
}

// An elif is an if within else.
void Layout::if_clauses(std::span<const IfClause> clauses) {
  int nested = 0;
  for (size_t i = 0;; ++i) {
    put("if ");
    ++skip_indent_;
    command(clauses[i].condition);
    semicolon();
    put(" then\n");
    indentation_ += kIndent;
    command(clauses[i].body);
    flush_if_held();
    indentation_ -= kIndent;
    if (i + 1 == clauses.size()) break;
    semicolon();
    newline("else\n");
    indentation_ += kIndent;
    if (!clauses[i + 1].condition) {
      command(clauses[i + 1].body);
      flush_if_held();
      indentation_ -= kIndent;
      break;
    }
    indent();
    ++nested;
  }
  for (;; --nested) {
    semicolon();
    newline("fi");
    if (nested == 0) break;
    flush_if_held();
    indentation_ -= kIndent;
  }
}

void Layout::while_loop(const While& n) {
  put(n.until ? "until " : "while ");
  ++skip_indent_;
  command(n.condition);
  flush_if_held();
  semicolon();
  put(" do\n");
  indentation_ += kIndent;
  command(n.body);
  flush_if_held();
  indentation_ -= kIndent;
  semicolon();
  newline("done");
}

void Layout::for_loop(const For& n) {
  put(n.kind == NodeKind::select ? "select " : "for ");
  put(n.name_text);
  put(" in ");
  if (n.has_in) words(n.words, " ");
  else put("\"$@\"");
  put(";");
  newline("do\n");
  indentation_ += kIndent;
  command(n.body);
  flush_if_held();
  semicolon();
  indentation_ -= kIndent;
  newline("done");
}

void Layout::arith_for(const ArithFor& n) {
  put("for ((");
  arith(n.init);
  put("; ");
  arith(n.test);
  put("; ");
  arith(n.step);
  put("))");
  newline("do\n");
  indentation_ += kIndent;
  command(n.body);
  flush_if_held();
  semicolon();
  indentation_ -= kIndent;
  newline("done");
}

void Layout::case_of(const Case& n) {
  put("case ");
  word(*n.word);
  put(" in ");
  indentation_ += kIndent;
  for (const CaseClause& c : n.clauses) {
    newline("");
    words(c.patterns, " | ");
    put(")\n");
    indentation_ += kIndent;
    command(c.body);
    indentation_ -= kIndent;
    flush_if_held();
    newline(c.end == CaseEnd::break_ ? ";;" : c.end == CaseEnd::fall_through ? ";&" : ";;&");
  }
  indentation_ -= kIndent;
  newline("esac");
}

void Layout::cond(const CondExpr& e) {
  switch (e.kind) {
    case CondKind::and_: case CondKind::or_:
      cond(*e.left);
      put(e.kind == CondKind::and_ ? " && " : " || ");
      cond(*e.right);
      break;
    case CondKind::not_:
      put("! ");
      cond(*e.left);
      break;
    case CondKind::group:
      put("( ");
      cond(*e.left);
      put(" )");
      break;
    case CondKind::word:
      put("-n ");
      word(*e.lhs);
      break;
    case CondKind::unary:
      put(e.op_text);
      put(" ");
      word(*e.lhs);
      break;
    case CondKind::binary:
      word(*e.lhs);
      put(" ");
      put(e.op_text);
      put(" ");
      word(*e.rhs);
      break;
  }
}

// --- functions ----------------------------------------------------------------------

void Layout::inner_function(const Function& f) {
  put("function ");
  put(symbols_.name(f.name));
  put(" () \n");
  indent();
  put("{ \n");
  function_body(f);
  was_heredoc_ = false;
}

void Layout::function_body(const Function& f) {
  ++in_function_;
  indentation_ += kIndent;
  const bool group = f.body->kind == NodeKind::group;
  command(group ? static_cast<const Group*>(f.body)->body : f.body);
  flush_if_held();
  indentation_ -= kIndent;
  --in_function_;
  if (group && !f.body->redirects.empty()) {
    newline("} ");
    redirects(f.body->redirects);
  } else {
    newline("}");
  }
}

void Layout::function(const Function& f) {
  const std::string_view name = symbols_.name(f.name);
  if (lexer::reserved_word(name) != lexer::Tok::word) put("function ");
  put(name);
  put(" () \n{ \n");
  function_body(f);
}

// --- redirections ----------------------------------------------------------------

void Layout::redirects(std::span<const Redirect> list) {
  was_heredoc_ = false;
  bool first = true;
  std::vector<const Redirect*> docs;
  for (const Redirect& r : list) {
    if (!first) put(" ");
    first = false;
    if (r.op == RedirectOp::here_doc) {
      heredoc_header(r);
      docs.push_back(&r);
    } else {
      redirect(r);
    }
  }
  if (docs.empty()) return;
  held_ = std::move(docs);
  if (in_connection_ == 0) heredoc_bodies();
}

void Layout::heredoc_header(const Redirect& r) {
  redirect_fd(r, 0);
  put(r.strip_tabs ? "<<-" : "<<");
  put(r.delimiter_quoted ? base::single_quote(r.delimiter) : std::string(r.delimiter));
}

void Layout::heredoc_bodies() {
  put("\n");
  for (const Redirect* r : held_) {
    put(r->target->raw);
    put(r->delimiter);
    put("\n");
  }
  held_.clear();
  was_heredoc_ = true;
}

// Prints `after` and then the bodies that were held back.
void Layout::flush_heredocs(std::string_view after) {
  const bool shown = !after.empty() && after != ";";
  if (shown) put(after);
  if (held_.empty()) return;
  heredoc_bodies();
  if (shown) put(" ");
}

// The descriptor, unless it is the operator's own.
void Layout::redirect_fd(const Redirect& r, int quiet_fd) {
  if (r.fd_var != base::kNoSymbol) {
    put("{");
    put(symbols_.name(r.fd_var));
    put("}");
  } else if (r.fd >= 0 && r.fd != quiet_fd) {
    base::append_int(out_, r.fd);
  }
}

void Layout::redirect(const Redirect& r) {
  const auto plain = [&](int own, std::string_view op) {
    redirect_fd(r, own);
    put(op);
    word(*r.target);
  };
  switch (r.op) {
    case RedirectOp::in: return plain(0, "< ");
    case RedirectOp::out: return plain(1, "> ");
    case RedirectOp::clobber: return plain(1, ">| ");
    case RedirectOp::append: return plain(1, ">> ");
    case RedirectOp::here_string: return plain(0, "<<< ");
    case RedirectOp::both: return plain(1, "&> ");
    case RedirectOp::both_append: return plain(1, "&>> ");
    case RedirectOp::in_out:
      // bash names descriptor 0 here, and leaves 1 out.
      if (r.fd < 0 && r.fd_var == base::kNoSymbol) put("0");
      return plain(1, "<> ");
    case RedirectOp::dup_in: case RedirectOp::dup_out: {
      const bool in = r.op == RedirectOp::dup_in;
      const std::string_view to = r.target->raw;
      std::string_view digits = to;
      if (digits.ends_with('-')) digits.remove_suffix(1);
      if (to == "-" || (base::all_digits(digits) && r.target->is_literal)) {
        // A number: the descriptor is always named, and closing looks the same for both.
        if (r.fd_var != base::kNoSymbol) redirect_fd(r, -1);
        else base::append_int(out_, r.fd >= 0 ? r.fd : in ? 0 : 1);
        put(in && to != "-" ? "<&" : ">&");
        return put(to);
      }
      return plain(in ? 0 : 1, in ? "<&" : ">&");
    }
    case RedirectOp::here_doc:
      return;
  }
}

// --- the face ----------------------------------------------------------------------

std::string print_command(const Node& node, const base::SymbolTable& symbols) {
  Layout layout(symbols, Layout::Mode::command);
  layout.command(&node);
  return std::move(layout.text());
}

std::string print_function(const Function& function, const base::SymbolTable& symbols) {
  Layout layout(symbols, Layout::Mode::command);
  layout.function(function);
  return std::move(layout.text());
}

void append_word(std::string& out, const Word& word, const base::SymbolTable& symbols) {
  Layout layout(symbols, Layout::Mode::command);
  layout.word(word);
  out += layout.text();
}

std::string print_words(std::span<const Word* const> words, const base::SymbolTable& symbols) {
  Layout layout(symbols, Layout::Mode::command);
  layout.words(words, " ");
  return std::move(layout.text());
}

}  // namespace nacre::parser
