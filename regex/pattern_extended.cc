// Patterns with groups: sets of positions instead of backtracking.
//
// The matcher asks, for a set of places where a sequence may start, at which
// places it may end, and takes the elements one after the other: a literal
// moves each place forward or drops it, a star gives everything after the first
// place, a group gives the union of its alternatives, +(..) and *(..) repeat
// that until nothing new comes, !(..) gives what its alternatives do not.
// Places are kept as intervals, so that a star costs one. Nothing recurses on
// the text; nesting of groups recurses on the pattern, which was counted when
// it was compiled. Time is polynomial where bash's own matcher is exponential,
// and every step is charged.
//
// bash's matcher wants at least one character for what follows a star. So the
// places are kept in two sets, those where nothing has been taken since the
// sequence began (`empty`) and the others (`moved`).
#include <algorithm>
#include <cstring>

#include "regex/pattern_program.h"

namespace nacre::regex::internal::extended {

namespace {

using Op = Element::Op;
constexpr size_t kNone = std::string_view::npos;

// Sorted, disjoint.
class Places {
 public:
  Places() = default;
  explicit Places(size_t pos) : list_{{pos, pos}} {}

  bool empty() const { return list_.empty(); }
  size_t min() const { return list_.front().low; }
  size_t max() const { return list_.back().high; }
  const std::vector<Interval>& list() const { return list_; }

  void clear() { list_.clear(); }
  void add(size_t low, size_t high) {
    if (low > high) return;
    // Places mostly come in order.
    if (list_.empty() || low > list_.back().high) {
      list_.push_back({low, high});
      return;
    }
    auto it = std::lower_bound(list_.begin(), list_.end(), low,
                               [](const Interval& i, size_t v) { return i.high < v; });
    if (it->low > high) {
      list_.insert(it, {low, high});
      return;
    }
    it->low = std::min(it->low, low);
    it->high = std::max(it->high, high);
    auto next = it + 1;
    while (next != list_.end() && next->low <= it->high) {
      it->high = std::max(it->high, next->high);
      ++next;
    }
    list_.erase(it + 1, next);
  }
  void add(size_t pos) { add(pos, pos); }
  void add(const Places& other) {
    if (list_.empty()) {
      list_ = other.list_;
      return;
    }
    for (const Interval& i : other.list_) add(i.low, i.high);
  }
  bool contains(size_t pos) const {
    auto it = std::lower_bound(list_.begin(), list_.end(), pos,
                               [](const Interval& i, size_t v) { return i.high < v; });
    return it != list_.end() && it->low <= pos;
  }

 private:
  std::vector<Interval> list_;
};

struct Track {
  Places empty;
  Places moved;
  bool none() const { return empty.empty() && moved.empty(); }
  size_t min() const {
    if (empty.empty()) return moved.min();
    if (moved.empty()) return empty.min();
    return std::min(empty.min(), moved.min());
  }
  Places all() const {
    Places p = empty;
    p.add(moved);
    return p;
  }
  void add(const Track& o) {
    empty.add(o.empty);
    moved.add(o.moved);
  }
};

class Matcher {
 public:
  Matcher(const Program& p, Subject s, limits::Meter& meter) : p_(p), s_(s), steps_(meter) {}

  // Where a match that starts at `pos` may end.
  Places ends(size_t pos) { return run(p_.start, {Places(pos), {}}).all(); }
  // False when no match can start here.
  bool may_start(size_t pos) const {
    if (!p_.start_bytes_known) return true;
    if (pos >= s_.text.size()) return false;
    auto c = static_cast<uint8_t>(s_.text[pos]);
    return p_.start_bytes[c >> 6] >> (c & 63) & 1;
  }
  void step() { steps_.add(1); }
  Subject subject() const { return s_; }

