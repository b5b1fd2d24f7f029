// printf(3)'s floating-point conversions for long double, independent of the
// process's locale, and format strings with exactly one of them (seq -f,
// numfmt, split).
#pragma once

#include <string>
#include <string_view>

namespace nacre::builtins {

struct FloatConversion {
  bool minus = false, plus = false, space = false, alternate = false, zero = false;
  int width = 0;
  int precision = -1;   // -1: not given
  char type = 'g';      // a e f g A E F G
};

void append_float(std::string& out, long double value, const FloatConversion& c);

// "prefix%10.3gsuffix" with %% for a percent sign.
class FloatFormat {
 public:
  // On an error, seq's message: "format ‘%d’ has unknown %d directive".
  bool compile(std::string_view text, std::string& error);
  void append(std::string& out, long double value) const;
  // What stands between prefix and suffix in a text that append() made.
  std::string_view number_in(std::string_view text) const {
    return text.substr(prefix_.size(), text.size() - prefix_.size() - suffix_.size());
  }

 private:
  std::string prefix_, suffix_;
  FloatConversion conversion_;
};

}  // namespace nacre::builtins
