#include "builtins/sort/sort_key.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/quoting.h"
#include "builtins/digest/md5.h"
#include "builtins/support/collate.h"
#include "builtins/support/floats.h"

namespace nacre::builtins {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

constexpr unsigned char fold(unsigned char c) {
  return c >= 'a' && c <= 'z' ? static_cast<unsigned char>(c - 32) : c;
}

constexpr bool ignored(KeyIgnore ignore, unsigned char c) {
  switch (ignore) {
    case KeyIgnore::none: return false;
    case KeyIgnore::nonprinting: return c < 32 || c > 126;
    case KeyIgnore::non_dictionary:
      return !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == ' ' || c == '\t');
  }
  return false;
}

// Text with some characters left out and others folded, without a copy.
class Filtered {
 public:
  Filtered(std::string_view s, const SortKey& key) : s_(s), key_(key) {}
  // The next character, -1 at the end.
  int next() {
    while (at_ < s_.size()) {
      unsigned char c = static_cast<unsigned char>(s_[at_++]);
      if (!ignored(key_.ignore, c)) return key_.fold ? fold(c) : c;
    }
    return -1;
  }

 private:
  std::string_view s_;
  const SortKey& key_;
  size_t at_ = 0;
};

int compare_filtered(std::string_view a, std::string_view b, const SortKey& key) {
  Filtered x(a, key), y(b, key);
  while (true) {
    int c = x.next(), d = y.next();
    if (c != d) return c - d;
    if (c < 0) return 0;
  }
}

std::string filtered_copy(std::string_view s, const SortKey& key) {
  std::string copy;
  copy.reserve(s.size());
  Filtered f(s, key);
  for (int c = f.next(); c >= 0; c = f.next()) copy += static_cast<char>(c);
  return copy;
}

// 1K before 1M, whatever the numbers: the power of the suffix, with the sign.
int unit_order(const Decimal& d, std::string_view s) {
  if (d.zero()) return 0;
  int order = 0;
  if (d.end < s.data() + s.size()) {
    constexpr std::string_view kUnits = "KMGTPEZY";
    char c = *d.end == 'k' ? 'K' : *d.end;
    size_t at = kUnits.find(c);
    order = at == kUnits.npos ? 0 : static_cast<int>(at) + 1;
  }
  return d.negative ? -order : order;
}

int compare_human(std::string_view a, std::string_view b) {
  Decimal x = Decimal::scan(a), y = Decimal::scan(b);
  int diff = unit_order(x, a) - unit_order(y, b);
  return diff ? diff : compare_decimals(x, y);
}

int compare_general(std::string_view a, std::string_view b) {
  long double x = 0, y = 0;
  bool a_bad = scan_float(a, x) == 0, b_bad = scan_float(b, y) == 0;
  if (a_bad || b_bad) return static_cast<int>(b_bad) - static_cast<int>(a_bad);
  if (x < y) return -1;
  if (x > y) return 1;
  if (x == y) return 0;
  // A NaN is before all numbers.
  bool a_nan = std::isnan(x), b_nan = std::isnan(y);
  if (a_nan != b_nan) return a_nan ? -1 : 1;
  bool a_minus = std::signbit(x), b_minus = std::signbit(y);
  return static_cast<int>(b_minus) - static_cast<int>(a_minus);
}

uint64_t general_prefix(std::string_view s) {
  long double v = 0;
  if (scan_float(s, v) == 0) return 0;
  if (std::isnan(v)) return 1;
  uint64_t bits = std::bit_cast<uint64_t>(static_cast<double>(v == 0 ? 0.0L : v));
  bits = bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
  return std::max<uint64_t>(bits, 2);
}

uint64_t text_prefix(std::string_view s) {
  uint64_t v = 0;
  unsigned char bytes[8] = {};
  std::memcpy(bytes, s.data(), std::min<size_t>(s.size(), 8));
  std::memcpy(&v, bytes, 8);
  return __builtin_bswap64(v);
}

constexpr uint64_t kSignBit = uint64_t{1} << 63;

}  // namespace

void SortKey::inherit(const SortKey& global) {
  ignore = global.ignore;
  fold = global.fold;
  skip_start_blanks = global.skip_start_blanks;
  skip_end_blanks = global.skip_end_blanks;
  numeric = global.numeric;
  general = global.general;
  human = global.human;
  month = global.month;
  random = global.random;
  version = global.version;
  reverse = global.reverse;
}

