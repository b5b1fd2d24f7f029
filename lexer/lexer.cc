#include "lexer/lexer.h"

namespace nacre::lexer {

void Lexer::pop_aliases() {
  while (!aliases_.empty() && aliases_.back().end <= in.pos()) {
    state.alias_next = aliases_.back().expand_next;
    aliases_.pop_back();
  }
}

void Lexer::push_alias(size_t from, std::string_view name, std::string_view text) {
  bool blank = !text.empty() && has_flag(text.back(), kBlank);
  // A blank keeps the alias's last word apart from what follows, as in bash.
  std::string body(text);
  if (body.empty() || (body.back() != ' ' && body.back() != '\n' && !has_flag(body.back(), kMeta)))
    body.push_back(' ');
  size_t removed = in.pos() - from;
  for (AliasFrame& f : aliases_) f.end = f.end - removed + body.size();
  in.splice(from, body);
  aliases_.push_back({from + body.size(), blank, std::string(name)});
}

bool Lexer::alias_active(std::string_view name) const {
  for (const AliasFrame& f : aliases_)
    if (f.name == name) return true;
  return false;
}

Tok Lexer::scan() {
  for (;;) {
    char c = in.raw();
    while (has_flag(c, kBlank)) {
      in.skip();
      c = in.raw();
    }
    if (!aliases_.empty()) pop_aliases();
    if (c == '\\' || c == '\0') {
      c = in.peek();
      if (has_flag(c, kBlank)) continue;
    }
    if (c == '#') {
      in.skip_line();  // a backslash at the end of a comment joins nothing
      c = in.raw();
    }
    if (c == '\0') return Tok::eof;
    if (c == '\n') {
      in.skip();
      state.alias_next = false;
      state.assign_args = false;
      return Tok::newline;
    }
    if (state.regex || !has_flag(c, kMeta)) {
      if (c == '-' && (state.last == Tok::less_and || state.last == Tok::greater_and)) {
        in.skip();
        return Tok::dash;
      }
      return Tok::word;
    }
    return operator_token(c);
  }
}

Tok Lexer::operator_token(char c) {
  state.assign_args = false;
  in.skip();
  char next = in.peek_joined();
  if (next == c) {
    switch (c) {
      case '<':
        in.skip();
        next = in.peek_joined();
        if (next == '-') return in.skip(), Tok::dless_dash;
        if (next == '<') return in.skip(), Tok::tless;
        return Tok::dless;
      case '>':
        in.skip();
        return Tok::dgreater;
      case ';':
        in.skip();
        state.case_pattern = true;
        if (in.peek_joined() == '&') return in.skip(), Tok::semi_semi_and;
        return Tok::semi_semi;
      case '&':
        in.skip();
        return Tok::and_and;
      case '|':
        in.skip();
        return Tok::or_or;
      default:
        break;
    }
  } else if (c == '<' && next == '&') {
    return in.skip(), Tok::less_and;
  } else if (c == '>' && next == '&') {
    return in.skip(), Tok::greater_and;
  } else if (c == '<' && next == '>') {
    return in.skip(), Tok::less_greater;
  } else if (c == '>' && next == '|') {
    return in.skip(), Tok::greater_pipe;
  } else if (c == '&' && next == '>') {
    in.skip();
    if (in.peek_joined() == '>') return in.skip(), Tok::and_dgreater;
    return Tok::and_greater;
  } else if (c == '|' && next == '&') {
    return in.skip(), Tok::pipe_and;
  } else if (c == ';' && next == '&') {
    in.skip();
    state.case_pattern = true;
    return Tok::semi_and;
  } else if ((c == '<' || c == '>') && next == '(') {
    in.seek(in.pos() - 1);  // a process substitution begins a word
    return Tok::word;
  }
  switch (c) {
    case ';': return Tok::semi;
    case '&': return Tok::amp;
    case '|': return Tok::pipe;
    case '<': return Tok::less;
    case '>': return Tok::greater;
    case '(': return Tok::lparen;
    default:
      state.case_pattern = false;
      return Tok::rparen;
  }
}

Tok Lexer::special_token(std::string_view text) const {
  const Tok last = state.last, before = state.before_last;
  if (last == Tok::word &&
      (before == Tok::for_ || before == Tok::case_ || before == Tok::select) && text == "in")
    return Tok::in;
  if (last == Tok::word && (before == Tok::for_ || before == Tok::select) && text == "do")
    return Tok::do_;
  if (last == Tok::in && state.case_pattern && text == "esac") return Tok::esac;
  if (last == Tok::arith_for) {
    if (text == "do") return Tok::do_;
    if (text == "{") return Tok::lbrace;
  }
  if (last == Tok::time && text == "-p") return Tok::time_opt;
  if ((last == Tok::time || last == Tok::time_opt) && text == "--") return Tok::time_ign;
  if (state.conditional && text == "]]") return Tok::cond_end;
  return Tok::word;
}

Tok Lexer::reserved_token(std::string_view text) const {
  if (!reserved_acceptable()) return Tok::word;
  Tok t = reserved_word(text);
  if (t == Tok::word) return t;
  if (state.case_pattern &&
      (t != Tok::esac || state.last == Tok::pipe || state.last == Tok::lparen))
    return Tok::word;
  if (t == Tok::time && !allows_time(state.last, state.before_last)) return Tok::word;
  return t;
}

}  // namespace nacre::lexer
