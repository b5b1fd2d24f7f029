#include "regex/pattern_program.h"

namespace nacre::regex::internal::mixed {

namespace {

constexpr size_t kNone = std::string_view::npos;

// The end of the run of valid characters at `pos`.
size_t end_of_valid(std::string_view s, size_t pos) {
  while (pos < s.size()) {
    base::Utf8Char c = base::decode_utf8(s, pos);
    if (!c.valid) break;
    pos += c.size;
  }
  return pos;
}

// The ends of the matches that start in one place.
class Ends {
 public:
  Ends(Programs p, std::string_view s, size_t pos, limits::Meter& meter)
      : s_(s), valid_end_(end_of_valid(s, pos)) {
    meter.charge_work(static_cast<int64_t>((valid_end_ - pos) / 64 + 1));
    wide_ = extended::ends(p.wide, {s.substr(0, valid_end_), true}, pos, meter);
    bytes_ = extended::ends(p.bytes, {s, false}, pos, meter);
  }

  size_t longest() const {
    size_t best = wide_.empty() ? kNone : wide_.back().high;
    for (size_t i = bytes_.size(); i-- > 0;)
      for (size_t end = bytes_[i].high + 1; end-- > bytes_[i].low;) {
        if (best != kNone && end <= best) return best;
        if (!part_is_valid(end)) return end;
      }
    return best;
  }
  size_t shortest() const {
    size_t best = wide_.empty() ? kNone : wide_.front().low;
    for (const Interval& i : bytes_)
      for (size_t end = i.low; end <= i.high; ++end) {
        if (end >= best) return best;
        if (!part_is_valid(end)) return end;
      }
    return best;
  }
  bool contains(size_t end) const {
    const std::vector<Interval>& list = part_is_valid(end) ? wide_ : bytes_;
    for (const Interval& i : list)
      if (end >= i.low && end <= i.high) return true;
    return false;
  }

 private:
  // The part of the text from the start to `end`.
  bool part_is_valid(size_t end) const {
    return end <= valid_end_ && base::is_char_boundary(s_, end);
  }

  std::string_view s_;
  size_t valid_end_;
  std::vector<Interval> wide_, bytes_;
};

}  // namespace

size_t prefix(Programs p, std::string_view s, bool longest, limits::Meter& meter) {
  Ends ends(p, s, 0, meter);
  return longest ? ends.longest() : ends.shortest();
}

size_t suffix(Programs p, std::string_view s, bool longest, limits::Meter& meter) {
  auto fits = [&](size_t pos) { return Ends(p, s, pos, meter).contains(s.size()); };
  for (size_t i = 0; i <= s.size(); ++i) {
    size_t pos = longest ? i : s.size() - i;
    if (fits(pos)) return s.size() - pos;
  }
  return kNone;
}

bool search(Programs p, std::string_view s, size_t from, size_t& pos, size_t& len,
            limits::Meter& meter) {
  size_t fixed = p.bytes.search_chars;
  for (size_t at = from; at <= s.size(); ++at) {
    if (at == s.size() && !p.bytes.begins_with_star) return false;
    Ends ends(p, s, at, meter);
    size_t end = kNone;
    if (fixed == SIZE_MAX) end = ends.longest();
    else if (fixed > s.size() - at) return false;
    else if (ends.contains(at + fixed)) end = at + fixed;
    if (end == kNone) continue;
    pos = at;
    len = end - at;
    return true;
  }
  return false;
}

}  // namespace nacre::regex::internal::mixed
