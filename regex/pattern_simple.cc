// Patterns without groups: segments of fixed length between stars.
//
// A star takes anything, so the first place where the next segment fits is as
// good as any other: no backtracking. A segment that starts with text is found
// with memmem; segments are compared step by step otherwise. Time is linear in
// the text for segments of bounded length.
#include <cstring>

#include "regex/pattern_program.h"

namespace nacre::regex::internal::simple {

namespace {

using Op = Element::Op;
constexpr size_t kNone = std::string_view::npos;

class Matcher {
 public:
  Matcher(const Program& p, Subject s, limits::Meter& meter) : p_(p), s_(s), steps_(meter) {}

  // The end of a match of `seg` that begins at `pos`, or kNone.
  size_t match_at(const Segment& seg, size_t pos);
  // The start of the match of `seg` that ends at `end` and begins at `low` or
  // later, or kNone.
  size_t match_before(const Segment& seg, size_t low, size_t end);
  // First (last) match within [low, high].
  bool find_first(const Segment& seg, size_t low, size_t high, size_t& begin, size_t& end);
  bool find_last(const Segment& seg, size_t low, size_t high, size_t& begin, size_t& end);

  const Segment& front() const { return p_.segments.front(); }
  const Segment& back() const { return p_.segments.back(); }
  size_t size() const { return s_.text.size(); }

  // The middle segments, each at its first place from `pos` on; the end of the
  // last one, or kNone.
  size_t skip_middles(size_t pos, size_t high);
  // The same from the end backwards: the start of the first of them.
  size_t skip_middles_back(size_t low, size_t pos);

 private:
  // Bytes that memmem and its like pass over in about the time of one step.
  static constexpr size_t kBytesPerStep = 64;

  bool element_matches(const Element& e, size_t& pos);

