// Compound commands but [[ ]].
#include "parser/grammar.h"

namespace nacre::parser {

bool Grammar::starts_compound(Tok t) {
  switch (t) {
    case Tok::lparen: case Tok::lbrace: case Tok::if_: case Tok::while_: case Tok::until:
    case Tok::for_: case Tok::select: case Tok::case_: case Tok::cond_start:
      return true;
    default:
      return false;
  }
}

const Node* Grammar::compound_with_redirections() {
  Node* n = compound();
  if (failed_ || !trailing_redirections(n)) return nullptr;
  return n;
}

Node* Grammar::compound() {
  Level level(*s_);
  switch (peek()) {
    case Tok::lparen: return subshell_or_arith();
    case Tok::lbrace: return group();
    case Tok::if_: return if_command();
    case Tok::while_: case Tok::until: return while_command();
    case Tok::for_: case Tok::select: return for_command();
    case Tok::case_: return case_command();
    default: return cond_command();
  }
}

// "((" opens an arithmetic command when a matching "))" ends it, otherwise two
// subshells. Where it did not is remembered, so that reading the text again
// (as the commands of a $( that looked like $(( ) costs no second attempt.
Node* Grammar::subshell_or_arith() {
  const uint32_t line = tok_.line;
  const bool maybe_arith = tok_.double_paren;
  take();
  lexer::Input& in = lex_.in;
  const size_t second = in.pos();
  if (!maybe_arith || known_not_arith(second)) return subshell_rest(line);
  const size_t unnumbered = scratch().unnumbered.size();
  const size_t edits = scratch().edits.size(), commands = scratch().raw_commands.size();
  in.peek_joined();
  in.skip();
  const Arith* expr = read_arith(DoubleStop::paren);
  if (failed_) return nullptr;
  if (in.raw() != ')') return unmatched(')', line);
  if (in.peek_next() != ')') {
    in.seek(second);
    scratch().unnumbered.truncate(unnumbered);
    scratch().edits.truncate(edits);
    scratch().raw_commands.truncate(commands);
    note_not_arith(second);
    return subshell_rest(line);
  }
  in.skip(2);
  lex_.accept(Tok::arith_command);
  ArithCommand* n = node<ArithCommand>(NodeKind::arith, in.line());
  n->expr = expr;
  number_lines(unnumbered, n->line);
  return n;
}

// After the "(".
Node* Grammar::subshell_rest(uint32_t line) {
  const Node* body = compound_list();
  if (failed_ || !expect(Tok::rparen)) return nullptr;
  Subshell* n = node<Subshell>(NodeKind::subshell, line);
  n->body = body;
  return n;
}

Node* Grammar::group() {
  const uint32_t line = tok_.line;
  take();
  const Node* body = compound_list();
  if (failed_ || !expect(Tok::rbrace)) return nullptr;
  Group* n = node<Group>(NodeKind::group, line);
  n->body = body;
  return n;
}

Node* Grammar::if_command() {
  const uint32_t line = tok_.line;
  const size_t base = scratch().if_clauses.size();
  Tok t = Tok::if_;
  while (t == Tok::if_ || t == Tok::elif) {
    take();
    const Node* condition = compound_list();
    if (failed_ || !expect(Tok::then)) return nullptr;
    const Node* body = compound_list();
    if (failed_) return nullptr;
    scratch().if_clauses.push({condition, body});
    t = peek();
  }
  if (t == Tok::else_) {
    take();
    const Node* body = compound_list();
    if (failed_) return nullptr;
    scratch().if_clauses.push({nullptr, body});
  }
  if (!expect(Tok::fi)) return nullptr;
  If* n = node<If>(NodeKind::if_, line);
  n->clauses = scratch().if_clauses.take(base, arena());
  return n;
}

Node* Grammar::while_command() {
  const uint32_t line = tok_.line;
  const bool until = tok_.kind == Tok::until;
  take();
  const Node* condition = compound_list();
  if (failed_) return nullptr;
  if (peek() != Tok::do_) return syntax_error();
  const Node* body = do_group();
  if (failed_) return nullptr;
  While* n = node<While>(NodeKind::while_, line);
  n->condition = condition;
  n->body = body;
  n->until = until;
  return n;
}

// do list done, or { list } after the head of a for.
const Node* Grammar::do_group() {
  const Tok t = peek();
  if (t != Tok::do_ && t != Tok::lbrace) return syntax_error();
  take();
  const Node* body = compound_list();
  if (failed_ || !expect(t == Tok::do_ ? Tok::done : Tok::rbrace)) return nullptr;
  return body;
}

// for NAME [in words]; do .. done   (and select)
Node* Grammar::for_command() {
  const uint32_t line = tok_.line;
  const bool select = tok_.kind == Tok::select;
  take();
  if (!select && peek() == Tok::lparen && tok_.double_paren) return arith_for(line);
  if (peek() != Tok::word) return syntax_error();
  For* n = node<For>(select ? NodeKind::select : NodeKind::for_, line);
  n->name_text = tok_.word->raw;
  n->name = s_->symbols.intern(n->name_text);
  take();
  if (peek() == Tok::semi) {
    take();
    skip_newlines();
  } else {
    skip_newlines();
    if (peek() == Tok::in) {
      take();
      n->has_in = true;
      const size_t base = scratch().words.size(), unnumbered = scratch().unnumbered.size();
      while (peek() == Tok::word) {
        scratch().words.push(tok_.word);
        take();
      }
      if (peek() != Tok::semi && peek() != Tok::newline) return syntax_error();
      n->words = scratch().words.take(base, arena());
      number_lines(unnumbered, line);
      take();
      skip_newlines();
    }
  }
  n->body = do_group();
  return failed_ ? nullptr : n;
}

// for ((init; test; step)). The cursor stands before the second parenthesis.
Node* Grammar::arith_for(uint32_t line) {
  lexer::Input& in = lex_.in;
  const size_t unnumbered = scratch().unnumbered.size();
  const size_t edits = scratch().edits.size(), commands = scratch().raw_commands.size();
  const size_t start = in.pos();
  take();
  in.skip();
  const Arith* parts[3] = {};
  int count = 0;
  for (;;) {
    while (lexer::has_flag(in.peek(), lexer::kBlank)) in.skip();
    const size_t from = in.pos();
    const Arith* expr = read_arith(DoubleStop::semicolon);
    if (failed_) return nullptr;
    if (count < 3 && in.pos() > from) parts[count] = expr;
    ++count;
    if (in.raw() != ';') break;
    in.skip();
  }
  scratch().edits.truncate(edits);
  scratch().raw_commands.truncate(commands);
  if (in.raw() != ')') return unmatched(')', line);
  if (in.peek_next() != ')') {
    return fail(std::string(), false);  // bash says nothing
  }
  in.skip(2);
  if (count != 3) {
    std::string out;
    add_line(out, in.line(),
             count < 3 ? "syntax error: arithmetic expression required"
                       : "syntax error: `;' unexpected");
    add_line(out, in.line(),
             "syntax error: `(" + std::string(in.slice_from(start)) + "'");
    return fail(std::move(out), false);
  }
  number_lines(unnumbered, line);
  lex_.accept(Tok::arith_for);
  if (peek() == Tok::semi || peek() == Tok::newline) {
    take();
    skip_newlines();
  }
  const Node* body = do_group();
  if (failed_) return nullptr;
  ArithFor* n = node<ArithFor>(NodeKind::arith_for, line);
  n->init = parts[0];
  n->test = parts[1];
  n->step = parts[2];
  n->body = body;
  return n;
}

Node* Grammar::case_command() {
  const size_t unnumbered = scratch().unnumbered.size();
  take();
  if (peek() != Tok::word) return syntax_error();
  const Word* word = tok_.word;
  const uint32_t line = tok_.line;
  take();
  skip_newlines();
  if (peek() != Tok::in) return syntax_error();
  number_lines(unnumbered, line);
  take();
  lex_.state.case_pattern = true;
  const size_t base = scratch().case_clauses.size();
  for (;;) {
    skip_newlines();
    if (peek() == Tok::esac) break;
    bool last = false;  // without its ;;
    if (!case_clause(line, last)) return nullptr;
    if (last) break;
  }
  if (!expect(Tok::esac)) return nullptr;
  Case* n = node<Case>(NodeKind::case_, line);
  n->word = word;
  n->clauses = scratch().case_clauses.take(base, arena());
  return n;
}

// [(] pattern | pattern ) list ;;
bool Grammar::case_clause(uint32_t line, bool& last) {
  const size_t unnumbered = tok_.unnumbered;
  if (peek() == Tok::lparen) take();
  const size_t base = scratch().words.size();
  for (;;) {
    if (peek() != Tok::word) {
      syntax_error();
      return false;
    }
    scratch().words.push(tok_.word);
    take();
    if (peek() != Tok::pipe) break;
    take();
  }
  if (!expect(Tok::rparen)) return false;
  CaseClause clause{};
  clause.patterns = scratch().words.take(base, arena());
  number_lines(unnumbered, line);
  skip_newlines();
  if (starts_command(peek())) clause.body = compound_list();
  if (failed_) return false;
  last = false;
  switch (peek()) {
    case Tok::semi_semi: clause.end = CaseEnd::break_; break;
    case Tok::semi_and: clause.end = CaseEnd::fall_through; break;
    case Tok::semi_semi_and: clause.end = CaseEnd::test_next; break;
    default: clause.end = CaseEnd::break_; last = true; break;
  }
  if (!last) take();
  scratch().case_clauses.push(clause);
  return true;
}

}  // namespace nacre::parser
