// test and [ : POSIX's algorithm by the number of arguments, as bash has it.
//
// One to four arguments are decided by fixed rules, so that an operand that
// looks like an operator does no harm; more are parsed by recursive descent:
//
//   or   := and [-o or]       and  := term [-a and]
//   term := ! term | ( or ) | ARG binary ARG | unary ARG | ARG
//
// Nothing is short-circuited: each operand is evaluated, so that an error in
// any of them is reported.
#include <charconv>
#include <string>

#include "base/numbers.h"
#include "interp/command.h"
#include "interp/cond.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

namespace {

enum class BinaryOp : uint8_t { none, eq, ne, lt, gt, num_eq, num_ne, num_lt, num_le, num_gt, num_ge,
                                newer, older, same_file };

BinaryOp binary_op(std::string_view s) {
  switch (s.size()) {
    case 1:
      switch (s[0]) {
        case '=': return BinaryOp::eq;
        case '<': return BinaryOp::lt;
        case '>': return BinaryOp::gt;
        default: return BinaryOp::none;
      }
    case 2:
      if (s[1] != '=') return BinaryOp::none;
      return s[0] == '=' ? BinaryOp::eq : s[0] == '!' ? BinaryOp::ne : BinaryOp::none;
    case 3: {
      if (s[0] != '-') return BinaryOp::none;
      switch (s[1] << 8 | s[2]) {
        case 'e' << 8 | 'q': return BinaryOp::num_eq;
        case 'n' << 8 | 'e': return BinaryOp::num_ne;
        case 'l' << 8 | 't': return BinaryOp::num_lt;
        case 'l' << 8 | 'e': return BinaryOp::num_le;
        case 'g' << 8 | 't': return BinaryOp::num_gt;
        case 'g' << 8 | 'e': return BinaryOp::num_ge;
        case 'n' << 8 | 't': return BinaryOp::newer;
        case 'o' << 8 | 't': return BinaryOp::older;
        case 'e' << 8 | 'f': return BinaryOp::same_file;
        default: return BinaryOp::none;
      }
    }
    default: return BinaryOp::none;
  }
}

constexpr std::string_view kUnaryLetters = "abcdefghknoprstuvwxzGLOSNR";

bool is_unary(std::string_view s) {
  return s.size() == 2 && s[0] == '-' && kUnaryLetters.find(s[1]) != std::string_view::npos;
}

// Up to 18 plain digits, the common case; the rest is parse_legal_number's.
bool read_number(std::string_view s, int64_t& out) {
  size_t i = !s.empty() && s[0] == '-';
  if (i < s.size() && s.size() <= 18) {
    int64_t v = 0;
    size_t n = i;
    for (; n < s.size() && static_cast<unsigned char>(s[n] - '0') < 10; ++n)
      v = v * 10 + (s[n] - '0');
    if (n == s.size()) {
      out = i ? -v : v;
      return true;
    }
  }
  auto v = base::parse_legal_number(s);
  if (v) out = *v;
  return v.has_value();
}

bool compare(BinaryOp op, int64_t a, int64_t b) {
  switch (op) {
    case BinaryOp::num_eq: return a == b;
    case BinaryOp::num_ne: return a != b;
    case BinaryOp::num_lt: return a < b;
    case BinaryOp::num_le: return a <= b;
    case BinaryOp::num_gt: return a > b;
    default: return a >= b;
  }
}

// One run over the arguments. An error is printed once; then `failed` is set
// and every function returns as soon as it can.
class Test {
 public:
  Test(Process& p, CommandContext& ctx, std::string_view name, Args args)
      : p_(p), ctx_(ctx), name_(name), args_(args) {}

  int run() {
    if (args_.empty()) return 1;
    bool value = by_count();
    if (!failed_ && pos_ != args_.size()) {
      if (pos_ < args_.size() && args_[pos_].starts_with('-'))
        fail("syntax error: `", args_[pos_], "' unexpected");
      else fail("too many arguments");
    }
    if (failed_) return 2;
    return value ? 0 : 1;
  }

 private:
  bool fail(std::string_view before, std::string_view argument = {}, std::string_view after = {}) {
    if (failed_) return false;
    failed_ = true;
    std::string text(before);
    text += argument;
    text += after;
    ctx_.out.flush();
    interp::builtin_error(p_, name_, text);
    return false;
  }
  bool beyond() { return fail("argument expected"); }

  bool by_count() {
    switch (args_.size()) {
      case 1:
        pos_ = 1;
        return !args_[0].empty();
      case 2: {
        bool value = two();
        pos_ = 2;
        return value;
      }
      case 3: return three();
      case 4:
        if (args_[0] == "!") {
          pos_ = 1;
          return !three();
        }
        if (args_[0] == "(" && args_[3] == ")") {
          pos_ = 1;
          bool value = two();
          pos_ = 4;
          return value;
        }
        return either();
      default: return either();
    }
  }

  // The two arguments at pos_.
  bool two() {
    std::string_view a = args_[pos_];
    if (a == "!") return args_[pos_ + 1].empty();
    if (is_unary(a)) return unary();
    return fail({}, a, ": unary operator expected");
  }

  // The three arguments at pos_.
  bool three() {
    std::string_view a = args_[pos_], op = args_[pos_ + 1], b = args_[pos_ + 2];
    if (binary_op(op) != BinaryOp::none) return binary();
    bool value;
    if (op == "-a") {
      value = !a.empty() && !b.empty();
    } else if (op == "-o") {
      value = !a.empty() || !b.empty();
    } else if (a == "!") {
      ++pos_;
      value = !two();
      pos_ = args_.size();
      return value;
    } else if (a == "(" && b == ")") {
      value = !op.empty();
    } else {
      return fail({}, op, ": binary operator expected");
    }
    pos_ += 3;
    return value;
  }

