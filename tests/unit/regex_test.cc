// Expectations come from bash 5.2, glibc 2.36's regcomp and grep 3.8.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "limits/clock.h"
#include "limits/meter.h"
#include "regex/pattern.h"
#include "regex/regex.h"

namespace {

using namespace nacre;
using regex::Dialect;
using regex::Flavor;

struct Run {
  limits::VirtualClock clock{0};
  limits::Meter meter;
  explicit Run(const Limits& limits = Limits::standard()) { meter.begin(limits, clock, nullptr); }
};

bool matches(std::string_view pattern, std::string_view text,
             regex::PatternOptions options = {.extglob = true}) {
  Run run;
  return regex::Pattern(pattern, options, run.meter).matches(text, run.meter);
}

// ${s/p/X} and ${s//p/X}.
std::string replace(std::string_view pattern, std::string_view text, bool all) {
  Run run;
  regex::Pattern p(pattern, {.extglob = true}, run.meter);
  regex::PatternScan scan(p, text);
  std::string out;
  size_t at = 0, pos, len;
  while (scan.find(at, pos, len, run.meter)) {
    out += text.substr(at, pos - at);
    out += 'X';
    at = pos + len;
    if (len == 0 && at < text.size()) out += text[at++];
    if (!all || at >= text.size()) break;
  }
  if (at < text.size()) out += text.substr(at);
  return out;
}

// "0,2 0,1" as regexec fills it, "none", or "error: ..".
std::string search(std::string_view pattern, std::string_view text,
                   regex::RegexOptions options = {}, size_t from = 0) {
  Run run;
  auto r = regex::Regex::compile(pattern, options, run.meter);
  if (!r) return "error: " + r.error();
  std::vector<regex::Match> groups(r->group_count() + 1);
  if (!r->search(text, from, groups, run.meter)) return "none";
  std::string out;
  for (const regex::Match& m : groups) {
    if (!out.empty()) out += ' ';
    if (m.begin == std::string_view::npos) out += '-';
    else out += std::to_string(m.begin) + "," + std::to_string(m.end);
  }
  return out;
}

}  // namespace

TEST_CASE("shell patterns") {
  struct Case {
    std::string_view pattern, text;
    bool matches;
  };
  const Case cases[] = {
      {"", "", true},
      {"abc", "abc", true},
      {"a*c", "abbc", true},
      {"a*b*c", "aXbYc", true},
      {"*.txt", "a.txt", true},
      {"a?c", "a\xc3\xa9" "c", true},
      {"a??c", "a\xc3\xa9" "c", false},
      {"a?c", "a\xff" "c", true},
      {"[a-c]x", "bx", true},
      {"[!a-c]", "d", true},
      {"[^]]", "]", false},
      {"[]]", "]", true},
      {"[a-]", "-", true},
      {"[c-a]", "b", false},
      {"[[:alpha:]]", "\xc3\xa9", true},
      {"[[:foo:]a]", "a", true},
      {"[[.space.]x]", " ", true},
      {"[[=a=]b]", "b", true},
      {"[\\]]", "]", true},
      {"[abc", "[abc", true},
      {"[abc", "a", false},
      {"\\*", "*", true},
      {"a\\", "a\\", true},
      {"*\\", "a\\", false},
      {"@(a|b)c", "bc", true},
      {"+([0-9])", "123", true},
      {"+([0-9])", "12x", false},
      {"!(*.o)", "a.c", true},
      {"!(*.o)", "a.o", false},
      {"?(x)x", "xx", true},
      {"*(ab|c)", "abcab", true},
      {"@(a|@(b|!(c)))", "d", true},
      {"+(a", "+(a", true},
      // bash's corners: what follows a star has to take something.
      {"*@(|a)", "x", false},
      {"*@(|a)", "xa", true},
      {"*?(a)", "x", true},
      {"*!(a)b", "", true},
      {"*?(a", "x", true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.pattern);
    CAPTURE(c.text);
    CHECK(matches(c.pattern, c.text) == c.matches);
  }
}

