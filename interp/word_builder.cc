#include "interp/word_builder.h"

#include "base/utf8.h"
#include "interp/expand.h"
#include "interp/expansion_failure.h"
#include "regex/pattern.h"

namespace nacre::interp {

namespace {

constexpr uint8_t kSpace = 1;    // IFS whitespace
constexpr uint8_t kOther = 2;    // another IFS character
constexpr uint8_t kMulti = 4;    // may begin an IFS character of several bytes
constexpr uint8_t kActive = 8;   // may begin a pattern

// What a pattern could take for more than itself (# and % are anchors in ${x/p/r}).
constexpr std::string_view kPatternSpecial = "*?[]\\()|!^-+@#%";

constexpr std::array<uint8_t, 256> pattern_classes() {
  std::array<uint8_t, 256> t{};
  for (unsigned char c : std::string_view("*?[(")) t[c] = kActive;
  return t;
}
constexpr std::array<uint8_t, 256> default_classes() {
  std::array<uint8_t, 256> t = pattern_classes();
  for (unsigned char c : std::string_view(" \t\n")) t[c] |= kSpace;
  return t;
}
constexpr std::array<uint8_t, 256> kNoIfsClasses = pattern_classes();

// The end of [:class:], [.x.] or [=x=] that starts at `from`; just behind the
// bracket when it is none.
size_t class_end(std::string_view s, size_t from) {
  if (from + 1 >= s.size() || std::string_view(":.=").find(s[from + 1]) == std::string_view::npos)
    return from + 1;
  size_t end = s.find(std::string{s[from + 1], ']'}, from + 2);
  return end == std::string_view::npos ? from + 1 : end + 2;
}

bool is_ere_special(char c) {
  return std::string_view(".[]()*+?{}|^$\\").find(c) != std::string_view::npos;
}

}  // namespace

constexpr std::array<uint8_t, 256> kDefaultClasses = default_classes();

bool default_ifs(const Process& p) {
  return p.state.ifs_unset || p.state.ifs == std::string_view(" \t\n");
}

WordBuilder::WordBuilder(Process& p, FieldList& out)
    : p_(p), out_(&out), collect_(Collect::fields), glob_(!p.has(SetOption::noglob)),
      text_(p.meter()) {
  set_up_classes();
}

WordBuilder::WordBuilder(Process& p, Collect collect)
    : p_(p), collect_(collect), classes_(kNoIfsClasses.data()), text_(p.meter()) {}

void WordBuilder::set_up_classes() {
  if (default_ifs(p_)) {
    classes_ = kDefaultClasses.data();
    splits_ = true;
    return;
  }
  if (p_.state.ifs.empty()) {
    classes_ = kNoIfsClasses.data();
    return;
  }
  splits_ = true;
  own_classes_ = kNoIfsClasses;
  for (unsigned char c : p_.state.ifs) {
    if (c >= 0x80) {
      for (size_t b = 0x80; b < 256; ++b) own_classes_[b] |= kMulti;
    } else {
      own_classes_[c] |= base::is_space(c) ? kSpace : kOther;
    }
  }
  classes_ = own_classes_.data();
}

std::string_view WordBuilder::joiner() const {
  if (p_.state.ifs_unset) return " ";
  std::string_view ifs = p_.state.ifs;
  if (ifs.empty()) return {};
  return ifs.substr(0, base::decode_utf8(ifs, 0).size);
}

void WordBuilder::remember_quoted(size_t begin, size_t end) {
  auto& last = more_.empty() ? few_[few_count_ ? few_count_ - 1 : 0] : more_.back();
  if (few_count_ > 0 && last.second == begin) {
    last.second = end;
  } else if (few_count_ < few_.size()) {
    few_[few_count_++] = {begin, end};
  } else {
    more_.push_back({begin, end});
  }
}

void WordBuilder::quoted(std::string_view s) {
  if (s.empty()) return;
  ++content_;
  switch (collect_) {
    case Collect::fields:
      state_ = State::in_field;
      text_.append(s);
      if (glob_) remember_quoted(text_.size() - s.size(), text_.size());
      return;
    case Collect::plain:
      text_.append(s);
      return;
    case Collect::pattern:
      for (char c : s) {
        if (kPatternSpecial.find(c) != std::string_view::npos) text_.push('\\');
        text_.push(c);
      }
      return;
    case Collect::regex:
      for (char c : s) {
        // Within [..] a backslash would be a member.
        if (bracket_ == Bracket::none && is_ere_special(c)) text_.push('\\');
        text_.push(c);
      }
      if (bracket_ != Bracket::none) bracket_ = Bracket::inside;
      return;
    case Collect::replacement:
      for (char c : s) {
        if (c == '&' || c == '\\') text_.push('\\');
        text_.push(c);
      }
      return;
  }
}

void WordBuilder::literal(std::string_view s) {
  if (s.empty()) return;
  ++content_;
  if (glob_ && !active_) {
    for (unsigned char c : s)
      if (kNoIfsClasses[c]) {
        active_ = true;
        break;
      }
  }
  state_ = State::in_field;
  if (collect_ == Collect::regex) regex_literal(s);
  else text_.append(s);
}

// The source's own text of an ERE, with its backslashes: they stay before what
// is special in an expression, and go before anything else and within [..].
void WordBuilder::regex_literal(std::string_view s) {
  for (size_t i = 0; i < s.size(); ++i) {
    std::string_view one = s.substr(i, 1);
    if (s[i] == '\\' && i + 1 < s.size()) {
      ++i;
      if (bracket_ != Bracket::none) bracket_ = Bracket::inside;
      else if (is_ere_special(s[i])) text_.push('\\');
      text_.push(s[i]);
      continue;
    }
    if (bracket_ != Bracket::none && s[i] == '[' && i + 1 < s.size()) {
      size_t end = class_end(s, i);
      one = s.substr(i, end - i);
      i = end - 1;
    }
    text_.append(one);
    follow_brackets(one);
  }
}

// Keeps track of whether the expression so far ends within [..].
void WordBuilder::follow_brackets(std::string_view s) {
  for (size_t i = 0; i < s.size(); ++i) {
    char c = s[i];
    if (bracket_ == Bracket::none) {
      if (c == '\\') ++i;
      else if (c == '[') bracket_ = Bracket::first;
    } else if (bracket_ == Bracket::first && c == '^') {
      bracket_ = Bracket::negated;
    } else if (c == ']' && bracket_ == Bracket::inside) {
      bracket_ = Bracket::none;
    } else {
      bracket_ = Bracket::inside;
      if (c == '[') i = class_end(s, i) - 1;
    }
  }
}

void WordBuilder::expansion(std::string_view s) {
  if (s.empty()) return;
  ++content_;
  if (collect_ != Collect::fields) {
    text_.append(s);
    if (collect_ == Collect::regex) follow_brackets(s);
    return;
  }
  append_expansion(s);
}

void WordBuilder::append_expansion(std::string_view s) {
  const uint8_t* classes = classes_;
  const char* at = s.data();
  const char* const end = at + s.size();
  while (at < end) {
    const char* from = at;
    uint8_t cls = 0, seen = 0;
    while (at < end) {
      cls = classes[static_cast<unsigned char>(*at)];
      if (cls & (kSpace | kOther | kMulti)) break;
      seen |= cls;
      ++at;
    }
    if (at > from) {
      text_.append({from, static_cast<size_t>(at - from)});
      state_ = State::in_field;
      if (seen & kActive && glob_) active_ = true;
    }
    if (at == end) return;
    if (cls & kSpace) {
      if (state_ == State::in_field) {
        end_field();
        state_ = State::after_space;
      }
      ++at;
    } else if (cls & kOther) {
      delimiter();
      ++at;
    } else {
      std::string_view rest(at, static_cast<size_t>(end - at));
      std::string_view c = rest.substr(0, base::decode_utf8(rest, 0).size);
      size_t found = p_.state.ifs.find(c);
      if (found != std::string::npos && base::is_char_boundary(p_.state.ifs, found)) {
        delimiter();
      } else {
        text_.append(c);
        state_ = State::in_field;
      }
      at += c.size();
    }
  }
}

void WordBuilder::delimiter() {
  if (state_ != State::after_space) end_field();
  state_ = State::after_delimiter;
}

void WordBuilder::separate_quoted() {
  ++content_;
  if (collect_ != Collect::fields) {
    quoted(" ");
    return;
  }
  end_field();
  state_ = State::in_field;
}

void WordBuilder::separate_unquoted(bool star) {
  if (collect_ != Collect::fields) {
    if (star) expansion(joiner());
    else expansion(" ");
    return;
  }
  if (splits_) {
    expansion(joiner());
  } else if (state_ == State::in_field) {
    end_field();
    state_ = State::start;
  }
}

void WordBuilder::end_field() {
  if (active_) glob_field();
  else out_->add(text_.view());
  text_.clear();
  active_ = false;
  few_count_ = 0;
  more_.clear();
}

void WordBuilder::glob_field() {
  TextBuffer pattern(p_.meter());
  std::string_view text = text_.view();
  size_t at = 0;
  auto add_quoted = [&](const std::pair<size_t, size_t>& range) {
    pattern.append(text.substr(at, range.first - at));
    for (char c : text.substr(range.first, range.second - range.first)) {
      if (kPatternSpecial.find(c) != std::string_view::npos) pattern.push('\\');
      pattern.push(c);
    }
    at = range.second;
  };
  for (uint32_t i = 0; i < few_count_; ++i) add_quoted(few_[i]);
  for (const auto& range : more_) add_quoted(range);
  pattern.append(text.substr(at));

  if (!regex::has_active_pattern(pattern.view(), p_.has(Shopt::extglob))) {
    out_->add(text);
    return;
  }
  if (glob_paths(p_, pattern.view(), *out_)) return;
  if (p_.has(Shopt::failglob)) {
    if (!failed_) {
      std::string message = "no match: ";
      message += text;
      p_.error(message);
      fail_discard(p_);
    }
    failed_ = true;
    return;
  }
  if (!p_.has(Shopt::nullglob)) out_->add(text);
}

bool WordBuilder::finish() {
  if (state_ == State::in_field) end_field();
  return !failed_;
}

}  // namespace nacre::interp
