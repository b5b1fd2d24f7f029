#include "builtins/shell/history_expand.h"

#include <algorithm>
#include <vector>

#include "base/quoting.h"

namespace nacre::builtins {

using interp::HistoryList;

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Words of a line as the history library cuts them: by blanks, quotes kept
// together, operators on their own.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kOperators = "()<>;&|";
  std::vector<std::string_view> words;
  size_t i = 0;
  while (i < line.size()) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    size_t begin = i;
    if (kOperators.find(line[i]) != std::string_view::npos) {
      char c = line[i++];
      if (i < line.size() && line[i] == c && c != '(' && c != ')') ++i;
      else if (i < line.size() && line[i] == '&' && (c == '<' || c == '>')) ++i;
    } else {
      char quote = 0;
      for (; i < line.size(); ++i) {
        char c = line[i];
        if (c == '\\' && quote != '\'') {
          ++i;
        } else if (quote) {
          if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"' || c == '`') {
          quote = c;
        } else if (is_blank(c) || kOperators.find(c) != std::string_view::npos) {
          break;
        }
      }
      i = std::min(i, line.size());
    }
    words.push_back(line.substr(begin, i - begin));
  }
  return words;
}

void replace(std::string& text, std::string_view from, std::string_view to, bool all,
             limits::Meter& meter) {
  std::string out;
  size_t done = 0;
  for (size_t pos = text.find(from); pos != std::string::npos && !from.empty();
       pos = text.find(from, done)) {
    out.append(text, done, pos - done);
    out += to;
    meter.check_string(static_cast<int64_t>(out.size()));
    done = pos + from.size();
    if (!all) break;
  }
  out.append(text, done);
  meter.check_string(static_cast<int64_t>(out.size()));
  text = std::move(out);
}

class Expander {
 public:
  Expander(const HistoryList& list, std::string_view line, limits::Meter& meter)
      : list_(list), line_(line), meter_(meter) {}

  bool run(std::string& out) {
    std::string quick;
    if (line_.starts_with('^')) {
      quick = "!!:s";
      quick += line_;
      line_ = quick;
    }
    bool in_single = false, in_double = false;
    while (at_ < line_.size()) {
      char c = line_[at_];
      if (c == '\\' && !in_single) {
        out += line_.substr(at_, 2);
        at_ += 2;
        continue;
      }
      if (c == '\'' && !in_double) in_single = !in_single;
      if (c == '"' && !in_single) in_double = !in_double;
      if (c != '!' || in_single || !begins_event(in_double)) {
        out += c;
        ++at_;
        continue;
      }
      ++at_;
      std::string text;
      if (!event(out, text)) return false;
      out += text;
      meter_.charge_work();
      meter_.check_string(static_cast<int64_t>(out.size()));
    }
    return true;
  }

 private:
  char peek(size_t n = 0) const { return at_ + n < line_.size() ? line_[at_ + n] : '\0'; }

  bool begins_event(bool in_double) const {
    char next = peek(1);
    if (next == '\0' || is_blank(next) || next == '=' || next == '(') return false;
    return !(in_double && next == '"');
  }

  // What stands behind the `!`: an event, words of it, modifiers.
  bool event(const std::string& so_far, std::string& text) {
    bool bare_word = std::string_view("^$*:-").find(peek()) != std::string_view::npos &&
                     !(peek() == '-' && is_digit(peek(1)));
    if (bare_word) {
      if (!take(static_cast<int64_t>(list_.entries.size()) - 1, text)) return false;
    } else if (peek() == '!') {
      ++at_;
      if (!take(static_cast<int64_t>(list_.entries.size()) - 1, text)) return false;
    } else if (peek() == '#') {
      ++at_;
      text = so_far;
    } else if (is_digit(peek()) || (peek() == '-' && is_digit(peek(1)))) {
      if (!numbered(text)) return false;
    } else if (peek() == '?') {
      if (!containing(text)) return false;
    } else if (!beginning(text)) {
      return false;
    }
    return designate(text) && modify(text);
  }

  bool take(int64_t index, std::string& text) const {
    if (index < 0 || index >= static_cast<int64_t>(list_.entries.size())) return false;
    text = list_.entries[static_cast<size_t>(index)].text;
    return true;
  }

  bool number(int64_t& n) {
    constexpr int64_t kMost = 1'000'000'000;
    if (!is_digit(peek())) return false;
    n = 0;
    while (is_digit(peek())) n = std::min(n * 10 + (line_[at_++] - '0'), kMost);
    return true;
  }

  bool numbered(std::string& text) {
    bool back = peek() == '-';
    if (back) ++at_;
    int64_t n = 0;
    if (!number(n)) return false;
    return take(back ? static_cast<int64_t>(list_.entries.size()) - n : n - list_.base, text);
  }

  bool containing(std::string& text) {
    ++at_;
    size_t end = std::min(line_.find('?', at_), line_.size());
    search_ = line_.substr(at_, end - at_);
    at_ = std::min(end + 1, line_.size());
    for (size_t i = list_.entries.size(); i-- > 0;)
      if (list_.entries[i].text.find(search_) != std::string::npos)
        return take(static_cast<int64_t>(i), text);
    return false;
  }

