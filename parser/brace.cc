// Brace expansion, as structure: {a,b} and {1..9} become one part of the word.
//
// bash expands braces first, as text: it looks at the word's spelling, takes
// quoted text and expansions as opaque, and puts texts side by side. Here the
// same search runs over the word's "shape": its spelling with every quoted or
// expanding part blanked out, so that what is found can be cut out of the
// parts already read. Putting parts side by side is the same as putting texts
// side by side, but where a text would grow together with its neighbour
// ($x{a,b} is $xa $xb, ~{a,b} is ~a ~b) or the results are assignments
// (declare x={1,2}). Such a word is expanded as text after all, and each
// result read as a word; only there are sequences written out.
#include <algorithm>
#include <charconv>
#include <optional>

#include "parser/grammar.h"

namespace nacre::parser {

namespace {

constexpr char kOpaque = '\x01';

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// strtoimax() without its blanks: the number at the start of s, its length in
// `used` (0: none). False when it overflows.
bool read_int(std::string_view s, int64_t& value, size_t& used) {
  used = 0;
  size_t i = 0;
  if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
  size_t digits = i;
  while (i < s.size() && is_digit(s[i])) ++i;
  if (i == digits) return true;
  used = i;
  std::string_view text = s.substr(s[0] == '+' ? 1 : 0, i - (s[0] == '+' ? 1 : 0));
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

// x..y and x..y..step; nullopt when it is no sequence that bash would write out.
std::optional<Brace> parse_sequence(std::string_view s) {
  const size_t dots = s.find("..");
  if (dots == std::string_view::npos || dots == 0 || dots + 2 >= s.size()) return std::nullopt;
  const std::string_view lhs = s.substr(0, dots);
  std::string_view rhs = s.substr(dots + 2);
  Brace b{Brace::Kind::ints};
  int64_t first = 0, last = 0, step = 0;
  size_t used = 0;
  bool ints;
  if (read_int(lhs, first, used) && used == lhs.size()) ints = true;
  else if (lhs.size() == 1 && is_alpha(lhs[0])) ints = false;
  else return std::nullopt;
  size_t end;
  if (is_digit(rhs[0]) || ((rhs[0] == '+' || rhs[0] == '-') && rhs.size() > 1 && is_digit(rhs[1]))) {
    if (!ints || !read_int(rhs, last, end)) return std::nullopt;
  } else if (is_alpha(rhs[0]) && (rhs.size() == 1 || rhs[1] == '.')) {
    if (ints) return std::nullopt;
    end = 1;
  } else {
    return std::nullopt;
  }
  if (end < rhs.size()) {
    if (rhs.substr(end, 2) != ".." || end + 2 == rhs.size()) return std::nullopt;
    if (!read_int(rhs.substr(end + 2), step, used) || used != rhs.size() - end - 2)
      return std::nullopt;
  }
  rhs = rhs.substr(0, end);
  b.step = step;
  if (!ints) {
    b.kind = Brace::Kind::chars;
    b.first = static_cast<unsigned char>(lhs[0]);
    b.last = static_cast<unsigned char>(rhs[0]);
    return b;
  }
  b.first = first;
  b.last = last;
  const auto padded = [](std::string_view t) {
    return (t.size() > 1 && t[0] == '0') || (t.size() > 2 && t[0] == '-' && t[1] == '0');
  };
  if (padded(lhs) || padded(rhs)) b.width = static_cast<int>(std::max(lhs.size(), rhs.size()));
  // bash leaves alone what it could not count or hold.
  if (step == INT64_MIN && first < last) return std::nullopt;
  int64_t span;
  if (__builtin_sub_overflow(last, first, &span) || span < INT64_MIN + 3 || span > INT64_MAX - 2)
    return std::nullopt;
  const uint64_t width = static_cast<uint64_t>(span < 0 ? -span : span);
  const uint64_t by = step == 0  ? 1
                      : step < 0 ? -static_cast<uint64_t>(step)
                                 : static_cast<uint64_t>(step);
  if (width / by > INT32_MAX - 3) return std::nullopt;
  return b;
}

// Numbers and letters of a sequence, as text.
void sequence_texts(const Brace& b, limits::Meter& meter, std::vector<std::string>& out) {
  const bool down = b.first > b.last;
  uint64_t by = b.step < 0 ? -static_cast<uint64_t>(b.step) : static_cast<uint64_t>(b.step);
  if (by == 0) by = 1;
  const uint64_t span = down ? static_cast<uint64_t>(b.first) - static_cast<uint64_t>(b.last)
                             : static_cast<uint64_t>(b.last) - static_cast<uint64_t>(b.first);
  const int64_t cap = meter.limits().max_brace_expansions;
  for (uint64_t i = 0; i <= span / by; ++i) {
    meter.charge_fuel();
    if (static_cast<int64_t>(out.size()) >= cap) meter.exceeded(LimitName::max_brace_expansions);
    const int64_t v = static_cast<int64_t>(down ? static_cast<uint64_t>(b.first) - i * by
                                                : static_cast<uint64_t>(b.first) + i * by);
    if (b.kind == Brace::Kind::chars) {
      out.emplace_back(1, static_cast<char>(v));
      continue;
    }
    char digits[24];
    auto r = std::to_chars(digits, digits + sizeof digits, v);
    std::string text(digits, r.ptr);
    if (static_cast<int>(text.size()) < b.width)
      text.insert(v < 0 ? 1 : 0, static_cast<size_t>(b.width) - text.size(), '0');
    out.push_back(std::move(text));
  }
}

class BraceExpander {
 public:
  // `raw` is the word's spelling and `shape` the same with what is opaque blanked.
  BraceExpander(Shared& shared, std::string_view raw, std::string_view shape,
                std::span<const WordPart> parts, std::span<const size_t> starts)
      : s_(shared), raw_(raw), shape_(shape), parts_(parts), starts_(starts) {}

  // Whether there is any expression in the word.
  bool any() {
    Found f;
    return find(0, shape_.size(), f);
  }
  // Appends the parts of [from, to) to the stack.
  void expand_parts(size_t from, size_t to);
  // The texts that [from, to) gives.
  std::vector<std::string> expand_text(size_t from, size_t to);
  bool needs_text() const { return needs_text_; }

 private:
  struct Found {
    size_t open, close;
    bool list;
    Brace sequence;
  };
  // Finds the first expression in [from, to); a { that opens none is text.
  bool find(size_t from, size_t to, Found& f);
  size_t gobble(size_t from, size_t to, char wanted, bool commas, size_t start);
  bool holds_comma(size_t from, size_t to) const;
  void cut(size_t from, size_t to);
  void check_seam(size_t at, bool end_of_item);
  const Word* item(size_t from, size_t to);
  void concatenate(std::vector<std::string>& left, const std::vector<std::string>& right);

  Shared& s_;
  std::string_view raw_;
  std::string_view shape_;
  std::span<const WordPart> parts_;
  std::span<const size_t> starts_;
  bool needs_text_ = false;
};

// bash's brace_gobbler(): the first `wanted` at the outer level, or npos. A }
// counts only after a , or .. at that level. `start` is where bash's text starts:
// a {} there is no brace.
size_t BraceExpander::gobble(size_t from, size_t to, char wanted, bool commas, size_t start) {
  size_t level = 0;
  size_t i = from;
  for (; i < to; ++i) {
    const char c = shape_[i];
    if (c == wanted && level == 0 && commas) {
      if (c == '{' && i == start && i + 1 < shape_.size() && shape_[i + 1] == '}') continue;
      break;
    }
    if (c == '{') ++level;
    else if (c == '}' && level > 0) --level;
    else if (wanted == '}' && level == 0 && c == ',') commas = true;
    else if (wanted == '}' && level == 0 && c == '.' && i + 1 < to && shape_[i + 1] == '.' &&
             (i + 2 >= to || shape_[i + 2] != '}'))
      commas = true;
  }
  s_.meter.charge_fuel(static_cast<int64_t>((i - from) / 64 + 1));
  return i < to ? i : std::string_view::npos;
}

// bash looks for the comma in the spelling, where it may as well be quoted.
bool BraceExpander::holds_comma(size_t from, size_t to) const {
  for (size_t i = from; i < to; ++i) {
    if (raw_[i] == '\\') ++i;
    else if (raw_[i] == ',') return true;
  }
  return false;
}

bool BraceExpander::find(size_t from, size_t to, Found& f) {
  for (size_t i = from; i < to;) {
    f.open = gobble(i, to, '{', true, from);
    if (f.open == std::string_view::npos) return false;
    f.close = gobble(f.open + 1, to, '}', false, 0);
    if (f.close == std::string_view::npos) {
      i = f.open + 1;
      continue;
    }
    f.list = holds_comma(f.open + 1, f.close);
    if (f.list) return true;
    const std::string_view inside = shape_.substr(f.open + 1, f.close - f.open - 1);
    if (auto sequence = parse_sequence(inside)) {
      f.sequence = *sequence;
      return true;
    }
    i = f.close + 1;
  }
  return false;
}

// Pushes the parts of [from, to), cutting literal text where it must.
void BraceExpander::cut(size_t from, size_t to) {
  if (from >= to) return;
  size_t i = static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), from) -
                                 starts_.begin()) - 1;
  for (; i < parts_.size() && starts_[i] < to; ++i) {
    WordPart part = parts_[i];
    if (part.kind == PartKind::literal) {
      const size_t begin = std::max(from, starts_[i]), end = std::min(to, starts_[i] + part.text.size());
      part.text = part.text.substr(begin - starts_[i], end - begin);
      if (part.text.empty()) continue;
    }
    s_.scratch.parts.push(part);
  }
}

