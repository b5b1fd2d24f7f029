// Evaluation of arithmetic trees.
//
// A variable whose value is a number costs a lookup; any other value is itself
// an expression, parsed and evaluated in its place, to at most 1,024 levels as
// in bash. All arithmetic wraps (done in uint64_t).
//
// $x inside an expression is text that bash puts in before it parses. The
// parser made a `param` node of it where it stands for an operand; as long as
// every such value is a plain number the tree holds, and the values are read
// before anything is evaluated (i++ + $i). Otherwise the whole text is expanded
// and parsed anew.
//
// Chains of binary operators lean to the left and may be as long as the text,
// so they are walked with a list; all other recursion is as deep as the
// parser's nesting or counted here.
#include "interp/arith.h"

#include <array>

#include "interp/assign.h"
#include "interp/expander.h"
#include "interp/param_value.h"
#include "interp/variables.h"

namespace nacre::interp {

using parser::Arith;
using parser::ArithNode;
using parser::ArithOp;
using parser::Subscript;

namespace {

constexpr int kMostLevels = 1024;   // bash's MAX_EXPR_RECURSION_LEVEL

bool is_binary(ArithOp op) { return op >= ArithOp::mul && op <= ArithOp::comma; }

int64_t wrap(uint64_t v) { return static_cast<int64_t>(v); }

// The plain value of $x where it is a number without sign, leading zeros or
// anything that could join with the text around it.
bool plain_number(Process& p, const parser::Param& param, int64_t& out) {
  if (param.kind == parser::Param::Kind::variable && param.op == parser::ParamOp::none &&
      !param.indirect && !param.sub) {
    const Variable* v = p.state.vars.find(param.name);
    if (v && v->is_set() && !v->has(kNameref | kArrayMask) && v->dynamic == Dynamic::none)
      return v->number(out) && out >= 0;
  }
  std::string buffer;
  std::string_view text;
  if (!plain_value(p, param, text, buffer)) return false;
  if (text.empty() || text.size() > 18 || (text[0] == '0' && text.size() > 1)) return false;
  int64_t n = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    n = n * 10 + (c - '0');
  }
  out = n;
  return true;
}

// The values of an expression's param nodes, read before it is evaluated.
struct ParamValues {
  static constexpr size_t kMost = 16;
  std::array<const ArithNode*, kMost> nodes;
  std::array<int64_t, kMost> values;
  size_t count = 0;
};

struct Element {
  // A bad subscript is reported by whoever reads or assigns; it reads as 0, and
  // assigning to it does nothing.
  enum class Bad : uint8_t { no, empty_key, empty, whole_array, negative };

  base::Symbol name;
  bool is_key = false;
  Bad bad = Bad::no;
  int64_t index = 0;
  std::string key;
};

class ArithEvaluator {
 public:
  ArithEvaluator(Process& p, std::string_view who) : p_(p), who_(who) {}

  bool evaluate(const Arith& a, int64_t& out);
  bool evaluate_text(std::string_view text, int64_t& out);

 private:
  bool eval(const ArithNode& n, int64_t& out) {
    if (n.op == ArithOp::number) {
      out = n.value;
      return true;
    }
    if (n.op == ArithOp::variable) return read(n, out);
    return eval_operator(n, out);
  }
  bool eval_operator(const ArithNode& n, int64_t& out);
  bool eval_chain(const ArithNode& n, int64_t& out);
  // out = left OP the node's right operand.
  bool apply(const ArithNode& n, int64_t left, int64_t& out);
  bool compute(ArithOp op, const ArithNode& n, int64_t a, int64_t b, int64_t& out);
  bool increment(const ArithNode& n, int64_t& out);
  bool assign(const ArithNode& n, int64_t& out);
  bool compound(const ArithNode& n, int64_t& out);