 private:
  Track run(uint32_t sequence, Track from) {
    return run(p_.sequences[sequence], 0, std::move(from));
  }
  Track run(const Sequence& seq, size_t k, Track from);
  Track run_star(const Sequence& seq, size_t k, const Track& from);
  static bool ends_in_nullable(const Sequence& seq, size_t k);
  static size_t star_before_flag(const Sequence& seq, size_t k);
  Track run_group(const Element& e, Track from);
  Track run_fork(const ForkBracket& fork, const Track& from);
  Track alternatives(const Element& e, const Track& from);
  Places alternative_ends(const Element& e, size_t pos);
  Places repeat(const Element& e, const Places& from);
  Places others(const Element& e, const Places& from, Places& empty);
  Places advance(const Element& e, const Places& from);
  const Element* only_single(const Element& group) const;

  // The end of one-character or literal element `e` at `pos`, or kNone.
  size_t match_one(const Element& e, size_t pos) const;
  // A leading period that only a literal may match.
  bool guarded_period(size_t pos) const {
    if (!p_.options.period || pos >= s_.text.size() || s_.text[pos] != '.') return false;
    return pos == 0 || (p_.options.pathname && s_.text[pos - 1] == '/');
  }
  bool guarded_slash(size_t pos) const { return p_.options.pathname && s_.text[pos] == '/'; }
  size_t size() const { return s_.text.size(); }
  // Adds what a star gives from each of `from`; without those themselves when
  // `strict`.
  void add_after(Places& to, const Places& from, bool strict);

