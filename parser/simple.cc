// Simple commands, redirections, function definitions and coprocesses.
#include "parser/grammar.h"

namespace nacre::parser {

namespace {

RedirectOp redirect_op(Tok t) {
  switch (t) {
    case Tok::less: return RedirectOp::in;
    case Tok::greater: return RedirectOp::out;
    case Tok::greater_pipe: return RedirectOp::clobber;
    case Tok::dgreater: return RedirectOp::append;
    case Tok::less_greater: return RedirectOp::in_out;
    case Tok::less_and: return RedirectOp::dup_in;
    case Tok::greater_and: return RedirectOp::dup_out;
    case Tok::and_greater: return RedirectOp::both;
    case Tok::and_dgreater: return RedirectOp::both_append;
    case Tok::tless: return RedirectOp::here_string;
    default: return RedirectOp::here_doc;
  }
}

// The commands that take arguments of the form NAME=.. as assignments, or may
// run one that does; the arguments of all others are plain words.
bool may_declare(std::string_view name) {
  switch (name.empty() ? '\0' : name[0]) {
    case 'b': return name == "builtin";
    case 'c': return name == "command";
    case 'd': return name == "declare";
    case 'e': return name == "export" || name == "eval";
    case 'l': return name == "local" || name == "let";
    case 'r': return name == "readonly";
    case 't': return name == "typeset";
    default: return name == "alias";
  }
}

}  // namespace

// The first word of a command decides how its arguments are read.
void Grammar::note_command_word(const Word& word) {
  lex_.state.redirects_first = false;
  lex_.state.plain_args = !(word.is_literal && may_declare(word.literal));
}

// `first` is a word that was already read (`coproc WORD ..`).
//
// The command's line is what bash's line counter says when its grammar makes
// the command: after the token that follows a first word, but right after a
// first assignment or redirection.
const Node* Grammar::simple_command(Word* first) {
  Level level(*s_);
  const size_t words = scratch().words.size(), assigns = scratch().assigns.size();
  const size_t redirects = scratch().redirects.size();
  const size_t unnumbered = tok_.unnumbered;  // the first token was looked at before
  uint32_t line = 0;
  bool arguments = false;
  if (first) {
    note_command_word(*first);
    scratch().words.push(first);
    arguments = true;
    line = tok_.line;
  }
  for (;;) {
    const Tok t = peek();
    if (t == Tok::word || t == Tok::assign_word) {
      Word* word = tok_.word;
      const uint32_t word_line = tok_.line;
      const bool assignment = tok_.assignment && word->assign;
      take();
      if (assignment && !arguments) {
        scratch().assigns.push(word->assign);
        if (line == 0) line = word_line;
        lex_.state.redirects_first = false;
        continue;
      }
      scratch().words.push(word);
      if (!arguments) {
        arguments = true;
        note_command_word(*word);
        const bool bare = scratch().redirects.size() == redirects &&
                          scratch().assigns.size() == assigns;
        const Tok next = peek();
        if (line == 0) line = bare ? lex_.in.line() : word_line;
        if (bare && next == Tok::lparen) {
          scratch().words.truncate(words);
          lex_.state.plain_args = false;
          take();
          const uint32_t name_line = tok_.line;
          if (!expect(Tok::rparen)) return nullptr;
          return function_body(*word, name_line, false);
        }
      }
    } else if (lexer::is_redirection(t)) {
      if (!redirection()) break;
      if (line == 0) {
        line = tok_.line;
        lex_.state.redirects_first = true;
      }
    } else {
      break;
    }
  }
  lex_.state.redirects_first = false;
  lex_.state.plain_args = false;
  if (failed_) return nullptr;
  SimpleCommand* n = node<SimpleCommand>(NodeKind::simple, line);
  n->words = scratch().words.take(words, arena());
  n->assigns = scratch().assigns.take(assigns, arena());
  n->redirects = scratch().redirects.take(redirects, arena());
  number_lines(unnumbered, line);
  return n;
}

// --- redirections ---------------------------------------------------------------

bool Grammar::redirection() {
  s_->meter.charge_fuel();
  Redirect r{};
  r.line = tok_.line;
  if (tok_.kind == Tok::number) {
    r.fd = tok_.number;
    take();
  } else if (tok_.kind == Tok::redir_word) {
    r.fd_var = tok_.name;
    take();
  }
  const Tok op = peek();
  r.op = redirect_op(op);
  take();
  const Tok t = peek();
  const bool dup = op == Tok::less_and || op == Tok::greater_and;
  if (t == Tok::word || t == Tok::assign_word || t == Tok::number) {
    if (r.op == RedirectOp::here_doc) {
      r.strip_tabs = op == Tok::dless_dash;
      add_heredoc(r, *tok_.word);
    } else {
      r.target = tok_.word;
    }
  } else if (t == Tok::dash && dup) {
    Word* word = arena().make<Word>();
    word->raw = word->literal = "-";
    word->is_literal = true;
    word->line = tok_.line;
    WordPart* part = arena().make<WordPart>(PartKind::literal);
    part->text = word->raw;
    word->parts = {part, 1};
    r.target = word;
  } else {
    syntax_error();
    return false;
  }
  take();
  scratch().redirects.push(r);
  return true;
}

// Those after a compound command.
bool Grammar::trailing_redirections(Node* n) {
  if (!lexer::is_redirection(peek())) return !failed_;
  const size_t base = scratch().redirects.size();
  const size_t unnumbered = tok_.unnumbered;
  while (lexer::is_redirection(peek()))
    if (!redirection()) return false;
  n->redirects = scratch().redirects.take(base, arena());
  number_lines(unnumbered, n->line);
  return !failed_;
}

// --- functions and coprocesses -------------------------------------------------

const Node* Grammar::function_body(const Word& name, uint32_t line, bool keyword) {
  skip_newlines();
  if (!starts_compound(peek())) return syntax_error();
  const Node* body = compound_with_redirections();
  if (failed_) return nullptr;
  Function* f = node<Function>(NodeKind::function, line);
  f->name = s_->symbols.intern(name.raw);
  f->body = body;
  f->keyword = keyword;
  return f;
}

// function NAME [()] body
const Node* Grammar::function_keyword() {
  Level level(*s_);
  const uint32_t line = tok_.line;
  take();
  if (peek() != Tok::word) return syntax_error();
  const Word& name = *tok_.word;
  take();
  if (peek() == Tok::lparen && !tok_.double_paren) {
    // Either () or the body, a subshell.
    take();
    if (peek() == Tok::rparen) {
      take();
      return function_body(name, line, true);
    }
    Node* body = subshell_rest(line);
    if (failed_ || !trailing_redirections(body)) return nullptr;
    Function* f = node<Function>(NodeKind::function, line);
    f->name = s_->symbols.intern(name.raw);
    f->body = body;
    f->keyword = true;
    return f;
  }
  return function_body(name, line, true);
}

// coproc [NAME] compound, or coproc simple
const Node* Grammar::coproc() {
  Level level(*s_);
  const uint32_t line = tok_.line;
  take();
  Symbol name = base::kNoSymbol;
  const Node* body;
  if (peek() == Tok::word) {
    Word* word = tok_.word;
    take();
    if (starts_compound(peek())) {
      name = s_->symbols.intern(word->raw);
      body = compound_with_redirections();
    } else {
      body = simple_command(word);
    }
  } else if (starts_compound(peek())) {
    body = compound_with_redirections();
  } else if (tok_.kind == Tok::assign_word || lexer::is_redirection(tok_.kind)) {
    body = simple_command(nullptr);
  } else {
    return syntax_error();
  }
  if (failed_) return nullptr;
  Coproc* c = node<Coproc>(NodeKind::coproc, line);
  c->name = name == base::kNoSymbol ? s_->symbols.intern("COPROC") : name;
  c->body = body;
  return c;
}

}  // namespace nacre::parser