  bool read(const ArithNode& n, int64_t& out) {
    if (!n.sub) {
      const Variable* v = p_.state.vars.find(n.name);
      if (v && !v->has(kUnset | kNameref | kArrayMask) && v->dynamic == Dynamic::none &&
          v->number(out))
        return true;
    }
    return read_slow(n, out);
  }
  bool read_slow(const ArithNode& n, int64_t& out);
  bool write(const ArithNode& n, int64_t value) {
    // Without attributes that act on assignment, the number is the value.
    if (n.name > p_.session.names.last() && !p_.has(SetOption::allexport)) {
      Variable* v = p_.state.vars.find_writable(n.name);
      if (v && v->dynamic == Dynamic::none &&
          !v->has(kReadonly | kNameref | kArrayMask | kCaseMask | kNoAssign | kTempEnv)) {
        v->set_number(value);
        return true;
      }
    }
    return written(assign_number(p_, n.name, value));
  }
  bool written(bool ok) {
    if (!ok && !p_.failure.unwinding()) fail_expression(p_);
    return ok;
  }

  bool element(const ArithNode& n, Element& out);
  bool index_of(const Subscript& sub, int64_t& out);
  std::string element_text(const ArithNode& n, bool with_subscript) const;
  bool read_element_value(const ArithNode& n, const Element& e, int64_t& out);
  bool write_element(const ArithNode& n, const Element& e, int64_t value);
  bool number_of(std::string_view text, int64_t& out);
  bool nested_text(std::string_view text, int64_t& out);

  bool collect(const ArithNode& n, ParamValues& values);
  bool collect_one(const ArithNode& n, ParamValues& values);
  bool expand_text(const Arith& a, TextBuffer& out);
  bool fail(std::string_view text, std::string_view message);
  bool fail_at(uint32_t pos, std::string_view message);

