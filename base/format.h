// One conversion of printf(3): the number or text of a %d, %s, %g and so on
// with its flags, width and precision, as the C library of Linux writes it in
// the C locale (the flag ' groups nothing there).
//
// What it is not: a reader of format strings; each command has its own rules
// for those. Nothing depends on the process's locale.
//
// Widths and precisions come from scripts, so the length of the result is
// checked before it is made: pass the run's Meter (anything that has
// check_string(int64_t) will do), which throws when it is too long. On a throw
// `out` is as it was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nacre::base {

// Asks someone above whether a piece of text may have this length.
class LengthCheck {
 public:
  template <class Meter>
  LengthCheck(const Meter& meter)  // NOLINT: callers pass their meter as it is
      : object_(&meter), check_([](const void* object, int64_t bytes) {
          static_cast<const Meter*>(object)->check_string(bytes);
        }) {}
  void operator()(int64_t bytes) const { check_(object_, bytes); }

 private:
  const void* object_;
  void (*check_)(const void*, int64_t);
};

struct FormatSpec {
  static constexpr int64_t kNoPrecision = -1;

  bool left = false;         // -
  bool plus = false;         // +
  bool space = false;        // blank
  bool alternate = false;    // #
  bool zero = false;         // 0
  char conversion = 'd';
  int64_t width = 0;         // a negative one means left, as `*` gives it
  int64_t precision = kNoPrecision;
};

// d i
void append_signed(std::string& out, const FormatSpec& spec, int64_t value, LengthCheck check);
// u o x X (and b, binary)
void append_unsigned(std::string& out, const FormatSpec& spec, uint64_t value, LengthCheck check);
// s c: bytes; the precision cuts.
void append_text(std::string& out, const FormatSpec& spec, std::string_view text,
                 LengthCheck check);
// a A e E f F g G of a long double
void append_float(std::string& out, const FormatSpec& spec, long double value, LengthCheck check);

}  // namespace nacre::base
