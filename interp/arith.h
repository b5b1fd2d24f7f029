// Arithmetic evaluation (bash manual, 6.5): 64-bit two's complement, wrapping.
#pragma once

#include <cstdint>
#include <string_view>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

// False after an error; the message ("1/0: division by 0 (error token is "0")")
// has been printed with `who` (such as "((: " or "let: ") before it, and
// p.failure is set: expression_failed() (expansion_failure.h) tells an error of
// the expression itself, which (( )), let and for (( )) turn into status 1, from
// one in an expansion inside it, which unwinds as it is.
bool eval_arith(Process& p, const parser::Arith& a, int64_t& out, std::string_view who = {});
// The same for text made at run time (declare -i, [[ -eq ]], let, array indexes,
// variables whose value is an expression).
bool eval_arith_text(Process& p, std::string_view text, int64_t& out, std::string_view who = {});

// A subscript as an index of the indexed array `name`: evaluates, resolves
// negatives against the array's end; false after "x[-5]: bad array subscript".
bool eval_index(Process& p, base::Symbol name, const parser::Subscript& sub, int64_t& out);

}  // namespace nacre::interp
