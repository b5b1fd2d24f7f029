// Regular expressions behind one interface: POSIX basic and extended
// (leftmost-longest, as regcomp(3) and the GNU tools take them) and Perl-like.
// RE2 runs what it can, in linear time; what it cannot express (backreferences,
// lookaround, and POSIX submatch rules that RE2's differ on) runs on a bounded
// backtracker whose steps are charged to the meter.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limits/meter.h"

namespace nacre::regex {

enum class Dialect : uint8_t { basic, extended, perl };

// Whose reading of the POSIX dialects: what a leading *, a lone ) or a{ mean.
enum class Flavor : uint8_t {
  regcomp,    // regcomp(3): [[ =~ ]]
  grep,
  sed,
  awk,
  coreutils,  // expr, nl, csplit, tac: gnulib's own copy, with ranges beyond ASCII
};

struct RegexOptions {
  Dialect dialect = Dialect::extended;
  bool ignore_case = false;
  bool newline = false;       // REG_NEWLINE: ^ $ match at lines; . and [^..] do not match \n
  Flavor flavor = Flavor::regcomp;
  bool gnu_escapes = true;    // \w \W \s \S \b \B \< \> \` \' and \+ \? \| in basic
};

struct Match {
  size_t begin = std::string_view::npos;  // npos: the group took no part
  size_t end = std::string_view::npos;
};

class Regex {
 public:
  // The error is regerror(3)'s text ("Unmatched [, [^, [:, [., or [=", "Invalid preceding regular expression", ...).
  static std::expected<Regex, std::string> compile(std::string_view pattern, RegexOptions options,
                                                   limits::Meter& meter);
  ~Regex();
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;

  // Searches text from `from`; ^ matches at 0 only (not at `from`), unless
  // `newline`. groups[0] is the whole match; only the first groups.size() are filled.
  bool search(std::string_view text, size_t from, std::vector<Match>& groups,
              limits::Meter& meter) const;
  bool matches(std::string_view text, limits::Meter& meter) const;  // anywhere, no submatches
  size_t group_count() const;  // without group 0

 private:
  struct Impl;
  explicit Regex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace nacre::regex
