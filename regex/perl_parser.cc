#include "regex/perl_parser.h"

#include <optional>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "regex/perl_class.h"

namespace nacre::regex::internal {

namespace {

using Kind = Node::Kind;
using Parsed = std::expected<uint32_t, PerlError>;

constexpr std::string_view kMissingClose = "missing closing parenthesis";
constexpr std::string_view kNothingToRepeat = "quantifier does not follow a repeatable item";
constexpr std::string_view kNoSuchGroup = "reference to non-existent subpattern";
constexpr std::string_view kBadOption = "unrecognized character after (? or (?-";
constexpr std::string_view kNotFixed = "lookbehind assertion is not fixed length";
constexpr std::string_view kNameExpected = "subpattern name expected";
constexpr std::string_view kBadName = "syntax error in subpattern name (missing terminator?)";
constexpr uint32_t kMaxCount = 65535;
constexpr uint32_t kMaxGroups = 65535;

struct Modes {
  bool ignore_case = false;
  bool multiline = false;
  bool dot_all = false;
  bool extended = false;
  bool extended_more = false;
  bool no_capture = false;
  bool ungreedy = false;
};

class Parser {
 public:
  Parser(std::string_view pattern, RegexOptions options, limits::Meter& meter)
      : p_(pattern), meter_(meter) {
    modes_.ignore_case = options.ignore_case;
    modes_.multiline = options.newline;
    tree_.perl = true;
    tree_.multiline = true;  // Only the ^ and $ of (?m) become line assertions.
  }

  std::expected<Tree, std::string> run();

 private:
  // References that are checked when all groups are known.
  struct Reference {
    uint32_t node;
    std::string_view name;  // or by number when empty
    bool is_condition = false;
  };

  Parsed parse_alternatives();
  Parsed parse_sequence();
  Parsed parse_item(bool& repeatable);
  Parsed parse_paren(bool& repeatable);
  Parsed parse_special(bool& repeatable);
  Parsed parse_capture(std::string_view name);
  Parsed parse_look(bool behind, bool negative);
  Parsed parse_conditional();
  Parsed parse_branch_reset();
  Parsed parse_options(bool& repeatable);
  Parsed parse_escape(bool& repeatable);
  Parsed parse_reference_escape(char letter);
  Parsed parse_quantifiers(uint32_t item);
  Parsed parse_verb();
  Parsed close(Parsed inner);
  Parsed wrap(Kind kind);

  std::optional<std::pair<uint32_t, uint32_t>> read_braces(std::string_view& error);
  std::expected<std::string_view, PerlError> read_name(char terminator);
  std::optional<int64_t> read_number();
  Parsed add_backref(int64_t number, std::string_view name);
  Parsed add_call(int64_t number, std::string_view name);
  std::string_view resolve();
  std::optional<uint32_t> fixed_length(uint32_t index);
  std::string_view set_look_length(uint32_t index);

  uint32_t literal(uint32_t code);
  uint32_t add(Kind kind, uint32_t a = 0, bool flag = false) {
    return tree_.add({kind, flag, Node::Greed::greedy, a});
  }
  uint32_t assertion(Assertion a) { return add(Kind::assertion, static_cast<uint32_t>(a)); }
  bool at(char c) const { return pos_ < p_.size() && p_[pos_] == c; }
  bool take(std::string_view s) {
    if (!p_.substr(pos_).starts_with(s)) return false;
    pos_ += s.size();
    return true;
  }
  bool skip_ignored();
  static std::unexpected<PerlError> fail(std::string_view text) {
    return std::unexpected(PerlError{text});
  }

