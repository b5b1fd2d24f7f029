// Where lines come from.
#pragma once

#include <string>
#include <string_view>

namespace nacre::lexer {

// A script on stdin shares its descriptor with the commands that it runs, so
// lines are asked for one at a time, as late as bash would.
class LineSource {
 public:
  virtual ~LineSource() = default;
  // Appends the next line with its newline (the last may lack one); false at the end.
  virtual bool next_line(std::string& out) = 0;
};

// A whole script in memory. The text must outlive the source.
class StringSource final : public LineSource {
 public:
  explicit StringSource(std::string_view text) : text_(text) {}
  bool next_line(std::string& out) override;

 private:
  std::string_view text_;
};

}  // namespace nacre::lexer
