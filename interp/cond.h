// [[ ]] and the primaries that it shares with test(1).
#pragma once

#include <string_view>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

// 0 true, 1 false, 2 an error (message printed).
int eval_cond(Process& p, const parser::CondExpr& e);
// -f FILE and the others: `letter` with its operand.
bool test_unary(Process& p, char letter, std::string_view operand);
// -nt -ot -ef
bool test_newer(Process& p, std::string_view a, std::string_view b);
bool test_older(Process& p, std::string_view a, std::string_view b);
bool test_same_file(Process& p, std::string_view a, std::string_view b);

}  // namespace nacre::interp