// Whether the text that ends at `at` could grow together with what is put after it.
void BraceExpander::check_seam(size_t at, bool end_of_item) {
  if (at == 0) return;
  const size_t i = static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), at - 1) -
                                       starts_.begin()) - 1;
  const WordPart& p = parts_[i];
  if (p.kind == PartKind::param)
    needs_text_ = needs_text_ || (!p.param->braced && p.param->kind == Param::Kind::variable);
  else if (end_of_item && shape_[at - 1] == '$')
    needs_text_ = true;
}

const Word* BraceExpander::item(size_t from, size_t to) {
  const size_t base = s_.scratch.parts.size();
  expand_parts(from, to);
  Word* word = s_.arena.make<Word>();
  word->parts = s_.scratch.parts.take(base, s_.arena);
  bool constant = true, glob = false, bracket = false;
  size_t bytes = 0;
  for (const WordPart& p : word->parts) {
    switch (p.kind) {
      case PartKind::literal:
        for (char c : p.text) {
          if (c == '*' || c == '?') glob = true;
          if (c == '[' || c == '(') bracket = true;
        }
        break;
      case PartKind::quoted: word->quoted = true; break;
      case PartKind::double_quoted: word->quoted = true; constant = false; break;
      case PartKind::brace: word->has_brace = true; constant = false; break;
      default: constant = false; break;
    }
    bytes += p.text.size();
  }
  word->may_glob = glob || bracket;
  if (constant && !word->may_glob) {
    word->is_literal = true;
    if (word->parts.size() == 1) {
      word->literal = word->parts[0].text;
    } else if (bytes > 0) {
      std::string text;
      for (const WordPart& p : word->parts) text += p.text;
      word->literal = s_.arena.copy(text);
    }
  }
  return word;
}

