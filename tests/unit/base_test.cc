// Expectations come from bash 5.2, coreutils 9.1 and glibc 2.36 in C.UTF-8.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "base/errno_text.h"
#include "base/format.h"
#include "base/numbers.h"
#include "base/quoting.h"
#include "base/time_format.h"
#include "base/time_zone.h"
#include "base/utf8.h"

namespace {

using namespace nacre::base;

// Stands for the meter.
struct Budget {
  int64_t limit = 1 << 20;
  void check_string(int64_t bytes) const {
    if (bytes > limit) throw bytes;
  }
};

}  // namespace

TEST_CASE("decoding takes what glibc takes") {
  struct Case {
    std::string_view bytes;
    bool valid;
    int size;
    uint32_t code;
  };
  const Case cases[] = {
      {"a", true, 1, 'a'},
      {"\xc3\xa9", true, 2, 0xe9},
      {"\xe2\x82\xac", true, 3, 0x20ac},
      {"\xf0\x9f\x98\x80", true, 4, 0x1f600},
      {"\xf4\x90\x80\x80", true, 4, 0x110000},
      {"\xf8\x88\x80\x80\x80", true, 5, 0x200000},
      {"\xc0\x80", false, 1, 0xc0},
      {"\xe0\x80\x80", false, 1, 0xe0},
      {"\xed\xa0\x80", false, 1, 0xed},
      {"\xe2\x82", false, 1, 0xe2},
      {"\xff", false, 1, 0xff},
      {"\x80", false, 1, 0x80},
  };
  for (const Case& c : cases) {
    CAPTURE(c.bytes);
    Utf8Char got = decode_utf8(c.bytes, 0);
    CHECK(got.valid == c.valid);
    CHECK(got.size == c.size);
    CHECK(got.code == c.code);
    if (!c.valid) continue;
    std::string back;
    append_utf8(back, c.code);
    CHECK(back == c.bytes);
  }
}

TEST_CASE("counting and finding characters") {
  std::string_view s = "a\xc3\xa9\xff\xe2\x82\xacz";
  CHECK(count_chars(s) == 5);
  CHECK(char_offset(s, 0) == 0);
  CHECK(char_offset(s, 2) == 3);
  CHECK(char_offset(s, 4) == 7);
  CHECK(char_offset(s, 9) == s.size());
  CHECK(char_before(s, 7) == 4);
  CHECK(char_before(s, 4) == 3);
  CHECK(is_char_boundary(s, 1));
  CHECK_FALSE(is_char_boundary(s, 2));
  CHECK_FALSE(is_char_boundary(s, 6));
  CHECK(count_chars(std::string(1000, 'x') + "\xc3\xa9") == 1001);
}

TEST_CASE("character classes, cases and widths") {
  CHECK(is_alpha(0xe9));
  CHECK(is_alpha(0x663));  // glibc counts other digits as letters
  CHECK_FALSE(is_digit(0x663));
  CHECK_FALSE(is_space(0xa0));
  CHECK(is_space(0x2003));
  CHECK(is_punct(0x2019));
  CHECK_FALSE(is_print(0x378));
  CHECK(is_cntrl(0x85));
  CHECK(is_blank('\t'));
  CHECK_FALSE(is_blank('\n'));
  CHECK(is_xdigit('F'));
  CHECK(to_upper(0xe9) == 0xc9);
  CHECK(to_upper(0xdf) == 0xdf);
  CHECK(to_upper(0x17f) == 'S');
  CHECK(to_lower(0x1e9e) == 0xdf);
  CHECK(to_lower(0x212a) == 'k');
  CHECK(upper("stra\xc3\x9f\xff\xc3\xa9") == "STRA\xc3\x9f\xff\xc3\x89");
  CHECK(lower("\xc3\x89T\xc3\x89") == "\xc3\xa9t\xc3\xa9");
  CHECK(char_width('a') == 1);
  CHECK(char_width(0x4e00) == 2);
  CHECK(char_width(0x301) == 0);
  CHECK(char_width('\n') == -1);
  CHECK(char_width(0x1f600) == 2);
}

