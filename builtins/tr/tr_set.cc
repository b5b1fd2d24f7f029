#include "builtins/tr/tr_set.h"

#include "base/quoting.h"

namespace nacre::builtins {

namespace {

constexpr std::string_view kClasses[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                         "lower", "print", "punct", "space", "upper", "xdigit"};
constexpr uint8_t kLowerClass = 6, kUpperClass = 10;

// Bytes above ASCII belong to no class: they are no characters in C.UTF-8.
constexpr bool in_class(uint8_t index, int c) {
  bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  bool graph = c > 32 && c < 127;
  switch (index) {
    case 0: return upper || lower || digit;
    case 1: return upper || lower;
    case 2: return c == ' ' || c == '\t';
    case 3: return c < 32 || c == 127;
    case 4: return digit;
    case 5: return graph;
    case 6: return lower;
    case 7: return graph || c == ' ';
    case 8: return graph && !upper && !lower && !digit;
    case 9: return c == ' ' || (c >= '\t' && c <= '\r');
    case 10: return upper;
    default: return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }
}

struct ClassTable {
  uint8_t size[12] = {};
  unsigned char members[12][128] = {};
};
constexpr ClassTable kTable = [] {
  ClassTable t;
  for (uint8_t k = 0; k < 12; ++k)
    for (int c = 0; c < 128; ++c)
      if (in_class(k, c)) t.members[k][t.size[k]++] = static_cast<unsigned char>(c);
  return t;
}();

std::string printable(unsigned char c) {
  switch (c) {
    case '\\': return "\\\\";
    case '\a': return "\\a";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case '\v': return "\\v";
    default: break;
  }
  if (c >= 32 && c < 127) return std::string(1, static_cast<char>(c));
  std::string s = "\\";
  s += static_cast<char>('0' + (c >> 6));
  s += static_cast<char>('0' + (c >> 3 & 7));
  s += static_cast<char>('0' + (c & 7));
  return s;
}

}  // namespace

uint64_t TrSet::size_of(const Item& item) {
  switch (item.kind) {
    case Kind::range: return uint64_t{item.last} - item.first + 1;
    case Kind::char_class: return kTable.size[item.class_index];
    case Kind::repeat: return item.count;
    default: return 1;
  }
}

bool TrSet::parse(std::string_view text, std::string& error, std::vector<std::string>& warnings) {
  std::vector<Unit> s;
  s.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(text[i]);
    if (c != '\\') {
      s.push_back({c, false});
      continue;
    }
    if (i + 1 == text.size()) {
      warnings.push_back("warning: an unescaped backslash at end of string is not portable");
      s.push_back({c, false});
      break;
    }
    c = static_cast<unsigned char>(text[++i]);
    switch (c) {
      case 'a': c = '\a'; break;
      case 'b': c = '\b'; break;
      case 'f': c = '\f'; break;
      case 'n': c = '\n'; break;
      case 'r': c = '\r'; break;
      case 't': c = '\t'; break;
      case 'v': c = '\v'; break;
      case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': {
        unsigned value = c - '0';
        for (int k = 0; k < 2 && i + 1 < text.size(); ++k) {
          char d = text[i + 1];
          if (d < '0' || d > '7') break;
          unsigned next = value * 8 + static_cast<unsigned>(d - '0');
          if (next > 255) {
            std::string digits(text.substr(i - 1, 3));
            warnings.push_back("warning: the ambiguous octal escape \\" + digits +
                               " is being\n\tinterpreted as the 2-byte sequence \\0" +
                               digits.substr(0, 2) + ", " + digits.substr(2));
            break;
          }
          value = next;
          ++i;
        }
        c = static_cast<unsigned char>(value);
        break;
      }
      default: break;
    }
    s.push_back({c, true});
  }

  size_t i = 0;
  while (i + 2 < s.size()) {
    bool taken = false;
    if (s[i].c == '[' && !s[i].escaped) {
      if (!parse_bracket(s, i, taken, error)) return false;
      if (taken) continue;
    }
    if (s[i + 1].c == '-' && !s[i + 1].escaped) {
      if (s[i + 2].c < s[i].c) {
        error = "range-endpoints of '" + printable(s[i].c) + "-" + printable(s[i + 2].c) +
                "' are in reverse collating sequence order";
        return false;
      }
      items_.push_back({Kind::range, s[i].c, s[i + 2].c});
      i += 3;
      continue;
    }
    items_.push_back({Kind::one, s[i].c});
    ++i;
  }
  for (; i < s.size(); ++i) items_.push_back({Kind::one, s[i].c});
  return true;
}

