// Expansion of words (bash manual, 3.5), in bash's order: braces, tilde,
// parameters, commands, arithmetic and processes left to right, splitting,
// pathnames, quote removal.
//
// Every function returns false when the expansion failed; the message has been
// printed and p.failure says how to unwind.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

// Arguments of a command, `for` and array elements: everything.
bool expand_words(Process& p, std::span<const parser::Word* const> words, FieldList& out);
bool expand_word_fields(Process& p, const parser::Word& word, FieldList& out);

// One string, appended to `out`, without splitting and globbing; quotes removed:
enum class ExpandAs : uint8_t {
  assignment,    // the value of x=..: tildes after : too
  plain,         // case words, here-strings, [[ ]] operands, redirection of one word
  pattern,       // quoted characters come out escaped with \ (case, [[ == ]], ${x#p})
  regex,         // right side of =~: quoted characters escaped for an ERE
  here_document, // like inside "..", but " is literal
  assoc_value,   // an element of a list for an associative array: no tildes
};
bool expand_string(Process& p, const parser::Word& word, ExpandAs as, std::string& out);

// The target of a redirection: fields must be exactly one, otherwise "ambiguous redirect".
bool expand_redirect_target(Process& p, const parser::Word& word, std::string& out);

// Text as if inside double quotes, parsed now (PS4, ${x@P}).
bool expand_prompt_text(Process& p, std::string_view text, std::string& out);

// Paths that match `pattern` (\ quotes), sorted, appended; honours dotglob,
// globstar, nocaseglob, GLOBIGNORE. False: limits aside, nothing matched.
bool glob_paths(Process& p, std::string_view pattern, FieldList& out);

// Splits text by IFS as `read` does not but word expansion does.
void split_fields(Process& p, std::string_view text, FieldList& out);

// ${x@Q}-style transformations of a value, used by `declare -p` and others too.
bool shell_tilde(Process& p, std::string_view name, std::string& out);   // "~name" to a directory

}  // namespace nacre::interp