TEST_CASE("shell patterns with options") {
  CHECK(matches("\xc3\x89*", "\xc3\xa9t\xc3\xa9", {.ignore_case = true}));
  CHECK_FALSE(matches("[[:upper:]]", "a", {.ignore_case = true}));
  CHECK_FALSE(matches("*", ".a", {.period = true}));
  CHECK(matches(".*", ".a", {.period = true}));
  CHECK_FALSE(matches("?a", ".a", {.period = true}));
  CHECK_FALSE(matches("!(b)", ".a", {.extglob = true, .period = true}));
  CHECK_FALSE(matches("*", "a/b", {.pathname = true}));
  CHECK(matches("*/*", "a/b", {.pathname = true}));
  CHECK_FALSE(matches("+(a)", "aa", {}));
  CHECK(matches("+(a)", "+(a)", {}));
}

TEST_CASE("prefixes, suffixes and literals of patterns") {
  Run run;
  regex::Pattern p("*/", {}, run.meter);
  CHECK(p.match_prefix("a/b/c", false, run.meter) == 2);
  CHECK(p.match_prefix("a/b/c", true, run.meter) == 4);
  CHECK(p.match_prefix("abc", true, run.meter) == std::string_view::npos);
  regex::Pattern q(".*", {}, run.meter);
  CHECK(q.match_suffix("a.b.c", false, run.meter) == 2);
  CHECK(q.match_suffix("a.b.c", true, run.meter) == 4);
  regex::Pattern r("+( )", {.extglob = true}, run.meter);
  CHECK(r.match_suffix("a   ", true, run.meter) == 3);
  CHECK(r.match_suffix("a   ", false, run.meter) == 1);
  regex::Pattern l("a\\*b", {}, run.meter);
  CHECK(l.is_literal());
  CHECK(l.literal() == "a*b");
  CHECK_FALSE(p.is_literal());
  CHECK(regex::has_active_pattern("a[b]", false));
  CHECK_FALSE(regex::has_active_pattern("a[b\\]\\*", false));
  CHECK_FALSE(regex::has_active_pattern("+(a)", false));
  CHECK(regex::has_active_pattern("+(a)", true));
  std::string escaped;
  regex::append_escaped(escaped, "[a-z]*");
  CHECK(regex::unescape(escaped) == "[a-z]*");
  CHECK(matches(escaped, "[a-z]*"));
}

TEST_CASE("replacing") {
  CHECK(replace("a*c", "xabcabcx", false) == "xXx");
  CHECK(replace("[0-9]", "a1b2", true) == "aXbX");
  CHECK(replace("?", "\xff\xc3\xa9", true) == "XX");
  CHECK(replace("[^]]", "abc", true) == "abc");
  CHECK(replace("", "abc", true) == "abc");
  CHECK(replace("*", "", true) == "X");
  CHECK(replace("@(|a)", "", true) == "");
  CHECK(replace("?@(|a)", "c", true) == "c");
}

