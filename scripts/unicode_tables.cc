// Writes base/unicode_tables.inc: the character classes and widths that glibc
// gives in C.UTF-8, as runs of equal properties.
//
//     g++ -std=c++20 scripts/unicode_tables.cc -o /tmp/tables
//     /tmp/tables > base/unicode_tables.inc
//
// The committed file comes from glibc 2.36 (Unicode 14), the release beside
// bash 5.2; run this again only to follow another release. It is a development
// tool: the library itself never asks the C locale.
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <cwctype>
#include <map>
#include <vector>

namespace {

// The same layout as kUnicode* in base/utf8.h.
unsigned properties(wint_t c) {
  unsigned p = 0;
  if (iswalpha(c)) p |= 1u << 0;
  if (iswupper(c)) p |= 1u << 1;
  if (iswlower(c)) p |= 1u << 2;
  if (iswspace(c)) p |= 1u << 3;
  if (iswpunct(c)) p |= 1u << 4;
  if (iswprint(c)) p |= 1u << 5;
  if (iswcntrl(c)) p |= 1u << 6;
  if (iswblank(c)) p |= 1u << 7;
  if (iswgraph(c)) p |= 1u << 8;
  if (iswalnum(c)) p |= 1u << 9;
  return p | static_cast<unsigned>(wcwidth(static_cast<wchar_t>(c)) + 1) << 10;
}

}  // namespace

int main() {
  if (!std::setlocale(LC_ALL, "C.UTF-8")) return 1;
  std::vector<unsigned> sets;
  std::map<unsigned, unsigned> index;
  std::vector<unsigned> runs;
  unsigned last = ~0u;
  for (unsigned c = 0; c < 0x110000; ++c) {
    unsigned p = properties(c);
    if (p == last) continue;
    last = p;
    auto [it, fresh] = index.emplace(p, static_cast<unsigned>(sets.size()));
    if (fresh) sets.push_back(p);
    runs.push_back(c << 8 | it->second);
  }
  std::printf("// Made by scripts/unicode_tables.cc from glibc 2.36's C.UTF-8; see there.\n");
  std::printf("constexpr uint16_t kUnicodeSets[] = {\n");
  for (size_t i = 0; i < sets.size(); ++i)
    std::printf("%s0x%x,%s", i % 12 ? " " : "    ", sets[i], i % 12 == 11 ? "\n" : "");
  std::printf("\n};\nconstexpr uint32_t kUnicodeRuns[] = {\n");
  for (size_t i = 0; i < runs.size(); ++i)
    std::printf("%s0x%x,%s", i % 9 ? " " : "    ", runs[i], i % 9 == 8 ? "\n" : "");
  std::printf("\n};\n");
}
