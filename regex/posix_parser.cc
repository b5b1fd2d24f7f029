// Recursive descent over the tokens of glibc's regcomp. The quirks are glibc's:
// in basic syntax a repetition cannot be repeated, an anchor takes no
// repetition, {,n} is {0,n}, an empty alternative is the last choice.
#include "regex/posix_parser.h"

#include <algorithm>

namespace nacre::regex::internal {

namespace {

constexpr std::string_view kBadClass = "Invalid character class name";
constexpr std::string_view kBadCollation = "Invalid collation character";
constexpr std::string_view kTrailingBackslash = "Trailing backslash";
constexpr std::string_view kBadBackref = "Invalid back reference";
constexpr std::string_view kUnmatchedBracket = "Unmatched [, [^, [:, [., or [=";
constexpr std::string_view kUnmatchedOpen = "Unmatched ( or \\(";
constexpr std::string_view kUnmatchedClose = "Unmatched ) or \\)";
constexpr std::string_view kUnmatchedBrace = "Unmatched \\{";
constexpr std::string_view kBadBrace = "Invalid content of \\{\\}";
constexpr std::string_view kBadRange = "Invalid range end";
constexpr std::string_view kBadRepeat = "Invalid preceding regular expression";
constexpr std::string_view kTooBig = "Regular expression too big";
constexpr std::string_view kInvalid = "Invalid regular expression";

constexpr uint32_t kMaxRepeat = 32767;

// The parts of glibc's reg_syntax_t that differ between the tools.
struct Syntax {
  bool extended = false;           // ( ) { } | + ? without backslashes
  bool basic_dup_once = false;     // RE_CONTEXT_INVALID_DUP
  bool indep_anchors = false;      // ^ and $ are anchors everywhere
  bool indep_ops = false;          // a leading * is skipped, not literal
  bool invalid_ops = false;        // a leading * is an error
  bool invalid_interval_ord = false;  // a{ that is no interval is text
  bool unmatched_close_ord = false;   // a lone ) is text
  bool newline_alt = false;        // \n separates alternatives
  bool hat_not_newline = false;    // [^a] does not match \n
  bool escapes_in_lists = false;   // [\]] (awk)
  bool empty_ranges = false;       // [b-a] matches nothing
  bool wide_ranges = false;        // ranges of characters beyond ASCII
};

Syntax syntax_of(const RegexOptions& o) {
  bool extended = o.dialect == Dialect::extended;
  Syntax s;
  s.extended = extended;
  s.indep_anchors = extended;
  switch (o.flavor) {
    case Flavor::regcomp:
    case Flavor::sed:
      s.basic_dup_once = !extended;
      s.indep_ops = s.invalid_ops = extended;
      s.unmatched_close_ord = extended && o.flavor == Flavor::regcomp;
      break;
    case Flavor::grep:
      s.indep_ops = extended;
      s.invalid_interval_ord = extended;
      s.unmatched_close_ord = extended;
      s.newline_alt = true;
      s.hat_not_newline = extended;
      break;
    case Flavor::coreutils:
      s.indep_ops = s.invalid_ops = extended;
      s.wide_ranges = true;
      break;
    case Flavor::awk:
      s.invalid_interval_ord = extended;
      s.unmatched_close_ord = extended;
      s.escapes_in_lists = true;
      break;
  }
  if (o.newline) s.hat_not_newline = true;
  return s;
}

struct Token {
  enum class Type : uint8_t {
    end, character, trailing_backslash, alt, star, plus, question, open_dup, close_dup,
    open_group, close_group, bracket, period, assertion, backref, word, not_word, space, not_space,
  };
  Type type = Type::end;
  uint32_t code = 0;    // the character (a byte when `invalid`)
  bool invalid = false;
  uint32_t number = 0;  // Assertion, or the number of a back reference
  size_t size = 0;
};
using Type = Token::Type;

struct Failure {
  std::string_view text;
};
// A node, kNoNode for nothing (an empty alternative), or an error.
using Parsed = std::expected<uint32_t, Failure>;
constexpr uint32_t kNoNode = UINT32_MAX;

class Parser {
 public:
  Parser(std::string_view pattern, RegexOptions options, limits::Meter& meter)
      : p_(pattern), options_(options), syntax_(syntax_of(options)), meter_(meter) {
    tree_.fold = options.ignore_case;
    tree_.multiline = options.newline;
  }

