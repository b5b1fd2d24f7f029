// Characters to tokens. The lexer skips blanks and comments, forms operators,
// and finds where a word begins; the inside of a word is read by the parser,
// for it may hold whole commands ($(..), <(..)).
//
// What a character means depends on what came before (a reserved word is one
// only in command position, `time -p`, case patterns, [[ ]]): that is State,
// which the parser also writes. It keeps the queue of here-documents whose
// bodies start after the next newline and the stack of aliases being expanded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexer/input.h"
#include "lexer/token.h"

namespace nacre::lexer {

struct State {
  Tok last = Tok::newline;         // the token before the one being read
  Tok before_last = Tok::newline;  // and the one before that
  bool case_pattern = false;       // a case pattern may come: no reserved words but esac
  bool conditional = false;        // within [[ ]]
  bool regex = false;              // the right side of =~ comes
  bool pattern = false;            // the right side of == comes: extended patterns are on
  bool assign_args = false;        // arguments of declare and its kin: a=(..) is a word
  bool redirects_first = false;    // only redirections of a simple command were read so far
  bool alias_next = false;         // an alias that ends in a blank was just used up
  bool plain_args = false;         // arguments of a command that is no declaration builtin
};

// An alias whose text is being read.
struct AliasFrame {
  size_t end;        // offset in the input where its text ends
  bool expand_next;  // its text ends in a blank
  std::string name;
};

class Lexer {
 public:
  Lexer(LineSource& source, limits::Meter& meter, uint32_t first_line, Input::LastLine last_line)
      : in(source, meter, first_line, last_line) {}

  // Skips blanks and comments, then reads an operator; Tok::word when a word
  // begins at the cursor.
  Tok scan();
  // Records that `tok` was read.
  void accept(Tok tok) {
    state.before_last = state.last;
    state.last = tok;
  }

  bool reserved_acceptable() const { return allows_reserved(state.last, state.before_last); }
  // True when a command's first word, or an assignment before it, may stand here.
  bool command_position() const {
    return state.last == Tok::assign_word || (state.redirects_first && !state.case_pattern) ||
           (state.last != Tok::semi_semi && state.last != Tok::semi_and &&
            state.last != Tok::semi_semi_and && reserved_acceptable());
  }
  // What the unquoted word just read is. special_token() knows what only the
  // tokens before it make special (`for x in`, `time -p`, ]]), reserved_token()
  // the reserved words; aliases come between the two. Tok::word for a plain word.
  Tok special_token(std::string_view text) const;
  Tok reserved_token(std::string_view text) const;

  // Replaces the word [from, cursor) by an alias's text.
  void push_alias(size_t from, std::string_view name, std::string_view text);
  bool alias_active(std::string_view name) const;
  // After an error: nothing of the aliases or the state remains.
  void reset() {
    aliases_.clear();
    state = State();
  }

  Input in;
  State state;

 private:
  void pop_aliases();
  Tok operator_token(char c);

  std::vector<AliasFrame> aliases_;
};

}  // namespace nacre::lexer
