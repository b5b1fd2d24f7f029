// The syntax tree that both parsers of regular expressions make and that the
// compiler and the RE2 writer read. Nodes are indices into one vector; a tree
// owns all it refers to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limits/meter.h"
#include "regex/code_set.h"

namespace nacre::regex::internal {

enum class Assertion : uint8_t {
  line_begin,        // ^ : start of the text, with REG_NEWLINE after \n too
  line_end,          // $
  text_begin,        // \` \A
  text_end,          // \' \z
  text_end_newline,  // Perl's $ and \Z: at the end or before a last \n
  word_boundary,     // \b
  not_word_boundary,
  word_begin,        // \<
  word_end,          // \>
  search_start,      // \G
};

struct Node {
  enum class Kind : uint8_t {
    empty,
    never,
    literal,      // a = code point (folded when `flag`)
    byte,         // a = a byte that is not part of a valid character
    any,          // any character; flag: newline too
    set,          // a = index of a CodeSet
    assertion,    // a = Assertion
    group,        // children[0]; a = capture number
    cat,          // children
    alt,          // children, the preferred first
    repeat,       // children[0], a = min, b = max (kInfinite), greed
    backref,      // a = capture number; flag: ignore case
    look,         // children[0]; flag: negative; a = 1 when it looks behind, b = its length
    atomic,       // children[0]
    keep,         // \K
    conditional,  // children: yes, no; a = capture number (or kLookCondition, then a look first)
    newline_seq,  // \R
    call,         // a = group number that is run again (0: all)
    grapheme,     // \X
  };
  enum class Greed : uint8_t { greedy, lazy, possessive };

  static constexpr uint32_t kInfinite = UINT32_MAX;
  static constexpr uint32_t kLookCondition = UINT32_MAX;
  static constexpr uint32_t kRecursionCondition = UINT32_MAX - 1;
  static constexpr uint32_t kFalseCondition = UINT32_MAX - 2;

  Kind kind;
  bool flag = false;
  Greed greed = Greed::greedy;
  uint32_t a = 0, b = 0;
  std::vector<uint32_t> children = {};
};

struct Tree {
  std::vector<Node> nodes;
  std::vector<CodeSet> sets;
  uint32_t root = 0;
  uint32_t groups = 0;
  bool has_backrefs = false;
  bool perl = false;
  bool multiline = false;  // ^ and $ at lines: REG_NEWLINE
  bool fold = false;

  uint32_t add(Node node) {
    nodes.push_back(std::move(node));
    return static_cast<uint32_t>(nodes.size() - 1);
  }
  uint32_t add_set(CodeSet set) {
    set.finish();
    sets.push_back(std::move(set));
    return add({Node::Kind::set, false, Node::Greed::greedy,
                static_cast<uint32_t>(sets.size() - 1)});
  }
  const Node& node(uint32_t i) const { return nodes[i]; }
  // Parsers call this as they go: a tree takes several times the memory of the
  // program that it becomes.
  void check_size(const limits::Meter& meter) const {
    if (static_cast<int64_t>(nodes.size() * sizeof(Node) / 4) > meter.limits().max_regex_bytes)
      meter.exceeded(LimitName::max_regex_bytes);
  }
};

}  // namespace nacre::regex::internal