  std::expected<Tree, std::string> run() {
    fetch(kCaretHere);
    Parsed root = parse_alternatives(0);
    if (!root) return std::unexpected(std::string(root.error().text));
    tree_.root = *root == kNoNode ? tree_.add({Node::Kind::empty}) : *root;
    return std::move(tree_);
  }

 private:
  static constexpr bool kCaretHere = true;

  Token peek(size_t pos, bool caret_here) const;
  void fetch(bool caret_here = false) {
    token_ = peek(pos_, caret_here);
    pos_ += token_.size;
  }
  Parsed parse_alternatives(int nest);
  Parsed parse_branch(int nest);
  Parsed parse_expression(int nest);
  Parsed parse_atom(int nest, bool& anchor);
  Parsed parse_group(int nest);
  Parsed parse_repeat(uint32_t element);
  int64_t fetch_number();
  Parsed parse_bracket();

  bool ends_branch(int nest) const {
    return token_.type == Type::end || token_.type == Type::alt ||
           (nest > 0 && token_.type == Type::close_group);
  }
  bool repeats() const {
    return token_.type == Type::star || token_.type == Type::plus ||
           token_.type == Type::question || token_.type == Type::open_dup;
  }
  static std::unexpected<Failure> fail(std::string_view text) {
    return std::unexpected(Failure{text});
  }
  uint32_t literal(const Token& t);
  uint32_t class_set(std::string_view name, bool negated);
  uint32_t fold(uint32_t code) const {
    return options_.ignore_case ? base::to_upper(code) : code;
  }

