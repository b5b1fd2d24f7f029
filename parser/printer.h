// Trees back to source, in bash's own layout (print_cmd.c's rules: four
// spaces, `if a; then` on one line, and so on).
#pragma once

#include <string>

#include "base/symbol.h"
#include "parser/ast.h"

namespace nacre::parser {

// A command on as few lines as bash puts it (BASH_COMMAND, `jobs`, $(..) text).
std::string print_command(const Node& node, const base::SymbolTable& symbols);
// `name () \n{ ... }` exactly as `declare -f` prints it (no final newline).
std::string print_function(const Function& function, const base::SymbolTable& symbols);
// The text of words, with a blank between any two.
std::string print_words(std::span<const Word* const> words, const base::SymbolTable& symbols);
// One word as bash prints it: its spelling, with the tree of each $(..) in place
// of what was written there.
void append_word(std::string& out, const Word& word, const base::SymbolTable& symbols);
// A dump of the tree for tests: one node a line, indented.
std::string dump_tree(const Node& node, const base::SymbolTable& symbols);

}  // namespace nacre::parser