TEST_CASE("bash's quoting") {
  CHECK(single_quote("it's") == "'it'\\''s'");
  CHECK(single_quote("'") == "\\'");
  CHECK(ansi_c_quote("a\x01" "b\x7f" "c\x1b'\\\n") == "$'a\\001b\\177c\\E\\'\\\\\\n'");
  CHECK(ansi_c_quote("\xc3\xa9\xff\xc2\x85") == "$'\xc3\xa9\\377\\302\\205'");
  CHECK(needs_ansi_c("a\tb"));
  CHECK_FALSE(needs_ansi_c("a'b \xc3\xa9"));
  CHECK(declare_quote("a$b`\"\\c!") == "\"a\\$b\\`\\\"\\\\c!\"");
  CHECK(backslash_quote("") == "''");
  CHECK(backslash_quote("a:~b=~ c#,@%+") == "a:\\~b=\\~\\ c#\\,@%+");
  CHECK(backslash_quote("#a") == "\\#a");
  CHECK(backslash_quote("a~") == "a~");
  CHECK(at_q_quote("a b") == "'a b'");
  CHECK(quote_if_needed("") == "''");
  CHECK(quote_if_needed("a=b") == "a=b");
  CHECK(quote_if_needed("a\tb c") == "$'a\\tb c'");
  CHECK(xtrace_quote("a\tb") == "'a\tb'");
  CHECK(xtrace_quote("a\x01") == "$'a\\001'");
  CHECK(has_shell_metas("a=~"));
  CHECK_FALSE(has_shell_metas("a~"));
}

TEST_CASE("quoting in the messages of GNU tools") {
  CHECK(gnu_quote("a") == "'a'");
  CHECK(gnu_quote("it's") == "\"it's\"");
  CHECK(gnu_quote("a'\"b") == "'a'\\''\"b'");
  CHECK(gnu_quote("a\nb") == "'a'$'\\n''b'");
  CHECK(gnu_quote("a'\n") == "'''a'\\'''$'\\n'");
  CHECK(gnu_quote("\xff") == "''$'\\377'");
  CHECK(gnu_quote_if_needed("a") == "a");
  CHECK(gnu_quote_if_needed("") == "''");
  CHECK(gnu_quote_if_needed("x:") == "'x:'");
  CHECK(gnu_quote_if_needed("a#") == "a#");
  CHECK(gnu_quote_if_needed("#a") == "'#a'");
  CHECK(gnu_quote_if_needed("a{b") == "a{b");
  CHECK(gnu_quote_if_needed("{") == "'{'");
  CHECK(gnu_quote_name("x:") == "x:");
  CHECK(gnu_locale_quote("a'b\n\xff\xe2\x80\x99") ==
        "\xe2\x80\x98" "a'b\\n\\377\\\xe2\x80\x99\xe2\x80\x99");
  CHECK(gnu_c_quote("a\"b\\") == "\"a\\\"b\\\\\"");
}

TEST_CASE("numbers") {
  CHECK(parse_legal_number(" 12 ") == 12);
  CHECK(parse_legal_number("\n5") == 5);
  CHECK_FALSE(parse_legal_number("5\n"));
  CHECK(parse_legal_number("+7") == 7);
  CHECK(parse_legal_number("-9223372036854775808") == INT64_MIN);
  CHECK_FALSE(parse_legal_number("9223372036854775808"));
  CHECK_FALSE(parse_legal_number(""));
  CHECK_FALSE(parse_legal_number("- 5"));
  CHECK_FALSE(parse_legal_number("0x10"));
}

TEST_CASE("texts of errors") {
  CHECK(errno_text(std::errc::no_such_file_or_directory) == "No such file or directory");
  CHECK(errno_text(std::errc::too_many_symbolic_link_levels) ==
        "Too many levels of symbolic links");
  CHECK(errno_name(std::errc::permission_denied) == "EACCES");
  CHECK(errno_text(static_cast<std::errc>(9999)) == "Unknown error");
}