  std::string_view p_;
  RegexOptions options_;
  Syntax syntax_;
  limits::Meter& meter_;
  Tree tree_;
  Token token_;
  size_t pos_ = 0;
  int depth_ = 0;
  uint32_t completed_groups_ = 0;  // bit n - 1: \n may be referred to
};

Token Parser::peek(size_t pos, bool caret_here) const {
  Token t;
  if (pos >= p_.size()) return t;
  base::Utf8Char c = base::decode_utf8(p_, pos);
  t.type = Type::character;
  t.code = c.code;
  t.invalid = !c.valid;
  t.size = c.size;
  auto assertion = [&](Assertion a) {
    t.type = Type::assertion;
    t.number = static_cast<uint32_t>(a);
  };
  bool ext = syntax_.extended;
  if (t.code == '\\') {
    if (pos + 1 >= p_.size()) {
      t.type = Type::trailing_backslash;
      return t;
    }
    base::Utf8Char e = base::decode_utf8(p_, pos + 1);
    t.code = e.code;
    t.invalid = !e.valid;
    t.size = 1 + e.size;
    if (t.code >= '1' && t.code <= '9' && options_.flavor != Flavor::awk) {
      t.type = Type::backref;
      t.number = t.code - '0';
      return t;
    }
    if (options_.gnu_escapes) {
      switch (t.code) {
        case '<': assertion(Assertion::word_begin); return t;
        case '>': assertion(Assertion::word_end); return t;
        case 'b': assertion(Assertion::word_boundary); return t;
        case 'B': assertion(Assertion::not_word_boundary); return t;
        case '`': assertion(Assertion::text_begin); return t;
        case '\'': assertion(Assertion::text_end); return t;
        case 'w': t.type = Type::word; return t;
        case 'W': t.type = Type::not_word; return t;
        case 's': t.type = Type::space; return t;
        case 'S': t.type = Type::not_space; return t;
      }
    }
    if (ext) return t;
    switch (t.code) {
      case '|': if (options_.gnu_escapes) t.type = Type::alt; break;
      case '+': if (options_.gnu_escapes) t.type = Type::plus; break;
      case '?': if (options_.gnu_escapes) t.type = Type::question; break;
      case '(': t.type = Type::open_group; break;
      case ')': t.type = Type::close_group; break;
      case '{': t.type = Type::open_dup; break;
      case '}': t.type = Type::close_dup; break;
    }
    return t;
  }
  switch (t.code) {
    case '\n': if (syntax_.newline_alt) t.type = Type::alt; break;
    case '|': if (ext) t.type = Type::alt; break;
    case '*': t.type = Type::star; break;
    case '+': if (ext) t.type = Type::plus; break;
    case '?': if (ext) t.type = Type::question; break;
    case '{': if (ext) t.type = Type::open_dup; break;
    case '}': if (ext) t.type = Type::close_dup; break;
    case '(': if (ext) t.type = Type::open_group; break;
    case ')': if (ext) t.type = Type::close_group; break;
    case '[': t.type = Type::bracket; break;
    case '.': t.type = Type::period; break;
    case '^':
      if (!syntax_.indep_anchors && !caret_here && pos != 0 &&
          !(syntax_.newline_alt && p_[pos - 1] == '\n'))
        break;
      assertion(Assertion::line_begin);
      break;
    case '$':
      if (!syntax_.indep_anchors && pos + 1 < p_.size()) {
        Type next = peek(pos + 1, false).type;
        if (next != Type::alt && next != Type::close_group) break;
      }
      assertion(Assertion::line_end);
      break;
  }
  return t;
}

uint32_t Parser::literal(const Token& t) {
  if (t.invalid)
    return tree_.add({Node::Kind::byte, false, Node::Greed::greedy, t.code});
  return tree_.add({Node::Kind::literal, options_.ignore_case, Node::Greed::greedy, fold(t.code)});
}

uint32_t Parser::class_set(std::string_view name, bool negated) {
  CodeSet set;
  set.add_classes(*find_class(name));
  if (negated) set.set_negated();
  if (options_.ignore_case) set.set_fold();
  return tree_.add_set(std::move(set));
}

Parsed Parser::parse_alternatives(int nest) {
  limits::DepthGuard guard(meter_, depth_, meter_.limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  uint32_t before = completed_groups_;
  Parsed left = parse_branch(nest);
  if (!left) return left;
  if (token_.type != Type::alt) return left;
  // An empty alternative comes after the one that it is paired with, and pairs
  // are made from the left.
  std::vector<uint32_t> order{*left};
  while (token_.type == Type::alt) {
    fetch(kCaretHere);
    uint32_t right = kNoNode;
    if (!ends_branch(nest)) {
      uint32_t seen = completed_groups_;
      completed_groups_ = before;
      Parsed branch = parse_branch(nest);
      if (!branch) return branch;
      right = *branch;
      completed_groups_ |= seen;
    }
    if (order.size() == 1 && order[0] == kNoNode) order.insert(order.begin(), right);
    else order.push_back(right);
  }
  Node alt{Node::Kind::alt};
  for (uint32_t branch : order)
    alt.children.push_back(branch == kNoNode ? tree_.add({Node::Kind::empty}) : branch);
  return tree_.add(std::move(alt));
}

Parsed Parser::parse_branch(int nest) {
  Node cat{Node::Kind::cat};
  bool first = true;
  while (first || !ends_branch(nest)) {
    first = false;
    Parsed e = parse_expression(nest);
    if (!e) return e;
    if (*e != kNoNode) cat.children.push_back(*e);
  }
  if (cat.children.empty()) return kNoNode;
  if (cat.children.size() == 1) return cat.children[0];
  return tree_.add(std::move(cat));
}

Parsed Parser::parse_expression(int nest) {
  meter_.charge_work(1);
  tree_.check_size(meter_);
  bool anchor = false;
  Parsed element = parse_atom(nest, anchor);
  if (!element || anchor) return element;
  uint32_t e = *element;
  for (int64_t times = 0; repeats(); ++times) {
    if (times > meter_.limits().max_nesting_depth) meter_.exceeded(LimitName::max_nesting_depth);
    Parsed repeated = parse_repeat(e);
    if (!repeated) return repeated;
    e = *repeated;
    if (syntax_.basic_dup_once && (token_.type == Type::star || token_.type == Type::open_dup))
      return fail(kBadRepeat);
  }
  return e;
}

// One element, its token fetched; on return the token after it is. `anchor` is
// set for what takes no repetition.
Parsed Parser::parse_atom(int nest, bool& anchor) {
  Token t = token_;
  // A repetition with nothing before it.
  while (repeats()) {
    if (t.type == Type::open_dup && syntax_.basic_dup_once) return fail(kBadRepeat);
    if (syntax_.invalid_ops && !syntax_.basic_dup_once) return fail(kBadRepeat);
    if (!syntax_.indep_ops) break;
    fetch();
    if (!repeats()) {
      anchor = true;  // What follows has read its own repetitions.
      return parse_expression(nest);
    }
  }
  uint32_t node;
  switch (t.type) {
    case Type::open_group: {
      Parsed group = parse_group(nest + 1);
      if (!group) return group;
      node = *group;
      break;
    }
    case Type::bracket: {
      Parsed set = parse_bracket();
      if (!set) return set;
      node = *set;
      break;
    }
    case Type::backref:
      if (!(completed_groups_ >> (t.number - 1) & 1)) return fail(kBadBackref);
      tree_.has_backrefs = true;
      node = tree_.add({Node::Kind::backref, options_.ignore_case, Node::Greed::greedy, t.number});
      break;
    case Type::assertion:
      anchor = true;
      node = tree_.add({Node::Kind::assertion, false, Node::Greed::greedy, t.number});
      fetch();
      return node;
    case Type::period:
      node = tree_.add({Node::Kind::any, !options_.newline});
      break;
    case Type::word: node = class_set("word", false); break;
    case Type::not_word: node = class_set("word", true); break;
    case Type::space: node = class_set("space", false); break;
    case Type::not_space: node = class_set("space", true); break;
    case Type::alt:
    case Type::end:
      anchor = true;
      return kNoNode;
    case Type::trailing_backslash:
      return fail(kTrailingBackslash);
    case Type::close_group:
      // regcomp has one error for both sides.
      if (!syntax_.unmatched_close_ord)
        return fail(options_.flavor == Flavor::regcomp ? kUnmatchedOpen : kUnmatchedClose);
      [[fallthrough]];
    default:
      node = literal(t);
  }
  fetch();
  return node;
}

Parsed Parser::parse_group(int nest) {
  uint32_t number = ++tree_.groups;
  fetch(kCaretHere);
  uint32_t body = kNoNode;
  if (token_.type != Type::close_group) {
    Parsed inner = parse_alternatives(nest);
    if (!inner) return inner;
    if (token_.type != Type::close_group) return fail(kUnmatchedOpen);
    body = *inner;
  }
  if (number <= 9) completed_groups_ |= 1u << (number - 1);
  if (body == kNoNode) body = tree_.add({Node::Kind::empty});
  Node group{Node::Kind::group};
  group.a = number;
  group.children.push_back(body);
  return tree_.add(std::move(group));
}

// -1: no digits; -2: not a number, or the pattern ended.
int64_t Parser::fetch_number() {
  int64_t number = -1;
  for (;;) {
    fetch();
    if (token_.type == Type::end) return -2;
    if (token_.type == Type::close_dup || token_.code == ',') return number;
    bool digit = token_.type == Type::character && token_.code - '0' < 10;
    if (!digit || number == -2) number = -2;
    else number = std::min<int64_t>(kMaxRepeat + 1,
                                    (number == -1 ? 0 : number * 10) + (token_.code - '0'));
  }
}

Parsed Parser::parse_repeat(uint32_t element) {
  uint32_t min = 0, max = Node::kInfinite;
  if (token_.type == Type::open_dup) {
    size_t start = pos_;
    Token open = token_;
    int64_t low = fetch_number();
    int64_t high = -1;
    if (low == -1) {
      if (token_.type != Type::character || token_.code != ',') return fail(kBadBrace);
      low = 0;
    }
    if (low != -2) {
      if (token_.type == Type::close_dup) high = low;
      else high = token_.type == Type::character && token_.code == ',' ? fetch_number() : -2;
    }
    if (low == -2 || high == -2) {
      if (!syntax_.invalid_interval_ord)
        return fail(token_.type == Type::end ? kUnmatchedBrace : kBadBrace);
      pos_ = start;
      token_ = open;
      token_.type = Type::character;
      return element;
    }
    if ((high != -1 && low > high) || token_.type != Type::close_dup) return fail(kBadBrace);
    if ((high == -1 ? low : high) > kMaxRepeat) return fail(kTooBig);
    min = static_cast<uint32_t>(low);
    if (high != -1) max = static_cast<uint32_t>(high);
  } else if (token_.type == Type::plus) {
    min = 1;
  } else if (token_.type == Type::question) {
    max = 1;
  }
  fetch();
  if (element == kNoNode || max == 0) return kNoNode;
  if (min == 1 && max == 1) return element;
  Node repeat{Node::Kind::repeat};
  repeat.a = min;
  repeat.b = max;
  repeat.children.push_back(element);
  return tree_.add(std::move(repeat));
}

// Bracket expressions have a small grammar of their own.
class BracketParser {
 public:
  BracketParser(std::string_view p, size_t pos, const RegexOptions& options, const Syntax& syntax)
      : p_(p), pos_(pos), options_(options), syntax_(syntax) {}

  // The position after the ], or an error.
  std::expected<size_t, Failure> parse(CodeSet& set);

 private:
  enum class Kind : uint8_t { end, character, close, hyphen, hat, collating, equivalence, cclass };
  struct Item {
    Kind kind = Kind::end;
    uint32_t code = 0;
    bool invalid = false;
    size_t size = 0;
  };
  struct Element {
    bool is_class = false;
    bool is_equivalence = false;
    uint32_t code = 0;
    bool invalid = false;
    ClassMask classes = 0;
  };

  Item peek(size_t pos) const;
  std::string_view read_element(Element& e, Item item, bool accept_hyphen);
  std::string_view read_symbol(Element& e, char delimiter);
  uint32_t fold(uint32_t code) const {
    return options_.ignore_case ? base::to_upper(code) : code;
  }
  static std::unexpected<Failure> fail(std::string_view text) {
    return std::unexpected(Failure{text});
  }

  std::string_view p_;
  size_t pos_;
  const RegexOptions& options_;
  const Syntax& syntax_;
};

BracketParser::Item BracketParser::peek(size_t pos) const {
  Item item;
  if (pos >= p_.size()) return item;
  base::Utf8Char c = base::decode_utf8(p_, pos);
  item = {Kind::character, c.code, !c.valid, c.size};
  char next = pos + 1 < p_.size() ? p_[pos + 1] : '\0';
  switch (c.code) {
    case '\\':
      if (syntax_.escapes_in_lists && pos + 1 < p_.size()) {
        base::Utf8Char e = base::decode_utf8(p_, pos + 1);
        item = {Kind::character, e.code, !e.valid, static_cast<size_t>(1 + e.size)};
      }
      break;
    case '[':
      if (next == '.') item.kind = Kind::collating;
      else if (next == '=') item.kind = Kind::equivalence;
      else if (next == ':') item.kind = Kind::cclass;
      if (item.kind != Kind::character) item.size = 2;
      break;
    case '-':
      // gnulib takes three in a row for one plain hyphen.
      if (syntax_.wide_ranges && p_.substr(pos, 3) == "---") item.size = 3;
      else item.kind = Kind::hyphen;
      break;
    case ']': item.kind = Kind::close; break;
    case '^': item.kind = Kind::hat; break;
  }
  return item;
}

// [:name:] and its like, after the opening two characters.
std::string_view BracketParser::read_symbol(Element& e, char delimiter) {
  constexpr size_t kLongestName = 32;
  size_t start = pos_;
  if (pos_ >= p_.size()) return kUnmatchedBracket;
  for (;; ++pos_) {
    if (pos_ - start >= kLongestName) return kUnmatchedBracket;
    if (pos_ + 1 >= p_.size()) return kUnmatchedBracket;
    if (p_[pos_] == delimiter && p_[pos_ + 1] == ']') break;
  }
  std::string_view name = p_.substr(start, pos_ - start);
  pos_ += 2;
  if (delimiter == ':') {
    auto classes = name == "word" || name == "ascii" ? std::nullopt : find_class(name);
    if (options_.ignore_case && (name == "upper" || name == "lower")) classes = find_class("alpha");
    if (!classes) return kBadClass;
    e.is_class = true;
    e.classes = *classes;
    return {};
  }
  if (name.size() != 1) return kBadCollation;
  e.code = static_cast<uint8_t>(name[0]);
  e.is_equivalence = delimiter == '=';
  return {};
}

std::string_view BracketParser::read_element(Element& e, Item item, bool accept_hyphen) {
  pos_ += item.size;
  switch (item.kind) {
    case Kind::collating: return read_symbol(e, '.');
    case Kind::equivalence: return read_symbol(e, '=');
    case Kind::cclass: return read_symbol(e, ':');
    case Kind::hyphen:
      if (!accept_hyphen && peek(pos_).kind != Kind::close) return kBadRange;
      break;
    default:
      break;
  }
  e.code = item.code;
  e.invalid = item.invalid;
  return {};
}

std::expected<size_t, Failure> BracketParser::parse(CodeSet& set) {
  bool negated = false;
  Item item = peek(pos_);
  if (item.kind == Kind::hat) {
    negated = true;
    pos_ += item.size;
    item = peek(pos_);
  }
  // grep reads the pattern with a parser of its own first.
  if (item.kind == Kind::end)
    return fail(options_.flavor == Flavor::grep ? kUnmatchedBracket : kInvalid);
  if (item.kind == Kind::close) item.kind = Kind::character;
  bool first = true;
  for (;;) {
    Element low;
    if (auto error = read_element(low, item, first); !error.empty()) return fail(error);
    first = false;
    item = peek(pos_);
    bool range = false;
    if (!low.is_class && !low.is_equivalence) {
      if (item.kind == Kind::end) return fail(kUnmatchedBracket);
      if (item.kind == Kind::hyphen) {
        Item after = peek(pos_ + item.size);
        if (after.kind == Kind::end) return fail(kUnmatchedBracket);
        if (after.kind == Kind::close) {
          item.kind = Kind::character;
        } else {
          range = true;
          pos_ += item.size;
          item = after;
        }
      }
    }
    if (range) {
      Element high;
      if (auto error = read_element(high, item, true); !error.empty()) return fail(error);
      item = peek(pos_);
      if (high.is_class || high.is_equivalence) return fail(kBadRange);
      uint32_t from = fold(low.code), to = fold(high.code);
      // glibc has no order of characters for C.UTF-8, only one of bytes: a
      // range ends in ASCII, or in a byte that is no character and then
      // reaches over ASCII alone.
      bool single_bytes = (low.invalid || from < 128) && (high.invalid || to < 128);
      if (!single_bytes && (!syntax_.wide_ranges || low.invalid || high.invalid))
        return fail(kBadCollation);
      if (from > to && !syntax_.empty_ranges) return fail(kBadRange);
      if (low.invalid || high.invalid) to = std::min<uint32_t>(to, 127);
      if (from <= to) set.add(from, to);
    } else if (low.is_class) {
      set.add_classes(low.classes);
    } else if (!low.invalid) {
      set.add(fold(low.code));
    }
    if (item.kind == Kind::end) return fail(kUnmatchedBracket);
    if (item.kind == Kind::close) break;
  }
  if (negated) {
    set.set_negated();
    if (syntax_.hat_not_newline) set.exclude('\n');
  }
  if (options_.ignore_case) set.set_fold();
  return pos_ + item.size;
}

Parsed Parser::parse_bracket() {
  CodeSet set;
  auto end = BracketParser(p_, pos_, options_, syntax_).parse(set);
  if (!end) return std::unexpected(end.error());
  meter_.charge_work(static_cast<int64_t>((*end - pos_) / 16 + 1));
  pos_ = *end;
  return tree_.add_set(std::move(set));
}

}  // namespace

std::expected<Tree, std::string> parse_posix(std::string_view pattern, RegexOptions options,
                                             limits::Meter& meter) {
  return Parser(pattern, options, meter).run();
}

}  // namespace nacre::regex::internal
