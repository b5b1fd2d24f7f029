// set -x.
#pragma once

#include <string_view>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

// PS4, expanded, its first character repeated once a level.
std::string trace_prefix(Process& p);
// "+ text" to BASH_XTRACEFD or descriptor 2.
void trace_line(Process& p, std::string_view text);
void trace_words(Process& p, std::span<const std::string_view> words);
// x=value as it was assigned; a compound assignment as it stands in the source.
void trace_assignment(Process& p, const parser::Assign& a, std::string_view value);
void trace_for(Process& p, const parser::For& node);
void trace_case(Process& p, const parser::Case& node);
void trace_arith(Process& p, const parser::Arith& e);

// One primary of [[ ]]: "[[ ! -n x ]]". Words are shown as they were expanded,
// quoted characters of a pattern with \ before them.
void trace_cond_unary(Process& p, bool inverted, std::string_view op, std::string_view operand);
void trace_cond_binary(Process& p, bool inverted, std::string_view lhs, std::string_view op,
                       const parser::Word& rhs, bool pattern);

}  // namespace nacre::interp