void BraceExpander::expand_parts(size_t from, size_t to) {
  Level level(s_);
  for (Found f; find(from, to, f); from = f.close + 1) {
    cut(from, f.open);
    if (f.open > from) check_seam(f.open, false);
    Brace* brace = s_.arena.make<Brace>(f.list ? Brace{Brace::Kind::list} : f.sequence);
    if (f.list) {
      const size_t base = s_.scratch.words.size();
      for (size_t at = f.open + 1;;) {
        size_t comma = gobble(at, f.close, ',', true, 0);
        const size_t end = comma == std::string_view::npos ? f.close : comma;
        const Word* word = item(at, end);
        s_.scratch.words.push(word);
        if (end > at && f.close + 1 < shape_.size()) check_seam(end, true);
        if (f.open == 0 && end > at && shape_[at] == '~') needs_text_ = true;
        if (comma == std::string_view::npos) break;
        at = comma + 1;
      }
      brace->items = s_.scratch.words.take(base, s_.arena);
    }
    WordPart part{PartKind::brace};
    part.brace = brace;
    s_.scratch.parts.push(part);
  }
  cut(from, to);
}

void BraceExpander::concatenate(std::vector<std::string>& left,
                                const std::vector<std::string>& right) {
  std::vector<std::string> out;
  const int64_t cap = s_.meter.limits().max_brace_expansions;
  for (const std::string& l : left) {
    for (const std::string& r : right) {
      if (static_cast<int64_t>(out.size()) >= cap)
        s_.meter.exceeded(LimitName::max_brace_expansions);
      s_.meter.charge_fuel(static_cast<int64_t>((l.size() + r.size()) / 64 + 1));
      out.push_back(l + r);
    }
  }
  left = std::move(out);
}

