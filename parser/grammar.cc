// Tokens, errors, lists and pipelines.
#include "parser/grammar.h"

#include "base/numbers.h"
#include "base/quoting.h"
#include "parser/printer.h"

namespace nacre::parser {

void Scratch::clear() {
  parts.truncate(0);
  part_starts.truncate(0);
  edits.truncate(0);
  raw_commands.truncate(0);
  unnumbered.truncate(0);
  words.truncate(0);
  assigns.truncate(0);
  redirects.truncate(0);
  items.truncate(0);
  nodes.truncate(0);
  ops.truncate(0);
  flags.truncate(0);
  if_clauses.truncate(0);
  case_clauses.truncate(0);
  elements.truncate(0);
  text.clear();
}

Grammar::Grammar(Shared& shared, LineSource& source, uint32_t first_line, Text text)
    : s_(&shared),
      lex_(source, shared.meter, first_line,
           text == Text::script ? lexer::Input::LastLine::complete
                                : lexer::Input::LastLine::verbatim),
      text_(text) {}

Grammar::Outcome Grammar::complete_command(const Node*& root) {
  root = nullptr;
  lex_.in.discard();
  lex_.state = lexer::State();
  have_token_ = false;
  failed_ = false;
  not_arith_.clear();
  const size_t unnumbered = scratch().unnumbered.size();
  Tok t = peek();
  if (failed_) return Outcome::error;
  if (t == Tok::eof) return Outcome::end;
  if (t != Tok::newline) {
    root = simple_list();
    if (!failed_ && peek() != Tok::newline && peek() != Tok::eof) syntax_error();
    if (failed_) return Outcome::error;
  }
  number_lines(unnumbered, lex_.in.line());
  have_token_ = false;
  charge_memory();
  return Outcome::command;
}

void Grammar::recover() {
  lex_.in.drop_rest();
  lex_.reset();
  pending_.clear();
  pending_base_ = 0;
  substitution_depth_ = 0;
  have_token_ = false;
  failed_ = false;
  error_ = SyntaxError();
}

void Grammar::charge_memory() {
  if (s_->charge && arena().bytes_reserved() != s_->charged_bytes) {
    s_->charged_bytes = arena().bytes_reserved();
    s_->charge->set(static_cast<int64_t>(s_->charged_bytes));
  }
}

// --- tokens -------------------------------------------------------------------

void Grammar::fetch() {
  have_token_ = true;
  tok_.double_paren = false;
  for (;;) {
    tok_.kind = Tok::eof;
    tok_.assignment = false;
    if (failed_) return;
    tok_.unnumbered = scratch().unnumbered.size();
    s_->meter.charge_fuel();
    charge_memory();
    Tok kind = lex_.scan();
    if (kind != Tok::word) {
      if (kind == Tok::newline && pending_.size() > pending_base_) gather_heredocs();
      if (kind == Tok::lparen)
        tok_.double_paren = (lex_.state.last == Tok::for_ || lex_.reserved_acceptable()) &&
                            lex_.in.peek_joined() == '(';
      tok_.kind = kind;
      tok_.line = lex_.in.line();
      lex_.accept(kind);
      return;
    }
    if (read_word_token()) return;
  }
}

bool Grammar::read_word_token() {
  const size_t start = lex_.in.pos();
  Word* word = plain_word(lex_.command_position());
  bool plain = true;
  if (!word) {
    WordInfo info;
    word = read_word(info);
    if (failed_) return true;
    plain = !info.quoted && info.constant;
    tok_.assignment = info.equals != SIZE_MAX;
  }
  tok_.word = word;
  tok_.line = lex_.in.line();
  const Tok kind = word_token(*word, plain, start);
  lex_.state.alias_next = false;
  if (kind == Tok::eof) return false;  // an alias's text takes the word's place
  tok_.kind = kind;
  lex_.accept(kind);
  return true;
}

// `plain`: nothing in the word is quoted or expanded.
Tok Grammar::word_token(const Word& word, bool plain, size_t start) {
  lexer::State& state = lex_.state;
  const bool command = lex_.command_position();
  if (plain) {
    const std::string_view text = word.raw;
    const char next = lex_.in.peek_joined();
    const bool redirects = next == '<' || next == '>';
    if (lexer::has_flag(text.empty() ? '\0' : text[0], lexer::kDigit) &&
        (redirects || state.last == Tok::less_and || state.last == Tok::greater_and) &&
        base::all_digits(text)) {
      int value = 0;
      auto r = std::from_chars(text.data(), text.data() + text.size(), value);
      if (r.ec == std::errc()) {
        tok_.number = value;
        return Tok::number;
      }
    }
    Tok special = lex_.special_token(text);
    if (special == Tok::word && s_->options.posix) special = lex_.reserved_token(text);
    if (special == Tok::word) {
      if (s_->options.expand_aliases && s_->environment && expand_alias(text, start))
        return Tok::eof;
      if (!s_->options.posix) special = lex_.reserved_token(text);
    }
    if (special == Tok::esac) state.case_pattern = false;
    if (special != Tok::word) return special;
    if (redirects && text.size() > 2 && text.front() == '{' && text.back() == '}') {
      std::string_view name = text.substr(1, text.size() - 2);
      size_t bracket = name.find('[');
      if (base::is_identifier(name.substr(0, bracket)) &&
          (bracket == std::string_view::npos || name.back() == ']')) {
        tok_.name = s_->symbols.intern(name);
        return Tok::redir_word;
      }
    }
  }
  if (command && word.is_literal && takes_assignments(word.literal)) state.assign_args = true;
  if (tok_.assignment && command && !state.case_pattern) return Tok::assign_word;
  return Tok::word;
}

// declare and its kin, and what else bash lets take NAME=( .. ) as an argument.
bool Grammar::takes_assignments(std::string_view name) {
  switch (name.empty() ? '\0' : name[0]) {
    case 'a': return name == "alias";
    case 'd': return name == "declare";
    case 'e': return name == "export" || name == "eval";
    case 'l': return name == "local" || name == "let";
    case 'r': return name == "readonly";
    case 't': return name == "typeset";
    default: return false;
  }
}

bool Grammar::expand_alias(std::string_view name, size_t start) {
  if (!(lex_.state.alias_next || lex_.command_position()) || lex_.state.case_pattern) return false;
  std::optional<std::string_view> text = s_->environment->alias(name);
  if (!text || lex_.alias_active(name)) return false;
  s_->meter.charge_fuel();
  lex_.push_alias(start, name, *text);
  return true;
}

bool Grammar::expect(Tok kind) {
  if (peek() != kind) {
    syntax_error();
    return false;
  }
  take();
  return true;
}

void Grammar::skip_newlines() {
  while (peek() == Tok::newline) take();
}

// --- errors -------------------------------------------------------------------

std::nullptr_t Grammar::fail(std::string text, bool at_eof) {
  if (failed_) return nullptr;
  failed_ = true;
  error_.text = std::move(text);
  error_.line = lex_.in.line();
  error_.at_eof = at_eof;
  error_.recoverable = false;
  error_.fatal = substitution_depth_ > 0 && !at_eof;
  tok_.kind = Tok::eof;
  have_token_ = true;
  return nullptr;
}

void Grammar::add_line(std::string& out, uint32_t line, std::string_view text) const {
  if (!out.empty()) out += '\n';
  if (text_ == Text::backquoted) out += "command substitution: ";
  out += "line ";
  base::append_uint(out, line);
  out += ": ";
  out += text;
}

std::string Grammar::token_description() const {
  std::string out;
  switch (tok_.kind) {
    case Tok::word: case Tok::assign_word: case Tok::number:
      append_word(out, *tok_.word, s_->symbols);
      break;
    case Tok::redir_word:
      out = s_->symbols.name(tok_.name);
      break;
    default:
      out = lexer::token_text(tok_.kind);
  }
  if (base::needs_ansi_c(out)) out = base::ansi_c_quote(out);
  return out;
}

std::nullptr_t Grammar::syntax_error() {
  if (failed_) return nullptr;
  std::string out;
  const uint32_t line = lex_.in.line();
  if (peek() == Tok::eof) {
    if (substitution_depth_ > 0)
      add_line(out, line, "unexpected EOF while looking for matching `)'");
    else
      add_line(out, line, "syntax error: unexpected end of file");
    return fail(std::move(out), true);
  }
  add_line(out, line, "syntax error near unexpected token `" + token_description() + "'");
  add_line(out, line, "`" + std::string(lex_.in.current_line()) + "'");
  return fail(std::move(out), false);
}

std::nullptr_t Grammar::unmatched(char closer, uint32_t line) {
  if (failed_) return nullptr;
  std::string out;
  add_line(out, line,
           std::string("unexpected EOF while looking for matching `") + closer + "'");
  return fail(std::move(out), true);
}

// --- lists --------------------------------------------------------------------

const Node* Grammar::list_of(size_t base, uint32_t line) {
  Stack<ListItem>& items = scratch().items;
  if (failed_) {
    items.truncate(base);
    return nullptr;
  }
  if (items.size() == base + 1 && !items[base].background) {
    const Node* only = items[base].node;
    items.truncate(base);
    return only;
  }
  List* list = node<List>(NodeKind::list, line);
  list->items = items.take(base, arena());
  return list;
}

// One line: a; b & c
const Node* Grammar::simple_list() {
  const size_t base = scratch().items.size();
  const uint32_t line = tok_.line;
  for (;;) {
    const Node* item = and_or();
    if (failed_) break;
    const Tok t = peek();
    scratch().items.push({item, t == Tok::amp, false});
    if (t != Tok::semi && t != Tok::amp) break;
    take();
    if (peek() == Tok::newline || peek() == Tok::eof) break;
  }
  return list_of(base, line);
}

// Lines within a compound command. The caller checks what ends them.
const Node* Grammar::compound_list() {
  Level level(*s_);
  skip_newlines();
  const size_t base = scratch().items.size();
  const uint32_t line = tok_.line;
  for (;;) {
    const Node* item = and_or();
    if (failed_) break;
    const Tok t = peek();
    scratch().items.push({item, t == Tok::amp, t == Tok::newline});
    if (t != Tok::semi && t != Tok::amp && t != Tok::newline) break;
    take();
    skip_newlines();
    if (!starts_command(peek())) break;
  }
  return list_of(base, line);
}

bool Grammar::starts_command(Tok t) {
  switch (t) {
    case Tok::word: case Tok::assign_word: case Tok::bang: case Tok::time: case Tok::function:
    case Tok::coproc:
      return true;
    default:
      return lexer::is_redirection(t) || starts_compound(t);
  }
}

const Node* Grammar::and_or() {
  const Node* first = pipeline();
  Tok t = peek();
  if (t != Tok::and_and && t != Tok::or_or) return first;
  const size_t nodes = scratch().nodes.size(), ops = scratch().ops.size();
  scratch().nodes.push(first);
  const uint32_t line = first ? first->line : 0;
  while (t == Tok::and_and || t == Tok::or_or) {
    take();
    skip_newlines();
    const Node* next = pipeline();
    scratch().nodes.push(next);
    scratch().ops.push(t == Tok::and_and ? ListOp::and_ : ListOp::or_);
    t = peek();
  }
  AndOr* n = node<AndOr>(NodeKind::and_or, line);
  n->items = scratch().nodes.take(nodes, arena());
  n->ops = scratch().ops.take(ops, arena());
  return failed_ ? nullptr : n;
}

// --- pipelines ----------------------------------------------------------------

const Node* Grammar::pipeline() {
  Tok t = peek();
  if (t != Tok::bang && t != Tok::time) return pipe_sequence(nullptr);
  Pipeline* p = node<Pipeline>(NodeKind::pipeline, tok_.line);
  for (; t == Tok::bang || t == Tok::time; t = peek()) {
    take();
    if (t == Tok::bang) {
      p->negated = !p->negated;
      continue;
    }
    p->timed = true;
    if (peek() == Tok::time_opt) {
      take();
      p->time_posix = true;
    }
    if (peek() == Tok::time_ign) {
      take();
      p->time_posix = true;  // so does bash
    }
  }
  // `time` and `!` may stand alone.
  if (t == Tok::newline || t == Tok::semi || t == Tok::eof) return failed_ ? nullptr : p;
  return pipe_sequence(p);
}

// A bare command when there is only one and no prefix.
const Node* Grammar::pipe_sequence(Pipeline* prefix) {
  const Node* first = command();
  if (failed_) return nullptr;
  Tok t = peek();
  if (!prefix && t != Tok::pipe && t != Tok::pipe_and) return first;
  const size_t nodes = scratch().nodes.size(), flags = scratch().flags.size();
  scratch().nodes.push(first);
  while (t == Tok::pipe || t == Tok::pipe_and) {
    take();
    skip_newlines();
    scratch().flags.push(t == Tok::pipe_and);
    const Node* next = command();
    scratch().nodes.push(next);
    t = peek();
  }
  Pipeline* p = prefix ? prefix : node<Pipeline>(NodeKind::pipeline, first->line);
  p->stages = scratch().nodes.take(nodes, arena());
  std::span<char> both = scratch().flags.above(flags);
  bool* copy = static_cast<bool*>(arena().allocate(both.size() + 1, alignof(bool)));
  for (size_t i = 0; i < both.size(); ++i) copy[i] = both[i] != 0;
  p->pipe_both = {copy, both.size()};
  scratch().flags.truncate(flags);
  return failed_ ? nullptr : p;
}

const Node* Grammar::command() {
  const Tok t = peek();
  switch (t) {
    case Tok::word: case Tok::assign_word:
      return simple_command(nullptr);
    case Tok::function:
      return function_keyword();
    case Tok::coproc:
      return coproc();
    default:
      if (lexer::is_redirection(t)) return simple_command(nullptr);
      if (starts_compound(t)) return compound_with_redirections();
      return syntax_error();
  }
}

}  // namespace nacre::parser
