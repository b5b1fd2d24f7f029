// The text being read: a buffer that grows by lines, with a cursor.
//
// The buffer holds the lines of the command at hand, so that a word's spelling
// is always one slice of it. Offsets into it stay valid until discard(); the
// bytes may move. A backslash-newline is cut out of the buffer where it is met
// (only the reader knows whether it stands in single quotes), and an alias's
// text replaces its name in place. NUL bytes are dropped, as bash drops them:
// a NUL under the cursor means "nothing more is buffered".
//
// Work is linear in what is read: a backslash-newline is cut from the end of
// the buffer, and what an alias moves is charged as parser fuel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lexer/chars.h"
#include "lexer/line_source.h"
#include "limits/meter.h"

namespace nacre::lexer {

class Input {
 public:
  // bash supplies the newline that a script's last line may lack; `verbatim`
  // text is read as it stands.
  enum class LastLine : uint8_t { complete, verbatim };
  Input(LineSource& source, limits::Meter& meter, uint32_t first_line, LastLine last_line)
      : source_(source), meter_(meter), line_(first_line - 1), last_line_(last_line) {}
  Input(const Input&) = delete;

  // The character at the cursor as it stands; NUL when another line would have
  // to be read (see more()).
  char raw() const { return buf_[pos_]; }
  char raw_at(size_t ahead) const {
    return pos_ + ahead < buf_.size() ? buf_[pos_ + ahead] : '\0';
  }
  // The same, past any backslash-newline, and reading on at the end of the
  // buffer; NUL only at the end of the input.
  char peek() {
    char c = buf_[pos_];
    return c != '\\' && c != '\0' ? c : peek_slow();
  }
  // Only past backslash-newlines: never reads a line that may not be wanted.
  char peek_joined() {
    char c = buf_[pos_];
    return c != '\\' ? c : peek_slow();
  }
  // The character after the cursor's, in the same way.
  char peek_next();
  void skip(size_t n = 1) { pos_ += n; }
  // To the newline, or to the end of the buffer.
  void skip_line();

  // Cuts a backslash-newline at the cursor; false when there is none.
  bool join_line();
  // Reads another line into the buffer; false at the end of the input.
  bool more();

  size_t pos() const { return pos_; }
  void seek(size_t pos) { pos_ = pos; }
  size_t size() const { return buf_.size(); }
  std::string_view slice(size_t from, size_t to) const {
    return std::string_view(buf_).substr(from, to - from);
  }
  std::string_view slice_from(size_t from) const { return slice(from, pos_); }
  const char* data() const { return buf_.data(); }

  // Replaces [from, cursor) by `text` and puts the cursor before it.
  void splice(size_t from, std::string_view text);
  // Takes one line out of the input, with its newline: the next one after the
  // line on which the cursor stands (the cursor may stand just past its
  // newline). For the bodies of here-documents. False at the end.
  bool take_line(std::string& out);

  // Forgets what was read before the cursor, and starts recording source().
  void discard();
  // Drops the rest of the buffered text.
  void drop_rest() { pos_ = buf_.size(); }

  // At the newline that was supplied to the last line.
  bool at_added_newline() const { return pos_ == added_newline_; }
  bool at_end() const { return ended_ && pos_ >= buf_.size(); }
  bool ended() const { return ended_; }
  // Number of the last line read (bash's line_number); at the end of the
  // input, one more than the number of lines.
  uint32_t line() const { return line_; }
  uint32_t next_line_number() const { return ended_ ? line_ : line_ + 1; }
  // The last line read, for error messages, without its newlines.
  std::string_view current_line() const;
  // All text read since discard(), as it was.
  const std::string& source() const { return text_; }
  uint32_t splices() const { return splices_; }

 private:
  char peek_slow();
  bool read_source(std::string& out, size_t at);

  LineSource& source_;
  limits::Meter& meter_;
  std::string buf_;
  std::string text_;
  size_t pos_ = 0;
  size_t line_start_ = 0;
  size_t added_newline_ = SIZE_MAX;  // offset of the newline that a last line lacked
  uint32_t line_;
  LastLine last_line_;
  uint32_t splices_ = 0;
  bool ended_ = false;
};

}  // namespace nacre::lexer
