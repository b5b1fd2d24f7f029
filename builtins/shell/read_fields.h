// Splitting of a line as `read` does it: POSIX's rules, with characters that a
// backslash escaped taking no part in them.
#pragma once

#include <string_view>

namespace nacre::builtins {

class FieldReader {
 public:
  // `escaped` runs parallel to `text` (1: that byte was escaped), or is empty.
  FieldReader(std::string_view text, std::string_view escaped, std::string_view ifs)
      : text_(text), escaped_(escaped), ifs_(ifs) {}

  void skip_blanks() {
    while (pos_ < text_.size() && is_blank_at(pos_)) ++pos_;
  }
  bool at_end() const { return pos_ >= text_.size(); }
  // The next field, and the separators behind it. Not at the end.
  std::string_view next();
  // All that is left for the last variable: one field without its separator, or
  // several with what stands between them, less blanks at the end.
  std::string_view rest();

 private:
  bool is_escaped(size_t i) const { return !escaped_.empty() && escaped_[i]; }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }
  bool in_ifs(char c) const { return ifs_.find(c) != std::string_view::npos; }
  // An IFS blank that is not escaped.
  bool is_blank_at(size_t i) const {
    return is_blank(text_[i]) && !is_escaped(i) && in_ifs(text_[i]);
  }
  // Bytes of the separator character at i, 0 when there is none.
  size_t separator_at(size_t i) const;

  std::string_view text_, escaped_, ifs_;
  size_t pos_ = 0;
};

}  // namespace nacre::builtins