  Process& p_;
  std::string_view who_;
  const Arith* arith_ = nullptr;    // what is being evaluated, for messages; null: text_
  std::string_view text_;
  const ParamValues* params_ = nullptr;
  int level_ = 1;
};

// --- messages ---------------------------------------------------------------

bool ArithEvaluator::fail(std::string_view text, std::string_view message) {
  size_t blank = text.find_first_not_of(" \t\n");
  text.remove_prefix(std::min(blank, text.size()));
  std::string whole(who_);
  whole += text;
  whole += ": ";
  whole += message;
  p_.error(whole);
  fail_expression(p_);
  return false;
}

// `pos` is in the source; the message shows the expanded text.
bool ArithEvaluator::fail_at(uint32_t pos, std::string_view message) {
  TextBuffer expanded(p_.meter());
  std::string_view text = text_;
  size_t at = pos;
  if (arith_) {
    text = arith_->source;
    if (arith_->text && !arith_->text->is_literal) {
      size_t source = 0;
      bool mapped = false;
      for (const parser::WordPart& part : arith_->text->parts) {
        size_t begin = expanded.size();
        WordBuilder builder(p_, Collect::plain);
        if (!expand_parts(p_, {&part, 1}, Quote::quoted, builder)) return false;
        expanded.append(builder.view());
        size_t length =
            part.kind == parser::PartKind::param ? part.param->raw.size() : part.text.size();
        if (!mapped && pos < source + length) {
          mapped = true;
          at = part.kind == parser::PartKind::param ? begin : begin + (pos - source);
        }
        source += length;
      }
      if (!mapped) at = expanded.size();
      text = expanded.view();
    }
  }
  std::string whole(message);
  whole += " (error token is \"";
  whole += text.substr(std::min(at, text.size()));
  whole += "\")";
  return fail(text, whole);
}

// --- expressions ------------------------------------------------------------

bool ArithEvaluator::expand_text(const Arith& a, TextBuffer& out) {
  if (!a.text) {
    out.append(a.source);
    return true;
  }
  WordBuilder builder(p_, Collect::plain);
  if (!expand_parts(p_, a.text->parts, Quote::quoted, builder)) return false;
  out.append(builder.view());
  return true;
}

bool ArithEvaluator::evaluate(const Arith& a, int64_t& out) {
  if (a.tree) {
    if (!a.text || a.text->is_literal || params_) {
      arith_ = &a;
      return eval(*a.tree, out);
    }
    ParamValues values;
    if (collect(*a.tree, values)) {
      arith_ = &a;
      params_ = &values;
      bool ok = eval(*a.tree, out);
      params_ = nullptr;
      return ok;
    }
  }
  TextBuffer text(p_.meter());
  if (!expand_text(a, text)) return false;
  return evaluate_text(text.view(), out);
}

bool ArithEvaluator::evaluate_text(std::string_view text, int64_t& out) {
  base::Arena arena;
  std::string_view kept = arena.copy(text);
  parser::ArithParse parsed = parser::parse_arith(kept, arena, p_.session.symbols, p_.meter());
  if (!parsed.tree) return fail(kept.substr(0, parsed.shown), parsed.message);
  const Arith* arith = arith_;
  const ParamValues* params = params_;
  std::string_view outer = text_;
  arith_ = nullptr;
  params_ = nullptr;
  text_ = kept;
  bool ok = eval(*parsed.tree, out);
  arith_ = arith;
  params_ = params;
  text_ = outer;
  return ok;
}

// A variable's value.
bool ArithEvaluator::number_of(std::string_view text, int64_t& out) {
  if (text.empty()) {
    out = 0;
    return true;
  }
  if (text.size() <= 18 && (text[0] != '0' || text.size() == 1)) {
    int64_t n = 0;
    bool digits = true;
    for (char c : text) {
      if (c < '0' || c > '9') {
        digits = false;
        break;
      }
      n = n * 10 + (c - '0');
    }
    if (digits) {
      out = n;
      return true;
    }
  }
  return nested_text(text, out);
}

bool ArithEvaluator::nested_text(std::string_view text, int64_t& out) {
  constexpr size_t kReserve = 64 * 1024;
  ++level_;
  bool ok = false;
  if (p_.session.scheduler.running() && p_.session.scheduler.stack_left() < kReserve)
    p_.session.scheduler.run_on_new_stack([&] { ok = evaluate_text(text, out); });
  else
    ok = evaluate_text(text, out);
  --level_;
  return ok;
}

// Reads the values of all param nodes; false when the text has to be parsed anew.
bool ArithEvaluator::collect(const ArithNode& n, ParamValues& values) {
  const ArithNode* at = &n;
  // Down the left side with a loop; what is on the right is bounded by nesting.
  std::vector<const ArithNode*> chain;
  while (is_binary(at->op) && is_binary(at->a->op)) {
    chain.push_back(at);
    at = at->a;
  }
  if (!collect_one(*at, values)) return false;
  while (!chain.empty()) {
    if (!collect(*chain.back()->b, values)) return false;
    chain.pop_back();
  }
  return true;
}

bool ArithEvaluator::collect_one(const ArithNode& n, ParamValues& values) {
  if (n.op == ArithOp::number) return true;
  if (n.op == ArithOp::variable) {
    if (!n.sub || n.sub->kind != Subscript::Kind::index) return true;
    const Variable* v = p_.state.vars.find(n.name);
    if (v && v->has(kAssoc)) return true;
    // An index that needs its text expanded makes the whole expression do so.
    if (n.sub->arith.text && n.sub->arith.text->is_literal) return true;
    return n.sub->arith.tree && collect(*n.sub->arith.tree, values);
  }
  if (n.op == ArithOp::param) {
    if (values.count == ParamValues::kMost) return false;
    int64_t value;
    if (!plain_number(p_, *n.param, value)) return false;
    values.nodes[values.count] = &n;
    values.values[values.count++] = value;
    return true;
  }
  if (n.a && !collect(*n.a, values)) return false;
  if (n.b && !collect(*n.b, values)) return false;
  return !n.c || collect(*n.c, values);
}

// --- operators --------------------------------------------------------------

bool ArithEvaluator::eval_operator(const ArithNode& n, int64_t& out) {
  switch (n.op) {
    case ArithOp::param:
      for (size_t i = 0; params_ && i < params_->count; ++i)
        if (params_->nodes[i] == &n) {
          out = params_->values[i];
          return true;
        }
      out = 0;
      return true;
    case ArithOp::plus:
      return eval(*n.a, out);
    case ArithOp::minus:
      if (!eval(*n.a, out)) return false;
      out = wrap(uint64_t{0} - static_cast<uint64_t>(out));
      return true;
    case ArithOp::lognot:
      if (!eval(*n.a, out)) return false;
      out = !out;
      return true;
    case ArithOp::bitnot:
      if (!eval(*n.a, out)) return false;
      out = ~out;
      return true;
    case ArithOp::pre_inc:
    case ArithOp::pre_dec:
    case ArithOp::post_inc:
    case ArithOp::post_dec:
      return increment(n, out);
    case ArithOp::cond: {
      int64_t test;
      if (!eval(*n.a, test)) return false;
      return eval(test ? *n.b : *n.c, out);
    }
    case ArithOp::assign:
      return assign(n, out);
    case ArithOp::compound_assign:
      return compound(n, out);
    default:
      return eval_chain(n, out);
  }
}

bool ArithEvaluator::eval_chain(const ArithNode& n, int64_t& out) {
  int64_t left;
  if (!is_binary(n.a->op)) {
    return eval(*n.a, left) && apply(n, left, out);
  }
  std::array<const ArithNode*, 16> few;
  std::vector<const ArithNode*> more;
  size_t count = 0;
  const ArithNode* at = &n;
  for (; is_binary(at->op); at = at->a) {
    if (count < few.size()) few[count] = at;
    else more.push_back(at);
    ++count;
  }
  if (!eval(*at, left)) return false;
  while (count-- > 0) {
    const ArithNode& link = count < few.size() ? *few[count] : *more[count - few.size()];
    if (!apply(link, left, left)) return false;
  }
  out = left;
  return true;
}

bool ArithEvaluator::apply(const ArithNode& n, int64_t left, int64_t& out) {
  if (n.op == ArithOp::logand && !left) {
    out = 0;
    return true;
  }
  if (n.op == ArithOp::logor && left) {
    out = 1;
    return true;
  }
  int64_t right;
  return eval(*n.b, right) && compute(n.op, n, left, right, out);
}

bool ArithEvaluator::compute(ArithOp op, const ArithNode& n, int64_t a, int64_t b, int64_t& out) {
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (op) {
    case ArithOp::mul: out = wrap(ua * ub); return true;
    case ArithOp::add: out = wrap(ua + ub); return true;
    case ArithOp::sub: out = wrap(ua - ub); return true;
    case ArithOp::div:
    case ArithOp::mod:
      if (b == 0) return fail_at(n.pos, "division by 0");
      // INT64_MIN / -1 does not fit.
      if (b == -1) out = op == ArithOp::div ? wrap(uint64_t{0} - ua) : 0;
      else out = op == ArithOp::div ? a / b : a % b;
      return true;
    // As the processor does, by the count modulo 64.
    case ArithOp::shl: out = wrap(ua << (ub & 63)); return true;
    case ArithOp::shr: out = a >> (ub & 63); return true;
    case ArithOp::lt: out = a < b; return true;
    case ArithOp::le: out = a <= b; return true;
    case ArithOp::gt: out = a > b; return true;
    case ArithOp::ge: out = a >= b; return true;
    case ArithOp::eq: out = a == b; return true;
    case ArithOp::ne: out = a != b; return true;
    case ArithOp::bitand_: out = a & b; return true;
    case ArithOp::bitxor: out = a ^ b; return true;
    case ArithOp::bitor_: out = a | b; return true;
    case ArithOp::logand:
    case ArithOp::logor: out = b != 0; return true;
    case ArithOp::comma: out = b; return true;
    case ArithOp::power: {
      if (b < 0) return fail_at(n.pos, "exponent less than 0");
      uint64_t result = 1, base = ua;
      for (uint64_t e = ub; e; e >>= 1) {
        if (e & 1) result *= base;
        base *= base;
      }
      out = wrap(result);
      return true;
    }
    default:
      out = 0;
      return true;
  }
}

bool ArithEvaluator::increment(const ArithNode& n, int64_t& out) {
  const bool up = n.op == ArithOp::pre_inc || n.op == ArithOp::post_inc;
  const bool post = n.op == ArithOp::post_inc || n.op == ArithOp::post_dec;
  const ArithNode& target = *n.a;
  Element e;
  int64_t old;
  if (target.sub) {
    if (!element(target, e) || !read_element_value(target, e, old)) return false;
  } else if (!read(target, old)) {
    return false;
  }
  int64_t value = wrap(static_cast<uint64_t>(old) + (up ? uint64_t{1} : ~uint64_t{0}));
  out = post ? old : value;
  return target.sub ? write_element(target, e, value) : write(target, value);
}

// The index of a plain assignment's target is evaluated after the value.
bool ArithEvaluator::assign(const ArithNode& n, int64_t& out) {
  int64_t value;
  if (!eval(*n.b, value)) return false;
  out = value;
  if (!n.a->sub) return write(*n.a, value);
  Element e;
  return element(*n.a, e) && write_element(*n.a, e, value);
}

bool ArithEvaluator::compound(const ArithNode& n, int64_t& out) {
  const ArithNode& target = *n.a;
  Element e;
  int64_t left, right, value;
  if (target.sub) {
    if (!element(target, e) || !read_element_value(target, e, left)) return false;
  } else if (!read(target, left)) {
    return false;
  }
  if (!eval(*n.b, right) || !compute(n.compound, n, left, right, value)) return false;
  out = value;
  return target.sub ? write_element(target, e, value) : write(target, value);
}

// --- variables --------------------------------------------------------------

bool ArithEvaluator::read_slow(const ArithNode& n, int64_t& out) {
  if (n.sub) {
    Element e;
    return element(n, e) && read_element_value(n, e, out);
  }
  std::string buffer;
  std::string_view text;
  if (!read_variable(p_, n.name, text, buffer)) {
    if (p_.failure.unwinding()) return false;
    const Variable* v = p_.state.vars.find(n.name);
    // An array without an element 0 is 0, set -u or not.
    if (p_.has(SetOption::nounset) && (!v || !v->is_set()))
      return unbound(p_, p_.session.symbols.name(n.name));
    out = 0;
    return true;
  }
  if (level_ >= kMostLevels && !base::all_digits(text))
    return fail_at(n.pos, "expression recursion level exceeded");
  return number_of(text, out);
}

bool ArithEvaluator::index_of(const Subscript& sub, int64_t& out) {
  const Arith* outer = arith_;
  std::string_view text = text_;
  std::string_view who = who_;
  who_ = {};
  bool ok = evaluate(sub.arith, out);
  arith_ = outer;
  text_ = text;
  who_ = who;
  if (!ok && expression_failed(p_)) fail_discard_all(p_);
  return ok;
}

bool ArithEvaluator::element(const ArithNode& n, Element& out) {
  out.name = n.name;
  const Variable* v = array_variable(p_, out.name);
  const Subscript& sub = *n.sub;
  if (v && v->has(kAssoc)) {
    out.is_key = true;
    if (!subscript_key(p_, sub, out.key)) return false;
    if (out.key.empty()) out.bad = Element::Bad::empty_key;
    return true;
  }
  if (sub.kind != Subscript::Kind::index || sub.raw.empty()) {
    out.bad = sub.raw.empty() ? Element::Bad::empty : Element::Bad::whole_array;
    return true;
  }
  if (!index_of(sub, out.index)) return false;
  if (out.index < 0) {
    const Variable* now = array_variable(p_, out.name);
    int64_t end = 0;
    if (now && now->has(kIndexed) && now->indexed()) end = now->indexed()->end_index();
    else if (now && now->is_set() && !now->is_array()) end = 1;
    if (out.index + end < 0) out.bad = Element::Bad::negative;
    else out.index += end;
  }
  return true;
}

std::string ArithEvaluator::element_text(const ArithNode& n, bool with_subscript) const {
  std::string out(p_.session.symbols.name(n.name));
  if (with_subscript) {
    out += '[';
    out += n.sub->raw;
    out += ']';
  }
  return out;
}

bool ArithEvaluator::read_element_value(const ArithNode& n, const Element& e, int64_t& out) {
  out = 0;
  const Variable* v = p_.state.vars.find(e.name);
  if (p_.has(SetOption::nounset) && (!v || !v->is_set()))
    return unbound(p_, p_.session.symbols.name(e.name));
  if (e.bad != Element::Bad::no) {
    std::string message =
        element_text(n, e.bad != Element::Bad::negative) + ": bad array subscript";
    p_.error(message);
    // bash looks twice.
    if (e.bad == Element::Bad::empty || e.bad == Element::Bad::empty_key) p_.error(message);
    return true;
  }
  if (!v) return true;
  std::string buffer;
  std::string_view text;
  bool set = e.is_key ? read_element(p_, e.name, e.key, text, buffer)
                      : read_element(p_, e.name, e.index, text, buffer);
  if (!set) return true;
  if (level_ >= kMostLevels && !base::all_digits(text))
    return fail_at(n.pos, "expression recursion level exceeded");
  return number_of(text, out);
}

bool ArithEvaluator::write_element(const ArithNode& n, const Element& e, int64_t value) {
  if (e.bad != Element::Bad::no) {
    std::string text = element_text(n, true);
    if (e.bad == Element::Bad::empty_key)
      p_.error(std::string(who_) + "`" + text + "': not a valid identifier");
    else
      p_.error(text + ": bad array subscript");
    return true;
  }
  char digits[24];
  auto r = std::to_chars(digits, digits + sizeof digits, value);
  std::string_view text(digits, static_cast<size_t>(r.ptr - digits));
  return written(e.is_key ? assign_key(p_, e.name, e.key, text)
                          : assign_element(p_, e.name, e.index, text));
}

}  // namespace