  const Program& p_;
  Subject s_;
  Steps steps_;
};

inline bool Matcher::element_matches(const Element& e, size_t& pos) {
  if (e.op == Op::literal) {
    if (s_.text.size() - pos < e.b ||
        std::memcmp(s_.text.data() + pos, p_.text.data() + e.a, e.b) != 0)
      return false;
    pos += e.b;
    return true;
  }
  if (pos >= s_.text.size()) return false;
  auto byte = static_cast<uint8_t>(s_.text[pos]);
  base::Utf8Char c{byte, 1, true};
  if (byte >= 128 && s_.wide) c = base::decode_utf8_multibyte(s_.text, pos);
  if (e.op == Op::set) {
    if (!p_.sets[e.a].contains(c.code, s_.wide)) return false;
  } else if (e.op == Op::folded) {
    uint32_t code = c.code < 128 || s_.wide ? base::to_lower(c.code) : c.code;
    if (code != e.a) return false;
  }
  pos += c.size;
  return true;
}

size_t Matcher::match_at(const Segment& seg, size_t pos) {
  const Element* e = p_.elements.data() + seg.first;
  for (const Element* end = e + seg.count; e != end; ++e)
    if (!element_matches(*e, pos)) return kNone;
  return pos;
}

size_t Matcher::match_before(const Segment& seg, size_t low, size_t end) {
  size_t begin = end;
  if (seg.literal) {
    size_t bytes = seg.count ? p_.elements[seg.first].b : 0;
    if (end - low < bytes) return kNone;
    begin = end - bytes;
  } else {
    for (uint32_t i = 0; i < seg.chars; ++i) {
      if (begin <= low) return kNone;
      begin = s_.before(begin);
    }
    steps_.add(seg.chars);
  }
  return match_at(seg, begin) == end ? begin : kNone;
}

bool Matcher::find_first(const Segment& seg, size_t low, size_t high, size_t& begin,
                         size_t& end) {
  if (seg.count == 0) {
    begin = end = low;
    return true;
  }
  const Element& first = p_.elements[seg.first];
  size_t pos = low;
  while (pos <= high) {
    if (first.op == Op::literal) {
      std::string_view text = p_.literal_text(first);
      const void* at = memmem(s_.text.data() + pos, high - pos, text.data(), text.size());
      size_t found = at ? static_cast<const char*>(at) - s_.text.data() : high;
      steps_.add(static_cast<int64_t>((found - pos) / kBytesPerStep));
      if (!at) return false;
      pos = found;
    }
    size_t stop = match_at(seg, pos);
    if (stop != kNone && stop <= high) {
      begin = pos;
      end = stop;
      return true;
    }
    steps_.add(seg.count);
    if (pos >= high) return false;
    pos = s_.after(pos);
  }
  return false;
}

bool Matcher::find_last(const Segment& seg, size_t low, size_t high, size_t& begin, size_t& end) {
  if (seg.literal) {
    if (seg.count == 0) {
      begin = end = high;
      return true;
    }
    std::string_view text = p_.literal_text(p_.elements[seg.first]);
    size_t at = s_.text.substr(0, high).rfind(text);
    steps_.add(static_cast<int64_t>((high - (at == kNone ? 0 : at)) / kBytesPerStep));
    if (at == kNone || at < low) return false;
    begin = at;
    end = at + text.size();
    return true;
  }
  for (size_t stop = high;; stop = s_.before(stop)) {
    size_t start = match_before(seg, low, stop);
    if (start != kNone) {
      begin = start;
      end = stop;
      return true;
    }
    if (stop <= low) return false;
  }
}

size_t Matcher::skip_middles(size_t pos, size_t high) {
  for (size_t i = 1; i + 1 < p_.segments.size(); ++i) {
    size_t begin, end;
    if (!find_first(p_.segments[i], pos, high, begin, end)) return kNone;
    pos = end;
  }
  return pos;
}

size_t Matcher::skip_middles_back(size_t low, size_t pos) {
  for (size_t i = p_.segments.size() - 1; i-- > 1;) {
    size_t begin, end;
    if (!find_last(p_.segments[i], low, pos, begin, end)) return kNone;
    pos = begin;
  }
  return pos;
}

}  // namespace

bool matches(const Program& p, Subject s, limits::Meter& meter) {
  Matcher m(p, s, meter);
  size_t pos = m.match_at(m.front(), 0);
  if (pos == kNone) return false;
  if (!p.has_star) return pos == m.size();
  size_t tail = m.match_before(m.back(), pos, m.size());
  if (tail == kNone) return false;
  return m.skip_middles(pos, tail) != kNone;
}

size_t prefix(const Program& p, Subject s, bool longest, limits::Meter& meter) {
  Matcher m(p, s, meter);
  size_t pos = m.match_at(m.front(), 0);
  if (pos == kNone || !p.has_star) return pos;
  pos = m.skip_middles(pos, m.size());
  if (pos == kNone) return kNone;
  size_t begin, end;
  bool found = longest ? m.find_last(m.back(), pos, m.size(), begin, end)
                       : m.find_first(m.back(), pos, m.size(), begin, end);
  return found ? end : kNone;
}

size_t suffix(const Program& p, Subject s, bool longest, limits::Meter& meter) {
  Matcher m(p, s, meter);
  size_t begin, end;
  if (!p.has_star) {
    begin = m.match_before(m.front(), 0, m.size());
    return begin == kNone ? kNone : m.size() - begin;
  }
  size_t tail = m.match_before(m.back(), 0, m.size());
  if (tail == kNone) return kNone;
  if (longest) {
    if (!m.find_first(m.front(), 0, tail, begin, end)) return kNone;
    if (m.skip_middles(end, tail) == kNone) return kNone;
  } else {
    size_t pos = m.skip_middles_back(0, tail);
    if (pos == kNone || !m.find_last(m.front(), 0, pos, begin, end)) return kNone;
  }
  return m.size() - begin;
}

bool search(const Program& p, Subject s, size_t from, size_t& pos, size_t& len,
            limits::Meter& meter) {
  Matcher m(p, s, meter);
  size_t begin, end;
  if (p.search_chars != SIZE_MAX && p.search_chars != p.segments[0].chars) return false;
  if (!m.find_first(m.front(), from, m.size(), begin, end)) return false;
  if (p.has_star) {
    size_t middle = m.skip_middles(end, m.size());
    size_t unused;
    if (middle == kNone || !m.find_last(m.back(), middle, m.size(), unused, end)) return false;
  }
  pos = begin;
  len = end - begin;
  return true;
}

}  // namespace nacre::regex::internal::simple