  std::string_view p_;
  limits::Meter& meter_;
  Tree tree_;
  Modes modes_;
  size_t pos_ = 0;
  int depth_ = 0;
  int look_depth_ = 0;
  bool quoting_ = false;  // between \Q and \E
  std::vector<std::pair<std::string_view, uint32_t>> names_;
  std::vector<Reference> references_;
};

std::expected<Tree, std::string> Parser::run() {
  while (take("(*UTF8)") || take("(*UTF)") || take("(*UCP)")) {
  }
  Parsed root = parse_alternatives();
  std::string_view error;
  if (!root) error = root.error().text;
  else if (pos_ < p_.size()) error = "unmatched closing parenthesis";
  else error = resolve();
  if (!error.empty()) return std::unexpected(std::string(error));
  tree_.root = *root;
  return std::move(tree_);
}

// White space and comments of (?x), \Q, \E and (?#..).
bool Parser::skip_ignored() {
  std::string_view rest = p_.substr(pos_);
  if (rest.starts_with("\\E")) {
    quoting_ = false;
    pos_ += 2;
    return true;
  }
  if (quoting_) return false;
  if (rest.starts_with("\\Q")) {
    quoting_ = true;
    pos_ += 2;
    return true;
  }
  if (rest.starts_with("(?#")) {
    size_t close = p_.find(')', pos_);
    if (close == std::string_view::npos) return false;
    pos_ = close + 1;
    return true;
  }
  if (modes_.extended && !rest.empty()) {
    if (rest[0] == ' ' || (rest[0] >= '\t' && rest[0] <= '\r')) {
      ++pos_;
      return true;
    }
    if (rest[0] == '#') {
      size_t newline = p_.find('\n', pos_);
      pos_ = newline == std::string_view::npos ? p_.size() : newline + 1;
      return true;
    }
  }
  return false;
}

Parsed Parser::parse_alternatives() {
  limits::DepthGuard guard(meter_, depth_, meter_.limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  Modes saved = modes_;
  Node alt{Kind::alt};
  for (;;) {
    Parsed branch = parse_sequence();
    if (!branch) return branch;
    alt.children.push_back(*branch);
    if (quoting_ || !at('|')) break;
    ++pos_;
  }
  modes_ = saved;
  if (alt.children.size() == 1) return alt.children[0];
  return tree_.add(std::move(alt));
}

Parsed Parser::parse_sequence() {
  Node cat{Kind::cat};
  for (;;) {
    meter_.charge_work(1);
    tree_.check_size(meter_);
    while (skip_ignored()) {
    }
    if (pos_ >= p_.size()) break;
    if (!quoting_ && (at('|') || at(')'))) break;
    bool repeatable = true;
    Parsed item = parse_item(repeatable);
    if (!item) return item;
    while (skip_ignored()) {
    }
    if (repeatable) item = parse_quantifiers(*item);
    if (!item) return item;
    cat.children.push_back(*item);
  }
  if (cat.children.size() == 1) return cat.children[0];
  return tree_.add(std::move(cat));
}

uint32_t Parser::literal(uint32_t code) {
  bool cased = base::to_upper(code) != code || base::to_lower(code) != code;
  if (!modes_.ignore_case || !cased) return add(Kind::literal, code);
  CodeSet set;
  set.set_perl(true);
  set.add(base::to_upper(code));
  set.add(base::to_lower(code));
  return tree_.add_set(std::move(set));
}

Parsed Parser::parse_item(bool& repeatable) {
  base::Utf8Char c = base::decode_utf8(p_, pos_);
  if (!c.valid) {
    ++pos_;
    return add(Kind::byte, c.code);
  }
  if (quoting_) {
    pos_ += c.size;
    return literal(c.code);
  }
  switch (c.code) {
    case '(':
      return parse_paren(repeatable);
    case '[': {
      if (p_.substr(pos_).starts_with("[:") || p_.substr(pos_).starts_with("[.") ||
          p_.substr(pos_).starts_with("[=")) {
        char kind = p_[pos_ + 1];
        for (size_t i = pos_ + 2; i + 1 < p_.size() && p_[i] != ']'; ++i)
          if (p_[i] == kind && p_[i + 1] == ']')
            return fail("POSIX named classes are supported only within a class");
      }
      ++pos_;
      auto set = read_perl_class(p_, pos_, {modes_.ignore_case, modes_.extended_more}, meter_);
      if (!set) return std::unexpected(set.error());
      return tree_.add_set(std::move(*set));
    }
    case '\\':
      return parse_escape(repeatable);
    case '^':
      ++pos_;
      repeatable = false;
      return assertion(modes_.multiline ? Assertion::line_begin : Assertion::text_begin);
    case '$':
      ++pos_;
      repeatable = false;
      return assertion(modes_.multiline ? Assertion::line_end : Assertion::text_end_newline);
    case '.':
      ++pos_;
      return add(Kind::any, 0, modes_.dot_all);
    case '*':
    case '+':
    case '?':
      return fail(kNothingToRepeat);
    case '{': {
      std::string_view error;
      size_t start = pos_;
      auto braces = read_braces(error);
      if (!error.empty()) return fail(error);
      if (braces) return fail(kNothingToRepeat);
      pos_ = start;
      break;
    }
  }
  pos_ += c.size;
  return literal(c.code);
}

// {n}, {n,} or {n,m}: nothing (and no move) when it is plain text.
std::optional<std::pair<uint32_t, uint32_t>> Parser::read_braces(std::string_view& error) {
  size_t i = pos_ + 1;
  auto number = [&]() -> std::optional<uint32_t> {
    size_t start = i;
    uint32_t n = 0;
    while (i < p_.size() && base::all_digits(p_.substr(i, 1))) {
      n = std::min<uint32_t>(kMaxCount + 1, n * 10 + static_cast<uint32_t>(p_[i] - '0'));
      ++i;
    }
    if (i == start) return std::nullopt;
    return n;
  };
  auto min = number();
  if (!min) return std::nullopt;
  uint32_t max = *min;
  if (i < p_.size() && p_[i] == ',') {
    ++i;
    auto n = number();
    max = n ? *n : Node::kInfinite;
  }
  if (i >= p_.size() || p_[i] != '}') return std::nullopt;
  if (*min > kMaxCount || (max != Node::kInfinite && max > kMaxCount))
    error = "number too big in {} quantifier";
  else if (max < *min) error = "numbers out of order in {} quantifier";
  pos_ = i + 1;
  return std::pair(*min, max);
}

Parsed Parser::parse_quantifiers(uint32_t item) {
  if (quoting_ || pos_ >= p_.size()) return item;
  uint32_t min = 0, max = Node::kInfinite;
  switch (p_[pos_]) {
    case '*': ++pos_; break;
    case '+': ++pos_; min = 1; break;
    case '?': ++pos_; max = 1; break;
    case '{': {
      std::string_view error;
      auto braces = read_braces(error);
      if (!error.empty()) return fail(error);
      if (!braces) return item;
      min = braces->first;
      max = braces->second;
      break;
    }
    default: return item;
  }
  Node repeat{Kind::repeat};
  repeat.a = min;
  repeat.b = max;
  bool lazy = modes_.ungreedy;
  if (take("?")) lazy = !lazy;
  else if (take("+")) repeat.greed = Node::Greed::possessive;
  if (lazy && repeat.greed != Node::Greed::possessive) repeat.greed = Node::Greed::lazy;
  Kind kind = tree_.node(item).kind;
  // A lookaround takes nothing, so once is as good as often.
  if (kind == Kind::look && repeat.b > 1) repeat.a = std::min<uint32_t>(repeat.a, 1), repeat.b = 1;
  repeat.children.push_back(item);
  return tree_.add(std::move(repeat));
}

Parsed Parser::close(Parsed inner) {
  if (!inner) return inner;
  if (!at(')')) return fail(kMissingClose);
  ++pos_;
  return inner;
}

// The rest of a parenthesis as the only child of a node.
Parsed Parser::wrap(Kind kind) {
  Parsed inner = close(parse_alternatives());
  if (!inner) return inner;
  Node node{kind};
  node.children.push_back(*inner);
  return tree_.add(std::move(node));
}

Parsed Parser::parse_paren(bool& repeatable) {
  ++pos_;
  if (at('*')) return parse_verb();
  if (at('?')) {
    ++pos_;
    return parse_special(repeatable);
  }
  if (modes_.no_capture) return close(parse_alternatives());
  return parse_capture({});
}

Parsed Parser::parse_capture(std::string_view name) {
  if (tree_.groups >= kMaxGroups) return fail("too many capturing groups (maximum 65535)");
  uint32_t number = ++tree_.groups;
  if (!name.empty()) {
    for (const auto& [known, unused] : names_)
      if (known == name)
        return fail("two named subpatterns have the same name (PCRE2_DUPNAMES not set)");
    names_.emplace_back(name, number);
  }
  Parsed group = wrap(Kind::group);
  if (group) tree_.nodes[*group].a = number;
  return group;
}

Parsed Parser::parse_verb() {
  size_t close = p_.find(')', pos_);
  std::string_view verb = p_.substr(pos_ + 1, close == std::string_view::npos ? 0 : close - pos_ - 1);
  if (verb == "FAIL" || verb == "F") {
    pos_ = close + 1;
    return add(Kind::never);
  }
  struct Alias {
    std::string_view name;
    bool behind, negative;
  };
  static constexpr Alias kAliases[] = {
      {"*pla:", false, false}, {"*positive_lookahead:", false, false},
      {"*nla:", false, true},  {"*negative_lookahead:", false, true},
      {"*plb:", true, false},  {"*positive_lookbehind:", true, false},
      {"*nlb:", true, true},   {"*negative_lookbehind:", true, true},
  };
  for (const Alias& alias : kAliases)
    if (take(alias.name)) return parse_look(alias.behind, alias.negative);
  if (take("*atomic:")) return wrap(Kind::atomic);
  return fail("(*VERB) not recognized or malformed");
}

Parsed Parser::parse_special(bool& repeatable) {
  if (pos_ >= p_.size()) return fail(kMissingClose);
  if (take("#")) return fail("missing ) after (?# comment");
  if (take(":")) return close(parse_alternatives());
  if (take("|")) return parse_branch_reset();
  if (take(">")) return wrap(Kind::atomic);
  if (take("=")) return parse_look(false, false);
  if (take("!")) return parse_look(false, true);
  if (take("<=")) return parse_look(true, false);
  if (take("<!")) return parse_look(true, true);
  if (take("(")) return parse_conditional();
  if (take("R") || (at('0') && take("0"))) {
    if (!take(")")) return fail("(?R (recursive pattern call) must be followed by a closing parenthesis");
    return add_call(0, {});
  }
  if (take("&") || take("P>")) {
    auto name = read_name(')');
    if (!name) return std::unexpected(name.error());
    return add_call(-1, *name);
  }
  if (take("P=")) {
    auto name = read_name(')');
    if (!name) return std::unexpected(name.error());
    return add_backref(-1, *name);
  }
  if (at('<') || at('\'') || p_.substr(pos_).starts_with("P<")) {
    take("P");
    char terminator = p_[pos_++] == '<' ? '>' : '\'';
    auto name = read_name(terminator);
    if (!name) return std::unexpected(name.error());
    return parse_capture(*name);
  }
  if (at('P')) return fail(pos_ + 1 >= p_.size() ? kMissingClose : "unrecognized character after (?P");
  char next = pos_ + 1 < p_.size() ? p_[pos_ + 1] : '\0';
  bool digit = p_[pos_] >= '1' && p_[pos_] <= '9';
  bool relative = (at('+') || at('-')) && next >= '0' && next <= '9';
  if (digit || relative) {
    char sign = relative ? p_[pos_++] : '\0';
    int64_t number = *read_number();
    if (sign == '+') number += tree_.groups;
    else if (sign == '-') number = static_cast<int64_t>(tree_.groups) + 1 - number;
    if (number <= 0) return fail(kNoSuchGroup);
    if (!take(")")) return fail(kMissingClose);
    return add_call(number, {});
  }
  return parse_options(repeatable);
}

// (?i), (?i:..), (?-i), (?^)
Parsed Parser::parse_options(bool& repeatable) {
  Modes modes = modes_;
  bool on = true;
  if (take("^")) {
    modes.ignore_case = modes.multiline = modes.dot_all = modes.extended = false;
    modes.extended_more = modes.no_capture = false;
  }
  for (;; ++pos_) {
    if (pos_ >= p_.size()) return fail(kMissingClose);
    switch (p_[pos_]) {
      case 'i': modes.ignore_case = on; continue;
      case 'm': modes.multiline = on; continue;
      case 's': modes.dot_all = on; continue;
      case 'n': modes.no_capture = on; continue;
      case 'U': modes.ungreedy = on; continue;
      case 'J': continue;
      case 'x':
        modes.extended_more = on && p_[pos_ - 1] == 'x';
        modes.extended = on;
        continue;
      case '-':
        if (!on) return fail("invalid hyphen in option setting");
        on = false;
        continue;
      case ')':
        ++pos_;
        // They hold to the end of the enclosing group, which restores them.
        modes_ = modes;
        repeatable = false;
        return add(Kind::empty);
      case ':': {
        ++pos_;
        Modes saved = std::exchange(modes_, modes);
        Parsed inner = close(parse_alternatives());
        modes_ = saved;
        return inner;
      }
      default:
        return fail(kBadOption);
    }
  }
}

Parsed Parser::parse_branch_reset() {
  limits::DepthGuard guard(meter_, depth_, meter_.limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  Modes saved = modes_;
  uint32_t first = tree_.groups, most = first;
  Node alt{Kind::alt};
  for (;;) {
    tree_.groups = first;
    Parsed branch = parse_sequence();
    if (!branch) return branch;
    most = std::max(most, tree_.groups);
    alt.children.push_back(*branch);
    if (!take("|")) break;
  }
  tree_.groups = most;
  modes_ = saved;
  return close(tree_.add(std::move(alt)));
}

// The length in characters, when every match has the same.
std::optional<uint32_t> Parser::fixed_length(uint32_t index) {
  meter_.charge_work(1);
  const Node& n = tree_.node(index);
  switch (n.kind) {
    case Kind::literal: case Kind::byte: case Kind::any: case Kind::set:
      return 1;
    case Kind::empty: case Kind::assertion: case Kind::look: case Kind::keep: case Kind::never:
      return 0;
    case Kind::group: case Kind::atomic:
      return fixed_length(n.children[0]);
    case Kind::cat: {
      uint32_t sum = 0;
      for (uint32_t child : n.children) {
        auto length = fixed_length(child);
        if (!length) return std::nullopt;
        sum += *length;
      }
      return sum;
    }
    case Kind::alt: {
      std::optional<uint32_t> length;
      for (uint32_t child : n.children) {
        auto other = fixed_length(child);
        if (!other || (length && *length != *other)) return std::nullopt;
        length = other;
      }
      return length;
    }
    case Kind::repeat: {
      auto length = fixed_length(n.children[0]);
      if (!length || n.a != n.b) return std::nullopt;
      uint64_t total = uint64_t{*length} * n.a;
      if (total > kMaxCount) return std::nullopt;
      return static_cast<uint32_t>(total);
    }
    default:
      return std::nullopt;
  }
}

Parsed Parser::parse_look(bool behind, bool negative) {
  ++look_depth_;
  Parsed inner = close(parse_alternatives());
  --look_depth_;
  if (!inner) return inner;
  auto make = [&](uint32_t child, uint32_t length) {
    Node look{Kind::look, negative};
    look.a = behind;
    look.b = length;
    look.children.push_back(child);
    return tree_.add(std::move(look));
  };
  if (!behind) return make(*inner, 0);
  if (auto length = fixed_length(*inner)) return make(*inner, *length);
  // The alternatives at the top may have a length each: one look for each.
  const Node& alt = tree_.node(*inner);
  if (alt.kind != Kind::alt) return fail(kNotFixed);
  const std::vector<uint32_t> children = alt.children;
  Node looks{negative ? Kind::cat : Kind::alt};
  for (uint32_t child : children) {
    auto length = fixed_length(child);
    if (!length) return fail(kNotFixed);
    looks.children.push_back(make(child, *length));
  }
  uint32_t node = tree_.add(std::move(looks));
  if (negative) return node;
  Node atomic{Kind::atomic};
  atomic.children.push_back(node);
  return tree_.add(std::move(atomic));
}

// (?(condition)yes|no), after the second parenthesis.
Parsed Parser::parse_conditional() {
  Node node{Kind::conditional};
  std::optional<uint32_t> look;
  std::string_view name;
  if (at('?')) {
    bool behind = false, negative = false;
    if (take("?=")) {
    } else if (take("?!")) {
      negative = true;
    } else if (take("?<=")) {
      behind = true;
    } else if (take("?<!")) {
      behind = negative = true;
    } else {
      return fail("assertion expected after (?( or (?(?C)");
    }
    Parsed parsed = parse_look(behind, negative);
    if (!parsed) return parsed;
    if (tree_.node(*parsed).kind != Kind::look) return fail(kNotFixed);
    look = *parsed;
    node.a = Node::kLookCondition;
  } else if (pos_ < p_.size() && p_[pos_] >= '0' && p_[pos_] <= '9') {
    node.a = static_cast<uint32_t>(*read_number());
    if (!take(")")) return fail("missing closing parenthesis for condition");
  } else {
    if (pos_ >= p_.size()) return fail(kMissingClose);
    char terminator = take("<") ? '>' : take("'") ? '\'' : ')';
    auto read = read_name(terminator);
    if (!read) return std::unexpected(read.error());
    name = *read;
    if (terminator != ')' && !take(")")) return fail("missing closing parenthesis for condition");
    if (terminator == ')' && (name == "R" || name == "DEFINE")) {
      node.a = Node::kFalseCondition;
      name = {};
    }
  }
  Parsed branches = close(parse_alternatives());
  if (!branches) return branches;
  const Node& inner = tree_.node(*branches);
  uint32_t yes = *branches, no = UINT32_MAX;
  if (inner.kind == Kind::alt) {
    if (inner.children.size() > 2) return fail("conditional subpattern contains more than two branches");
    yes = inner.children[0];
    no = inner.children[1];
  }
  if (no == UINT32_MAX) no = add(Kind::empty);
  node.children = {yes, no};
  if (look) node.children.push_back(*look);
  uint32_t index = tree_.add(std::move(node));
  if (!name.empty()) references_.push_back({index, name, true});
  else if (tree_.node(index).a < Node::kFalseCondition) references_.push_back({index, {}, true});
  return index;
}

std::expected<std::string_view, PerlError> Parser::read_name(char terminator) {
  size_t start = pos_;
  if (pos_ < p_.size() && p_[pos_] >= '0' && p_[pos_] <= '9')
    return fail("subpattern name must start with a non-digit");
  while (pos_ < p_.size() && base::is_name_char(static_cast<unsigned char>(p_[pos_]))) ++pos_;
  if (pos_ == start) return fail(kNameExpected);
  if (pos_ - start > 32) return fail("subpattern name is too long (maximum 32 code units)");
  std::string_view name = p_.substr(start, pos_ - start);
  if (!at(terminator)) return fail(kBadName);
  ++pos_;
  return name;
}

std::optional<int64_t> Parser::read_number() {
  size_t start = pos_;
  int64_t n = 0;
  while (pos_ < p_.size() && p_[pos_] >= '0' && p_[pos_] <= '9')
    n = std::min<int64_t>(kMaxGroups + 1, n * 10 + (p_[pos_++] - '0'));
  if (pos_ == start) return std::nullopt;
  return n;
}

Parsed Parser::add_backref(int64_t number, std::string_view name) {
  if (number == 0) return fail(kNoSuchGroup);
  tree_.has_backrefs = true;
  uint32_t node = add(Kind::backref, name.empty() ? static_cast<uint32_t>(number) : 0,
                      modes_.ignore_case);
  references_.push_back({node, name});
  return node;
}

Parsed Parser::add_call(int64_t number, std::string_view name) {
  uint32_t node = add(Kind::call, name.empty() ? static_cast<uint32_t>(number) : 0);
  if (number != 0) references_.push_back({node, name});
  return node;
}

// Looks up names and checks numbers; the error, if any.
std::string_view Parser::resolve() {
  for (const Reference& r : references_) {
    Node& n = tree_.nodes[r.node];
    if (!r.name.empty()) {
      n.a = 0;
      for (const auto& [name, number] : names_)
        if (name == r.name) n.a = number;
    }
    if (n.a == 0 || n.a > tree_.groups) return kNoSuchGroup;
  }
  return {};
}

Parsed Parser::parse_escape(bool& repeatable) {
  ++pos_;
  if (pos_ >= p_.size()) return fail("\\ at end of pattern");
  char c = p_[pos_];
  auto zero_width = [&](Assertion a) {
    ++pos_;
    repeatable = false;
    return assertion(a);
  };
  switch (c) {
    case 'b': return zero_width(Assertion::word_boundary);
    case 'B': return zero_width(Assertion::not_word_boundary);
    case 'A': return zero_width(Assertion::text_begin);
    case 'Z': return zero_width(Assertion::text_end_newline);
    case 'z': return zero_width(Assertion::text_end);
    case 'G': return zero_width(Assertion::search_start);
    case 'K':
      ++pos_;
      repeatable = false;
      if (look_depth_ > 0)
        return fail(
            "\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)");
      return add(Kind::keep);
    case 'R': ++pos_; return add(Kind::newline_seq);
    case 'X': ++pos_; return add(Kind::grapheme);
    case 'C': ++pos_; return add(Kind::any, 0, true);
    case 'g':
    case 'k':
      ++pos_;
      return parse_reference_escape(c);
    case 'p':
    case 'P': {
      auto set = read_property(p_, pos_, meter_);
      if (!set) return std::unexpected(set.error());
      return tree_.add_set(std::move(*set));
    }
    case 'N':
      if (p_.substr(pos_).starts_with("N{U+")) {
        // The same as \x{..}.
        size_t close = p_.find('}', pos_);
        std::string hex = "x{";
        hex += p_.substr(pos_ + 4, close == std::string_view::npos ? 0 : close - pos_ - 3);
        size_t at = 0;
        auto code = read_char_escape(hex, at);
        if (!code) return std::unexpected(code.error());
        pos_ = close + 1;
        return literal(*code);
      }
      if (p_.substr(pos_).starts_with("N{") && !(p_.substr(pos_ + 2, 1) >= "0" &&
                                                 p_.substr(pos_ + 2, 1) <= "9"))
        return fail("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
      break;
  }
  if (c >= '1' && c <= '9') {
    size_t start = pos_;
    int64_t number = *read_number();
    if (number < 10 || c >= '8' || number <= tree_.groups) return add_backref(number, {});
    pos_ = start;
  }
  CodeSet set;
  if (add_class_escape(set, c)) {
    ++pos_;
    set.set_perl(false);
    return tree_.add_set(std::move(set));
  }
  auto code = read_char_escape(p_, pos_);
  if (!code) return std::unexpected(code.error());
  return literal(*code);
}

// \g and \k.
Parsed Parser::parse_reference_escape(char letter) {
  std::string_view missing =
      letter == 'g'
          ? "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a "
            "plain number"
          : "\\k is not followed by a braced, angle-bracketed, or quoted name";
  if (pos_ >= p_.size()) return fail(missing);
  char open = p_[pos_];
  bool call = letter == 'g' && (open == '<' || open == '\'');
  char terminator = open == '{' ? '}' : open == '<' ? '>' : open == '\'' ? '\'' : '\0';
  if (terminator) ++pos_;
  else if (letter == 'k') return fail(missing);
  if (letter == 'g') {
    char sign = at('-') || at('+') ? p_[pos_++] : '\0';
    if (auto number = read_number()) {
      int64_t n = *number;
      if (sign == '-') n = static_cast<int64_t>(tree_.groups) + 1 - n;
      else if (sign == '+') n += tree_.groups;
      if (n < 0 || (n == 0 && !call)) return fail(kNoSuchGroup);
      if (terminator && !take({&terminator, 1})) return fail(missing);
      return call ? add_call(n, {}) : add_backref(n, {});
    }
    if (sign || !terminator) return fail(missing);
  }
  auto name = read_name(terminator);
  if (!name) return std::unexpected(name.error());
  return call ? add_call(-1, *name) : add_backref(-1, *name);
}

}  // namespace

std::expected<Tree, std::string> parse_perl(std::string_view pattern, RegexOptions options,
                                            limits::Meter& meter) {
  return Parser(pattern, options, meter).run();
}

}  // namespace nacre::regex::internal
