#include "lexer/input.h"

#include <cstring>

namespace nacre::lexer {

bool StringSource::next_line(std::string& out) {
  if (text_.empty()) return false;
  const void* nl = std::memchr(text_.data(), '\n', text_.size());
  size_t n = nl ? static_cast<const char*>(nl) - text_.data() + 1 : text_.size();
  out.append(text_.data(), n);
  text_.remove_prefix(n);
  return true;
}

// Reads a line onto the end of `out`, whose part before `at` is not this line.
bool Input::read_source(std::string& out, size_t at) {
  if (ended_) return false;
  // The text may end in lines that hold nothing but NULs; they count as lines.
  if (!source_.next_line(out)) {
    ended_ = true;
    ++line_;
    return false;
  }
  ++line_;
  meter_.charge_fuel((out.size() - at) / 256 + 1);
  text_.append(out, at, std::string::npos);
  if (std::memchr(out.data() + at, '\0', out.size() - at)) {
    size_t w = at;
    for (size_t r = at; r < out.size(); ++r)
      if (out[r] != '\0') out[w++] = out[r];
    out.resize(w);
  }
  return true;
}

bool Input::more() {
  size_t at = buf_.size();
  if (!read_source(buf_, at)) return false;
  line_start_ = at;
  if (last_line_ == LastLine::complete && (buf_.size() == at || buf_.back() != '\n')) {
    // A backslash does not join the newline to nothing: `bash -c 'echo a\'` prints a\.
    added_newline_ = buf_.size();
    buf_.push_back('\n');
  }
  return true;
}

bool Input::join_line() {
  if (raw_at(1) != '\n' || pos_ + 1 == added_newline_) return false;
  if (pos_ + 2 == buf_.size()) {
    buf_.resize(pos_);
    line_start_ = pos_;
    more();
  } else {
    meter_.charge_fuel((buf_.size() - pos_) / 64 + 1);
    buf_.erase(pos_, 2);
    if (line_start_ > pos_) line_start_ -= 2;
    if (added_newline_ != SIZE_MAX && added_newline_ > pos_) added_newline_ -= 2;
    ++splices_;
  }
  return true;
}

char Input::peek_slow() {
  for (;;) {
    char c = buf_[pos_];
    if (c == '\\') {
      if (!join_line()) return c;
    } else if (c != '\0') {
      return c;
    } else if (!more()) {
      return '\0';
    }
  }
}

void Input::skip_line() {
  const void* nl = std::memchr(buf_.data() + pos_, '\n', buf_.size() - pos_);
  pos_ = nl ? static_cast<size_t>(static_cast<const char*>(nl) - buf_.data()) : buf_.size();
}

char Input::peek_next() {
  ++pos_;
  char c = peek();
  --pos_;
  return c;
}

void Input::splice(size_t from, std::string_view text) {
  meter_.charge_fuel((buf_.size() - pos_ + text.size()) / 64 + 1);
  size_t removed = pos_ - from;
  buf_.replace(from, removed, text.data(), text.size());
  if (line_start_ > from) line_start_ = line_start_ - removed + text.size();
  if (added_newline_ != SIZE_MAX) added_newline_ = added_newline_ - removed + text.size();
  pos_ = from;
  ++splices_;
}

bool Input::take_line(std::string& out) {
  size_t from = pos_;
  if (from == 0 || buf_[from - 1] != '\n') {
    size_t nl = buf_.find('\n', from);
    from = nl == std::string::npos ? buf_.size() : nl + 1;
  }
  if (from >= buf_.size()) {
    size_t at = out.size();
    return read_source(out, at);
  }
  size_t nl = buf_.find('\n', from);
  size_t end = nl == std::string::npos ? buf_.size() : nl + 1;
  out.append(buf_, from, end - from);
  if (from == pos_) {
    pos_ = end;
  } else {
    meter_.charge_fuel((buf_.size() - end) / 64 + 1);
    buf_.erase(from, end - from);
    if (line_start_ > from) line_start_ = from;
    added_newline_ = SIZE_MAX;
    ++splices_;
  }
  return true;
}

void Input::discard() {
  buf_.erase(0, pos_);
  line_start_ = line_start_ > pos_ ? line_start_ - pos_ : 0;
  if (added_newline_ != SIZE_MAX)
    added_newline_ = added_newline_ >= pos_ ? added_newline_ - pos_ : SIZE_MAX;
  pos_ = 0;
  text_.assign(buf_);
}

std::string_view Input::current_line() const {
  std::string_view s = std::string_view(buf_).substr(line_start_ < buf_.size() ? line_start_ : 0);
  while (!s.empty() && s.back() == '\n') s.remove_suffix(1);
  return s;
}

}  // namespace nacre::lexer