  bool either() {
    bool value = both();
    while (!failed_ && pos_ < args_.size() && args_[pos_] == "-o") {
      ++pos_;
      bool right = both();
      value = value || right;
    }
    return value;
  }

  bool both() {
    bool value = term();
    while (!failed_ && pos_ < args_.size() && args_[pos_] == "-a") {
      ++pos_;
      bool right = term();
      value = value && right;
    }
    return value;
  }

  bool term() {
    bool negate = false;
    while (pos_ < args_.size() && args_[pos_] == "!") {
      negate = !negate;
      if (++pos_ >= args_.size()) return beyond();
    }
    if (pos_ >= args_.size()) return beyond();
    bool value;
    if (args_[pos_] == "(") value = group();
    else if (pos_ + 3 <= args_.size() && binary_op(args_[pos_ + 1]) != BinaryOp::none)
      value = binary();
    else if (pos_ + 2 <= args_.size() && is_unary(args_[pos_])) value = unary();
    else value = !args_[pos_++].empty();
    return value != negate;
  }

  bool group() {
    limits::DepthGuard guard(p_.meter(), depth_, p_.meter().limits().max_nesting_depth,
                             LimitName::max_nesting_depth);
    if (++pos_ >= args_.size()) return beyond();
    bool value = either();
    if (failed_) return false;
    if (pos_ >= args_.size()) return fail("`)' expected");
    if (args_[pos_] != ")") return fail("`)' expected, found ", args_[pos_]);
    ++pos_;
    return value;
  }

  bool unary() {
    char letter = args_[pos_][1];
    if (letter == 't') {
      // Its operand may be missing: then it is standard output.
      ++pos_;
      if (pos_ >= args_.size()) return interp::test_unary(p_, 't', "1");
      if (!base::parse_legal_number(args_[pos_])) return false;
      return interp::test_unary(p_, 't', args_[pos_++]);
    }
    if (pos_ + 1 >= args_.size()) return beyond();
    std::string_view operand = args_[pos_ + 1];
    pos_ += 2;
    if (letter == 'z') return operand.empty();
    if (letter == 'n') return !operand.empty();
    return interp::test_unary(p_, letter, operand);
  }

  bool binary() {
    std::string_view a = args_[pos_], b = args_[pos_ + 2];
    BinaryOp op = binary_op(args_[pos_ + 1]);
    pos_ += 3;
    switch (op) {
      case BinaryOp::eq: return a == b;
      case BinaryOp::ne: return a != b;
      case BinaryOp::lt: return a < b;
      case BinaryOp::gt: return a > b;
      case BinaryOp::newer: return interp::test_newer(p_, a, b);
      case BinaryOp::older: return interp::test_older(p_, a, b);
      case BinaryOp::same_file: return interp::test_same_file(p_, a, b);
      default: break;
    }
    int64_t x, y;
    if (!read_number(a, x)) return fail({}, a, ": integer expression expected");
    if (!read_number(b, y)) return fail({}, b, ": integer expression expected");
    return compare(op, x, y);
  }

  Process& p_;
  CommandContext& ctx_;
  std::string_view name_;
  Args args_;
  size_t pos_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

int test_builtin(Process& p, CommandContext& ctx) {
  return Test(p, ctx, "test", ctx.args.subspan(1)).run();
}

int bracket_builtin(Process& p, CommandContext& ctx) {
  if (ctx.args.back() != "]" || ctx.args.size() < 2) {
    interp::builtin_error(p, "[", "missing `]'");
    return 2;
  }
  return Test(p, ctx, "[", ctx.args.subspan(1, ctx.args.size() - 2)).run();
}

}  // namespace

extern const Command command_test = {
    "test", "test [expr]",
    "test: test [expr]\n"
    "    Return 0 when the expression is true, 1 when it is false, 2 on an error.\n"
    "    \n"
    "    Files:\n"
    "      -a -e FILE       exists\n"
    "      -f -d -h -L      is a regular file, a directory, a symbolic link (-h -L)\n"
    "      -b -c -p -S      is a block device, a character device, a pipe, a socket\n"
    "      -r -w -x         may be read, written, executed by you\n"
    "      -s               is not empty\n"
    "      -u -g -k         has the set-user-id, set-group-id, sticky bit\n"
    "      -O -G            is owned by you, by your group\n"
    "      -N               was changed since it was last read\n"
    "      -t FD            the descriptor FD is a terminal\n"
    "      FILE1 -nt FILE2  FILE1 is newer;  -ot: older;  -ef: the same file\n"
    "    \n"
    "    Text:\n"
    "      -z STRING, -n STRING, STRING     is empty; is not empty (-n may be left out)\n"
    "      S1 = S2, S1 == S2, S1 != S2      are equal; differ\n"
    "      S1 < S2, S1 > S2                 sorts before; after\n"
    "    \n"
    "    Numbers:\n"
    "      N1 -eq N2, and -ne, -lt, -le, -gt, -ge\n"
    "    \n"
    "    The shell:\n"
    "      -o OPTION        the option of `set -o' is on\n"
    "      -v VAR           the variable (or element) is set\n"
    "      -R VAR           the variable is set and is a name reference\n"
    "    \n"
    "    ! EXPR, ( EXPR ), EXPR1 -a EXPR2 and EXPR1 -o EXPR2 combine expressions.\n",
    CommandKind::builtin, nullptr, test_builtin};

extern const Command command_bracket = {
    "[", "[ arg... ]",
    "[: [ arg... ]\n"
    "    The same as `test', with `]' as its last argument.\n",
    CommandKind::builtin, nullptr, bracket_builtin};

}  // namespace nacre::builtins