  const Program& p_;
  Subject s_;
  Steps steps_;
};

size_t Matcher::match_one(const Element& e, size_t pos) const {
  if (e.op == Op::literal) {
    if (size() - pos < e.b ||
        std::memcmp(s_.text.data() + pos, p_.text.data() + e.a, e.b) != 0)
      return kNone;
    return pos + e.b;
  }
  if (pos >= size() || e.op == Op::never) return kNone;
  if (e.op != Op::folded && (guarded_period(pos) || guarded_slash(pos))) return kNone;
  uint32_t code = s_.code(pos);
  if (e.op == Op::set && !p_.sets[e.a].contains(code, s_.wide)) return kNone;
  if (e.op == Op::folded) {
    if (code < 128 || s_.wide) code = base::to_lower(code);
    if (code != e.a) return kNone;
  }
  return s_.after(pos);
}

Places Matcher::advance(const Element& e, const Places& from) {
  Places to;
  for (const Interval& i : from.list()) {
    for (size_t pos = i.low;; pos = s_.after(pos)) {
      steps_.add(1);
      size_t end = match_one(e, pos);
      if (end != kNone) to.add(end);
      if (pos >= i.high) break;
    }
  }
  return to;
}

void Matcher::add_after(Places& to, const Places& from, bool strict) {
  for (const Interval& i : from.list()) {
    size_t low = i.low;
    if (guarded_period(low)) {
      if (low == i.high) continue;
      low = s_.after(low);
    }
    size_t stop = size();
    if (p_.options.pathname) {
      // A star stops at a slash; the later places of the interval may lie
      // behind it.
      for (size_t pos = low;;) {
        steps_.add(1);
        size_t slash = s_.text.find('/', pos);
        stop = slash == kNone ? size() : slash;
        size_t first = strict && pos < size() ? s_.after(pos) : pos;
        if (!strict || pos < size()) to.add(first, stop);
        if (stop >= i.high || stop == size()) break;
        pos = stop + 1;
      }
      continue;
    }
    if (!strict) to.add(low, stop);
    else if (low < stop) to.add(s_.after(low), stop);
    break;  // The first place gives all that the others give.
  }
}

Track Matcher::run(const Sequence& seq, size_t k, Track from) {
  for (; k < seq.elements.size(); ++k) {
    steps_.add(4);
    if (from.none()) return from;
    const Element& e = seq.elements[k];
    switch (e.op) {
      case Op::star:
        return run_star(seq, k + 1, from);
      case Op::group:
        from = run_group(e, std::move(from));
        break;
      case Op::bracket:
        return run_fork(p_.forks[e.a], from);
      default: {
        Places moved = advance(e, from.moved);
        moved.add(advance(e, from.empty));
        from.moved = std::move(moved);
        from.empty.clear();
      }
    }
  }
  return from;
}

// Elements k.. after a star.
Track Matcher::run_star(const Sequence& seq, size_t k, const Track& start) {
  Track accepted;
  Track from;
  // A star refuses a leading period even where it would take nothing.
  auto admit = [&](const Places& in, Places& out) {
    for (const Interval& i : in.list()) {
      size_t low = i.low;
      if (guarded_period(low)) {
        if (low == i.high) continue;
        low = s_.after(low);
      }
      out.add(low, i.high);
    }
  };
  admit(start.empty, from.empty);
  admit(start.moved, from.moved);
  size_t n = seq.elements.size();
  for (; k < n; ++k) {
    steps_.add(4);
    if (from.none()) return accepted;
    const Element& e = seq.elements[k];
    if (e.op == Op::star) continue;
    if (e.op == Op::any) {
      Places moved = advance(e, from.moved);
      moved.add(advance(e, from.empty));
      from = {{}, std::move(moved)};
      continue;
    }
    if (e.op != Op::group || (e.kind != '?' && e.kind != '*')) break;
    // The star can stand in for the group, so trying the group adds something
    // only where what follows may have to match nothing.
    if (!ends_in_nullable(seq, k + 1)) continue;
    if (e.kind == '?') {
      accepted.add(run(seq, k, from));
    } else {
      Places anywhere;
      add_after(anywhere, from.all(), false);
      accepted.moved.add(run(seq, k, {std::move(anywhere), {}}).moved);
    }
  }
  if (k == n) {
    add_after(accepted.moved, from.empty, true);
    add_after(accepted.moved, from.moved, false);
    accepted.empty.add(from.empty);
    return accepted;
  }
  const Element& e = seq.elements[k];
  if (e.flag) accepted.add(from);
  if (size_t next = star_before_flag(seq, k); next != 0) {
    // bash does not go back to a star once the text up to the next star has
    // matched. That shows only where *!(..) accepts the end of the text.
    Places first;
    const Places starts = from.all();
    for (const Interval& i : starts.list())
      for (size_t pos = i.low;; pos = s_.after(pos)) {
        Places reached;
        add_after(reached, Places(pos), false);
        for (size_t j = k; j < next && !reached.empty(); ++j)
          reached = advance(seq.elements[j], reached);
        if (!reached.empty()) first.add(reached.min());
        if (pos >= i.high) break;
      }
    if (!first.empty()) accepted.moved.add(run_star(seq, next + 1, {{}, std::move(first)}).moved);
    return accepted;
  }
  Places anywhere;
  add_after(anywhere, from.all(), false);
  accepted.moved.add(run(seq, k, {std::move(anywhere), {}}).moved);
  return accepted;
}

// True when after the elements that bash collapses into a star something is
// left that matches the empty string.
bool Matcher::ends_in_nullable(const Sequence& seq, size_t k) {
  for (; k < seq.elements.size(); ++k) {
    const Element& e = seq.elements[k];
    bool collapses = e.op == Op::star || e.op == Op::any ||
                     (e.op == Op::group && (e.kind == '?' || e.kind == '*'));
    if (!collapses) return seq.nullable_from[k];
  }
  return false;
}

// The next star, when only elements of one length stand between and a *!(..)
// comes later; otherwise 0.
size_t Matcher::star_before_flag(const Sequence& seq, size_t k) {
  size_t star = 0;
  for (; k < seq.elements.size(); ++k) {
    const Element& e = seq.elements[k];
    if (star) {
      if (e.flag) return star;
    } else if (e.op == Op::star) {
      star = k;
    } else if (e.op == Op::group || e.op == Op::bracket) {
      return 0;
    }
  }
  return 0;
}

Track Matcher::alternatives(const Element& e, const Track& from) {
  Track to;
  for (uint32_t i = 0; i < e.b; ++i) {
    uint32_t seq = p_.alternatives[e.a + i];
    if (!from.empty.empty()) to.add(run(seq, {from.empty, {}}));
    if (!from.moved.empty()) to.moved.add(run(seq, {from.moved, {}}).all());
  }
  return to;
}

Places Matcher::alternative_ends(const Element& e, size_t pos) {
  Places to;
  for (uint32_t i = 0; i < e.b; ++i)
    to.add(run(p_.alternatives[e.a + i], {Places(pos), {}}).all());
  return to;
}

// The element, when the group is one element long and wide.
const Element* Matcher::only_single(const Element& group) const {
  if (group.b != 1) return nullptr;
  const Sequence& seq = p_.sequences[p_.alternatives[group.a]];
  if (seq.elements.size() != 1) return nullptr;
  const Element& e = seq.elements[0];
  bool single = e.op == Op::literal || e.op == Op::folded || e.op == Op::any || e.op == Op::set;
  return single ? &e : nullptr;
}

// One or more times the alternatives.
Places Matcher::repeat(const Element& e, const Places& from) {
  Places to;
  if (const Element* single = only_single(e)) {
    for (const Interval& i : from.list()) {
      for (size_t start = i.low;; start = s_.after(start)) {
        size_t pos = start;
        // What another start has walked already needs no second walk.
        while ((pos = match_one(*single, pos)) != kNone && !to.contains(pos)) {
          steps_.add(1);
          to.add(pos);
        }
        steps_.add(1);
        if (start >= i.high) break;
      }
    }
    return to;
  }
  Places frontier = from;
  while (!frontier.empty()) {
    steps_.add(1);
    Places reached = alternatives(e, {std::move(frontier), {}}).all();
    frontier.clear();
    for (const Interval& i : reached.list())
      for (size_t pos = i.low;; pos = s_.after(pos)) {
        steps_.add(1);
        if (!to.contains(pos)) frontier.add(pos);
        if (pos >= i.high) break;
      }
    to.add(frontier);
  }
  return to;
}

// !(..): from each place, all ends that no alternative reaches. Those that are
// the place itself go to `empty`.
Places Matcher::others(const Element& e, const Places& from, Places& empty) {
  Places to;
  for (const Interval& i : from.list()) {
    for (size_t pos = i.low;; pos = s_.after(pos)) {
      steps_.add(1);
      if (!guarded_period(pos)) {
        Places taken = alternative_ends(e, pos);
        size_t low = pos;
        auto add_gap = [&](size_t high) {  // [low, high)
          if (low < high) {
            size_t last = high > size() ? size() : s_.before(high);
            if (low == pos) {
              empty.add(pos);
              if (low < last) to.add(s_.after(low), last);
            } else {
              to.add(low, last);
            }
          }
        };
        for (const Interval& t : taken.list()) {
          add_gap(t.low);
          low = t.high < size() ? s_.after(t.high) : size() + 1;
          steps_.add(1);
        }
        add_gap(size() + 1);
      }
      if (pos >= i.high) break;
    }
  }
  return to;
}

Track Matcher::run_group(const Element& e, Track from) {
  switch (e.kind) {
    case '@':
      return alternatives(e, from);
    case '?': {
      Track to = alternatives(e, from);
      to.add(from);
      return to;
    }
    case '!': {
      Track to;
      to.moved = others(e, from.empty, to.empty);
      Places stayed;
      to.moved.add(others(e, from.moved, stayed));
      to.moved.add(stayed);
      return to;
    }
    default: {
      // From `empty` places a repetition may come back to the same place only
      // by taking nothing.
      Track to;
      if (!from.empty.empty()) {
        Track once = alternatives(e, {from.empty, {}});
        to.empty = once.empty;
        to.moved = std::move(once.moved);
        if (!to.moved.empty()) {
          Places more = repeat(e, to.moved);
          to.moved.add(more);
        }
      }
      if (!from.moved.empty()) to.moved.add(repeat(e, from.moved));
      if (e.kind == '*') to.add(from);
      return to;
    }
  }
}

Track Matcher::run_fork(const ForkBracket& fork, const Track& from) {
  Track to;
  std::vector<Places> reached(fork.rests.size());
  const Bracket& b = fork.bracket;
  const Places starts = from.all();
  for (const Interval& i : starts.list()) {
    for (size_t pos = i.low;; pos = s_.after(pos)) {
      steps_.add(static_cast<int64_t>(b.elements.size()) + 1);
      if (pos < size() && !guarded_period(pos) && !guarded_slash(pos)) {
        uint32_t code = s_.code(pos);
        size_t place = b.end;
        bool matched = false;
        for (const BracketElement& e : b.elements) {
          if (!element_matches(e, code, fork.options)) continue;
          matched = true;
          place = e.next;
          break;
        }
        bool taken = place != Bracket::kFails && matched != b.negated;
        if (place == Bracket::kUnterminated) {
          taken = code == '[';
          place = b.literal_next;
        }
        for (size_t k = 0; taken && k < reached.size(); ++k)
          if (fork.rests[k].first == place) reached[k].add(s_.after(pos));
      }
      if (pos >= i.high) break;
    }
  }
  for (size_t k = 0; k < reached.size(); ++k)
    if (!reached[k].empty())
      to.moved.add(run(fork.rests[k].second, {std::move(reached[k]), {}}).all());
  return to;
}

}  // namespace

std::vector<Interval> ends(const Program& p, Subject s, size_t pos, limits::Meter& meter) {
  return Matcher(p, s, meter).ends(pos).list();
}

bool matches(const Program& p, Subject s, limits::Meter& meter) {
  Matcher m(p, s, meter);
  return m.may_start(0) && m.ends(0).contains(s.text.size());
}

size_t prefix(const Program& p, Subject s, bool longest, limits::Meter& meter) {
  Matcher m(p, s, meter);
  if (!m.may_start(0)) return kNone;
  Places ends = m.ends(0);
  if (ends.empty()) return kNone;
  return longest ? ends.max() : ends.min();
}

size_t suffix(const Program& p, Subject s, bool longest, limits::Meter& meter) {
  Matcher m(p, s, meter);
  size_t n = s.text.size();
  auto fits = [&](size_t pos) {
    m.step();
    return m.may_start(pos) && m.ends(pos).contains(n);
  };
  if (longest) {
    for (size_t pos = 0;; pos = s.after(pos)) {
      if (fits(pos)) return n - pos;
      if (pos >= n) return kNone;
    }
  }
  for (size_t pos = n;; pos = s.before(pos)) {
    if (fits(pos)) return n - pos;
    if (pos == 0) return kNone;
  }
}

bool search(const Program& p, Subject s, size_t from, size_t& pos, size_t& len,
            limits::Meter& meter) {
  Matcher m(p, s, meter);
  for (size_t at = from;; at = s.after(at)) {
    m.step();
    if (at == s.text.size() && !p.begins_with_star) return false;
    if (m.may_start(at)) {
      Places ends = m.ends(at);
      size_t end = ends.empty() ? kNone : ends.max();
      if (p.search_chars != SIZE_MAX && !ends.empty()) {
        end = at;
        size_t chars = p.search_chars;
        for (; chars > 0 && end < s.text.size(); --chars) end = s.after(end);
        if (chars > 0) return false;
        if (!ends.contains(end)) end = kNone;
      }
      if (end != kNone) {
        pos = at;
        len = end - at;
        return true;
      }
    }
    if (at >= s.text.size()) return false;
  }
}

}  // namespace nacre::regex::internal::extended
