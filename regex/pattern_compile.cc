// Shell pattern to program.
//
// The reader follows bash's matcher, which interprets the text of the pattern
// while it matches, in its corners too: a group that is not closed makes the
// rest of the pattern plain text, a bracket that is not closed is a plain [.
#include <algorithm>
#include <map>

#include "regex/pattern_program.h"

namespace nacre::regex::internal {

namespace {

using Op = Element::Op;

constexpr bool is_group_operator(char c) {
  return c == '?' || c == '*' || c == '+' || c == '@' || c == '!';
}

constexpr size_t kNone = std::string_view::npos;

// What bash skips over when it looks for the end of a star.
bool collapses(const Element& e) {
  return e.op == Op::star || e.op == Op::any ||
         (e.op == Op::group && (e.kind == '?' || e.kind == '*'));
}

class Compiler {
 public:
  Compiler(std::string_view pattern, Program& program, limits::Meter& meter)
      : pattern_(pattern), program_(program), meter_(meter), steps_(meter) {}

  void run() {
    program_.start = read_sequence(0, pattern_.size());
    program_.search_chars = count_search_chars();
    program_.begins_with_star = pattern_.starts_with('*');
    const Sequence& seq = program_.sequences[program_.start];
    size_t k = 0;
    while (k < seq.elements.size() && collapses(seq.elements[k])) ++k;
    if (k < seq.elements.size() && !seq.nullable_from.empty())
      program_.check_matters |= seq.nullable_from[k];
    build_simple();
    find_start_bytes();
  }

 private:
  uint32_t read_sequence(size_t pos, size_t end);
  size_t find_close(size_t pos, size_t end, bool at_bar);
  size_t read_group(Sequence& seq, size_t pos, size_t end);
  size_t read_bracket_at(Sequence& seq, size_t pos, size_t end);
  void add_literal(Sequence& seq, std::string_view s);
  void add_text(Sequence& seq, std::string_view s);
  void finish_sequence(Sequence& seq);
  bool group_nullable(const Element& e) const;
  bool after_star(const Sequence& seq) const;
  bool accepts_before_not(size_t paren, size_t end);
  template <class F>
  void for_alternatives(size_t pos, size_t rest, size_t end, F&& take);
  size_t count_search_chars() const;
  void build_simple();
  void find_start_bytes();
  bool add_start(const Sequence& seq, size_t k);
  bool add_element_start(const Element& e);
  void add_start_byte(uint8_t c) { program_.start_bytes[c >> 6] |= uint64_t{1} << (c & 63); }