std::string SortKey::settle() {
  int kinds = numeric + general + human + month + (version || random || ignore != KeyIgnore::none);
  if (kinds > 1) {
    std::string letters;
    if (ignore == KeyIgnore::non_dictionary) letters += 'd';
    if (general) letters += 'g';
    if (human) letters += 'h';
    if (ignore == KeyIgnore::nonprinting) letters += 'i';
    if (month) letters += 'M';
    if (numeric) letters += 'n';
    if (random) letters += 'R';
    if (version) letters += 'V';
    return letters;
  }
  order = numeric   ? KeyOrder::numeric
          : general ? KeyOrder::general
          : human   ? KeyOrder::human
          : month   ? KeyOrder::month
          : random  ? KeyOrder::random
          : version ? KeyOrder::version
                    : KeyOrder::text;
  return {};
}

size_t read_key_options(std::string_view s, SortKey& key, KeyPart part) {
  size_t i = 0;
  for (; i < s.size(); ++i) {
    switch (s[i]) {
      case 'b':
        if (part != KeyPart::end) key.skip_start_blanks = true;
        if (part != KeyPart::start) key.skip_end_blanks = true;
        break;
      case 'd': key.ignore = KeyIgnore::non_dictionary; break;
      case 'f': key.fold = true; break;
      case 'g': key.general = true; break;
      case 'h': key.human = true; break;
      case 'i':
        // -d leaves out all that -i does, and more.
        if (key.ignore == KeyIgnore::none) key.ignore = KeyIgnore::nonprinting;
        break;
      case 'M': key.month = true; break;
      case 'n': key.numeric = true; break;
      case 'R': key.random = true; break;
      case 'r': key.reverse = true; break;
      case 'V': key.version = true; break;
      default: return i;
    }
  }
  return i;
}

bool parse_sort_key(std::string_view text, SortKey& key, std::string& error) {
  size_t i = 0;
  auto bad = [&](std::string_view what) {
    error.append(what).append(": invalid field specification ");
    error += base::gnu_locale_quote(text);
    return false;
  };
  // A number; one that is too large stands for the largest.
  auto count = [&](uint64_t& value, std::string_view where) {
    size_t start = i;
    value = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      if (__builtin_mul_overflow(value, uint64_t{10}, &value) ||
          __builtin_add_overflow(value, uint64_t(text[i] - '0'), &value))
        value = UINT64_MAX;
    if (i > start) return true;
    error.append(where).append(": invalid count at start of ");
    error += base::gnu_locale_quote(text.substr(i));
    return false;
  };
  if (!count(key.start_field, "invalid number at field start")) return false;
  if (key.start_field-- == 0) return bad("field number is zero");
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!count(key.start_char, "invalid number after '.'")) return false;
    if (key.start_char-- == 0) return bad("character offset is zero");
  }
  i += read_key_options(text.substr(i), key, KeyPart::start);
  if (i < text.size() && text[i] == ',') {
    ++i;
    if (!count(key.end_field, "invalid number after ','")) return false;
    if (key.end_field-- == 0) return bad("field number is zero");
    if (i < text.size() && text[i] == '.') {
      ++i;
      if (!count(key.end_char, "invalid number after '.'")) return false;
    }
    i += read_key_options(text.substr(i), key, KeyPart::end);
  }
  if (i != text.size()) return bad("stray character in field spec");
  return true;
}

const char* KeyComparer::start_of(std::string_view line, const SortKey& key) const {
  const char* p = line.data();
  const char* stop = p + line.size();
  uint64_t fields = key.start_field;
  if (tab != kNoTab) {
    while (p < stop && fields--) {
      const void* hit = std::memchr(p, tab, static_cast<size_t>(stop - p));
      p = hit ? static_cast<const char*>(hit) + 1 : stop;
    }
  } else {
    while (p < stop && fields--) {
      while (p < stop && is_blank(*p)) ++p;
      while (p < stop && !is_blank(*p)) ++p;
    }
  }
  if (key.skip_start_blanks)
    while (p < stop && is_blank(*p)) ++p;
  return p + std::min<uint64_t>(key.start_char, static_cast<uint64_t>(stop - p));
}