// [:class:], [=c=], [c*n]. Not `taken`: the bracket stands for itself.
bool TrSet::parse_bracket(const std::vector<Unit>& s, size_t& i, bool& taken,
                          std::string& error) {
  unsigned char mark = s[i + 1].c;
  if ((mark == ':' || mark == '=') && !s[i + 1].escaped) {
    size_t close = i + 2;
    while (close + 1 < s.size() && !(s[close].c == mark && !s[close].escaped &&
                                     s[close + 1].c == ']' && !s[close + 1].escaped))
      ++close;
    if (close + 1 < s.size()) {
      std::string name;
      for (size_t k = i + 2; k < close; ++k) name += static_cast<char>(s[k].c);
      if (name.empty()) {
        error = mark == ':' ? "missing character class name '[::]'"
                            : "missing equivalence class character '[==]'";
        return false;
      }
      int index = -1;
      if (mark == ':')
        for (int k = 0; k < 12; ++k)
          if (kClasses[k] == name) index = k;
      if (index >= 0 || (mark == '=' && name.size() == 1)) {
        Item item{mark == ':' ? Kind::char_class : Kind::equivalence, s[i + 2].c};
        item.class_index = static_cast<uint8_t>(index < 0 ? 0 : index);
        items_.push_back(item);
        i = close + 2;
        taken = true;
        return true;
      }
      // Neither: it may still be a repeat of : or =.
      if (!parse_repeat(s, i, taken, error)) return false;
      if (taken) return true;
      if (mark == ':') {
        error = "invalid character class " + base::gnu_locale_quote(name);
      } else {
        for (size_t k = i + 2; k < close; ++k) error += printable(s[k].c);
        error += ": equivalence class operand must be a single character";
      }
      return false;
    }
  }
  return parse_repeat(s, i, taken, error);
}

bool TrSet::parse_repeat(const std::vector<Unit>& s, size_t& i, bool& taken, std::string& error) {
  if (i + 3 >= s.size() || s[i + 2].c != '*' || s[i + 2].escaped) return true;
  size_t close = i + 3;
  while (close < s.size() && !(s[close].c == ']' && !s[close].escaped)) ++close;
  if (close == s.size()) return true;
  std::string digits;
  for (size_t k = i + 3; k < close; ++k) digits += static_cast<char>(s[k].c);
  uint64_t count = 0;
  unsigned radix = digits.starts_with('0') ? 8 : 10;
  for (char d : digits) {
    unsigned value = static_cast<unsigned char>(d) - '0';
    if (value >= radix || count > (uint64_t{1} << 40)) {
      error = "invalid repeat count " + base::gnu_locale_quote(digits) + " in [c*n] construct";
      return false;
    }
    count = count * radix + value;
  }
  Item item{Kind::repeat, s[i + 1].c};
  item.count = count;
  item.open = count == 0;
  items_.push_back(item);
  i = close + 1;
  taken = true;
  return true;
}

uint64_t TrSet::length() const {
  uint64_t n = 0;
  for (const Item& item : items_) n += size_of(item);
  return n;
}

int TrSet::open_repeats() const {
  int n = 0;
  for (const Item& item : items_) n += item.open;
  return n;
}

void TrSet::fill_repeat(uint64_t other) {
  uint64_t now = length();
  for (Item& item : items_)
    if (item.open) item.count = other > now ? other - now : 0;
}

bool TrSet::extend_to(uint64_t length) {
  uint64_t now = this->length();
  if (items_.empty() || now >= length) return true;
  const Item& tail = items_.back();
  if (tail.kind == Kind::char_class) return false;
  Item item{Kind::repeat, tail.kind == Kind::range ? tail.last : tail.first};
  item.count = length - now;
  items_.push_back(item);
  return true;
}

bool TrSet::has_class() const {
  for (const Item& item : items_)
    if (item.kind == Kind::char_class) return true;
  return false;
}
bool TrSet::has_equivalence() const {
  for (const Item& item : items_)
    if (item.kind == Kind::equivalence) return true;
  return false;
}
bool TrSet::has_class_besides_case() const {
  for (const Item& item : items_)
    if (item.kind == Kind::char_class && item.class_index != kLowerClass &&
        item.class_index != kUpperClass)
      return true;
  return false;
}

ByteSet TrSet::members() const {
  ByteSet set;
  for (const Item& item : items_) {
    if (item.kind == Kind::char_class) {
      for (size_t i = 0; i < kTable.size[item.class_index]; ++i)
        set.set(kTable.members[item.class_index][i]);
    } else if (item.kind == Kind::range) {
      for (unsigned c = item.first; c <= item.last; ++c) set.set(c);
    } else if (item.kind != Kind::repeat || item.count > 0) {
      set.set(item.first);
    }
  }
  return set;
}

bool TrSet::uniform() const { return members().count() == 1; }

int TrSet::Walk::next() {
  starts_case_ = false;
  while (item_ < set_.items_.size() && at_ >= size_of(set_.items_[item_])) {
    ++item_;
    at_ = 0;
  }
  case_ = Case::none;
  if (item_ == set_.items_.size()) return -1;
  const Item& item = set_.items_[item_];
  uint64_t at = at_++;
  switch (item.kind) {
    case Kind::range: return item.first + static_cast<int>(at);
    case Kind::char_class:
      if (item.class_index == kLowerClass) case_ = Case::lower;
      if (item.class_index == kUpperClass) case_ = Case::upper;
      starts_case_ = case_ != Case::none && at == 0;
      return kTable.members[item.class_index][at];
    default: return item.first;
  }
}

void TrSet::Walk::skip() {
  if (item_ < set_.items_.size()) at_ = size_of(set_.items_[item_]);
}

}  // namespace nacre::builtins
