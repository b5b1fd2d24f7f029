// Tree to instructions, and the facts about a pattern that make searching fast.
#include <algorithm>
#include <optional>

#include "regex/regex_program.h"

namespace nacre::regex::internal {

namespace {

using Kind = Node::Kind;
using Op = Inst::Op;

class Compiler {
 public:
  Compiler(Tree&& tree, limits::Meter& meter) : tree_(std::move(tree)), meter_(meter) {}

  RegexProgram run() {
    program_.groups = tree_.groups;
    program_.longest = !tree_.perl;
    program_.multiline = tree_.multiline;
    group_start_.resize(tree_.groups + 1, kUnknown);
    emit_node(tree_.root, false);
    add({Op::match});
    emit_called_groups();
    find_facts();
    number_splits();
    program_.sets = std::move(tree_.sets);
    return std::move(program_);
  }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;

  uint32_t here() const { return static_cast<uint32_t>(program_.code.size()); }
  uint32_t add(Inst inst) {
    if (static_cast<int64_t>((program_.code.size() + 1) * sizeof(Inst)) >
        meter_.limits().max_regex_bytes)
      meter_.exceeded(LimitName::max_regex_bytes);
    if ((program_.code.size() & 63) == 0) meter_.charge_work(1);
    program_.code.push_back(inst);
    return here() - 1;
  }
  void emit_node(uint32_t index, bool optional_group);
  void emit_repeat(const Node& n);
  void emit_copy(uint32_t child, bool optional_group, bool is_copy);
  void emit_star(uint32_t child, Node::Greed greed, bool is_copy);
  void emit_optional(uint32_t child, uint32_t times, Node::Greed greed, bool is_copy);
  void emit_alternatives(const Node& n);
  void emit_look(const Node& n);
  void emit_conditional(const Node& n);
  void emit_called_groups();
  bool is_single(const Node& n) const {
    return n.kind == Kind::literal || n.kind == Kind::any || n.kind == Kind::set ||
           n.kind == Kind::byte;
  }
  bool nullable(uint32_t index);

  void find_facts();
  void find_first();
  bool add_first(uint32_t index, bool& may_be_empty);
  void add_first_code(uint32_t code);
  void find_required(uint32_t index, std::string& run, bool& exact);
  void end_run(std::string& run) {
    if (run.size() > program_.required.size()) program_.required = run;
    run.clear();
  }
  bool find_prefix(uint32_t index, std::string& prefix) const;
  bool begins_text(uint32_t index) const;
  void number_splits();