const char* KeyComparer::end_of(std::string_view line, const SortKey& key) const {
  const char* p = line.data();
  const char* stop = p + line.size();
  if (key.end_field == SortKey::kEnd) return stop;
  // Without a character the whole of the last field belongs to the key.
  uint64_t fields = key.end_field + (key.end_char == 0);
  if (tab != kNoTab) {
    while (p < stop && fields--) {
      const void* hit = std::memchr(p, tab, static_cast<size_t>(stop - p));
      p = hit ? static_cast<const char*>(hit) : stop;
      if (p < stop && (fields || key.end_char)) ++p;
    }
  } else {
    while (p < stop && fields--) {
      while (p < stop && is_blank(*p)) ++p;
      while (p < stop && !is_blank(*p)) ++p;
    }
  }
  if (key.end_char != 0) {
    if (key.skip_end_blanks)
      while (p < stop && is_blank(*p)) ++p;
    p += std::min<uint64_t>(key.end_char, static_cast<uint64_t>(stop - p));
  }
  return p;
}

std::string_view KeyComparer::extract(std::string_view line, const SortKey& key) const {
  const char* start = start_of(line, key);
  const char* end = end_of(line, key);
  return {start, end > start ? static_cast<size_t>(end - start) : 0};
}

int KeyComparer::compare_random(std::string_view a, std::string_view b,
                                const SortKey& key) const {
  auto digest = [&](std::string_view text) {
    Md5 md5;
    md5.update({salt.data(), salt.size()});
    // As the namesake hashes what strxfrm makes of it: with the NUL at its end.
    if (!text.empty()) {
      md5.update(text);
      md5.update(std::string_view("\0", 1));
    }
    return md5.finish();
  };
  std::string x = filtered_copy(a, key), y = filtered_copy(b, key);
  auto p = digest(x), q = digest(y);
  if (int d = std::memcmp(p.data(), q.data(), p.size())) return d;
  return compare_bytes(x, y);
}

int KeyComparer::compare_key(std::string_view a, std::string_view b, const SortKey& key) const {
  int diff = 0;
  switch (key.order) {
    case KeyOrder::text:
      if (key.fold || key.ignore != KeyIgnore::none) diff = compare_filtered(a, b, key);
      else diff = compare_bytes(a, b);
      break;
    case KeyOrder::numeric:
      diff = compare_decimals(Decimal::scan(a), Decimal::scan(b));
      break;
    case KeyOrder::general: diff = compare_general(a, b); break;
    case KeyOrder::human: diff = compare_human(a, b); break;
    case KeyOrder::month: diff = month_number(a) - month_number(b); break;
    case KeyOrder::random: diff = compare_random(a, b, key); break;
    case KeyOrder::version:
      diff = key.fold || key.ignore != KeyIgnore::none
                 ? compare_versions(filtered_copy(a, key), filtered_copy(b, key))
                 : compare_versions(a, b);
      break;
  }
  return key.reverse ? -diff : diff;
}

int KeyComparer::compare(std::string_view a, std::string_view a_key, std::string_view b,
                         std::string_view b_key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) {
      a_key = extract(a, keys[i]);
      b_key = extract(b, keys[i]);
    }
    if (int d = compare_key(a_key, b_key, keys[i])) return d;
  }
  return 0;
}

uint64_t KeyComparer::prefix(std::string_view s) const {
  if (keys.empty()) return text_prefix(s);
  const SortKey& key = keys[0];
  uint64_t v = 0;
  switch (key.order) {
    case KeyOrder::text:
      if (key.fold || key.ignore != KeyIgnore::none) {
        Filtered f(s, key);
        for (int i = 0; i < 8; ++i) {
          int c = f.next();
          v |= c < 0 ? 0 : static_cast<uint64_t>(c) << (56 - 8 * i);
        }
      } else {
        v = text_prefix(s);
      }
      break;
    case KeyOrder::numeric:
      v = static_cast<uint64_t>(decimal_ordinal(Decimal::scan(s))) ^ kSignBit;
      break;
    case KeyOrder::general: v = general_prefix(s); break;
    case KeyOrder::human: v = static_cast<uint64_t>(unit_order(Decimal::scan(s), s) + 16); break;
    case KeyOrder::month: v = static_cast<uint64_t>(month_number(s)); break;
    case KeyOrder::random:
    case KeyOrder::version: break;
  }
  return key.reverse ? ~v : v;
}

}  // namespace nacre::builtins
