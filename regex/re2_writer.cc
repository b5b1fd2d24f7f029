#include "regex/re2_writer.h"

#include <algorithm>

#include "base/utf8.h"

namespace nacre::regex::internal {

namespace {

using Kind = Node::Kind;

// Longer than this is not worth RE2's compiler; the backtracker takes it.
constexpr size_t kLongestPattern = 100'000;
// RE2's own limit for a counted repetition.
constexpr uint32_t kMaxRepeat = 1000;

class Writer {
 public:
  Writer(const Tree& tree, Re2Pattern& out) : tree_(tree), out_(out) {}
  bool write(uint32_t index);

 private:
  bool write_repeat(const Node& n);
  bool write_assertion(Assertion a);
  void write_code(uint32_t code);
  void write_ranges(const std::vector<CodeRange>& ranges);
  void write_literal(const Node& n);

  const Tree& tree_;
  Re2Pattern& out_;
};

void Writer::write_code(uint32_t code) {
  static constexpr char kHex[] = "0123456789abcdef";
  out_.text += "\\x{";
  char digits[8];
  int n = 0;
  do digits[n++] = kHex[code & 15];
  while ((code >>= 4) != 0);
  while (n > 0) out_.text += digits[--n];
  out_.text += '}';
}

void Writer::write_ranges(const std::vector<CodeRange>& ranges) {
  out_.text += '[';
  for (const CodeRange& r : ranges) {
    write_code(r.low);
    if (r.high > r.low) {
      out_.text += '-';
      write_code(std::min(r.high, CodeSet::kMaxCode));
    }
  }
  out_.text += ']';
}

void Writer::write_literal(const Node& n) {
  if (n.flag) {
    std::vector<uint32_t> variants;
    append_case_variants(n.a, variants);
    std::vector<CodeRange> ranges;
    for (uint32_t v : variants) ranges.push_back({v, v});
    write_ranges(ranges);
  } else if (n.a < 128 && base::is_alnum(n.a)) {
    out_.text += static_cast<char>(n.a);
  } else {
    write_code(n.a);
  }
}

bool Writer::write_assertion(Assertion a) {
  switch (a) {
    case Assertion::line_begin:
      out_.needs_no_final_newline |= tree_.perl;
      out_.text += tree_.multiline ? "(?m:^)" : "\\A";
      return true;
    case Assertion::line_end:
      out_.text += tree_.multiline ? "(?m:$)" : "\\z";
      return true;
    case Assertion::text_begin:
      out_.text += "\\A";
      return true;
    case Assertion::text_end:
      out_.text += "\\z";
      return true;
    case Assertion::text_end_newline:
      out_.needs_no_final_newline = true;
      out_.text += "\\z";
      return true;
    case Assertion::word_boundary:
      out_.needs_ascii = true;
      out_.text += "\\b";
      return true;
    case Assertion::not_word_boundary:
      out_.needs_ascii = true;
      out_.text += "\\B";
      return true;
    default:
      return false;
  }
}

bool Writer::write_repeat(const Node& n) {
  if (n.greed == Node::Greed::possessive) return false;
  size_t start = out_.text.size();
  out_.text += "(?:";
  if (!write(n.children[0])) return false;
  out_.text += ')';
  std::string body = out_.text.substr(start);
  auto suffix = [&](uint32_t min, uint32_t max) {
    if (max == Node::kInfinite && min <= 1) {
      out_.text += min == 0 ? '*' : '+';
    } else if (min == 0 && max == 1) {
      out_.text += '?';
    } else {
      out_.text += '{';
      out_.text += std::to_string(min);
      if (max != min) {
        out_.text += ',';
        if (max != Node::kInfinite) out_.text += std::to_string(max);
      }
      out_.text += '}';
    }
    if (n.greed == Node::Greed::lazy) out_.text += '?';
  };
  uint32_t min = n.a, max = n.b;
  // x{2500} is x{1000}x{1000}x{500}. A bounded tail is left to the backtracker.
  while (min > kMaxRepeat) {
    suffix(kMaxRepeat, kMaxRepeat);
    out_.text += body;
    if (out_.text.size() > kLongestPattern) return false;
    min -= kMaxRepeat;
    if (max != Node::kInfinite) max -= kMaxRepeat;
  }
  if (max != Node::kInfinite && max > kMaxRepeat) return false;
  suffix(min, max);
  return true;
}

bool Writer::write(uint32_t index) {
  if (out_.text.size() > kLongestPattern) return false;
  const Node& n = tree_.node(index);
  switch (n.kind) {
    case Kind::empty:
      out_.text += "(?:)";
      return true;
    case Kind::literal:
      if (n.a > CodeSet::kMaxCode) return false;
      write_literal(n);
      return true;
    case Kind::any:
      out_.text += n.flag ? "(?s:.)" : "[^\\n]";
      return true;
    case Kind::set: {
      std::vector<CodeRange> ranges = tree_.sets[n.a].expand();
      if (ranges.empty() || ranges.back().low > CodeSet::kMaxCode) return false;
      write_ranges(ranges);
      return true;
    }
    case Kind::assertion:
      return write_assertion(static_cast<Assertion>(n.a));
    case Kind::group:
      out_.text += "(?:";
      if (!write(n.children[0])) return false;
      out_.text += ')';
      return true;
    case Kind::cat:
      return std::all_of(n.children.begin(), n.children.end(),
                         [&](uint32_t c) { return write(c); });
    case Kind::alt: {
      out_.text += "(?:";
      bool first = true;
      for (uint32_t child : n.children) {
        if (!std::exchange(first, false)) out_.text += '|';
        if (!write(child)) return false;
      }
      out_.text += ')';
      return true;
    }
    case Kind::repeat:
      return write_repeat(n);
    default:
      return false;
  }
}

}  // namespace

Re2Pattern write_re2(const Tree& tree, limits::Meter& meter) {
  Re2Pattern out;
  out.possible = !tree.has_backrefs && Writer(tree, out).write(tree.root);
  meter.charge_work(static_cast<int64_t>(out.text.size() / 64 + 1));
  if (!out.possible) out.text.clear();
  return out;
}

}  // namespace nacre::regex::internal