std::vector<std::string> BraceExpander::expand_text(size_t from, size_t to) {
  Level level(s_);
  std::vector<std::string> out(1);
  for (Found f; find(from, to, f); from = f.close + 1) {
    for (std::string& s : out) s += raw_.substr(from, f.open - from);
    std::vector<std::string> middle;
    if (f.list) {
      for (size_t at = f.open + 1;;) {
        const size_t comma = gobble(at, f.close, ',', true, 0);
        const size_t end = comma == std::string_view::npos ? f.close : comma;
        std::vector<std::string> texts = expand_text(at, end);
        for (std::string& t : texts) middle.push_back(std::move(t));
        if (comma == std::string_view::npos) break;
        at = comma + 1;
      }
    } else {
      sequence_texts(f.sequence, s_.meter, middle);
    }
    concatenate(out, middle);
  }
  for (std::string& s : out) s += raw_.substr(from, to - from);
  return out;
}

}  // namespace

// Null when the word holds no brace expression.
Word* Grammar::expand_braces(WordInfo& info) {
  const size_t end = lex_.in.pos();
  const std::string_view raw = lex_.in.slice(info.start, end);
  const size_t nparts = scratch().parts.size() - info.parts;
  // The parts' own stack moves while items are built: work on copies.
  std::span<const WordPart> parts;
  {
    std::span<WordPart> above = scratch().parts.above(info.parts);
    WordPart* copy = static_cast<WordPart*>(
        arena().allocate(nparts * sizeof(WordPart) + 1, alignof(WordPart)));
    std::uninitialized_copy(above.begin(), above.end(), copy);
    parts = {copy, nparts};
  }
  std::vector<size_t> starts(nparts);
  std::string shape(raw.size(), kOpaque);
  for (size_t i = 0; i < nparts; ++i) {
    starts[i] = scratch().part_starts[info.part_starts + i] - info.start;
    if (parts[i].kind == PartKind::literal)
      parts[i].text.copy(shape.data() + starts[i], parts[i].text.size());
  }
  BraceExpander expander(*s_, raw, shape, parts, starts);
  if (!expander.any()) return nullptr;
  const bool assignment = info.equals != SIZE_MAX;
  const size_t base = scratch().parts.size();
  expander.expand_parts(0, raw.size());
  bool as_text = expander.needs_text() || (assignment && (info.build_assign || shape.find('~') != std::string::npos));
  for (const WordPart& p : parts)
    if (p.kind == PartKind::tilde) as_text = true;
  if (shape[0] == '~') as_text = true;
  Word* word = arena().make<Word>();
  word->line = lex_.in.line();
  word->quoted = info.quoted;
  word->has_brace = true;
  word->may_glob = info.glob || info.bracket;
  if (!as_text) {
    word->parts = scratch().parts.take(base, arena());
  } else {
    scratch().parts.truncate(base);
    const std::string spelling(raw);
    const std::vector<std::string> texts = expander.expand_text(0, raw.size());
    const size_t words = scratch().words.size();
    for (const std::string& text : texts) {
      lexer::StringSource source(text);
      Grammar inner(*s_, source, lex_.in.line(), Text::fragment);
      const Word* item = inner.argument_text(assignment && info.build_assign);
      if (inner.failed()) {
        fail(inner.error().text, inner.error().at_eof);
        return nullptr;
      }
      scratch().words.push(item);
    }
    Brace* brace = arena().make<Brace>(Brace{Brace::Kind::list});
    brace->items = scratch().words.take(words, arena());
    WordPart* part = arena().make<WordPart>(PartKind::brace);
    part->brace = brace;
    word->parts = {part, 1};
  }
  scratch().parts.truncate(info.parts);
  return word;
}

const Word* Grammar::argument_text(bool assign_argument) {
  no_braces_ = true;
  lex_.state.last = Tok::word;
  lex_.state.plain_args = !assign_argument;
  if (lex_.in.peek() == '\0') return arena().make<Word>();
  WordInfo info;
  return read_word(info);
}

}  // namespace nacre::parser
