// NAME=( .. ) and subscripts.
#include "parser/grammar.h"

namespace nacre::parser {

using lexer::Input;

// --- subscripts -----------------------------------------------------------------

// The brackets' inside as a word that is expanded but neither split nor globbed.
Word* Grammar::subscript_word(size_t base, const WordInfo& inner) {
  WordInfo facts;
  facts.constant = inner.constant;
  facts.quoted = inner.quoted;
  return word_from_parts(base, facts);
}

const Subscript* Grammar::subscript_of(const Word* word, std::string_view raw) {
  Subscript* sub = arena().make<Subscript>(Subscript::Kind::index);
  sub->raw = raw;
  if (raw == "@") {
    sub->kind = Subscript::Kind::at;
  } else if (raw == "*") {
    sub->kind = Subscript::Kind::star;
  } else {
    sub->word = word;
    sub->arith = *make_arith(*s_, word, raw);
  }
  return sub;
}

// At the [ of ${x[..]}.
const Subscript* Grammar::read_subscript() {
  Level level(*s_);
  Input& in = lex_.in;
  const uint32_t line = in.line();
  in.skip();
  WordInfo inner;
  inner.start = in.pos();
  inner.parts = scratch().parts.size();
  read_unquoted(Stop::subscript, inner);
  if (failed_) return nullptr;
  if (in.raw() != ']') {
    // The } came first: a bad substitution, unless even that is missing.
    scratch().parts.truncate(inner.parts);
    if (in.raw() != '}' && text_ != Text::heredoc && text_ != Text::fragment)
      unmatched('}', line);
    return nullptr;
  }
  std::string_view raw = arena().copy(in.slice_from(inner.start));
  in.skip();
  return subscript_of(subscript_word(inner.parts, inner), raw);
}

// A subscript that is all of this text.
const Subscript* Grammar::subscript_text(std::string_view raw) {
  WordInfo inner;
  inner.start = lex_.in.pos();
  inner.parts = scratch().parts.size();
  const size_t unnumbered = scratch().unnumbered.size();
  const size_t edits = scratch().edits.size(), commands = scratch().raw_commands.size();
  read_unquoted(Stop::end, inner);
  if (failed_) return nullptr;
  scratch().edits.truncate(edits);
  scratch().raw_commands.truncate(commands);
  number_lines(unnumbered, lex_.in.line());
  return subscript_of(subscript_word(inner.parts, inner), raw);
}

// The same for a piece of the text at hand.
const Subscript* Grammar::fragment_subscript(std::string_view text) {
  Level level(*s_);
  lexer::StringSource source(text);
  Grammar inner(*s_, source, lex_.in.line(), Text::fragment);
  const Subscript* sub = inner.subscript_text(text);
  if (inner.failed()) fail(inner.error().text, inner.error().at_eof);
  return sub;
}

// --- compound values -------------------------------------------------------------

// At the ( of NAME=( .. ). bash reads the elements as tokens and remembers them
// with one blank between any two.
void Grammar::compound_value(WordInfo& info) {
  Level level(*s_);
  Input& in = lex_.in;
  const uint32_t line = in.line();
  const size_t open = in.pos();
  const size_t elements = scratch().elements.size();
  in.skip();
  std::string raw = "(";
  std::vector<RawCommand> commands;
  const lexer::State state = lex_.state;
  if (!array_elements(Tok::rparen, line, raw, commands)) return;
  lex_.state = state;
  raw += ')';
  info.is_array = true;
  info.elements = scratch().elements.take(elements, arena());
  const std::string_view text = arena().copy(raw);
  scratch().edits.push({open, in.pos(), text, arena().copy(commands)});
  if (state.assign_args && !info.assignable) compound_parts(info, open);
}

// `eval` and `let` take the value as words of a text.
void Grammar::compound_parts(WordInfo& info, size_t open) {
  const auto text = [&](std::string_view s) {
    WordPart part{PartKind::literal};
    part.text = s;
    push_part(part, open, info);
  };
  text("(");
  bool first = true;
  for (const ArrayElement& e : info.elements) {
    if (!first) text(" ");
    first = false;
    if (e.sub) {
      text("[");
      text(e.sub->raw);
      text(e.append ? "]+=" : "]=");
    }
    if (!e.value) continue;
    for (const WordPart& p : e.value->parts) push_part(p, open, info);
    info.constant = info.constant && e.value->is_literal;
    info.quoted = info.quoted || e.value->quoted;
    info.glob = info.glob || e.value->may_glob;
  }
  text(")");
}

bool Grammar::array_elements(Tok end, uint32_t line, std::string& raw,
                             std::vector<RawCommand>& commands) {
  bool first = true;
  for (;;) {
    s_->meter.charge_fuel();
    charge_memory();
    lex_.state = lexer::State();
    lex_.state.last = Tok::word;
    lex_.state.plain_args = true;
    const Tok t = lex_.scan();
    if (t == end) return true;
    if (t == Tok::newline) {
      if (pending_.size() > pending_base_) gather_heredocs();
      continue;
    }
    if (t == Tok::word) {
      if (!first) raw += ' ';
      first = false;
      array_element(raw, commands);
      if (failed_) return false;
      continue;
    }
    if (t == Tok::eof) {
      unmatched(')', line);
    } else {
      tok_.kind = t;
      have_token_ = true;
      syntax_error();
      error_.recoverable = true;
    }
    return false;
  }
}

// One element: a word, or [sub]=value.
void Grammar::array_element(std::string& raw, std::vector<RawCommand>& commands) {
  Input& in = lex_.in;
  ArrayElement element{};
  const size_t edits = scratch().edits.size(), raw_commands = scratch().raw_commands.size();
  const size_t starts = scratch().part_starts.size();
  WordInfo info;
  info.start = in.pos();
  info.parts = scratch().parts.size();
  info.part_starts = starts;
  info.top_level = true;
  info.extglob = s_->options.extglob;
  info.element = true;
  Word* word = nullptr;
  if (in.raw() == '[') {
    if (!element_subscript(info, element)) return;
  } else {
    word = plain_word(false);
    if (!word) word = read_word(info);
    if (failed_) return;
  }
  if (!word) {
    read_unquoted(Stop::word, info);
    if (failed_) return;
    if (element.sub) {
      WordInfo facts = info;
      facts.glob = false;
      word = word_from_parts(info.parts, facts);
    } else {
      word = finish_word(info, false);
      if (failed_) return;
    }
    Word spelling = *word;
    finish_raw(element.sub ? element_start_ : info.start, edits, raw_commands, spelling);
    word->raw = spelling.raw;
    word->commands = spelling.commands;
  }
  for (RawCommand c : word->commands) {
    c.begin += static_cast<uint32_t>(raw.size());
    c.end += static_cast<uint32_t>(raw.size());
    commands.push_back(c);
  }
  raw += word->raw;
  element.value = word;
  if (element.sub && word->parts.empty()) element.value = nullptr;
  scratch().edits.truncate(edits);
  scratch().raw_commands.truncate(raw_commands);
  scratch().part_starts.truncate(starts);
  scratch().elements.push(element);
}

// At the [ of an element. Sets element.sub, and leaves the cursor at the value,
// when the brackets are followed by = or +=; otherwise what was read are parts
// of an ordinary word. False on an error.
bool Grammar::element_subscript(WordInfo& info, ArrayElement& element) {
  Level level(*s_);
  Input& in = lex_.in;
  const uint32_t line = in.line();
  element_start_ = in.pos();
  in.skip();
  push_text(PartKind::literal, info.start, in.pos(), info);
  WordInfo inner;
  inner.start = in.pos();
  inner.parts = scratch().parts.size();
  inner.top_level = true;
  const size_t start = element_start_;
  read_unquoted(Stop::bracket, inner);
  element_start_ = start;
  if (failed_) return false;
  if (in.raw() != ']') {
    unmatched(']', line);
    return false;
  }
  const size_t end = in.pos();
  in.skip();
  const char next = in.peek_joined();
  if (next == '=' || (next == '+' && in.peek_next() == '=')) {
    Word* word = subscript_word(inner.parts, inner);
    element.sub = subscript_of(word, arena().copy(in.slice(inner.start, end)));
    element.append = next == '+';
    in.skip(element.append ? 2 : 1);
    scratch().parts.truncate(info.parts);
    scratch().part_starts.truncate(info.part_starts);
    info.start = in.pos();  // a tilde may follow
    info.colon_tilde = true;
    return true;
  }
  in.seek(end);
  info.constant = inner.constant;
  info.quoted = inner.quoted;
  info.open_brace = inner.open_brace;
  info.bracket = true;
  return true;
}

bool Grammar::array_elements_text(std::span<const ArrayElement>& out) {
  const size_t base = scratch().elements.size();
  const size_t unnumbered = scratch().unnumbered.size();
  std::string raw;
  std::vector<RawCommand> commands;
  const uint32_t line = lex_.in.line() + 1;
  if (!array_elements(Tok::eof, line, raw, commands)) {
    scratch().elements.truncate(base);
    return false;
  }
  number_lines(unnumbered, line);
  out = scratch().elements.take(base, arena());
  return true;
}

}  // namespace nacre::parser
