// Arithmetic expressions to trees, by precedence climbing.
//
// The text may hold parameters ($x, ${..}) as whole operands: they stand in it
// as one reserved byte each. Text with other expansions has no tree; it is
// parsed again when it has been expanded.
//
// The tokens and the order in which errors are found are bash's: its reader
// looks one token ahead, and its "error token" is the text from the last token
// that it read.
#include "parser/arith.h"

#include <algorithm>
#include <cstring>

#include "base/numbers.h"
#include "parser/grammar.h"

namespace nacre::parser {

using lexer::has_flag;

namespace {

constexpr char kParamByte = '\x01';

enum class T : uint8_t {
  end, number, name, param, lparen, rparen, question, colon,
  pre_inc, pre_dec, post_inc, post_dec, assign, op_assign, op, not_, bitnot,
};

struct OpInfo {
  ArithOp op;
  int level;  // binds tighter the higher it is
};

constexpr int kLevelOr = 1, kLevelPower = 11;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class ArithParser {
 public:
  ArithParser(Shared& shared, std::string_view text, std::span<const ArithHole> holes)
      : s_(shared), text_(text), holes_(holes) {}

  const ArithNode* parse();
  bool failed() const { return failed_; }
  std::string message();
  size_t shown() const { return shown_; }

 private:
  ArithNode* comma();
  ArithNode* assignment();
  ArithNode* conditional();
  ArithNode* binary(int level);
  ArithNode* unary();
  ArithNode* primary();
  void next();
  void read_name();
  void read_number();
  void read_operator();
  const Subscript* subscript(size_t from, size_t to);
  Word* subscript_word(size_t from, size_t to);

  ArithNode* node(ArithOp op, size_t pos) {
    s_.meter.charge_fuel();
    ArithNode* n = s_.arena.make<ArithNode>(op);
    n->pos = source_pos(pos);
    return n;
  }
  uint32_t source_pos(size_t pos) const;
  ArithNode* fail(const char* message) {
    if (!failed_) {
      failed_ = true;
      message_ = message;
      fail_at_ = last_token_;
    }
    kind_ = T::end;
    return nullptr;
  }
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  Shared& s_;
  std::string_view text_;
  std::span<const ArithHole> holes_;
  size_t hole_ = 0;           // the next parameter
  size_t pos_ = 0;            // the reader's
  size_t token_ = 0;          // where the current token starts
  size_t last_token_ = 0;     // where the last token starts that was more than the end
  size_t shown_ = SIZE_MAX;   // how much of the text an error shows
  T kind_ = T::end;
  T before_ = T::end;         // the token before the current one
  OpInfo op_{};               // of op, op_assign
  char op_char_ = 0;
  // of the current operand
  Symbol name_ = base::kNoSymbol;
  const Subscript* sub_ = nullptr;
  const Param* param_ = nullptr;
  int64_t value_ = 0;
  bool failed_ = false;
  const char* message_ = "";
  size_t fail_at_ = 0;
};

uint32_t ArithParser::source_pos(size_t pos) const {
  // Each parameter is one byte here and its spelling in the source.
  size_t shift = 0;
  for (const ArithHole& h : holes_) {
    if (h.pos >= pos) break;
    shift += h.param->raw.size() - 1;
  }
  return static_cast<uint32_t>(pos + shift);
}

std::string ArithParser::message() {
  std::string out = message_;
  if (fail_at_ < text_.size()) {
    out += " (error token is \"";
    out += text_.substr(fail_at_, shown_ == SIZE_MAX ? std::string_view::npos : shown_ - fail_at_);
    out += "\")";
  }
  return out;
}

// --- tokens ---------------------------------------------------------------------

void ArithParser::next() {
  if (failed_) return;
  s_.meter.charge_fuel();
  while (is_space(at(pos_))) ++pos_;
  if (pos_ >= text_.size()) {
    before_ = kind_;
    kind_ = T::end;
    token_ = pos_;
    return;
  }
  token_ = last_token_ = pos_;
  const char c = at(pos_);
  if (c == kParamByte && hole_ < holes_.size()) {
    ++pos_;
    param_ = holes_[hole_++].param;
    before_ = kind_;
    kind_ = T::param;
    // Text that runs into the parameter makes it no whole operand.
    const char n = at(pos_);
    if (has_flag(n, lexer::kNameChar) || n == '#' || n == '@' || n == '[' || n == kParamByte)
      fail("");
  } else if (has_flag(c, lexer::kNameStart)) {
    read_name();
  } else if (has_flag(c, lexer::kDigit)) {
    read_number();
  } else {
    read_operator();
  }
}

void ArithParser::read_name() {
  size_t end = pos_;
  while (has_flag(at(end), lexer::kNameChar)) ++end;
  const std::string_view name = text_.substr(pos_, end - pos_);
  sub_ = nullptr;
  if (at(end) == '[') {
    size_t close = end + 1;
    int nest = 0;
    char quote = 0;
    for (; close < text_.size(); ++close) {
      const char c = text_[close];
      if (quote) {
        if (c == '\\' && quote == '"') ++close;
        else if (c == quote) quote = 0;
      } else if (c == '\\') {
        ++close;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '[') {
        ++nest;
      } else if (c == ']' && nest-- == 0) {
        break;
      }
    }
    if (close >= text_.size()) {
      fail("bad array subscript");
      return;
    }
    sub_ = subscript(end + 1, close);
    if (failed_) return;
    end = close + 1;
  } else if (at(end) == kParamByte) {
    fail("");
    return;
  }
  name_ = s_.symbols.intern(name);
  pos_ = end;
  before_ = kind_;
  kind_ = T::name;
}

void ArithParser::read_number() {
  const size_t start = pos_;
  while (has_flag(at(pos_), lexer::kNameChar) || at(pos_) == '#' || at(pos_) == '@') ++pos_;
  if (at(pos_) == kParamByte) {
    fail("");
    return;
  }
  const std::string_view s = text_.substr(start, pos_ - start);
  const auto bad = [&](const char* message) {
    shown_ = pos_;  // bash cuts its text after the number here
    fail(message);
  };
  uint64_t value = 0;
  unsigned base = 10;
  bool found_base = false;
  size_t i = 0;
  if (s[0] == '0' && s.size() > 1) {
    found_base = true;
    i = 1;
    base = 8;
    if (s[1] == 'x' || s[1] == 'X') {
      base = 16;
      i = 2;
    }
  }
  for (; i < s.size(); ++i) {
    const char c = s[i];
    if (c == '#') {
      if (found_base) return bad("invalid number");
      if (value < 2 || value > 64) return bad("invalid arithmetic base");
      base = static_cast<unsigned>(value);
      value = 0;
      found_base = true;
      if (i + 1 >= s.size() || s[i + 1] == '#') return bad("invalid integer constant");
      continue;
    }
    unsigned digit;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    else if (c >= 'a' && c <= 'z') digit = static_cast<unsigned>(c - 'a') + 10;
    else if (c >= 'A' && c <= 'Z') digit = static_cast<unsigned>(c - 'A') + (base <= 36 ? 10 : 36);
    else digit = c == '@' ? 62 : 63;
    if (digit >= base) return bad("value too great for base");
    value = value * base + digit;
  }
  value_ = static_cast<int64_t>(value);
  before_ = kind_;
  kind_ = T::number;
}

void ArithParser::read_operator() {
  const char c = at(pos_), c1 = at(pos_ + 1);
  const auto set = [&](T kind, size_t n) {
    before_ = kind_;
    kind_ = kind;
    pos_ += n;
  };
  // Binary operators, which may be followed by = (not the comparing and logical ones).
  const auto binary = [&](ArithOp op, int level, size_t n, bool assignable) {
    op_ = {op, level};
    if (assignable && at(pos_ + n) == '=') return set(T::op_assign, n + 1);
    set(T::op, n);
  };
  switch (c) {
    case '=':
      if (c1 == '=') return binary(ArithOp::eq, 6, 2, false);
      return set(T::assign, 1);
    case '!':
      if (c1 == '=') return binary(ArithOp::ne, 6, 2, false);
      return set(T::not_, 1);
    case '<':
      if (c1 == '=') return binary(ArithOp::le, 7, 2, false);
      if (c1 == '<') return binary(ArithOp::shl, 8, 2, true);
      return binary(ArithOp::lt, 7, 1, false);
    case '>':
      if (c1 == '=') return binary(ArithOp::ge, 7, 2, false);
      if (c1 == '>') return binary(ArithOp::shr, 8, 2, true);
      return binary(ArithOp::gt, 7, 1, false);
    case '&':
      if (c1 == '&') return binary(ArithOp::logand, 2, 2, false);
      return binary(ArithOp::bitand_, 5, 1, true);
    case '|':
      if (c1 == '|') return binary(ArithOp::logor, kLevelOr, 2, false);
      return binary(ArithOp::bitor_, 3, 1, true);
    case '^': return binary(ArithOp::bitxor, 4, 1, true);
    case '*':
      if (c1 == '*') return binary(ArithOp::power, kLevelPower, 2, false);
      return binary(ArithOp::mul, 10, 1, true);
    case '/': return binary(ArithOp::div, 10, 1, true);
    case '%': return binary(ArithOp::mod, 10, 1, true);
    case '+': case '-': {
      if (c1 == c) {
        const bool plus = c == '+';
        if (kind_ == T::name) return set(plus ? T::post_inc : T::post_dec, 2);
        if (kind_ == T::param) {
          fail("");
          return;
        }
        if (kind_ == T::number && (before_ == T::pre_inc || before_ == T::pre_dec)) {
          fail(plus ? "++: assignment requires lvalue" : "--: assignment requires lvalue");
          return;
        }
        size_t i = pos_ + 2;
        while (is_space(at(i))) ++i;
        if (at(i) == kParamByte && hole_ < holes_.size()) {
          fail("");  // the parameter may hold a name
          return;
        }
        if (has_flag(at(i), lexer::kNameStart)) return set(plus ? T::pre_inc : T::pre_dec, 2);
        op_ = {plus ? ArithOp::add : ArithOp::sub, 9};
        return set(T::op, 1);
      }
      return binary(c == '+' ? ArithOp::add : ArithOp::sub, 9, 1, true);
    }
    case '~': return set(T::bitnot, 1);
    case '(': return set(T::lparen, 1);
    case ')': return set(T::rparen, 1);
    case '?': return set(T::question, 1);
    case ':': return set(T::colon, 1);
    case ',':
      op_ = {ArithOp::comma, 0};
      return set(T::op, 1);
    default: {
      const bool after_operand = kind_ == T::number || kind_ == T::name || kind_ == T::param ||
                                 kind_ == T::rparen;
      fail(after_operand && kind_ != T::rparen ? "syntax error: invalid arithmetic operator"
                                               : "syntax error: operand expected");
      return;
    }
  }
}

// --- subscripts -----------------------------------------------------------------

Word* ArithParser::subscript_word(size_t from, size_t to) {
  Word* word = s_.arena.make<Word>();
  Stack<WordPart>& parts = s_.scratch.parts;
  const size_t base = parts.size();
  size_t run = from;
  const auto text = [&](size_t end) {
    if (end == run) return;
    WordPart part{PartKind::quoted};
    part.text = text_.substr(run, end - run);
    parts.push(part);
  };
  while (hole_ < holes_.size() && holes_[hole_].pos < to) {
    text(holes_[hole_].pos);
    WordPart part{PartKind::param};
    part.param = holes_[hole_].param;
    parts.push(part);
    run = holes_[hole_].pos + 1;
    ++hole_;
  }
  text(to);
  word->parts = parts.take(base, s_.arena);
  if (word->parts.empty() || (word->parts.size() == 1 && word->parts[0].kind == PartKind::quoted)) {
    word->is_literal = true;
    if (!word->parts.empty()) word->literal = word->parts[0].text;
  }
  return word;
}

const Subscript* ArithParser::subscript(size_t from, size_t to) {
  Level level(s_);
  const std::string_view raw = text_.substr(from, to - from);
  if (raw.find_first_of("\\\"'$`") != std::string_view::npos) {
    if (!holes_.empty()) {
      fail("");
      return nullptr;
    }
    lexer::StringSource source(raw);
    Grammar inner(s_, source, 1, Grammar::Text::fragment);
    const Subscript* sub = inner.subscript_text(raw);
    if (inner.failed()) fail("bad array subscript");
    return sub;
  }
  Subscript* sub = s_.arena.make<Subscript>(Subscript::Kind::index);
  sub->raw = raw;
  if (raw == "@") {
    sub->kind = Subscript::Kind::at;
  } else if (raw == "*") {
    sub->kind = Subscript::Kind::star;
  } else {
    Word* word = subscript_word(from, to);
    sub->word = word;
    sub->arith = *make_arith(s_, word, raw);
  }
  return sub;
}

// --- grammar ----------------------------------------------------------------------

const ArithNode* ArithParser::parse() {
  size_t i = 0;
  while (is_space(at(i))) ++i;
  if (i >= text_.size()) return node(ArithOp::number, 0);
  next();
  ArithNode* n = comma();
  if (!failed_ && kind_ != T::end) fail("syntax error in expression");
  return failed_ ? nullptr : n;
}

ArithNode* ArithParser::comma() {
  Level level(s_);
  ArithNode* left = assignment();
  while (!failed_ && kind_ == T::op && op_.op == ArithOp::comma) {
    next();
    ArithNode* n = node(ArithOp::comma, token_);
    n->a = left;
    n->b = assignment();
    left = n;
  }
  return left;
}

ArithNode* ArithParser::assignment() {
  ArithNode* left = conditional();
  if (failed_ || (kind_ != T::assign && kind_ != T::op_assign)) return left;
  Level level(s_);
  const T kind = kind_;
  const ArithOp op = op_.op;
  if (before_ != T::name || left->op != ArithOp::variable)
    return fail(before_ == T::param ? "" : "attempted assignment to non-variable");
  next();
  ArithNode* n = node(kind == T::assign ? ArithOp::assign : ArithOp::compound_assign, token_);
  if (kind == T::op_assign) n->compound = op;
  n->a = left;
  n->b = assignment();
  return failed_ ? nullptr : n;
}

ArithNode* ArithParser::conditional() {
  ArithNode* test = binary(kLevelOr);
  if (failed_ || kind_ != T::question) return test;
  Level level(s_);
  next();
  if (failed_) return nullptr;
  if (kind_ == T::end || kind_ == T::colon) return fail("expression expected");
  ArithNode* n = node(ArithOp::cond, token_);
  n->a = test;
  n->b = comma();
  if (failed_) return nullptr;
  if (kind_ != T::colon) return fail("`:' expected for conditional expression");
  next();
  if (failed_) return nullptr;
  if (kind_ == T::end) return fail("expression expected");
  n->c = conditional();
  before_ = T::number;  // x?y:z=1 assigns to nothing
  return failed_ ? nullptr : n;
}

ArithNode* ArithParser::binary(int level) {
  ArithNode* left = unary();
  while (!failed_ && kind_ == T::op && op_.level >= level) {
    const OpInfo op = op_;
    next();
    const size_t operand = token_;
    ArithNode* right;
    if (op.op == ArithOp::power) {
      Level depth(s_);
      right = binary(op.level);  // associates to the right
    } else {
      right = binary(op.level + 1);
    }
    if (failed_) return nullptr;
    ArithNode* n = node(op.op, op.op == ArithOp::power ? last_token_ : operand);
    n->a = left;
    n->b = right;
    left = n;
    if (kind_ == T::assign || kind_ == T::op_assign) before_ = T::number;
  }
  return failed_ ? nullptr : left;
}

ArithNode* ArithParser::unary() {
  ArithOp op;
  if (kind_ == T::not_) op = ArithOp::lognot;
  else if (kind_ == T::bitnot) op = ArithOp::bitnot;
  else if (kind_ == T::op && op_.op == ArithOp::sub) op = ArithOp::minus;
  else if (kind_ == T::op && op_.op == ArithOp::add) op = ArithOp::plus;
  else return primary();
  Level level(s_);
  next();
  ArithNode* n = node(op, token_);
  n->a = unary();
  if (kind_ == T::assign || kind_ == T::op_assign) before_ = T::number;
  return failed_ ? nullptr : n;
}

ArithNode* ArithParser::primary() {
  if (failed_) return nullptr;
  switch (kind_) {
    case T::pre_inc: case T::pre_dec: {
      const ArithOp op = kind_ == T::pre_inc ? ArithOp::pre_inc : ArithOp::pre_dec;
      next();
      if (failed_) return nullptr;
      if (kind_ != T::name)
        return fail("identifier expected after pre-increment or pre-decrement");
      ArithNode* variable = node(ArithOp::variable, token_);
      variable->name = name_;
      variable->sub = sub_;
      ArithNode* n = node(op, token_);
      n->a = variable;
      // --x=7 and --x++ assign to a value.
      before_ = op == ArithOp::pre_inc ? T::pre_inc : T::pre_dec;
      kind_ = T::number;
      next();
      return failed_ ? nullptr : n;
    }
    case T::lparen: {
      Level level(s_);
      next();
      ArithNode* n = comma();
      if (failed_) return nullptr;
      if (kind_ != T::rparen) return fail("missing `)'");
      next();
      return failed_ ? nullptr : n;
    }
    case T::number: {
      ArithNode* n = node(ArithOp::number, token_);
      n->value = value_;
      next();
      return failed_ ? nullptr : n;
    }
    case T::param: {
      ArithNode* n = node(ArithOp::param, token_);
      n->param = param_;
      next();
      return failed_ ? nullptr : n;
    }
    case T::name: {
      ArithNode* n = node(ArithOp::variable, token_);
      n->name = name_;
      n->sub = sub_;
      next();
      if (failed_) return nullptr;
      if (kind_ == T::post_inc || kind_ == T::post_dec) {
        ArithNode* post = node(kind_ == T::post_inc ? ArithOp::post_inc : ArithOp::post_dec, token_);
        post->a = n;
        kind_ = T::number;
        next();
        return failed_ ? nullptr : post;
      }
      return n;
    }
    default:
      return fail("syntax error: operand expected");
  }
}

}  // namespace

const ArithNode* parse_arith_text(Shared& shared, std::string_view text,
                                  std::span<const ArithHole> holes, std::string* message,
                                  size_t* shown) {
  ArithParser parser(shared, text, holes);
  const ArithNode* tree = parser.parse();
  if (!tree && message) *message = parser.message();
  if (shown) *shown = parser.shown();
  return tree;
}

const Arith* make_arith(Shared& shared, const Word* word, std::string_view source) {
  Arith* a = shared.arena.make<Arith>();
  a->text = word;
  a->source = source;
  if (word->is_literal || word->parts.empty()) {
    a->tree = parse_arith_text(shared, word->literal, {}, nullptr, nullptr);
    return a;
  }
  size_t params = 0, bytes = 0;
  for (const WordPart& p : word->parts) {
    if (p.kind == PartKind::param && p.param->op != ParamOp::bad) {
      ++params;
      ++bytes;
    } else if (p.kind == PartKind::literal || p.kind == PartKind::quoted) {
      bytes += p.text.size();
      if (std::memchr(p.text.data(), kParamByte, p.text.size())) return a;
    } else {
      return a;
    }
  }
  char* text = static_cast<char*>(shared.arena.allocate(bytes + 1, 1));
  ArithHole* holes = static_cast<ArithHole*>(
      shared.arena.allocate(params * sizeof(ArithHole) + 1, alignof(ArithHole)));
  char* out = text;
  size_t n = 0;
  for (const WordPart& p : word->parts) {
    if (p.kind == PartKind::param) {
      holes[n++] = {static_cast<size_t>(out - text), p.param};
      *out++ = kParamByte;
    } else if (!p.text.empty()) {
      std::memcpy(out, p.text.data(), p.text.size());
      out += p.text.size();
    }
  }
  a->tree = parse_arith_text(shared, {text, bytes}, {holes, params}, nullptr, nullptr);
  return a;
}

}  // namespace nacre::parser
