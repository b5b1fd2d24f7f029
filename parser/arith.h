// Builds the trees of arithmetic expressions. Internal to parser/.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "parser/ast.h"

namespace nacre::parser {

struct Shared;

// A parameter within an expression's text, which holds one byte in its place.
struct ArithHole {
  size_t pos;
  const Param* param;
};

// The tree, or null; then `message` (if given) is bash's text for the error and
// `shown` how much of the text bash shows with it (SIZE_MAX: all). The text must
// live as long as the tree.
const ArithNode* parse_arith_text(Shared& shared, std::string_view text,
                                  std::span<const ArithHole> holes, std::string* message,
                                  size_t* shown);

// An expression as it was read. The tree is null when its text is not known
// before it is expanded or is no expression.
const Arith* make_arith(Shared& shared, const Word* text, std::string_view source);

}  // namespace nacre::parser
