#include "regex/bracket.h"

namespace nacre::regex::internal {

namespace {

// A character of the pattern; code 0 is the end, as in a C string (a pattern
// holds no NUL).
class Reader {
 public:
  Reader(std::string_view pattern, size_t pos, BracketOptions options)
      : pattern_(pattern), pos_(pos), options_(options) {}

  uint32_t next() {
    if (pos_ >= pattern_.size()) {
      ++pos_;
      return 0;
    }
    if (!options_.wide) return static_cast<uint8_t>(pattern_[pos_++]);
    base::Utf8Char c = base::decode_utf8(pattern_, pos_);
    pos_ += c.size;
    return c.code;
  }
  uint32_t next_folded() { return fold(next()); }
  uint32_t fold(uint32_t c) const {
    if (!options_.fold || (!options_.wide && c >= 128)) return c;
    return base::to_lower(c);
  }
  bool at(size_t offset, char c) const {
    return pos_ + offset < pattern_.size() && pattern_[pos_ + offset] == c;
  }
  bool done() const { return pos_ >= pattern_.size(); }
  size_t pos() const { return pos_; }
  void seek(size_t pos) { pos_ = pos; }
  std::string_view pattern() const { return pattern_; }
  bool wide() const { return options_.wide; }

 private:
  std::string_view pattern_;
  size_t pos_;
  BracketOptions options_;
};

// The road of an element that matched, from just before its closing character
// to the ] of the whole.
size_t skip_to_close(std::string_view p, size_t pos) {
  auto at = [&](size_t i) { return i < p.size() ? p[i] : '\0'; };
  int nested = 1;
  char special = 0;  // the : = or . of the inner bracket that is open
  char c = at(pos);
  while (nested > 0) {
    if (c == '\0') return Bracket::kUnterminated;
    char before = c;
    c = at(pos++);
    if (c == '[' && (at(pos) == '=' || at(pos) == ':' || at(pos) == '.')) {
      ++nested;
      special = at(pos++);
      c = at(pos);
      if (c == '\0') return Bracket::kUnterminated;
    } else if (c == ']' && nested > 1 && special && before == special) {
      --nested;
      special = 0;
    } else if (c == ']' && special != '.') {
      nested = 0;
    } else if (c == '\\') {
      if (at(pos) == '\0') return Bracket::kFails;
      ++pos;
    }
  }
  return pos;
}

// [.name.] with the reader on the first dot; moves past .] (or to the end).
std::optional<uint32_t> read_collating_symbol(Reader& in) {
  std::string_view p = in.pattern();
  size_t start = in.pos() + 1;
  for (size_t i = start; i < p.size(); ++i) {
    if (p[i] != '.' || i + 1 >= p.size() || p[i + 1] != ']') continue;
    in.seek(i + 2);
    return find_collating_symbol(p.substr(start, i - start), in.wide());
  }
  in.seek(p.size());
  return std::nullopt;
}

std::string without_backslashes(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '\\' && i + 1 < s.size()) ++i;
    out += s[i];
  }
  return out;
}

}  // namespace

bool Bracket::well_formed() const {
  if (end == kUnterminated || end == kFails) return false;
  for (const BracketElement& e : elements)
    if (e.next != end) return false;
  return true;
}

bool Bracket::is_literal() const {
  if (end != kUnterminated) return false;
  for (const BracketElement& e : elements)
    if (e.next != kUnterminated) return false;
  return true;
}

bool element_matches(const BracketElement& element, uint32_t code, BracketOptions options) {
  switch (element.kind) {
    case BracketElement::Kind::nothing:
      return false;
    case BracketElement::Kind::classes:
      return in_classes(element.classes, code, options.wide);
    case BracketElement::Kind::range: {
      if (options.fold && (options.wide || code < 128)) code = base::to_lower(code);
      return code >= element.low && code <= element.high;
    }
  }
  return false;
}

Bracket read_bracket(std::string_view pattern, size_t pos, BracketOptions options) {
  Bracket result;
  result.literal_next = pos;
  Reader in(pattern, pos, options);
  if (in.at(0, '!') || in.at(0, '^')) {
    result.negated = true;
    in.next();
  }
  auto finish = [&](size_t end) {
    result.end = end;
    return std::move(result);
  };
  auto add = [&](BracketElement e, size_t skip_from) {
    e.next = skip_to_close(pattern, skip_from);
    result.elements.push_back(e);
  };

  uint32_t c = in.next();
  for (;;) {
    if (c == '[' && in.at(0, '=')) {
      Reader probe = in;
      probe.next();
      uint32_t code = probe.next_folded();
      if (code != 0 && probe.at(0, '=') && probe.at(1, ']')) {
        in.seek(probe.pos() + 2);
        add({BracketElement::Kind::range, code, code}, in.pos());
        // bash does not look for the closing ] here, so that [[=a=]] ends later,
        // or never, for a character that is not a.
        c = in.next();
        if (c == 0) return finish(Bracket::kUnterminated);
        c = in.fold(c);
        continue;
      }
    }
    if (c == '[' && in.at(0, ':')) {
      size_t close = pattern.find(":]", in.pos() + 1);
      if (close != std::string_view::npos) {
        std::string_view name = pattern.substr(in.pos() + 1, close - in.pos() - 1);
        in.seek(close + 2);
        if (auto classes = find_class(without_backslashes(name)))
          add({BracketElement::Kind::classes, 0, 0, *classes}, in.pos());
      }
      c = in.next();
      if (c == 0) return finish(Bracket::kUnterminated);
      if (c == ']') return finish(in.pos());
      c = in.fold(c);
      continue;
    }
    uint32_t low = c;
    bool valid = true;
    if (c == '[' && in.at(0, '.')) {
      auto code = read_collating_symbol(in);
      valid = code.has_value();
      if (valid) low = *code;
    }
    if (c == '\\') {
      if (in.done()) return finish(Bracket::kFails);
      low = c = in.next();
    }
    low = in.fold(low);
    if (c == 0) return finish(Bracket::kUnterminated);
    c = in.next_folded();
    if (c == 0) return finish(Bracket::kUnterminated);
    if (options.pathname && c == '/') return finish(Bracket::kFails);

    uint32_t high = low;
    if (c == '-' && !in.at(0, ']')) {
      high = in.next();
      if (high == '\\') high = in.next();
      if (high == 0) return finish(Bracket::kFails);
      if (high == '[' && in.at(0, '.')) {
        auto code = read_collating_symbol(in);
        if (code) high = *code;
        else valid = false;
      }
      high = in.fold(high);
      c = in.next();
      if (!valid || low > high) {
        if (c == ']') return finish(in.pos());
        c = in.fold(c);
        continue;
      }
    }
    // The skip starts on the character that follows the element, which may be
    // the closing bracket itself.
    if (valid) add({BracketElement::Kind::range, low, high}, in.pos() - 1);
    if (c == ']') return finish(in.pos());
  }
}

}  // namespace nacre::regex::internal
