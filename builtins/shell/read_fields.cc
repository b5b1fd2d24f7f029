#include "builtins/shell/read_fields.h"

#include "base/utf8.h"

namespace nacre::builtins {

size_t FieldReader::separator_at(size_t i) const {
  if (is_escaped(i)) return 0;
  if (static_cast<unsigned char>(text_[i]) < 0x80) return in_ifs(text_[i]);
  // A character of several bytes separates only as a whole.
  base::Utf8Char c = base::decode_utf8(text_, i);
  std::string_view bytes = text_.substr(i, c.size);
  for (size_t at = ifs_.find(bytes); at != std::string_view::npos; at = ifs_.find(bytes, at + 1))
    if (base::is_char_boundary(ifs_, at)) return c.size;
  return 0;
}

std::string_view FieldReader::next() {
  skip_blanks();
  size_t start = pos_, size = 0;
  while (pos_ < text_.size() && (size = separator_at(pos_)) == 0)
    pos_ += base::decode_utf8(text_, pos_).size;
  std::string_view field = text_.substr(start, pos_ - start);
  if (pos_ >= text_.size()) return field;
  // One separator that is no blank, with the blanks around it, ends a field.
  bool blank = is_blank_at(pos_);
  pos_ += size;
  skip_blanks();
  if (blank && pos_ < text_.size() && (size = separator_at(pos_)) != 0) {
    pos_ += size;
    skip_blanks();
  }
  return field;
}

std::string_view FieldReader::rest() {
  skip_blanks();
  if (at_end()) return {};
  size_t start = pos_;
  std::string_view first = next();
  if (at_end()) return first;
  // bash strips blanks from the end even where they were escaped.
  size_t end = text_.size();
  while (end > start + 1 && is_blank(text_[end - 1]) && in_ifs(text_[end - 1])) --end;
  pos_ = text_.size();
  return text_.substr(start, end - start);
}

}  // namespace nacre::builtins