TEST_CASE("patterns cost what they should") {
  std::string text(200'000, 'a');
  CHECK_FALSE(matches("*a*a*a*a*a*b", text));
  CHECK_FALSE(matches("+(a|aa|aaa)b", std::string(5'000, 'a')));
  Limits limits;
  Run run(limits);
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "@(";
  deep += "x" + std::string(300, ')');
  CHECK_THROWS_AS(regex::Pattern(deep, {.extglob = true}, run.meter), limits::LimitExceeded);
  limits.max_work_units = 1'000;
  Run strict(limits);
  regex::Pattern p("*!(!(*a)b)!(c)", {.extglob = true}, strict.meter);
  CHECK_THROWS_AS((void)p.matches(text, strict.meter), limits::LimitExceeded);
}

TEST_CASE("extended regular expressions") {
  struct Case {
    std::string_view pattern, text, result;
  };
  const Case cases[] = {
      {"(a|ab)(c|bcd)(d*)", "abcd", "0,4 0,1 1,4 4,4"},
      {"(a*)*", "b", "0,0 0,0"},
      {"(a|b*)*", "abb", "0,3 1,3"},
      {"(a*){2,3}", "aaaa", "0,4 0,4"},
      {"(a?)*?", "aa", "0,2 1,2"},
      {"((a)|b)*", "ab", "0,2 1,2 0,1"},
      {"(|a)", "a", "0,1 0,1"},
      {"(a){0}b", "ab", "1,2 -"},
      {"(c?(.)){0,2}|a*ba", "ca", "0,2 1,2 1,2"},
      {"a||b", "b", "0,1"},
      {"x|y*z", "yyz", "0,3"},
      {"(.)\\1", "abb", "1,3 1,2"},
      {"a)", "a)", "0,2"},
      {"a{,2}", "aaa", "0,2"},
      {"[[:alpha:]]+", "1\xc3\xa9" "a2", "1,4"},
      {"\\w+\\b", "-\xc3\xa9_1-", "1,5"},
      {"\\bfoo\\>", "xfoo foo", "5,8"},
      {".", "\xff", "none"},
      {"^b$", "a\nb\nc", "none"},
      {"*a", "", "error: Invalid preceding regular expression"},
      {"(a", "", "error: Unmatched ( or \\("},
      {"a{1", "", "error: Unmatched \\{"},
      {"a{2,1}", "", "error: Invalid content of \\{\\}"},
      {"a{32768}", "", "error: Regular expression too big"},
      {"[a", "", "error: Unmatched [, [^, [:, [., or [="},
      {"[[:foo:]]", "", "error: Invalid character class name"},
      {"[b-a]", "", "error: Invalid range end"},
      {"[[.foo.]]", "", "error: Invalid collation character"},
      {"(a)\\2", "", "error: Invalid back reference"},
      {"a\\", "", "error: Trailing backslash"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.pattern);
    CHECK(search(c.pattern, c.text) == c.result);
  }
}

TEST_CASE("basic regular expressions and flavours") {
  auto basic = [](std::string_view p, std::string_view t) {
    return search(p, t, {.dialect = Dialect::basic});
  };
  CHECK(basic("*a", "*a") == "0,2");
  CHECK(basic("\\(*a\\)", "*a") == "0,2 0,2");
  CHECK(basic("^*a", "*a") == "0,2");
  CHECK(basic("^^a", "^a") == "0,2");
  CHECK(basic("a\\{2\\}", "aaa") == "0,2");
  CHECK(basic("a\\|b\\+", "bb") == "0,2");
  CHECK(basic("a^b$c", "a^b$c") == "0,5");
  CHECK(basic("\\(ab*\\)*\\1", "abab") == "0,4 0,2");
  CHECK(basic("a**", "") == "error: Invalid preceding regular expression");
  CHECK(basic("\\)", "") == "error: Unmatched ( or \\(");
  auto as = [](Flavor f, Dialect d, std::string_view p, std::string_view t) {
    return search(p, t, {.dialect = d, .flavor = f});
  };
  CHECK(as(Flavor::grep, Dialect::basic, "a**", "aa") == "0,2");
  CHECK(as(Flavor::grep, Dialect::extended, "*a", "a") == "0,1");
  CHECK(as(Flavor::grep, Dialect::extended, "a{1", "a{1") == "0,3");
  CHECK(as(Flavor::sed, Dialect::extended, ")", "") == "error: Unmatched ) or \\)");
  CHECK(as(Flavor::awk, Dialect::extended, "[\\]]", "]") == "0,1");
  CHECK(as(Flavor::coreutils, Dialect::basic, "[\xc3\xa0-\xc3\xa9]", "\xc3\xa1") == "0,2");
  CHECK(search("[\xc3\xa0-\xc3\xa9]", "") == "error: Invalid collation character");
}

TEST_CASE("case and newlines") {
  CHECK(search("stra\xc3\x9f" "E", "STRA\xc3\x9f" "e", {.ignore_case = true}) == "0,7");
  CHECK(search("s", "\xc5\xbf", {.ignore_case = true}) == "0,2");
  CHECK(search("[[:upper:]]", "a", {.ignore_case = true}) == "0,1");
  CHECK(search("(a)\\1", "aA", {.ignore_case = true}) == "0,2 0,1");
  CHECK(search("^b$", "a\nb\nc", {.newline = true}) == "2,3");
  CHECK(search("a.b", "a\nb", {.newline = true}) == "none");
  CHECK(search("[^a]", "\n", {.newline = true}) == "none");
  CHECK(search("^a", "aa", {}, 1) == "none");
}

TEST_CASE("the same answers from RE2 on long texts") {
  std::string pad(400, '-');
  CHECK(search("(a|ab)(c|bcd)(d*)", pad + "abcd") == "400,404 400,401 401,404 404,404");
  CHECK(search("x|y*z", pad + "yyz" + pad) == "400,403");
  CHECK(search("[[:alpha:]]+", pad + "\xc3\xa9\xff" + pad) == "400,402");
  CHECK(search(".$", pad + "\xff") == "none");
  CHECK(search("\\bb", pad + "\xc3\xa9" "b b") == "404,405");
  CHECK(search("a{2,3}$", pad + "aaaa") == "401,404");
}

TEST_CASE("Perl's") {
  auto perl = [](std::string_view p, std::string_view t) {
    return search(p, t, {.dialect = Dialect::perl});
  };
  CHECK(perl("a|ab", "ab") == "0,1");
  CHECK(perl("(?<=a)b(?!c)", "abcab") == "4,5");
  CHECK(perl("(?<!a|bc)d", "adbcdd") == "5,6");
  CHECK(perl("a.*?b", "axbxb") == "0,3");
  CHECK(perl("a++a", "aaa") == "none");
  CHECK(perl("(?>a+)b", "aab") == "0,3");
  CHECK(perl("foo\\Kbar", "foobar") == "3,6");
  CHECK(perl("(?<x>a)(?P=x)\\g{-1}\\k<x>", "aaaa") == "0,4 0,1");
  CHECK(perl("(?i)k", "K") == "0,1");
  CHECK(perl("(?|(a)|(b))\\1", "bb") == "0,2 0,1");
  CHECK(perl("^(\\((?:[^()]|(?1))*\\))$", "(a(b)c)") == "0,7 0,7");
  CHECK(perl("(a)?(?(1)b|c)", "c") == "0,1 -");
  CHECK(perl("\\d\\D\\h\\R", "1x\t\r\n") == "0,5");
  CHECK(perl("\\x{e9}\\p{Lu}", "\xc3\xa9\xc3\x89") == "0,4");
  CHECK(perl("(?x) a b # c", "ab") == "0,2");
  CHECK(perl("\\Qa.b\\E+", "a.bb") == "0,4");
  CHECK(perl("[\\d-z]", "") == "error: invalid range in character class");
  CHECK(perl("(a", "") == "error: missing closing parenthesis");
  CHECK(perl("a)", "") == "error: unmatched closing parenthesis");
  CHECK(perl("*a", "") == "error: quantifier does not follow a repeatable item");
  CHECK(perl("(?<=a*)b", "") == "error: lookbehind assertion is not fixed length");
  CHECK(perl("\\2", "") == "error: reference to non-existent subpattern");
}

TEST_CASE("no pattern hangs or grows without bound") {
  std::string text(5'000, 'a');
  CHECK(search("(a|aa)*b", text) == "none");
  CHECK(search("(a*)*b", text) == "none");
  CHECK(search("\\<(a|aa)*b", text) == "none");  // not RE2's
  Limits limits;
  limits.max_work_units = 100'000;
  Run run(limits);
  auto r = regex::Regex::compile("(a*)*\\1[bc]", {}, run.meter);
  REQUIRE(r);
  CHECK_THROWS_AS((void)r->matches(text, run.meter), limits::LimitExceeded);
  Run other;
  CHECK_THROWS_AS((void)regex::Regex::compile("((a{1000}){1000}){1000}", {}, other.meter),
                  limits::LimitExceeded);
  CHECK_THROWS_AS((void)regex::Regex::compile(std::string(1'000, '(') + std::string(1'000, ')'),
                                              {}, other.meter),
                  limits::LimitExceeded);
  CHECK_THROWS_AS((void)regex::Regex::compile("a" + std::string(1'000, '*'), {}, other.meter),
                  limits::LimitExceeded);
}
