// [[ expression ]]
//
// bash reads this with a little parser of its own inside its lexer, whose
// messages differ from those of its grammar; so does this file. A syntax error
// here has only these messages, sometimes none at all ([[ ]]).
#include "base/quoting.h"
#include "parser/grammar.h"

namespace nacre::parser {

namespace {

bool is_unary(std::string_view s) {
  return s.size() == 2 && s[0] == '-' &&
         std::string_view("abcdefghknoprstuvwxzGLORSN").find(s[1]) != std::string_view::npos;
}

CondOp binary_op(std::string_view s) {
  struct Row {
    std::string_view text;
    CondOp op;
  };
  static constexpr Row kOps[] = {
      {"==", CondOp::eq},      {"=", CondOp::eq},       {"!=", CondOp::ne},
      {"=~", CondOp::match},   {"<", CondOp::lt},       {">", CondOp::gt},
      {"-eq", CondOp::num_eq}, {"-ne", CondOp::num_ne}, {"-lt", CondOp::num_lt},
      {"-le", CondOp::num_le}, {"-gt", CondOp::num_gt}, {"-ge", CondOp::num_ge},
      {"-nt", CondOp::newer},  {"-ot", CondOp::older},  {"-ef", CondOp::same_file},
  };
  for (const Row& row : kOps)
    if (row.text == s) return row.op;
  return CondOp::none;
}

}  // namespace

Tok Grammar::cond_read() {
  const Tok t = peek();
  take();
  return t;
}

Tok Grammar::cond_skip_newlines() {
  do cond_token_ = cond_read();
  while (cond_token_ == Tok::newline);
  return cond_token_;
}

// `before`X`after` where X is the token at hand when it has a name that is not
// a word's, otherwise `unnamed`.
std::nullptr_t Grammar::cond_fail(Tok token, std::string_view before, std::string_view after,
                                  std::string_view unnamed, uint32_t line) {
  if (failed_) return nullptr;
  std::string_view text = lexer::token_text(token);
  std::string message(text.empty() ? unnamed : before);
  if (!text.empty()) {
    message += text;
    message += after;
  }
  std::string out;
  add_line(out, line, message);
  return fail(std::move(out), token == Tok::eof);
}

Node* Grammar::cond_command() {
  const uint32_t start = tok_.line;
  const size_t unnumbered = scratch().unnumbered.size();
  take();
  lex_.state.conditional = true;
  const CondExpr* expr = cond_or();
  if (!failed_ && cond_token_ != Tok::cond_end) {
    if (cond_token_ == Tok::eof) {
      std::string out;
      add_line(out, start, "unexpected EOF while looking for `]]'");
      return fail(std::move(out), true);
    }
    return cond_fail(cond_token_, "syntax error in conditional expression: unexpected token `", "'",
                     "syntax error in conditional expression", start);
  }
  if (failed_) return nullptr;
  lex_.state.conditional = false;
  Cond* n = node<Cond>(NodeKind::cond, lex_.in.line());
  n->expr = expr;
  number_lines(unnumbered, n->line);
  return n;
}

// Chains associate to the right in bash; the value is the same, and a loop
// needs no stack.
const CondExpr* Grammar::cond_or() {
  Level level(*s_);
  const CondExpr* left = cond_and();
  while (!failed_ && cond_token_ == Tok::or_or) {
    const CondExpr* right = cond_and();
    CondExpr* e = arena().make<CondExpr>(CondKind::or_);
    e->left = left;
    e->right = right;
    left = e;
  }
  return left;
}

const CondExpr* Grammar::cond_and() {
  const CondExpr* left = cond_term();
  while (!failed_ && cond_token_ == Tok::and_and) {
    const CondExpr* right = cond_term();
    CondExpr* e = arena().make<CondExpr>(CondKind::and_);
    e->left = left;
    e->right = right;
    left = e;
  }
  return left;
}

const CondExpr* Grammar::cond_term() {
  s_->meter.charge_fuel();
  bool negated = false;
  const CondExpr* term = nullptr;
  for (;;) {
    const Tok t = cond_skip_newlines();
    const uint32_t line = tok_.line;
    if (failed_) return nullptr;
    if (t == Tok::bang || (t == Tok::word && tok_.word->raw == "!")) {
      negated = !negated;
      continue;
    }
    if (t == Tok::cond_end) return fail(std::string(), false);  // bash says nothing
    if (t == Tok::lparen) {
      const CondExpr* inner = cond_or();
      if (failed_) return nullptr;
      if (cond_token_ != Tok::rparen)
        return cond_fail(cond_token_, "unexpected token `", "', expected `)'", "expected `)'", line);
      CondExpr* e = arena().make<CondExpr>(CondKind::group);
      e->left = inner;
      term = e;
      cond_skip_newlines();
    } else if (t == Tok::word && is_unary(tok_.word->raw)) {
      const char letter = tok_.word->raw[1];
      const std::string_view op_text = tok_.word->raw;
      const Tok operand = cond_read();
      if (operand != Tok::word)
        return cond_fail(operand, "unexpected argument `", "' to conditional unary operator",
                         "unexpected argument to conditional unary operator", lex_.in.line());
      CondExpr* e = arena().make<CondExpr>(CondKind::unary);
      e->op = CondOp::unary;
      e->letter = letter;
      e->op_text = op_text;
      e->lhs = tok_.word;
      term = e;
      cond_skip_newlines();
    } else if (t == Tok::word) {
      term = cond_operation(tok_.word);
    } else {
      return cond_fail(t, "unexpected token `", "' in conditional command",
                       "unexpected token in conditional command", lex_.in.line());
    }
    break;
  }
  if (failed_ || !negated) return term;
  CondExpr* e = arena().make<CondExpr>(CondKind::not_);
  e->left = term;
  return e;
}

// What may follow a first word: an operator and a second word, or nothing.
const CondExpr* Grammar::cond_operation(const Word* lhs) {
  const Tok t = cond_read();
  CondExpr* e = arena().make<CondExpr>(CondKind::binary);
  e->lhs = lhs;
  if (t == Tok::less || t == Tok::greater) {
    e->op_text = lexer::token_text(t);
    e->op = binary_op(e->op_text);
  } else if (t == Tok::word && binary_op(tok_.word->raw) != CondOp::none) {
    e->op_text = tok_.word->raw;
    e->op = binary_op(e->op_text);
  } else if (t == Tok::cond_end || t == Tok::and_and || t == Tok::or_or || t == Tok::rparen) {
    e->kind = CondKind::word;
    cond_token_ = t;
    return e;
  } else {
    return cond_fail(t, "unexpected token `", "', conditional binary operator expected",
                     "conditional binary operator expected", lex_.in.line());
  }
  lex_.state.regex = e->op == CondOp::match;
  lex_.state.pattern = e->op == CondOp::eq || e->op == CondOp::ne;
  const Tok operand = cond_read();
  lex_.state.regex = lex_.state.pattern = false;
  if (failed_ && e->op == CondOp::match && error_.at_eof) {
    // The one place where bash has a second thing to say after the end of the text.
    add_line(error_.text, lex_.in.line(), "unexpected argument to conditional binary operator");
    return nullptr;
  }
  if (operand != Tok::word)
    return cond_fail(operand, "unexpected argument `", "' to conditional binary operator",
                     "unexpected argument to conditional binary operator", lex_.in.line());
  e->rhs = tok_.word;
  cond_skip_newlines();
  return e;
}

}  // namespace nacre::parser
