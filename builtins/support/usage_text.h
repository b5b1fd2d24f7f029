// The text of --help, laid out from an OptionSpec as the GNU tools lay theirs
// out. The layout is one constexpr function over a sink: at compile time it
// fills the constant text of a Command's row, at run time it writes to stdout.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "builtins/support/options.h"

namespace nacre::builtins {

namespace usage_internal {

template <class Sink>
constexpr void put_lines(Sink& sink, std::string_view text, size_t indent) {
  bool first = true;
  while (true) {
    size_t end = text.find('\n');
    if (!first) {
      sink("\n");
      if (!text.empty()) for (size_t i = 0; i < indent; ++i) sink(" ");
    }
    first = false;
    sink(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  sink("\n");
}

template <class Sink>
constexpr size_t put_names(Sink& sink, const Option& o) {
  size_t width = 0;
  auto put = [&](std::string_view s) {
    sink(s);
    width += s.size();
  };
  put("  ");
  if (o.letters.empty()) put("    ");
  bool digits = o.takes == Takes::digit_run || o.takes == Takes::digit_rest;
  for (size_t i = 0; i < o.letters.size(); ++i) {
    if (i) put(", ");
    put("-");
    put(digits ? std::string_view("N") : o.letters.substr(i, 1));
  }
  bool first = o.letters.empty();
  std::string_view names = o.names;
  while (!names.empty()) {
    size_t comma = names.find(',');
    put(first ? "--" : ", --");
    first = false;
    put(names.substr(0, comma));
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
  if (!o.argument.empty()) {
    if (o.takes == Takes::optional) {
      put(o.names.empty() ? "[" : "[=");
      put(o.argument);
      put("]");
    } else {
      put(o.names.empty() ? " " : "=");
      put(o.argument);
    }
  }
  return width;
}

template <class Sink>
constexpr void put_option(Sink& sink, const Option& o, size_t column) {
  if (o.letters.empty() && o.names.empty()) return put_lines(sink, o.help, 0);
  size_t width = put_names(sink, o);
  if (width + 1 > column) {
    sink("\n");
    width = 0;
  }
  for (; width < column; ++width) sink(" ");
  put_lines(sink, o.help, column);
}

}  // namespace usage_internal

template <class Sink>
constexpr void put_usage(Sink& sink, const OptionSpec& spec, std::string_view name) {
  std::string_view usage = spec.usage;
  for (bool first = true;; first = false) {
    size_t end = usage.find('\n');
    sink(first ? "Usage: " : "  or:  ");
    sink(name);
    if (!usage.substr(0, end).empty()) sink(" ");
    sink(usage.substr(0, end));
    sink("\n");
    if (end == std::string_view::npos) break;
    usage.remove_prefix(end + 1);
  }
  if (!spec.intro.empty()) usage_internal::put_lines(sink, spec.intro, 0);
  bool values = false;
  for (const Option& o : spec.options)
    if (!o.help.empty() && !o.letters.empty() && !o.names.empty() && o.takes == Takes::required)
      values = true;
  sink("\n");
  if (values) sink("Mandatory arguments to long options are mandatory for short options too.\n");
  for (const Option& o : spec.options)
    if (!o.help.empty()) usage_internal::put_option(sink, o, spec.column);
  sink("      --help        display this help and exit\n");
  sink("      --version     output version information and exit\n");
  if (!spec.outro.empty()) {
    sink("\n");
    usage_internal::put_lines(sink, spec.outro, 0);
  }
}

namespace usage_internal {

struct Counter {
  size_t size = 0;
  constexpr void operator()(std::string_view s) { size += s.size(); }
};

template <const OptionSpec& spec>
constexpr auto make_text() {
  constexpr size_t size = [] {
    Counter counter;
    put_usage(counter, spec, spec.name);
    return counter.size;
  }();
  std::array<char, size> text{};
  size_t at = 0;
  auto fill = [&](std::string_view s) {
    for (char c : s) text[at++] = c;
  };
  put_usage(fill, spec, spec.name);
  return text;
}

template <const OptionSpec& spec>
inline constexpr auto kText = make_text<spec>();

}  // namespace usage_internal

// The help text of `spec` as constant data.
template <const OptionSpec& spec>
constexpr std::string_view usage_text() {
  return {usage_internal::kText<spec>.data(), usage_internal::kText<spec>.size()};
}

}  // namespace nacre::builtins