  Tree tree_;
  limits::Meter& meter_;
  RegexProgram program_;
  std::vector<uint32_t> group_start_;
  std::vector<std::pair<uint32_t, uint32_t>> calls_;  // instruction, group
  std::vector<int8_t> nullable_;
  bool copied_ = false;
};

bool Compiler::nullable(uint32_t index) {
  if (nullable_.size() != tree_.nodes.size()) nullable_.resize(tree_.nodes.size(), -1);
  if (nullable_[index] >= 0) return nullable_[index];
  const Node& n = tree_.node(index);
  bool result = false;
  switch (n.kind) {
    case Kind::empty:
    case Kind::assertion:
    case Kind::look:
    case Kind::keep:
    case Kind::backref:
    case Kind::call:
      result = true;
      break;
    case Kind::group:
    case Kind::atomic:
      result = nullable(n.children[0]);
      break;
    case Kind::cat:
      result = std::all_of(n.children.begin(), n.children.end(),
                           [&](uint32_t c) { return nullable(c); });
      break;
    case Kind::alt:
    case Kind::conditional:
      result = std::any_of(n.children.begin(), n.children.end(),
                           [&](uint32_t c) { return nullable(c); });
      break;
    case Kind::repeat:
      result = n.a == 0 || nullable(n.children[0]);
      break;
    default:
      break;
  }
  nullable_[index] = result;
  return result;
}

// `optional_group`: this is the body of a repetition that may be left out; see
// Backtracker::close_group.
void Compiler::emit_node(uint32_t index, bool optional_group) {
  const Node& n = tree_.node(index);
  switch (n.kind) {
    case Kind::empty:
      break;
    case Kind::never:
      add({Op::fail});
      break;
    case Kind::literal:
      add({n.flag ? Op::literal_fold : Op::literal, false, n.a});
      break;
    case Kind::byte:
      add({Op::byte, false, n.a});
      break;
    case Kind::any:
      add({Op::any, n.flag});
      break;
    case Kind::set:
      add({Op::set, false, n.a});
      break;
    case Kind::assertion:
      if (static_cast<Assertion>(n.a) == Assertion::search_start)
        program_.uses_search_start = true;
      add({Op::assertion, false, n.a});
      break;
    case Kind::group: {
      if (group_start_[n.a] == kUnknown) group_start_[n.a] = index;
      uint32_t number = n.a;
      add({Op::open, false, number});
      emit_node(n.children[0], false);
      add({Op::close, optional_group, number});
      break;
    }
    case Kind::cat:
      for (uint32_t child : n.children) emit_node(child, false);
      break;
    case Kind::alt:
      emit_alternatives(n);
      break;
    case Kind::repeat:
      emit_repeat(n);
      break;
    case Kind::backref:
      program_.stateful = true;
      add({Op::backref, n.flag, n.a});
      break;
    case Kind::look:
      program_.stateful = true;
      emit_look(n);
      break;
    case Kind::atomic: {
      program_.stateful = true;
      uint32_t at = add({Op::atomic});
      emit_node(n.children[0], false);
      add({Op::done});
      program_.code[at].a = here();
      break;
    }
    case Kind::keep:
      program_.keeps = true;
      add({Op::keep});
      break;
    case Kind::conditional:
      program_.stateful = true;
      emit_conditional(n);
      break;
    case Kind::newline_seq: {
      // \r\n as one piece, or one line terminator.
      CodeSet set;
      set.add('\n', '\r');
      set.add(0x85);
      set.add(0x2028, 0x2029);
      set.finish();
      tree_.sets.push_back(std::move(set));
      program_.stateful = true;
      uint32_t at = add({Op::atomic});
      uint32_t split = add({Op::split});
      program_.code[split].a = here();
      add({Op::literal, false, '\r'});
      add({Op::literal, false, '\n'});
      uint32_t jump = add({Op::jump});
      program_.code[split].b = here();
      add({Op::set, false, static_cast<uint32_t>(tree_.sets.size() - 1)});
      program_.code[jump].a = here();
      add({Op::done});
      program_.code[at].a = here();
      break;
    }
    case Kind::grapheme:
      add({Op::grapheme});
      break;
    case Kind::call:
      program_.stateful = true;
      calls_.emplace_back(add({Op::call}), n.a);
      break;
  }
}

void Compiler::emit_alternatives(const Node& n) {
  std::vector<uint32_t> jumps;
  const std::vector<uint32_t> children = n.children;
  for (size_t i = 0; i < children.size(); ++i) {
    bool last = i + 1 == children.size();
    uint32_t split = 0;
    if (!last) {
      split = add({Op::split});
      program_.code[split].a = here();
    }
    emit_node(children[i], false);
    if (!last) {
      jumps.push_back(add({Op::jump}));
      program_.code[split].b = here();
    }
  }
  for (uint32_t jump : jumps) program_.code[jump].a = here();
}

// One copy of what is repeated. glibc marks the optional groups of a tree and
// loses the marks where it copies the tree for an outer repetition.
void Compiler::emit_copy(uint32_t child, bool optional_group, bool is_copy) {
  bool saved = copied_;
  copied_ = saved || is_copy;
  emit_node(child, optional_group && !saved);
  copied_ = saved;
}

void Compiler::emit_star(uint32_t child, Node::Greed greed, bool is_copy) {
  const Node& body = tree_.node(child);
  bool lazy = greed == Node::Greed::lazy;
  if (is_single(body)) {
    add({Op::run, lazy});
    emit_node(child, false);
    return;
  }
  bool may_be_empty = nullable(child);
  uint32_t split = add({Op::split});
  uint32_t body_at = here();
  uint32_t slot = program_.slots;
  if (may_be_empty) {
    ++program_.slots;
    add({Op::mark, false, slot});
  }
  emit_copy(child, true, is_copy);
  if (may_be_empty) add({Op::loop, false, slot, split});
  else add({Op::jump, false, split});
  program_.code[split].a = lazy ? here() : body_at;
  program_.code[split].b = lazy ? body_at : here();
}

// glibc's x{0,3} is ((x?x)?x)?: what is left out is left out at the front. Perl's
// is (x(x(x)?)?)?.
void Compiler::emit_optional(uint32_t child, uint32_t times, Node::Greed greed, bool is_copy) {
  bool lazy = greed == Node::Greed::lazy;
  std::vector<uint32_t> splits;
  if (!tree_.perl)
    for (uint32_t i = 0; i < times; ++i) splits.push_back(add({Op::split}));
  for (uint32_t i = 0; i < times; ++i) {
    if (tree_.perl) splits.push_back(add({Op::split}));
    // Only the first copy counts as optional to glibc; see close_group.
    emit_copy(child, i == 0, is_copy || i > 0);
    // The innermost option, which is the last split, leaves out the first x.
    if (!tree_.perl) program_.code[splits[times - 1 - i]].b = here();
  }
  for (uint32_t split : splits) {
    program_.code[split].a = split + 1;
    if (tree_.perl) program_.code[split].b = here();
    if (lazy) std::swap(program_.code[split].a, program_.code[split].b);
  }
}

void Compiler::emit_repeat(const Node& repeat) {
  uint32_t child = repeat.children[0], min = repeat.a, max = repeat.b;
  Node::Greed greed = repeat.greed;
  bool possessive = greed == Node::Greed::possessive;
  uint32_t atomic = 0;
  if (possessive) {
    program_.stateful = true;
    atomic = add({Op::atomic});
    greed = Node::Greed::greedy;
  }
  for (uint32_t i = 0; i < min; ++i) emit_copy(child, false, i > 0);
  if (max == Node::kInfinite) emit_star(child, greed, min > 0);
  else if (max > min) emit_optional(child, max - min, greed, min > 0);
  if (possessive) {
    add({Op::done});
    program_.code[atomic].a = here();
  }
}

void Compiler::emit_look(const Node& n) {
  uint32_t at = add({Op::look, n.flag});
  if (n.a == 1 && n.b > 0) add({Op::back, false, n.b});
  emit_node(n.children[0], false);
  add({Op::done});
  program_.code[at].a = here();
}

void Compiler::emit_conditional(const Node& n) {
  const std::vector<uint32_t> children = n.children;
  uint32_t at;
  if (n.a == Node::kLookCondition) {
    at = add({Op::when_look});
    emit_node(children[2], false);
  } else if (n.a >= Node::kFalseCondition) {
    at = add({Op::when_set, true});
  } else {
    at = add({Op::when_set, false, n.a});
  }
  emit_node(children[0], false);
  uint32_t jump = add({Op::jump});
  program_.code[at].b = here();
  emit_node(children[1], false);
  program_.code[jump].a = here();
}

// Groups that are called get a body of their own that ends in `done`.
void Compiler::emit_called_groups() {
  std::vector<uint32_t> body(tree_.groups + 1, kUnknown);
  for (size_t i = 0; i < calls_.size(); ++i) {  // emitting a body may add calls
    auto [inst, group] = calls_[i];
    if (body[group] == kUnknown) {
      body[group] = here();
      emit_node(group == 0 ? tree_.root : group_start_[group], false);
      add({Op::done});
    }
    program_.code[inst].a = body[group];
  }
}

void Compiler::add_first_code(uint32_t code) {
  std::string bytes;
  base::append_utf8(bytes, code);
  auto c = static_cast<uint8_t>(bytes[0]);
  program_.first[c >> 6] |= uint64_t{1} << (c & 63);
}

// Adds the bytes that a match of the node may begin with; false when unknown.
bool Compiler::add_first(uint32_t index, bool& may_be_empty) {
  const Node& n = tree_.node(index);
  may_be_empty = false;
  switch (n.kind) {
    case Kind::literal:
      if (n.flag) {
        std::vector<uint32_t> variants;
        append_case_variants(n.a, variants);
        for (uint32_t v : variants) add_first_code(v);
      } else {
        add_first_code(n.a);
      }
      return true;
    case Kind::byte:
      program_.first[n.a >> 6] |= uint64_t{1} << (n.a & 63);
      return true;
    case Kind::set: {
      const CodeSet& set = tree_.sets[n.a];
      for (uint32_t c = 0; c < 128; ++c)
        if (set.contains(c)) add_first_code(c);
      program_.first[2] = program_.first[3] = ~uint64_t{0};
      return true;
    }
    case Kind::empty:
    case Kind::assertion:
    case Kind::look:
    case Kind::keep:
      may_be_empty = true;
      return true;
    case Kind::group:
    case Kind::atomic:
      return add_first(n.children[0], may_be_empty);
    case Kind::repeat: {
      bool known = add_first(n.children[0], may_be_empty);
      may_be_empty |= n.a == 0;
      return known;
    }
    case Kind::cat:
      for (uint32_t child : n.children) {
        if (!add_first(child, may_be_empty)) return false;
        if (!may_be_empty) return true;
      }
      may_be_empty = true;
      return true;
    case Kind::alt: {
      bool any = false;
      for (uint32_t child : n.children) {
        bool empty;
        if (!add_first(child, empty)) return false;
        any |= empty;
      }
      may_be_empty = any;
      return true;
    }
    default:
      return false;
  }
}

void Compiler::find_first() {
  bool may_be_empty;
  program_.first_known = add_first(tree_.root, may_be_empty) && !may_be_empty;
}

// Walks what every match has to hold, gathering runs of literal text. `exact`
// stays true while the pattern is that text and nothing else.
void Compiler::find_required(uint32_t index, std::string& run, bool& exact) {
  const Node& n = tree_.node(index);
  switch (n.kind) {
    case Kind::literal:
      if (!n.flag) {
        base::append_utf8(run, n.a);
        return;
      }
      break;
    case Kind::byte:
      run += static_cast<char>(n.a);
      return;
    case Kind::empty:
      return;
    case Kind::cat:
      for (uint32_t child : n.children) find_required(child, run, exact);
      return;
    case Kind::group:
    case Kind::atomic:
      exact = false;
      find_required(n.children[0], run, exact);
      return;
    case Kind::assertion:
    case Kind::keep:
      exact = false;
      return;
    case Kind::repeat:
      exact = false;
      if (n.a > 0) {
        end_run(run);
        find_required(n.children[0], run, exact);
      }
      end_run(run);
      return;
    default:
      break;
  }
  exact = false;
  end_run(run);
}

// Gathers the text at the beginning; false when something else follows it.
bool Compiler::find_prefix(uint32_t index, std::string& prefix) const {
  const Node& n = tree_.node(index);
  switch (n.kind) {
    case Kind::literal:
      if (n.flag) return false;
      base::append_utf8(prefix, n.a);
      return true;
    case Kind::empty:
    case Kind::assertion:
      return true;
    case Kind::cat:
      for (uint32_t child : n.children)
        if (!find_prefix(child, prefix)) return false;
      return true;
    case Kind::group:
      return find_prefix(n.children[0], prefix);
    case Kind::repeat:
      if (n.a > 0) find_prefix(n.children[0], prefix);
      return false;
    default:
      return false;
  }
}

bool Compiler::begins_text(uint32_t index) const {
  const Node& n = tree_.node(index);
  switch (n.kind) {
    case Kind::assertion: {
      auto a = static_cast<Assertion>(n.a);
      return a == Assertion::text_begin || (a == Assertion::line_begin && !tree_.multiline);
    }
    case Kind::group:
    case Kind::atomic:
      return begins_text(n.children[0]);
    case Kind::cat:
      return !n.children.empty() && begins_text(n.children[0]);
    case Kind::alt:
      return std::all_of(n.children.begin(), n.children.end(),
                         [&](uint32_t c) { return begins_text(c); });
    default:
      return false;
  }
}

void Compiler::find_facts() {
  find_first();
  program_.anchored = begins_text(tree_.root);
  std::string run;
  bool exact = true;
  find_required(tree_.root, run, exact);
  program_.is_literal = exact && program_.required.empty() && !run.empty();
  end_run(run);
  find_prefix(tree_.root, program_.prefix);
}

void Compiler::number_splits() {
  program_.split_number.assign(program_.code.size(), UINT32_MAX);
  for (size_t i = 0; i < program_.code.size(); ++i) {
    Op op = program_.code[i].op;
    if (op == Op::split || op == Op::run) program_.split_number[i] = program_.splits++;
  }
}

}  // namespace

RegexProgram compile_program(Tree&& tree, limits::Meter& meter) {
  return Compiler(std::move(tree), meter).run();
}

}  // namespace nacre::regex::internal
