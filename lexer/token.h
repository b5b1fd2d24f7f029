// Tokens of the shell's grammar, and which of them may precede what.
#pragma once

#include <cstdint>
#include <string_view>

namespace nacre::lexer {

enum class Tok : uint8_t {
  eof, newline,
  semi, amp, pipe, lparen, rparen, less, greater, dash,
  and_and, or_or, semi_semi, semi_and, semi_semi_and, pipe_and,
  dless, dless_dash, tless, dgreater, less_and, greater_and, less_greater, greater_pipe,
  and_greater, and_dgreater,
  // words
  word, assign_word, number, redir_word,
  // reserved words
  if_, then, else_, elif, fi, case_, esac, for_, select, while_, until, do_, done, in, function,
  time, time_opt, time_ign, bang, lbrace, rbrace, cond_start, cond_end, coproc,
  // what the parser reads as a whole, and where a $( begins
  arith_command, arith_for, dollar_paren,
};

// As it is written, for error messages ("newline" and "EOF" too); empty for words.
std::string_view token_text(Tok tok);
// Tok::word when the text is no reserved word.
Tok reserved_word(std::string_view text);

// True when a reserved word may follow the token (bash's reserved_word_acceptable).
bool allows_reserved(Tok last, Tok before_last);
// True when `time` may follow.
bool allows_time(Tok last, Tok before_last);

inline bool is_redirection(Tok t) {
  switch (t) {
    case Tok::less: case Tok::greater: case Tok::dless: case Tok::dless_dash: case Tok::tless:
    case Tok::dgreater: case Tok::less_and: case Tok::greater_and: case Tok::less_greater:
    case Tok::greater_pipe: case Tok::and_greater: case Tok::and_dgreater: case Tok::number:
    case Tok::redir_word:
      return true;
    default:
      return false;
  }
}

}  // namespace nacre::lexer
