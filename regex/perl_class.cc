#include "regex/perl_class.h"

#include <utf8proc.h>

#include "base/utf8.h"

namespace nacre::regex::internal {

namespace {

constexpr std::string_view kBadRange = "invalid range in character class";
constexpr std::string_view kUnterminated = "missing terminating ] for character class";

std::unexpected<PerlError> fail(std::string_view text) { return std::unexpected(PerlError{text}); }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
bool is_octal(char c) { return c >= '0' && c <= '7'; }

void add_complement(CodeSet& set, const CodeSet& of) {
  uint32_t low = 0;
  for (const CodeRange& r : of.expand()) {
    if (r.low > low) set.add(low, r.low - 1);
    low = r.high + 1;
  }
  if (low <= CodeSet::kMaxCode) set.add(low, CodeSet::kMaxCode);
}

void add_horizontal(CodeSet& set) {
  for (uint32_t c : {0x09, 0x20, 0xa0, 0x1680, 0x180e, 0x202f, 0x205f, 0x3000}) set.add(c);
  set.add(0x2000, 0x200a);
}
void add_vertical(CodeSet& set) {
  set.add('\n', '\r');
  set.add(0x85);
  set.add(0x2028, 0x2029);
}

// {hex} or {octal} after the brace; moves past the closing one.
std::expected<uint32_t, PerlError> read_braced(std::string_view p, size_t& pos, bool hex) {
  uint32_t code = 0;
  size_t start = pos;
  for (;; ++pos) {
    char c = pos < p.size() ? p[pos] : '\0';
    int digit = hex ? hex_digit(c) : is_octal(c) ? c - '0' : -1;
    if (digit < 0) break;
    code = code * (hex ? 16 : 8) + static_cast<uint32_t>(digit);
    if (code > CodeSet::kMaxCode)
      return fail("character code point value in \\x{} or \\o{} is too large");
  }
  if (pos >= p.size() && pos == start) return fail("digits missing in \\x{} or \\o{} or \\N{U+}");
  if (pos >= p.size() || p[pos] != '}')
    return fail(hex ? "non-hex character in \\x{} (closing brace missing?)"
                    : "non-octal character in \\o{} (closing brace missing?)");
  if (pos == start) return fail("digits missing in \\x{} or \\o{} or \\N{U+}");
  ++pos;
  if (code >= 0xd800 && code < 0xe000)
    return fail("disallowed Unicode code point (>= 0xd800 && <= 0xdfff)");
  return code;
}

using Predicate = bool (*)(utf8proc_category_t);

// General categories by their first letter, second letter or both.
bool category_matches(std::string_view name, uint32_t code) {
  const char* text = utf8proc_category_string(static_cast<utf8proc_int32_t>(code));
  if (name == "Any") return true;
  if (name == "L&") return text[0] == 'L' && (text[1] == 'u' || text[1] == 'l' || text[1] == 't');
  if (name == "Xan" || name == "Xwd")
    return text[0] == 'L' || text[0] == 'N' || (name == "Xwd" && code == '_');
  if (name == "Xsp" || name == "Xps")
    return text[0] == 'Z' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x180e;
  return text[0] == name[0] && (name.size() == 1 || text[1] == name[1]);
}

bool known_category(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "Any", "L&", "Xan", "Xwd", "Xsp", "Xps", "C",  "Cc", "Cf", "Cn", "Co", "Cs", "L",  "Ll",
      "Lm",  "Lo", "Lt",  "Lu",  "M",   "Mc",  "Me", "Mn", "N",  "Nd", "Nl", "No", "P",  "Pc",
      "Pd",  "Pe", "Pf",  "Pi",  "Po",  "Ps",  "S",  "Sc", "Sk", "Sm", "So", "Z",  "Zl", "Zp",
      "Zs"};
  for (std::string_view known : kNames)
    if (known == name) return true;
  return false;
}

class ClassReader {
 public:
  ClassReader(std::string_view p, size_t& pos, PerlCharOptions options, limits::Meter& meter)
      : p_(p), pos_(pos), options_(options), meter_(meter) {
    set_.set_perl(options.ignore_case);
  }

  std::expected<CodeSet, PerlError> read();

 private:
  // One member: a character, or a class that was added to the set.
  struct Member {
    bool is_class = false;
    uint32_t code = 0;
  };
  std::expected<Member, PerlError> read_member();
  std::expected<Member, PerlError> read_escape();
  std::expected<Member, PerlError> read_named();
  bool at_named() const;
  bool skip_quotes();
  bool at(char c) const { return pos_ < p_.size() && p_[pos_] == c; }

