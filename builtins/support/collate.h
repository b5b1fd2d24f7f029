// Orders of text that several commands share (sort, ls, join, comm).
#pragma once

#include <cstdint>
#include <string_view>

namespace nacre::builtins {

// strcoll() of C.UTF-8: by bytes. Negative, zero or positive.
int compare_bytes(std::string_view a, std::string_view b);

// Natural order of names with version numbers in them (gnulib's filevercmp):
// ls -v, sort -V.
int compare_versions(std::string_view a, std::string_view b);

// Decimal numbers of any length, read from the start of the text: blanks, a
// minus sign, digits, a fraction (sort -n). What is no number counts as 0.
struct Decimal {
  bool negative = false;
  std::string_view whole;     // without leading zeros
  std::string_view fraction;  // without trailing zeros
  bool zero() const { return whole.empty() && fraction.empty(); }

  static Decimal scan(std::string_view s);
  // The text behind the number.
  const char* end = nullptr;
};
int compare_decimals(const Decimal& a, const Decimal& b);
// A number that keeps the order: a < b implies ordinal(a) <= ordinal(b).
int64_t decimal_ordinal(const Decimal& d);

// 1 to 12 for a text that starts (after blanks) with the English abbreviation
// of a month in any case; 0 otherwise.
int month_number(std::string_view s);

}  // namespace nacre::builtins
