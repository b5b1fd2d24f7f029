// [[ ]] : the tree of a conditional command.
#include "interp/cond.h"

#include "interp/arith.h"
#include "interp/assign.h"
#include "interp/cond_tests.h"
#include "interp/expand.h"
#include "interp/trace.h"
#include "interp/expansion_failure.h"

namespace nacre::interp {

using parser::CondExpr;
using parser::CondKind;
using parser::CondOp;
using parser::Word;

namespace {

constexpr int kTrue = 0, kFalse = 1, kError = 2;

int status_of(bool truth) { return truth ? kTrue : kFalse; }

bool expand_operand(Process& p, const Word* word, std::string& buffer, std::string_view& out) {
  if (word->is_literal) {
    out = word->literal;
    return true;
  }
  if (!expand_string(p, *word, ExpandAs::plain, buffer)) return false;
  out = buffer;
  return true;
}

// == and != : the right side is a pattern where it is not quoted.
int match_pattern(Process& p, std::string_view text, const Word& word, bool wanted) {
  const bool ignore_case = p.has(Shopt::nocasematch);
  if (word.is_literal && !word.may_glob && !word.quoted && !ignore_case)
    return status_of((text == word.literal) == wanted);
  std::string pattern;
  if (!expand_string(p, word, ExpandAs::pattern, pattern)) return kError;
  regex::PatternOptions options;
  options.extglob = true;
  options.ignore_case = ignore_case;
  bool matches = p.session.patterns.pattern(pattern, options, p.meter()).matches(text, p.meter());
  return status_of(matches == wanted);
}

int match_regex(Process& p, std::string_view text, const Word& word) {
  std::string expression;
  if (!expand_string(p, word, ExpandAs::regex, expression)) return kError;
  regex::RegexOptions options;
  options.dialect = regex::Dialect::extended;
  options.ignore_case = p.has(Shopt::nocasematch);
  const regex::Regex* compiled = p.session.patterns.regex(expression, options, p.meter());
  std::vector<regex::Match> groups;
  bool matched = false;
  if (compiled) {
    groups.resize(compiled->group_count() + 1);
    matched = compiled->search(text, 0, groups, p.meter());
  }
  std::vector<std::string_view> values;
  if (matched)
    for (const regex::Match& g : groups)
      values.push_back(g.begin == std::string_view::npos ? std::string_view()
                                                         : text.substr(g.begin, g.end - g.begin));
  AssignFlags flags;
  flags.ignore_readonly = true;
  assign_array(p, p.session.names.bash_rematch, values, flags);
  return compiled ? status_of(matched) : kError;
}

// -eq and the others: both sides are arithmetic. An expression that does not
// evaluate makes the test false.
int compare_numbers(Process& p, std::string_view lhs, std::string_view rhs, CondOp op) {
  int64_t a, b;
  if (!eval_arith_text(p, lhs, a, "[[: ") || !eval_arith_text(p, rhs, b, "[[: ")) {
    if (!expression_failed(p)) return kError;
    p.failure = Outcome();
    return kFalse;
  }
  switch (op) {
    case CondOp::num_eq: return status_of(a == b);
    case CondOp::num_ne: return status_of(a != b);
    case CondOp::num_lt: return status_of(a < b);
    case CondOp::num_le: return status_of(a <= b);
    case CondOp::num_gt: return status_of(a > b);
    default: return status_of(a >= b);
  }
}

int eval_binary(Process& p, const CondExpr& e, bool inverted) {
  std::string lhs_buffer, rhs_buffer;
  std::string_view lhs, rhs;
  if (!expand_operand(p, e.lhs, lhs_buffer, lhs)) return kError;
  if (p.has(SetOption::xtrace))
    trace_cond_binary(p, inverted, lhs, e.op_text, *e.rhs,
                      e.op == CondOp::eq || e.op == CondOp::ne);
  switch (e.op) {
    case CondOp::eq: return match_pattern(p, lhs, *e.rhs, true);
    case CondOp::ne: return match_pattern(p, lhs, *e.rhs, false);
    case CondOp::match: return match_regex(p, lhs, *e.rhs);
    default: break;
  }
  if (!expand_operand(p, e.rhs, rhs_buffer, rhs)) return kError;
  switch (e.op) {
    // C.UTF-8 collates by code points, which is the order of the bytes.
    case CondOp::lt: return status_of(lhs < rhs);
    case CondOp::gt: return status_of(lhs > rhs);
    case CondOp::newer: return status_of(test_newer(p, lhs, rhs));
    case CondOp::older: return status_of(test_older(p, lhs, rhs));
    case CondOp::same_file: return status_of(test_same_file(p, lhs, rhs));
    default: return compare_numbers(p, lhs, rhs, e.op);
  }
}

int eval_unary(Process& p, const CondExpr& e, bool inverted) {
  std::string buffer;
  std::string_view operand;
  if (!expand_operand(p, e.lhs, buffer, operand)) return kError;
  if (p.has(SetOption::xtrace))
    trace_cond_unary(p, inverted, std::string_view(std::string{'-', e.letter}), operand);
  bool truth = e.letter == 'v' ? variable_is_set(p, operand, KeyText::as_is)
                               : test_unary(p, e.letter, operand);
  if (p.failure.unwinding()) return kError;
  return status_of(truth);
}

int eval(Process& p, const CondExpr& start, int& depth, bool negated = false) {
  limits::DepthGuard guard(p.meter(), depth, p.meter().limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  const CondExpr* e = &start;
  const bool inverted = negated;
  for (;;) {
    switch (e->kind) {
      case CondKind::and_:
      case CondKind::or_: {
        int left = eval(p, *e->left, depth);
        if (p.failure.unwinding()) return kError;
        if ((left == kTrue) != (e->kind == CondKind::and_)) return left;
        e = e->right;
        continue;
      }
      case CondKind::not_: {
        int status = eval(p, *e->left, depth, true);
        if (p.failure.unwinding()) return kError;
        return status_of(status != kTrue);
      }
      case CondKind::group:
        e = e->left;
        continue;
      case CondKind::word: {
        std::string buffer;
        std::string_view text;
        if (!expand_operand(p, e->lhs, buffer, text)) return kError;
        if (p.has(SetOption::xtrace)) trace_cond_unary(p, inverted, "-n", text);
        return status_of(!text.empty());
      }
      case CondKind::unary:
        return eval_unary(p, *e, inverted);
      case CondKind::binary:
        return eval_binary(p, *e, inverted);
    }
  }
}

}  // namespace

int eval_cond(Process& p, const CondExpr& e) {
  p.failure = Outcome();
  int depth = 0;
  return eval(p, e, depth);
}

}  // namespace nacre::interp
