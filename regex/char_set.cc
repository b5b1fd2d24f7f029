#include "regex/char_set.h"

#include <array>

namespace nacre::regex::internal {

namespace {

struct ClassRow {
  std::string_view name;
  uint16_t properties;  // base::kUnicode*; 0 for the three that are ASCII only
};

// `ascii` and `word` are bash's own additions.
constexpr ClassRow kClasses[] = {
    {"alnum", base::kUnicodeAlnum}, {"alpha", base::kUnicodeAlpha},
    {"blank", base::kUnicodeBlank}, {"cntrl", base::kUnicodeCntrl},
    {"graph", base::kUnicodeGraph}, {"lower", base::kUnicodeLower},
    {"print", base::kUnicodePrint}, {"punct", base::kUnicodePunct},
    {"space", base::kUnicodeSpace}, {"upper", base::kUnicodeUpper},
    {"word", base::kUnicodeAlnum},  {"ascii", 0},
    {"digit", 0},                   {"xdigit", 0},
};
constexpr size_t kClassCount = std::size(kClasses);

constexpr bool ascii_in_class(const ClassRow& row, uint32_t c) {
  if (row.name == "ascii") return true;
  if (row.name == "digit") return c - '0' < 10;
  if (row.name == "xdigit") return c - '0' < 10 || (c | 0x20) - 'a' < 6;
  if (row.name == "word" && c == '_') return true;
  return base::internal::ascii_properties(c) & row.properties;
}

struct AsciiBits {
  uint64_t word[2] = {0, 0};
};
constexpr std::array<AsciiBits, kClassCount> make_class_bits() {
  std::array<AsciiBits, kClassCount> bits{};
  for (size_t k = 0; k < kClassCount; ++k)
    for (uint32_t c = 0; c < 128; ++c)
      if (ascii_in_class(kClasses[k], c)) bits[k].word[c >> 6] |= uint64_t{1} << (c & 63);
  return bits;
}
constexpr std::array<AsciiBits, kClassCount> kClassBits = make_class_bits();

struct CollatingRow {
  std::string_view name;
  uint8_t code;
};
constexpr CollatingRow kCollatingSymbols[] = {
    {"SOH", 1}, {"STX", 2}, {"ETX", 3}, {"EOT", 4}, {"ENQ", 5}, {"ACK", 6}, {"alert", 7},
    {"backspace", 8}, {"BS", 8}, {"tab", 9}, {"HT", 9}, {"newline", 10}, {"LF", 10},
    {"vertical-tab", 11}, {"VT", 11}, {"form-feed", 12}, {"FF", 12}, {"carriage-return", 13},
    {"CR", 13}, {"SO", 14}, {"SI", 15}, {"DLE", 16}, {"DC1", 17}, {"DC2", 18}, {"DC3", 19},
    {"DC4", 20}, {"NAK", 21}, {"SYN", 22}, {"ETB", 23}, {"CAN", 24}, {"EM", 25}, {"SUB", 26},
    {"ESC", 27}, {"IS4", 28}, {"FS", 28}, {"IS3", 29}, {"GS", 29}, {"IS2", 30}, {"RS", 30},
    {"IS1", 31}, {"US", 31}, {"space", 32}, {"exclamation-mark", 33}, {"quotation-mark", 34},
    {"number-sign", 35}, {"dollar-sign", 36}, {"percent-sign", 37}, {"ampersand", 38},
    {"apostrophe", 39}, {"left-parenthesis", 40}, {"right-parenthesis", 41}, {"asterisk", 42},
    {"plus-sign", 43}, {"comma", 44}, {"hyphen", 45}, {"hyphen-minus", 45}, {"minus", 45},
    {"dash", 45}, {"period", 46}, {"full-stop", 46}, {"slash", 47}, {"solidus", 47},
    {"zero", 48}, {"one", 49}, {"two", 50}, {"three", 51}, {"four", 52}, {"five", 53},
    {"six", 54}, {"seven", 55}, {"eight", 56}, {"nine", 57}, {"colon", 58}, {"semicolon", 59},
    {"less-than-sign", 60}, {"equals-sign", 61}, {"greater-than-sign", 62},
    {"question-mark", 63}, {"commercial-at", 64}, {"left-square-bracket", 91},
    {"backslash", 92}, {"reverse-solidus", 92}, {"right-square-bracket", 93},
    {"circumflex", 94}, {"circumflex-accent", 94}, {"underscore", 95}, {"grave-accent", 96},
    {"left-brace", 123}, {"left-curly-bracket", 123}, {"vertical-line", 124},
    {"right-brace", 125}, {"right-curly-bracket", 125}, {"tilde", 126}, {"DEL", 127},
};

void set_bits(uint64_t (&bits)[2], uint32_t low, uint32_t high) {
  for (uint32_t c = low; c <= high && c < 128; ++c) bits[c >> 6] |= uint64_t{1} << (c & 63);
}

}  // namespace

std::optional<ClassMask> find_class(std::string_view name) {
  for (size_t k = 0; k < kClassCount; ++k)
    if (kClasses[k].name == name) return ClassMask{1} << k;
  return std::nullopt;
}

bool in_classes(ClassMask classes, uint32_t code, bool wide) {
  if (code >= 128 && !wide) return false;
  for (size_t k = 0; classes >> k; ++k) {
    if (!(classes >> k & 1)) continue;
    if (code < 128) {
      if (kClassBits[k].word[code >> 6] >> (code & 63) & 1) return true;
    } else if (base::unicode_properties(code) & kClasses[k].properties) {
      return true;
    }
  }
  return false;
}

std::optional<uint32_t> find_collating_symbol(std::string_view name, bool wide) {
  for (const CollatingRow& row : kCollatingSymbols)
    if (row.name == name) return row.code;
  if (name.empty()) return std::nullopt;
  if (!wide) return name.size() == 1 ? std::optional<uint32_t>(uint8_t(name[0])) : std::nullopt;
  base::Utf8Char c = base::decode_utf8(name, 0);
  if (c.size != name.size()) return std::nullopt;
  return c.code;
}

void CharSet::add_range(uint32_t low, uint32_t high) {
  if (low > high) return;
  set_bits(ascii_, low, high);
  if (high >= 128) ranges_.push_back({low, high});
}

void CharSet::add_classes(ClassMask classes) { classes_ |= classes; }

void CharSet::finish(bool negated) {
  if (fold_) {
    // A letter is looked up as its lower case; the ranges hold folded bounds.
    uint64_t upper = ((uint64_t{1} << 26) - 1) << 1;
    ascii_[1] = (ascii_[1] & ~upper) | (ascii_[1] >> 32 & upper);
  }
  // Classes ask about the character itself, so they come after folding.
  for (size_t k = 0; classes_ >> k; ++k)
    if (classes_ >> k & 1) add_ascii(kClassBits[k].word[0], kClassBits[k].word[1]);
  negated_ = negated;
  if (negated) ascii_[0] = ~ascii_[0], ascii_[1] = ~ascii_[1];
}

bool CharSet::contains_high(uint32_t code, bool wide) const {
  if (classes_ && in_classes(classes_, code, wide)) return true;
  uint32_t folded = fold_ && wide ? base::to_lower(code) : code;
  if (folded < 128) return (ascii_[folded >> 6] >> (folded & 63) & 1) != negated_;
  for (const Range& r : ranges_)
    if (folded >= r.low && folded <= r.high) return true;
  return false;
}

}  // namespace nacre::regex::internal