bool eval_arith(Process& p, const Arith& a, int64_t& out, std::string_view who) {
  if (a.tree && a.tree->op == ArithOp::number) {
    out = a.tree->value;
    return true;
  }
  return ArithEvaluator(p, who).evaluate(a, out);
}

bool eval_arith_text(Process& p, std::string_view text, int64_t& out, std::string_view who) {
  ExpansionDepth depth(p);
  return ArithEvaluator(p, who).evaluate_text(text, out);
}

bool eval_index(Process& p, base::Symbol name, const Subscript& sub, int64_t& out) {
  auto bad = [&] {
    std::string message(p.session.symbols.name(name));
    message += '[';
    message += sub.raw;
    message += "]: bad array subscript";
    p.error(message);
    return false;
  };
  if (sub.kind != Subscript::Kind::index || sub.raw.empty()) return bad();
  if (!eval_arith(p, sub.arith, out)) {
    if (expression_failed(p)) fail_discard_all(p);
    return false;
  }
  if (out >= 0) return true;
  const Variable* v = array_variable(p, name);
  int64_t end = 0;
  if (v && v->has(kIndexed) && v->indexed()) end = v->indexed()->end_index();
  else if (v && v->is_set() && !v->is_array()) end = 1;
  out += end;
  return out >= 0 || bad();
}

}  // namespace nacre::interp
