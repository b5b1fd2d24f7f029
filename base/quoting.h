// Quoting of text for people and for shells. Pure functions over bytes.
#pragma once

#include <string>
#include <string_view>

namespace nacre::base {

// 'it'\''s': always quoted, as bash's sh_single_quote (`alias`, `trap -p`).
std::string single_quote(std::string_view s);

// $'a\nb': bash's ansic_quote; bytes that are not printable (or are invalid
// UTF-8) become \n, \t, \E, \ooo (three octal digits) and so on.
std::string ansi_c_quote(std::string_view s);

// True when bash would have to use $'..' (control characters, invalid UTF-8).
bool needs_ansi_c(std::string_view s);

// "a\$b": double quotes with \ before $ ` " \ (and newline kept), as
// `declare -p` prints scalars; uses $'..' when needs_ansi_c(s).
std::string declare_quote(std::string_view s);

// printf %q: backslashes (a\ b), '' for empty, $'..' when needs_ansi_c(s).
std::string backslash_quote(std::string_view s);

// ${x@Q} : '..' or $'..'.
std::string at_q_quote(std::string_view s);

// `set`: as is when no shell metacharacter is in it, otherwise '..' or $'..'
// ('' when empty).
std::string quote_if_needed(std::string_view s);
// xtrace's words: as quote_if_needed, but '..' goes before $'..' ($'a\tb' is
// traced with its tab between single quotes).
std::string xtrace_quote(std::string_view s);

// True when s holds a character that a shell would treat specially
// (bash's sh_contains_shell_metas).
bool has_shell_metas(std::string_view s);

// The GNU tools' messages, in a UTF-8 locale (gnulib's quotearg). Which of the
// three a message uses differs from message to message: run the tool.
//
// quoteaf(): always in quotes, as a shell could read it: 'a'\''b\"',
// 'a'$'\n''b', "it's".
std::string gnu_quote(std::string_view s);
// quotef(): as gnu_quote, but only where the name needs it or holds a colon
// (cat: 'a b': No such file or directory, cat: a: ...).
std::string gnu_quote_if_needed(std::string_view s);
// The same without the rule for colons (`ls` to a terminal, `stat %N`).
std::string gnu_quote_name(std::string_view s);
// quote(): \u2018..\u2019 with C escapes inside (ls: invalid argument ‘foo’).
std::string gnu_locale_quote(std::string_view s);
// "..": C quotes with C escapes inside (`ls -Q`).
std::string gnu_c_quote(std::string_view s);

}  // namespace nacre::base
