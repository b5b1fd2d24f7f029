// Brace expansion (bash manual, 3.5.1), straight from the tree to the fields.
//
// bash makes the words first and expands them later; here each word is expanded
// as soon as its parts are together, so that {1..1000000} never exists as text.
// How many words there will be is counted and charged before the first one.
//
// A word is walked as a chain of stretches of parts: at a brace, each of its
// alternatives is walked with the rest of the word behind it.
#include <cstring>
#include <deque>

#include "interp/expander.h"

namespace nacre::interp {

using parser::Brace;
using parser::PartKind;
using parser::Word;
using parser::WordPart;

namespace {

// What follows the stretch that is being walked.
struct Rest {
  std::span<const WordPart> parts;
  const Rest* next;
};

class BraceExpansion {
 public:
  BraceExpansion(Process& p, FieldList& out) : p_(p), out_(out) {}

  int64_t count(std::span<const WordPart> parts);
  bool walk(std::span<const WordPart> parts, const Rest* rest);

 private:
  bool walk_brace(const Brace& brace, const Rest* rest);
  bool walk_range(const Brace& brace, const Rest* rest);
  bool emit();
  void settle_tilde(std::string& text);

  Process& p_;
  FieldList& out_;
  std::vector<WordPart> word_;   // the word so far
  std::deque<std::string> tilde_texts_;
  int depth_ = 0;
};

struct Range {
  int64_t first;
  uint64_t step;
  bool down;
  uint64_t count;
};

Range range_of(const Brace& brace) {
  Range r;
  r.first = brace.first;
  r.down = brace.last < brace.first;
  // The step's sign does not matter; 0 counts as 1.
  r.step = brace.step < 0 ? uint64_t{0} - static_cast<uint64_t>(brace.step)
                          : static_cast<uint64_t>(brace.step);
  if (r.step == 0) r.step = 1;
  uint64_t span = r.down ? static_cast<uint64_t>(brace.first) - static_cast<uint64_t>(brace.last)
                         : static_cast<uint64_t>(brace.last) - static_cast<uint64_t>(brace.first);
  r.count = span / r.step;
  if (r.count != UINT64_MAX) ++r.count;
  return r;
}

// The element `i` as bash writes it: zero padded to the width, the sign first.
void append_range_int(std::string& out, int64_t value, int width) {
  std::string digits;
  base::append_uint(digits, value < 0 ? uint64_t{0} - static_cast<uint64_t>(value)
                                      : static_cast<uint64_t>(value));
  size_t want = static_cast<size_t>(width);
  if (value < 0) {
    out += '-';
    if (want > 0) --want;
  }
  if (digits.size() < want) out.append(want - digits.size(), '0');
  out += digits;
}

int64_t saturated(uint64_t n, int64_t cap) {
  return n > static_cast<uint64_t>(cap) ? cap + 1 : static_cast<int64_t>(n);
}

// How many words `parts` make; more than the cap reads as one more than the cap.
int64_t BraceExpansion::count(std::span<const WordPart> parts) {
  limits::DepthGuard guard(p_.meter(), depth_, p_.meter().limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  const int64_t cap = std::min<int64_t>(p_.meter().limits().max_brace_expansions, INT32_MAX);
  int64_t product = 1;
  for (const WordPart& part : parts) {
    if (part.kind != PartKind::brace) continue;
    int64_t sum = 0;
    if (part.brace->kind == Brace::Kind::list) {
      for (const Word* item : part.brace->items) {
        sum += count(item->parts);
        if (sum > cap) break;
      }
    } else {
      sum = saturated(range_of(*part.brace).count, cap);
    }
    product = sum > cap ? cap + 1 : product * sum;
    if (product > cap) product = cap + 1;
  }
  return product;
}

bool BraceExpansion::walk(std::span<const WordPart> parts, const Rest* rest) {
  limits::DepthGuard guard(p_.meter(), depth_, p_.meter().limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  const size_t height = word_.size();
  for (;;) {
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].kind == PartKind::brace) {
        Rest behind{parts.subspan(i + 1), rest};
        bool ok = walk_brace(*parts[i].brace, &behind);
        word_.resize(height);
        return ok;
      }
      word_.push_back(parts[i]);
    }
    if (!rest) break;
    parts = rest->parts;
    rest = rest->next;
  }
  bool ok = emit();
  word_.resize(height);
  return ok;
}

bool BraceExpansion::walk_brace(const Brace& brace, const Rest* rest) {
  if (brace.kind != Brace::Kind::list) return walk_range(brace, rest);
  for (const Word* item : brace.items)
    if (!walk(item->parts, rest)) return false;
  return true;
}

bool BraceExpansion::walk_range(const Brace& brace, const Rest* rest) {
  const Range range = range_of(brace);
  std::string text;
  for (uint64_t i = 0; i < range.count; ++i) {
    uint64_t distance = i * range.step;
    auto value = static_cast<int64_t>(range.down ? static_cast<uint64_t>(range.first) - distance
                                                 : static_cast<uint64_t>(range.first) + distance);
    text.clear();
    if (brace.kind == Brace::Kind::ints) append_range_int(text, value, brace.width);
    else if (value != '\\') text += static_cast<char>(value);
    p_.meter().charge_work();
    // {Z..a} passes the backslash, which quotes what follows and is gone then.
    WordPart part{text.empty() ? PartKind::quoted : PartKind::literal, text};
    if (!walk({&part, 1}, rest)) return false;
  }
  return true;
}

// Tildes stand where the finished word has them: x{~,y} has none at its
// beginning, ~{a,b} has ~a and ~b. `text` backs the joined prefix.
void BraceExpansion::settle_tilde(std::string& text) {
  for (size_t i = 1; i < word_.size(); ++i) {
    if (word_[i].kind != PartKind::tilde) continue;
    const WordPart& before = word_[i - 1];
    if (before.kind == PartKind::literal && !before.text.empty() &&
        (before.text.back() == '=' || before.text.back() == ':'))
      continue;
    tilde_texts_.push_back("~" + std::string(word_[i].text));
    word_[i] = WordPart{PartKind::literal, tilde_texts_.back()};
  }
  if (word_.empty()) return;
  const bool literal = word_[0].kind == PartKind::literal && word_[0].text.starts_with('~');
  if (!literal && word_[0].kind != PartKind::tilde) return;
  if (!literal && (word_.size() == 1 || word_[1].text.starts_with('/'))) return;
  // The prefix ends at the first slash; all of it must be unquoted text.
  text = literal ? word_[0].text.substr(1) : word_[0].text;
  size_t used = 1;
  while (text.find('/') == std::string::npos && used < word_.size()) {
    if (word_[used].kind != PartKind::literal) return;
    text += word_[used++].text;
  }
  const size_t slash = std::min(text.find('/'), text.size());
  std::string_view whole = text;
  WordPart prefix{PartKind::tilde, whole.substr(0, slash)};
  WordPart rest{PartKind::literal, whole.substr(slash)};
  word_.erase(word_.begin(), word_.begin() + static_cast<ptrdiff_t>(used));
  word_.insert(word_.begin(), {prefix, rest});
}

// A word is whole: nothing in it is a brace.
bool BraceExpansion::emit() {
  bool plain = true;
  bool tilde = !word_.empty() && word_[0].text.starts_with('~');
  for (const WordPart& part : word_) {
    if (part.kind == PartKind::tilde) tilde = true;
    if (part.kind != PartKind::literal || part.text.find_first_of("*?[(") != std::string_view::npos)
      plain = false;
  }
  if (plain && !tilde) {
    size_t size = 0;
    for (const WordPart& part : word_) size += part.text.size();
    if (size == 0) return true;
    p_.meter().check_string(static_cast<int64_t>(size));
    char* at = out_.scratch().allocate(size);
    out_.add_stable({at, size});
    for (const WordPart& part : word_) {
      if (!part.text.empty()) std::memcpy(at, part.text.data(), part.text.size());
      at += part.text.size();
    }
    return true;
  }
  if (!tilde) return expand_one_word(p_, word_, out_);
  std::vector<WordPart> written = word_;
  std::string text;
  settle_tilde(text);
  bool ok = expand_one_word(p_, word_, out_);
  word_ = std::move(written);
  tilde_texts_.clear();
  return ok;
}

}  // namespace

bool expand_brace_as_written(Process& p, const Brace& brace, Quote quote, WordBuilder& out) {
  out.literal("{");
  if (brace.kind == Brace::Kind::list) {
    for (size_t i = 0; i < brace.items.size(); ++i) {
      if (i) out.literal(",");
      if (!expand_parts(p, brace.items[i]->parts, quote, out)) return false;
    }
  } else {
    std::string text;
    auto add_end = [&](int64_t value) {
      if (brace.kind == Brace::Kind::ints) append_range_int(text, value, brace.width);
      else text += static_cast<char>(value);
    };
    add_end(brace.first);
    text += "..";
    add_end(brace.last);
    if (brace.step != 0) {
      text += "..";
      base::append_int(text, brace.step);
    }
    out.literal(text);
  }
  out.literal("}");
  return true;
}

bool expand_braces(Process& p, const Word& word, FieldList& out) {
  BraceExpansion expansion(p, out);
  if (expansion.count(word.parts) > p.meter().limits().max_brace_expansions)
    p.meter().exceeded(LimitName::max_brace_expansions);
  return expansion.walk(word.parts, nullptr);
}

}  // namespace nacre::interp
