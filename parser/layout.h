// The layout of printed commands. Internal to parser/; the face is printer.h.
//
// This follows bash's print_cmd.c rule for rule, since the place of each blank
// and newline shows (`declare -f`, `jobs`, $BASH_COMMAND). Two of its ideas
// need a name here: an element may tell the next one not to indent (it stays
// on the line), and inside lists and pipelines the bodies of here-documents
// are held back until the line is complete.
//
// bash runs the printed text of a $(..), not the written one, so the lines of
// that layout are the $LINENO of the commands in it: a Layout can number
// nodes while it prints.
#pragma once

#include <string>
#include <vector>

#include "base/symbol.h"
#include "parser/ast.h"

namespace nacre::parser {

class Layout {
 public:
  enum class Mode : uint8_t {
    command,       // one command's text
    substitution,  // the inside of $(..): newlines between commands stay
  };
  Layout(const base::SymbolTable& symbols, Mode mode) : symbols_(symbols), mode_(mode) {}

  void command(const Node* node);
  void function(const Function& function);
  void words(std::span<const Word* const> words, std::string_view separator);
  void word(const Word& word);

  // From now on nodes get the line on which they are printed; the text's first
  // line is `line`.
  void number_from(uint32_t line) {
    numbering_ = true;
    first_line_ = line;
  }

  std::string& text() { return out_; }

 private:
  void body(const Node& node);
  void simple(const SimpleCommand& c);
  void pipeline(const Pipeline& p);
  void and_or(const AndOr& n);
  void list(const List& n);
  void group(const Group& n);
  void if_clauses(std::span<const IfClause> clauses);
  void while_loop(const While& n);
  void for_loop(const For& n);
  void arith_for(const ArithFor& n);
  void case_of(const Case& n);
  void inner_function(const Function& f);
  void function_body(const Function& f);
  void cond(const CondExpr& e);
  void redirects(std::span<const Redirect> list);
  void redirect(const Redirect& r);
  void redirect_fd(const Redirect& r, int quiet_fd);
  void heredoc_header(const Redirect& r);
  void heredoc_bodies();
  void flush_heredocs(std::string_view after);
  void arith(const Arith* a);
  void assign(const Assign& a);
  void number(const Node& node);
  void number_within(const Node& node);

  void put(std::string_view s) { out_ += s; }
  void indent() { out_.append(static_cast<size_t>(indentation_), ' '); }
  void newline(std::string_view s) {
    out_ += '\n';
    indent();
    out_ += s;
  }
  void semicolon() {
    if (!out_.empty() && (out_.back() == '&' || out_.back() == '\n')) return;
    out_ += ';';
  }
  void flush_if_held() {
    if (!held_.empty()) flush_heredocs({});
  }

  static constexpr int kIndent = 4;

  const base::SymbolTable& symbols_;
  Mode mode_;
  std::string out_;
  int indentation_ = 0;
  int skip_indent_ = 0;
  int in_function_ = 0;
  int in_connection_ = 0;
  bool was_heredoc_ = false;
  std::vector<const Redirect*> held_;  // here-documents whose bodies are to come
  bool numbering_ = false;
  uint32_t first_line_ = 0;
  size_t counted_ = 0;
  uint32_t newlines_ = 0;
};

}  // namespace nacre::parser