  bool beginning(std::string& text) {
    size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_]) &&
           std::string_view(":;&()|<>^$*-\"'").find(line_[at_]) == std::string_view::npos)
      ++at_;
    std::string_view start = line_.substr(begin, at_ - begin);
    if (start.empty()) return false;
    for (size_t i = list_.entries.size(); i-- > 0;)
      if (std::string_view(list_.entries[i].text).starts_with(start))
        return take(static_cast<int64_t>(i), text);
    return false;
  }

  // One end of a range of words: a number, ^ or $; false when there is none.
  bool word_number(int64_t last, int64_t& n) {
    if (peek() == '^') n = 1;
    else if (peek() == '$') n = last;
    else return number(n);
    ++at_;
    return true;
  }

  // :n :n-m :n* :n- :-m and, without the colon, ^ $ * -
  bool designate(std::string& text) {
    bool colon = peek() == ':' && (is_digit(peek(1)) || (peek(1) != '\0' &&
                 std::string_view("^$*-%").find(peek(1)) != std::string_view::npos));
    if (!colon && (peek() == '\0' || std::string_view("^$*-%").find(peek()) == std::string_view::npos))
      return true;
    if (colon) ++at_;
    std::vector<std::string_view> words = words_of(text);
    const int64_t last = static_cast<int64_t>(words.size()) - 1;
    int64_t first = 0, end = 0;
    if (peek() == '*') {
      ++at_;
      first = 1;
      end = last;
      if (end < first) {
        text.clear();
        return true;
      }
    } else if (peek() == '%') {
      ++at_;
      auto it = std::ranges::find_if(words, [&](std::string_view w) {
        return !search_.empty() && w.find(search_) != std::string_view::npos;
      });
      if (it == words.end()) return false;
      first = end = it - words.begin();
    } else {
      if (peek() == '-') first = 0;
      else if (!word_number(last, first)) return false;
      end = first;
      if (peek() == '*') {
        ++at_;
        end = last;
        if (first > end) {
          text.clear();
          return first == end + 1;
        }
      } else if (peek() == '-') {
        ++at_;
        if (!word_number(last, end)) end = last - 1;
      }
    }
    if (first < 0 || end > last || first > end) return false;
    std::string chosen;
    for (int64_t i = first; i <= end; ++i) {
      if (i > first) chosen += ' ';
      chosen += words[static_cast<size_t>(i)];
    }
    text = std::move(chosen);
    return true;
  }

  bool modify(std::string& text) {
    while (peek() == ':') {
      ++at_;
      bool all = false, by_word = false;
      for (; peek() == 'g' || peek() == 'a' || peek() == 'G'; ++at_)
        (peek() == 'G' ? by_word : all) = true;
      char c = peek();
      if (at_ < line_.size()) ++at_;
      size_t slash = text.rfind('/'), dot = text.rfind('.');
      switch (c) {
        case 'h': if (slash != std::string::npos) text.resize(slash); break;
        case 't': if (slash != std::string::npos) text.erase(0, slash + 1); break;
        case 'r': if (dot != std::string::npos) text.resize(dot); break;
        case 'e': if (dot != std::string::npos) text.erase(0, dot); break;
        case 'p': break;
        case 'q': text = base::single_quote(text); break;
        case 'x': text = quote_words(text); break;
        case '&': substitute(text, all, by_word); break;
        case 's':
          if (!read_substitution()) return false;
          substitute(text, all, by_word);
          break;
        default: return false;
      }
    }
    return true;
  }

  static std::string quote_words(std::string_view text) {
    std::string out;
    for (std::string_view word : words_of(text)) {
      if (!out.empty()) out += ' ';
      out += base::single_quote(word);
    }
    return out;
  }

  // The text up to an unquoted delimiter.
  std::string delimited(char delimiter) {
    std::string out;
    while (at_ < line_.size() && line_[at_] != delimiter) {
      if (line_[at_] == '\\' && peek(1) == delimiter) ++at_;
      out += line_[at_++];
    }
    if (at_ < line_.size()) ++at_;
    return out;
  }

  bool read_substitution() {
    if (at_ >= line_.size()) return false;
    char delimiter = line_[at_++];
    std::string from = delimited(delimiter);
    if (!from.empty()) from_ = std::move(from);
    std::string to = delimited(delimiter);
    to_.clear();
    for (size_t i = 0; i < to.size(); ++i) {
      if (to[i] == '\\' && i + 1 < to.size() && to[i + 1] == '&') to_ += to[++i];
      else if (to[i] == '&') to_ += from_;
      else to_ += to[i];
    }
    return !from_.empty();
  }

  void substitute(std::string& text, bool all, bool by_word) const {
    if (!by_word) {
      replace(text, from_, to_, all, meter_);
      return;
    }
    std::string out;
    for (std::string_view word : words_of(text)) {
      std::string one(word);
      replace(one, from_, to_, false, meter_);
      if (!out.empty()) out += ' ';
      out += one;
    }
    text = std::move(out);
  }

  const HistoryList& list_;
  std::string_view line_;
  limits::Meter& meter_;
  size_t at_ = 0;
  std::string search_, from_, to_;
};

}  // namespace

bool expand_history(const HistoryList& list, std::string_view line, std::string& out,
                    limits::Meter& meter) {
  out.clear();
  return Expander(list, line, meter).run(out);
}

}  // namespace nacre::builtins
