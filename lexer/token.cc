#include "lexer/token.h"

namespace nacre::lexer {

std::string_view token_text(Tok tok) {
  switch (tok) {
    case Tok::eof: return "EOF";
    case Tok::newline: return "newline";
    case Tok::semi: return ";";
    case Tok::amp: return "&";
    case Tok::pipe: return "|";
    case Tok::lparen: return "(";
    case Tok::rparen: return ")";
    case Tok::less: return "<";
    case Tok::greater: return ">";
    case Tok::dash: return "-";
    case Tok::and_and: return "&&";
    case Tok::or_or: return "||";
    case Tok::semi_semi: return ";;";
    case Tok::semi_and: return ";&";
    case Tok::semi_semi_and: return ";;&";
    case Tok::pipe_and: return "|&";
    case Tok::dless: return "<<";
    case Tok::dless_dash: return "<<-";
    case Tok::tless: return "<<<";
    case Tok::dgreater: return ">>";
    case Tok::less_and: return "<&";
    case Tok::greater_and: return ">&";
    case Tok::less_greater: return "<>";
    case Tok::greater_pipe: return ">|";
    case Tok::and_greater: return "&>";
    case Tok::and_dgreater: return "&>>";
    case Tok::if_: return "if";
    case Tok::then: return "then";
    case Tok::else_: return "else";
    case Tok::elif: return "elif";
    case Tok::fi: return "fi";
    case Tok::case_: return "case";
    case Tok::esac: return "esac";
    case Tok::for_: return "for";
    case Tok::select: return "select";
    case Tok::while_: return "while";
    case Tok::until: return "until";
    case Tok::do_: return "do";
    case Tok::done: return "done";
    case Tok::in: return "in";
    case Tok::function: return "function";
    case Tok::time: return "time";
    case Tok::time_opt: return "-p";
    case Tok::time_ign: return "--";
    case Tok::bang: return "!";
    case Tok::lbrace: return "{";
    case Tok::rbrace: return "}";
    case Tok::cond_start: return "[[";
    case Tok::cond_end: return "]]";
    case Tok::coproc: return "coproc";
    case Tok::word: case Tok::assign_word: case Tok::number: case Tok::redir_word:
    case Tok::arith_command: case Tok::arith_for: case Tok::dollar_paren:
      return {};
  }
  return {};
}

Tok reserved_word(std::string_view s) {
  switch (s.size()) {
    case 1:
      if (s[0] == '!') return Tok::bang;
      if (s[0] == '{') return Tok::lbrace;
      if (s[0] == '}') return Tok::rbrace;
      break;
    case 2:
      if (s == "if") return Tok::if_;
      if (s == "fi") return Tok::fi;
      if (s == "do") return Tok::do_;
      if (s == "in") return Tok::in;
      if (s == "[[") return Tok::cond_start;
      if (s == "]]") return Tok::cond_end;
      break;
    case 3:
      if (s == "for") return Tok::for_;
      break;
    case 4:
      if (s == "then") return Tok::then;
      if (s == "else") return Tok::else_;
      if (s == "elif") return Tok::elif;
      if (s == "case") return Tok::case_;
      if (s == "esac") return Tok::esac;
      if (s == "done") return Tok::done;
      if (s == "time") return Tok::time;
      break;
    case 5:
      if (s == "while") return Tok::while_;
      if (s == "until") return Tok::until;
      break;
    case 6:
      if (s == "select") return Tok::select;
      if (s == "coproc") return Tok::coproc;
      break;
    case 8:
      if (s == "function") return Tok::function;
      break;
  }
  return Tok::word;
}

bool allows_reserved(Tok last, Tok before_last) {
  switch (last) {
    case Tok::newline: case Tok::semi: case Tok::lparen: case Tok::rparen: case Tok::pipe:
    case Tok::amp: case Tok::lbrace: case Tok::rbrace: case Tok::and_and: case Tok::or_or:
    case Tok::bang: case Tok::pipe_and: case Tok::do_: case Tok::done: case Tok::elif:
    case Tok::else_: case Tok::esac: case Tok::fi: case Tok::if_: case Tok::semi_semi:
    case Tok::semi_and: case Tok::semi_semi_and: case Tok::then: case Tok::time:
    case Tok::time_opt: case Tok::time_ign: case Tok::coproc: case Tok::until: case Tok::while_:
    case Tok::dollar_paren: case Tok::arith_command: case Tok::cond_end:
      return true;
    case Tok::word:
      return before_last == Tok::coproc || before_last == Tok::function;
    default:
      return false;
  }
}

bool allows_time(Tok last, Tok before_last) {
  switch (last) {
    case Tok::semi: case Tok::newline:
      return before_last != Tok::pipe;
    case Tok::and_and: case Tok::or_or: case Tok::amp: case Tok::while_: case Tok::do_:
    case Tok::until: case Tok::if_: case Tok::then: case Tok::elif: case Tok::else_:
    case Tok::lbrace: case Tok::lparen: case Tok::rparen: case Tok::bang: case Tok::time:
    case Tok::time_opt: case Tok::time_ign: case Tok::dollar_paren:
      return true;
    default:
      return false;
  }
}

}  // namespace nacre::lexer