TEST_CASE("printf conversions") {
  Budget budget;
  auto number = [&](FormatSpec spec, int64_t v) {
    std::string out;
    append_signed(out, spec, v, budget);
    return out;
  };
  CHECK(number({.width = 5}, -42) == "  -42");
  CHECK(number({.zero = true, .width = 6}, -42) == "-00042");
  CHECK(number({.zero = true, .width = 6, .precision = 3}, 42) == "   042");
  CHECK(number({.precision = 0}, 0) == "");
  CHECK(number({}, INT64_MIN) == "-9223372036854775808");
  CHECK(number({.width = -4}, 1) == "1   ");
  std::string out;
  append_unsigned(out, {.alternate = true, .conversion = 'o'}, 8, budget);
  append_unsigned(out, {.alternate = true, .conversion = 'X', .precision = 4}, 255, budget);
  CHECK(out == "0100X00FF");
  out.clear();
  append_text(out, {.left = true, .conversion = 's', .width = 5, .precision = 2}, "abc", budget);
  CHECK(out == "ab   ");
  auto real = [&](FormatSpec spec, long double v) {
    std::string text;
    append_float(text, spec, v, budget);
    return text;
  };
  CHECK(real({.conversion = 'f'}, 1.5L) == "1.500000");
  CHECK(real({.conversion = 'g'}, 1e10L) == "1e+10");
  CHECK(real({.zero = true, .conversion = 'f', .width = 8, .precision = 1}, -2.25L) == "-00002.2");
  CHECK(real({.zero = true, .conversion = 'f', .width = 6}, -__builtin_infl()) == "  -inf");
  CHECK(real({.conversion = 'f', .precision = 20'000}, 0.5L).size() == 20'002);
  // The length is refused before anything is made.
  std::string kept = "x";
  CHECK_THROWS_AS(append_signed(kept, {.width = INT64_MAX}, 1, budget), int64_t);
  CHECK_THROWS_AS(append_float(kept, {.conversion = 'e', .precision = 1 << 30}, 1, budget),
                  int64_t);
  CHECK(kept == "x");
}

TEST_CASE("time zones") {
  struct Case {
    std::string_view tz;
    int64_t at;
    std::string_view name;
    int32_t offset;
  };
  const Case cases[] = {
      {"", 0, "UTC", 0},
      {"Foo/Bar", 0, "Foo", 0},
      {"Fo", 0, "", 0},
      {"<+03>-3", 0, "+03", 10'800},
      {"EST5EDT,M3.2.0,M11.1.0", 1'720'000'000, "EDT", -14'400},
      {"EST5EDT,M3.2.0,M11.1.0", 1'700'000'000, "EST", -18'000},
      {"NZST-12NZDT,M9.5.0,M4.1.0/3", 1'700'000'000, "NZDT", 46'800},
      {"ABC3DEF4,J60/0,300/1:30", 1'720'000'000, "DEF", -14'400},
      {"Foo+5:99", 0, "Foo", -21'540},
      {"Foo25", 0, "Foo", -86'400},
      {":UTC", 0, "UTC", 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.tz);
    const CivilTime t = TimeZone::parse(c.tz).civil(c.at);
    CHECK(t.zone == c.name);
    CHECK(t.utc_offset == c.offset);
  }
}

TEST_CASE("civil time and back") {
  TimeZone zone = TimeZone::parse("CET-1CEST,M3.5.0,M10.5.0/3");
  for (int64_t s : {int64_t{0}, int64_t{1'700'000'000}, int64_t{1'720'000'000},
                    int64_t{-62'135'596'800}, int64_t{253'402'300'799}}) {
    CHECK(zone.seconds(zone.civil(s)) == s);
  }
  CivilTime t = TimeZone().civil(951'782'400);  // 2000-02-29
  CHECK(t.year == 2000);
  CHECK(t.month == 2);
  CHECK(t.day == 29);
  CHECK(t.weekday == 2);
  CHECK(t.yearday == 59);
}

TEST_CASE("strftime") {
  const int64_t seconds = 1'720'000'000;
  const CivilTime t = TimeZone::parse("EST5EDT,M3.2.0,M11.1.0").civil(seconds, 120'000'000);
  auto gnu = [&](std::string_view f) {
    std::string out;
    append_time(out, f, t, seconds);
    return out;
  };
  CHECK(gnu("%a %b %e %H:%M:%S %Z %Y") == "Wed Jul  3 05:46:40 EDT 2024");
  CHECK(gnu("%s %N %3N|") == "1720000000 120000000 120|");
  CHECK(gnu("%z %:z %::z %:::z") == "-0400 -04:00 -04:00:00 -04");
  CHECK(gnu("%_d %-d %05d %^a %#Z %10F %+F") == " 3 3 00003 WED edt 2024-07-03 2024-07-03");
  CHECK(gnu("%j %U %V %G %g %u %w %q") == "185 26 27 2024 24 3 3 3");
  CHECK(gnu("%p %P %#p %I %l %k") == "AM am am 05  5  5");
}