  std::string_view p_;
  size_t& pos_;
  PerlCharOptions options_;
  limits::Meter& meter_;
  CodeSet set_;
  bool quoting_ = false;
};

// [:name:], [.x.] and [=x=], with `pos_` on the [.
bool ClassReader::at_named() const {
  if (!at('[') || pos_ + 1 >= p_.size()) return false;
  char kind = p_[pos_ + 1];
  if (kind != ':' && kind != '.' && kind != '=') return false;
  for (size_t i = pos_ + 2; i + 1 < p_.size(); ++i) {
    if (p_[i] == kind && p_[i + 1] == ']') return true;
    if (p_[i] == ']' || p_[i] == '\\') return false;
  }
  return false;
}

std::expected<ClassReader::Member, PerlError> ClassReader::read_named() {
  char kind = p_[pos_ + 1];
  if (kind != ':') return fail("POSIX collating elements are not supported");
  size_t close = p_.find(":]", pos_ + 2);
  std::string_view name = p_.substr(pos_ + 2, close - pos_ - 2);
  pos_ = close + 2;
  bool negated = name.starts_with('^');
  if (negated) name.remove_prefix(1);
  auto classes = find_class(name);
  if (!classes) return fail("unknown POSIX class name");
  if (options_.ignore_case && (name == "upper" || name == "lower")) classes = find_class("alpha");
  if (negated) set_.add_not_classes(*classes);
  else set_.add_classes(*classes);
  return Member{true};
}

std::expected<ClassReader::Member, PerlError> ClassReader::read_escape() {
  if (pos_ >= p_.size()) return fail("\\ at end of pattern");
  char c = p_[pos_];
  if (c == 'b') {
    ++pos_;
    return Member{false, '\b'};
  }
  if (c == 'p' || c == 'P') {
    auto property = read_property(p_, pos_, meter_);
    if (!property) return std::unexpected(property.error());
    for (const CodeRange& r : property->expand()) set_.add(r.low, r.high);
    return Member{true};
  }
  if (c == 'N') return fail("\\N is not supported in a class");
  if (c == 'B' || c == 'R' || c == 'X')
    return fail("escape sequence is invalid in character class");
  if (c != 'N' && add_class_escape(set_, c)) {
    ++pos_;
    return Member{true};
  }
  auto code = read_char_escape(p_, pos_);
  if (!code) return std::unexpected(code.error());
  return Member{false, *code};
}

std::expected<ClassReader::Member, PerlError> ClassReader::read_member() {
  if (!quoting_) {
    if (at_named()) return read_named();
    if (at('\\')) {
      ++pos_;
      return read_escape();
    }
  }
  base::Utf8Char c = base::decode_utf8(p_, pos_);
  pos_ += c.size;
  return Member{false, c.code};
}

// \Q and \E; true when something was skipped.
bool ClassReader::skip_quotes() {
  std::string_view two = p_.substr(pos_, 2);
  if (two == "\\E" || (two == "\\Q" && !quoting_)) {
    quoting_ = two == "\\Q";
    pos_ += 2;
    return true;
  }
  if (options_.extended_more && !quoting_ && (at(' ') || at('\t'))) {
    ++pos_;
    return true;
  }
  return false;
}

std::expected<CodeSet, PerlError> ClassReader::read() {
  bool negated = false;
  if (at('^')) {
    negated = true;
    ++pos_;
  }
  bool first = true;
  for (;;) {
    while (skip_quotes()) {
    }
    if (pos_ >= p_.size()) return fail(kUnterminated);
    if (at(']') && !first && !quoting_) break;
    first = false;
    meter_.charge_work(1);
    auto low = read_member();
    if (!low) return std::unexpected(low.error());
    while (skip_quotes()) {
    }
    bool range = !quoting_ && at('-') && pos_ + 1 < p_.size() && p_[pos_ + 1] != ']';
    if (!range) {
      if (!low->is_class) set_.add(low->code);
      continue;
    }
    size_t hyphen = pos_++;
    while (skip_quotes()) {
    }
    if (pos_ >= p_.size()) return fail(kUnterminated);
    if (at(']') && !quoting_) {  // [a-\E]
      if (!low->is_class) set_.add(low->code);
      set_.add('-');
      continue;
    }
    if (low->is_class) {
      // A hyphen after a class is itself, unless a range seems to be meant.
      if (p_[hyphen + 1] == '[' || p_[hyphen + 1] != ']') return fail(kBadRange);
      set_.add('-');
      continue;
    }
    auto high = read_member();
    if (!high) return std::unexpected(high.error());
    if (high->is_class) return fail(kBadRange);
    if (low->code > high->code) return fail("range out of order in character class");
    set_.add(low->code, high->code);
  }
  ++pos_;
  if (negated) set_.set_negated();
  return std::move(set_);
}

}  // namespace