  std::string_view pattern_;
  Program& program_;
  limits::Meter& meter_;
  Steps steps_;
  int depth_ = 0;
  // Malformed brackets make the rest of the pattern be read from several
  // places; each place is read once.
  std::map<std::pair<size_t, size_t>, uint32_t> rests_;
};

// The end of a group's text, or of one alternative: the place after the ) or |
// that closes it. The end of an enclosing alternative closes it too.
size_t Compiler::find_close(size_t pos, size_t end, bool at_bar) {
  if (pos == end) return kNone;
  int parens = 0;
  bool in_bracket = false;
  size_t bracket_first = kNone;
  char special = 0;
  for (size_t i = pos; i < pattern_.size(); ++i) {
    if (i >= end) return i;
    steps_.add(1);
    char c = pattern_[i];
    char next = i + 1 < pattern_.size() ? pattern_[i + 1] : '\0';
    switch (c) {
      case '\\':
        ++i;
        break;
      case '[':
        if (!in_bracket) {
          in_bracket = true;
          bracket_first = next == '!' || next == '^' ? i + 2 : i + 1;
        } else if (next == ':' || next == '.' || next == '=') {
          special = next;
        }
        break;
      case ']':
        if (!in_bracket) break;
        if (special && pattern_[i - 1] == special) special = 0;
        else if (i != bracket_first) in_bracket = false;
        break;
      case '(':
        if (!in_bracket) ++parens;
        break;
      case ')':
        if (!in_bracket && parens-- <= 0) return i + 1;
        break;
      case '|':
        if (!in_bracket && parens == 0 && at_bar) return i + 1;
        break;
    }
  }
  return kNone;
}

void Compiler::add_text(Sequence& seq, std::string_view s) {
  if (s.empty()) return;
  auto at = static_cast<uint32_t>(program_.text.size());
  program_.text += s;
  if (!seq.elements.empty()) {
    Element& last = seq.elements.back();
    if (last.op == Op::literal && last.a + last.b == at) {
      last.b += static_cast<uint32_t>(s.size());
      return;
    }
  }
  seq.elements.push_back({Op::literal, 0, false, at, static_cast<uint32_t>(s.size())});
}

// Text of the pattern that stands for itself; `s` holds whole characters.
void Compiler::add_literal(Sequence& seq, std::string_view s) {
  if (!program_.options.ignore_case) return add_text(seq, s);
  for (size_t i = 0; i < s.size();) {
    if (program_.wide) {
      base::Utf8Char c = base::decode_utf8(s, i);
      seq.elements.push_back({Op::folded, 0, false, base::to_lower(c.code), 0});
      i += c.size;
    } else {
      auto c = static_cast<uint8_t>(s[i++]);
      seq.elements.push_back({Op::folded, 0, false, c < 128 ? base::to_lower(c) : c, 0});
    }
  }
}

// True when bash would still be collapsing stars and question marks here.
bool Compiler::after_star(const Sequence& seq) const {
  for (size_t i = seq.elements.size(); i-- > 0;) {
    if (seq.elements[i].op == Op::star) return true;
    if (!collapses(seq.elements[i])) return false;
  }
  return false;
}

// *!(..) at the end of the text: bash reads the group from one place too far to
// the left, finds no end for it and takes that for a match. See nullable_from.
bool Compiler::accepts_before_not(size_t paren, size_t end) {
  size_t rest = find_close(paren, end, false);
  if (rest == kNone) return true;
  if (rest >= end) return false;
  bool accepts = false;
  for_alternatives(paren, rest, end, [&](uint32_t alternative) {
    accepts |= program_.sequences[alternative].nullable;
  });
  return accepts || !program_.sequences[read_sequence(rest, end)].nullable;
}

template <class F>
void Compiler::for_alternatives(size_t pos, size_t rest, size_t end, F&& take) {
  for (;;) {
    size_t next = find_close(pos, end, true);
    if (next == kNone || next > rest) next = rest;
    take(read_sequence(pos, next - 1));
    if (next == rest) return;
    pos = next;
  }
}

size_t Compiler::read_group(Sequence& seq, size_t pos, size_t end) {
  char kind = pattern_[pos];
  size_t rest = find_close(pos + 2, end, false);
  if (rest == kNone) {
    // Not closed: the rest is text, its backslashes too, in exactly this case.
    // After a star bash skips such a ?( or *( with all that follows.
    if (after_star(seq) && (kind == '?' || kind == '*')) return end;
    bool accepts = kind == '!' && after_star(seq) && accepts_before_not(pos + 1, end);
    add_text(seq, pattern_.substr(pos, end - pos));
    seq.elements.back().flag |= accepts;
    program_.check_matters |= accepts;
    return end;
  }
  Element group{Op::group, kind};
  group.flag = kind == '!' && after_star(seq) && accepts_before_not(pos + 1, end);
  program_.check_matters |= group.flag;
  std::vector<uint32_t> alternatives;
  for_alternatives(pos + 2, rest, end,
                   [&](uint32_t alternative) { alternatives.push_back(alternative); });
  group.a = static_cast<uint32_t>(program_.alternatives.size());
  group.b = static_cast<uint32_t>(alternatives.size());
  program_.alternatives.insert(program_.alternatives.end(), alternatives.begin(),
                               alternatives.end());
  seq.elements.push_back(group);
  return rest;
}

// `pos` is after the [. Returns the place where reading goes on.
size_t Compiler::read_bracket_at(Sequence& seq, size_t pos, size_t end) {
  BracketOptions options{program_.wide, program_.options.ignore_case, program_.options.pathname};
  Bracket bracket = read_bracket(pattern_, pos, options);
  if (bracket.is_literal()) {
    add_literal(seq, "[");
    return pos;
  }
  if (bracket.well_formed()) {
    CharSet set(options.fold);
    for (const BracketElement& e : bracket.elements) {
      if (e.kind == BracketElement::Kind::range) set.add_range(e.low, e.high);
      else if (e.kind == BracketElement::Kind::classes) set.add_classes(e.classes);
    }
    set.finish(bracket.negated);
    seq.elements.push_back({Op::set, 0, false, static_cast<uint32_t>(program_.sets.size())});
    program_.sets.push_back(std::move(set));
    return bracket.end;
  }
  ForkBracket fork;
  auto add_rest = [&](size_t place) {
    if (place == Bracket::kFails || place == Bracket::kUnterminated) return;
    for (const auto& [known, unused] : fork.rests)
      if (known == place) return;
    fork.rests.emplace_back(place, read_sequence(place, end));
  };
  add_rest(bracket.literal_next);
  add_rest(bracket.end);
  if (!bracket.negated)
    for (const BracketElement& e : bracket.elements) add_rest(e.next);
  fork.bracket = std::move(bracket);
  fork.options = options;
  seq.elements.push_back({Op::bracket, 0, false, static_cast<uint32_t>(program_.forks.size())});
  program_.forks.push_back(std::move(fork));
  return end;
}

uint32_t Compiler::read_sequence(size_t pos, size_t end) {
  const std::pair<size_t, size_t> place{pos, end};
  if (auto known = rests_.find(place); known != rests_.end()) return known->second;
  limits::DepthGuard guard(meter_, depth_, meter_.limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  Sequence seq;
  while (pos < end) {
    steps_.add(4);
    char c = pattern_[pos];
    if (program_.options.extglob && is_group_operator(c) && pos + 1 < pattern_.size() &&
        pattern_[pos + 1] == '(') {
      pos = read_group(seq, pos, end);
      continue;
    }
    switch (c) {
      case '\\':
        if (pos + 1 < end) {
          size_t size = program_.wide ? base::decode_utf8(pattern_, pos + 1).size : 1;
          add_literal(seq, pattern_.substr(pos + 1, size));
          pos += 1 + size;
        } else {
          // A last backslash stands for itself, but not right after a star.
          if (after_star(seq)) seq.elements.push_back({Op::never});
          else add_text(seq, "\\");
          ++pos;
        }
        break;
      case '?':
        seq.elements.push_back({Op::any});
        ++pos;
        break;
      case '*':
        seq.elements.push_back({Op::star});
        ++pos;
        break;
      case '[':
        pos = read_bracket_at(seq, pos + 1, end);
        break;
      default: {
        size_t stop = pos + 1;
        while (stop < end && pattern_.substr(stop, 1).find_first_of("\\?*[+@!") == kNone) ++stop;
        add_literal(seq, pattern_.substr(pos, stop - pos));
        pos = stop;
      }
    }
  }
  finish_sequence(seq);
  auto index = static_cast<uint32_t>(program_.sequences.size());
  program_.sequences.push_back(std::move(seq));
  // Only groups and malformed brackets read a place twice.
  if (depth_ > 1) rests_.emplace(place, index);
  return index;
}

bool Compiler::group_nullable(const Element& e) const {
  bool any = false;
  for (uint32_t i = 0; i < e.b; ++i)
    any |= program_.sequences[program_.alternatives[e.a + i]].nullable;
  switch (e.kind) {
    case '?':
    case '*':
      return true;
    case '!':
      return !any;
    default:
      return any;
  }
}

// What matches the empty string, by bash's rules: after a star, what remains
// has to match at least one character, but for the cases written here.
void Compiler::finish_sequence(Sequence& seq) {
  const std::vector<Element>& elements = seq.elements;
  bool interesting = std::any_of(elements.begin(), elements.end(), [](const Element& e) {
    return e.op == Op::star || e.op == Op::group;
  });
  if (!interesting) {
    seq.nullable = elements.empty();
    return;
  }
  size_t n = elements.size();
  std::vector<bool> normal(n + 1), collapsing(n + 1);
  normal[n] = collapsing[n] = true;
  for (size_t k = n; k-- > 0;) {
    const Element& e = elements[k];
    normal[k] = collapsing[k] = false;
    if (e.op == Op::star) {
      normal[k] = collapsing[k] = collapsing[k + 1];
    } else if (e.op == Op::group) {
      normal[k] = group_nullable(e) && normal[k + 1];
      if (e.kind == '?') collapsing[k] = normal[k + 1] || collapsing[k + 1];
      else if (e.kind == '*') collapsing[k] = collapsing[k + 1];
      else if (e.kind == '!') collapsing[k] = e.flag;
    } else {
      collapsing[k] = e.flag;
    }
  }
  seq.nullable = normal[0];
  seq.nullable_from = std::move(normal);
}

// Cuts a pattern without groups into segments. Question marks right after a
// star move before it: *? and ?* are the same, and the segment that follows
// then begins with something that can be searched for.
void Compiler::build_simple() {
  Sequence& seq = program_.sequences[program_.start];
  if (program_.options.pathname) return;
  for (const Element& e : seq.elements)
    if (e.op == Op::group || e.op == Op::bracket || e.op == Op::never || e.flag) return;
  program_.simple = true;
  program_.plain = true;
  program_.elements.reserve(seq.elements.size());
  Segment segment;
  bool star_pending = false;
  auto close = [&] {
    segment.literal = segment.count == 0 ||
                      (segment.count == 1 && program_.elements[segment.first].op == Op::literal);
    program_.segments.push_back(segment);
    segment = {static_cast<uint32_t>(program_.elements.size()), 0, 0, false};
  };
  for (const Element& e : seq.elements) {
    if (e.op == Op::star) {
      program_.has_star = star_pending = true;
      continue;
    }
    if (star_pending && e.op != Op::any) {
      close();
      star_pending = false;
    }
    if (e.op != Op::literal) program_.plain = false;
    program_.elements.push_back(e);
    ++segment.count;
    if (e.op != Op::literal) ++segment.chars;
    else segment.chars += static_cast<uint32_t>(
        program_.wide ? base::count_chars(program_.literal_text(e)) : e.b);
  }
  close();
  if (star_pending) close();
}

// bash counts the length of a pattern without stars and groups with a reader of
// brackets that is simpler than the matcher's: it takes the ] of [^]..] for the
// end. Such patterns are never found by ${x/p/r}: x=abc; echo ${x/[^]]/X}.
size_t Compiler::count_search_chars() const {
  std::string_view p = pattern_;
  auto at = [&](size_t i) { return i < p.size() ? p[i] : '\0'; };
  auto next = [&](size_t i) {
    return i + (program_.wide && i < p.size() ? base::decode_utf8(p, i).size : 1);
  };
  size_t chars = 0;
  for (size_t i = 0; i < p.size();) {
    char c = p[i];
    if (c == '*') return SIZE_MAX;
    if ((c == '?' || c == '+' || c == '!' || c == '@') && at(i + 1) == '(') return SIZE_MAX;
    if (c == '\\') {
      ++chars;
      i = i + 1 < p.size() ? next(i + 1) : i + 1;
      continue;
    }
    if (c != '[') {
      ++chars;
      i = next(i);
      continue;
    }
    size_t length = 1;
    char inner = 0;  // the : . or = of the inner bracket that is open
    bool closed = false;
    for (++i; i < p.size();) {
      c = p[i];
      char after = at(i + 1);
      if (c == '\\') {
        ++length;
        i = next(i + 1);
        if (i >= p.size()) break;
      } else if (c == '[' && (after == ':' || after == '.' || after == '=')) {
        inner = after;
        ++length;
        i += 2;
        if (inner != ':' && at(i) == ']') ++i, ++length;
      } else if (inner && c == inner && after == ']') {
        inner = 0;
        ++length;
        i += 2;
      } else {
        ++length;
        i = next(i);
      }
      if (at(i) == ']') {
        ++i;
        closed = true;
        break;
      }
    }
    chars += closed ? 1 : length;
  }
  return chars;
}

// Fails (false) when any byte may begin a match, or none needs to.
bool Compiler::add_element_start(const Element& e) {
  switch (e.op) {
    case Op::literal:
      add_start_byte(static_cast<uint8_t>(program_.text[e.a]));
      return true;
    case Op::set: {
      const CharSet& set = program_.sets[e.a];
      for (uint32_t c = 0; c < 128; ++c)
        if (set.contains(c, program_.wide)) add_start_byte(static_cast<uint8_t>(c));
      for (uint32_t c = 128; c < 256; ++c) add_start_byte(static_cast<uint8_t>(c));
      return true;
    }
    case Op::never:
      return true;
    default:
      return false;
  }
}

bool Compiler::add_start(const Sequence& seq, size_t k) {
  if (k >= seq.elements.size()) return false;
  const Element& e = seq.elements[k];
  if (e.op != Op::group) return add_element_start(e);
  if (e.kind == '!' || group_nullable(e)) return false;
  for (uint32_t i = 0; i < e.b; ++i)
    if (!add_start(program_.sequences[program_.alternatives[e.a + i]], 0)) return false;
  return true;
}

void Compiler::find_start_bytes() {
  if (program_.simple) return;
  program_.start_bytes_known = add_start(program_.sequences[program_.start], 0);
}

}  // namespace

Program compile_pattern(std::string_view pattern, PatternOptions options, bool wide,
                        limits::Meter& meter) {
  Program program;
  program.options = options;
  program.wide = wide;
  Compiler(pattern, program, meter).run();
  return program;
}

}  // namespace nacre::regex::internal