bool add_class_escape(CodeSet& set, char letter) {
  CodeSet other;
  switch (letter) {
    case 'd': set.add_classes(*find_class("digit")); return true;
    case 'D': set.add_not_classes(*find_class("digit")); return true;
    case 'w': set.add_classes(*find_class("word")); return true;
    case 'W': set.add_not_classes(*find_class("word")); return true;
    case 's': set.add_classes(*find_class("space")); return true;
    case 'S': set.add_not_classes(*find_class("space")); return true;
    case 'h': add_horizontal(set); return true;
    case 'v': add_vertical(set); return true;
    case 'H': add_horizontal(other); break;
    case 'V': add_vertical(other); break;
    case 'N': other.add('\n'); break;
    default: return false;
  }
  other.finish();
  add_complement(set, other);
  return true;
}

std::expected<uint32_t, PerlError> read_char_escape(std::string_view p, size_t& pos) {
  char c = p[pos];
  auto at = [&](size_t i) { return i < p.size() ? p[i] : '\0'; };
  switch (c) {
    case 'a': ++pos; return 0x07;
    case 'e': ++pos; return 0x1b;
    case 'f': ++pos; return 0x0c;
    case 'n': ++pos; return 0x0a;
    case 'r': ++pos; return 0x0d;
    case 't': ++pos; return 0x09;
    case 'c': {
      ++pos;
      if (pos >= p.size()) return fail("\\c at end of pattern");
      auto x = static_cast<uint8_t>(p[pos]);
      if (x < 0x20 || x > 0x7e)
        return fail("\\c must be followed by a printable ASCII character");
      ++pos;
      if (x >= 'a' && x <= 'z') x -= 32;
      return static_cast<uint32_t>(x ^ 0x40);
    }
    case 'o':
      if (at(pos + 1) != '{') return fail("missing opening brace after \\o");
      pos += 2;
      return read_braced(p, pos, false);
    case 'x': {
      if (at(pos + 1) == '{') {
        pos += 2;
        return read_braced(p, pos, true);
      }
      ++pos;
      uint32_t code = 0;
      for (int i = 0; i < 2 && hex_digit(at(pos)) >= 0; ++i)
        code = code * 16 + static_cast<uint32_t>(hex_digit(p[pos++]));
      return code;
    }
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': {
      uint32_t code = 0;
      for (int i = 0; i < 3 && is_octal(at(pos)); ++i)
        code = code * 8 + static_cast<uint32_t>(p[pos++] - '0');
      return code;
    }
    case 'F': case 'L': case 'l': case 'U': case 'u':
      return fail("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
  }
  base::Utf8Char u = base::decode_utf8(p, pos);
  if (u.code < 128 && base::is_alpha(u.code)) return fail("unrecognized character follows \\");
  pos += u.size;
  return u.code;
}

std::expected<CodeSet, PerlError> read_property(std::string_view p, size_t& pos,
                                                limits::Meter& meter) {
  constexpr std::string_view kMalformed = "malformed \\P or \\p sequence";
  bool negated = p[pos] == 'P';
  if (++pos >= p.size()) return fail(kMalformed);
  std::string_view name;
  if (p[pos] == '{') {
    size_t close = p.find('}', pos);
    if (close == std::string_view::npos) return fail(kMalformed);
    name = p.substr(pos + 1, close - pos - 1);
    pos = close + 1;
    if (name.starts_with('^')) {
      negated = !negated;
      name.remove_prefix(1);
    }
  } else {
    name = p.substr(pos++, 1);
  }
  if (!known_category(name)) return fail("unknown property after \\P or \\p");
  CodeSet set;
  uint32_t start = 0;
  bool in = false;
  for (uint32_t c = 0; c <= CodeSet::kMaxCode + 1; ++c) {
    if ((c & 0xfff) == 0) meter.charge_work(64);
    bool matches = c <= CodeSet::kMaxCode && category_matches(name, c) != negated;
    if (matches == in) continue;
    if (matches) start = c;
    else set.add(start, c - 1);
    in = matches;
  }
  set.finish();
  return set;
}

std::expected<CodeSet, PerlError> read_perl_class(std::string_view p, size_t& pos,
                                                  PerlCharOptions options, limits::Meter& meter) {
  return ClassReader(p, pos, options, meter).read();
}

}  // namespace nacre::regex::internal
