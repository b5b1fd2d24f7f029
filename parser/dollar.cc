// Expansions that begin with $ (but ${..}), `..`, <(..) and >(..).
#include <algorithm>
#include <cstring>

#include "base/numbers.h"
#include "base/quoting.h"
#include "parser/grammar.h"

namespace nacre::parser {

using lexer::has_flag;
using lexer::Input;

// At a $: does the next character make it more than a character?
bool Grammar::begins_expansion(bool in_double) {
  Input& in = lex_.in;
  char c = in.raw_at(1);
  if (c == '\\') {
    in.skip();
    c = in.peek_joined();
    in.seek(in.pos() - 1);
  }
  return has_flag(c, lexer::kNameStart | lexer::kDigit | lexer::kSpecialParam) || c == '{' ||
         c == '(' || c == '[' || (!in_double && (c == '\'' || c == '"'));
}

void Grammar::push_param(WordInfo& info, size_t start, Param& param) {
  param.raw = arena().copy(lex_.in.slice_from(start));
  info.constant = false;
  WordPart part{PartKind::param};
  part.param = &param;
  push_part(part, start, info);
}

void Grammar::dollar(WordInfo& info, Context context) {
  Input& in = lex_.in;
  const size_t start = in.pos();
  s_->meter.charge_fuel();
  in.skip();
  const char c = in.raw();
  switch (c) {
    case '{':
      in.skip();
      return brace_param(info, start, context);
    case '(': {
      Level level(*s_);
      in.skip();
      if (in.peek() != '(') return command_sub(info, start, Spelling::printed);
      if (!known_not_arith(in.pos()) && arith_sub(info, start)) return;
      if (!failed_) command_sub(info, start, Spelling::written);
      return;
    }
    case '[':
      in.skip();
      return old_arith_sub(info, start);
    case '\'':
      return ansi_c_quoted(info, context);
    case '"':
      // A text to translate: without a catalogue, an ordinary one.
      scratch().edits.push({start, start + 1, {}, {}});
      return double_quoted(info);
    default:
      break;
  }
  Param* p = arena().make<Param>(Param::Kind::special);
  if (has_flag(c, lexer::kNameStart)) {
    const size_t name = in.pos();
    do in.skip();
    while (has_flag(in.peek_joined(), lexer::kNameChar));
    p->kind = Param::Kind::variable;
    p->name = s_->symbols.intern(in.slice_from(name));
  } else if (c >= '1' && c <= '9') {
    p->kind = Param::Kind::positional;
    p->position = static_cast<uint32_t>(c - '0');
    in.skip();
  } else {
    p->special = c;
    in.skip();
  }
  push_param(info, start, *p);
}

// --- $(..) and <(..) -----------------------------------------------------------

// Reads commands up to the closing parenthesis, and that too. The state of the
// token being read outside is put aside meanwhile.
const Node* Grammar::nested_commands() {
  const lexer::State state = lex_.state;
  const Token token = tok_;
  const bool have_token = have_token_;
  const size_t pending_base = pending_base_;
  const bool no_braces = no_braces_;
  lex_.state = lexer::State();
  lex_.state.last = Tok::dollar_paren;
  have_token_ = false;
  pending_base_ = pending_.size();
  no_braces_ = false;
  ++substitution_depth_;
  const Node* body = nullptr;
  skip_newlines();
  if (peek() != Tok::rparen) body = compound_list();
  if (!failed_ && peek() != Tok::rparen) syntax_error();
  --substitution_depth_;
  if (failed_) return nullptr;
  if (pending_.size() > pending_base_) {
    const size_t n = pending_.size() - pending_base_;
    if (s_->warnings) {
      std::string text = "warning: command substitution: ";
      base::append_uint(text, n);
      text += n == 1 ? " unterminated here-document" : " unterminated here-documents";
      add_line(*s_->warnings, lex_.in.line(), text);
    }
    gather_heredocs();
  }
  lex_.state = state;
  tok_ = token;
  have_token_ = have_token;
  pending_base_ = pending_base;
  no_braces_ = no_braces;
  return body;
}

namespace {

// $(< file)
const Word* file_to_read(const Node* body) {
  if (!body || body->kind != NodeKind::simple) return nullptr;
  const auto* s = static_cast<const SimpleCommand*>(body);
  if (!s->words.empty() || !s->assigns.empty() || s->redirects.size() != 1) return nullptr;
  const Redirect& r = s->redirects[0];
  if (r.op != RedirectOp::in || r.fd > 0 || r.fd_var != base::kNoSymbol) return nullptr;
  return r.target;
}

}  // namespace

// After the "$(". What looked like arithmetic is printed as it was written.
void Grammar::command_sub(WordInfo& info, size_t start, Spelling spelling) {
  Input& in = lex_.in;
  const size_t inside = in.pos();
  const uint32_t line = in.line();
  const Node* body = nested_commands();
  if (failed_) return;
  CommandSub* c = arena().make<CommandSub>();
  c->body = const_cast<Node*>(body);
  c->read_file = file_to_read(body);
  if (spelling == Spelling::printed)
    scratch().raw_commands.push(
        {static_cast<uint32_t>(inside), static_cast<uint32_t>(in.pos() - 1), body, c});
  scratch().unnumbered.push({c, nullptr, {}, line, in.line()});
  info.constant = false;
  WordPart part{PartKind::command_sub};
  part.command = c;
  push_part(part, start, info);
}

void Grammar::process_sub(WordInfo& info) {
  Level level(*s_);
  Input& in = lex_.in;
  const size_t start = in.pos();
  ProcessSub* p = arena().make<ProcessSub>();
  p->output = in.raw() == '>';
  in.skip(2);
  const size_t inside = in.pos();
  const uint32_t line = in.line();
  p->body = const_cast<Node*>(nested_commands());
  if (failed_) return;
  scratch().raw_commands.push(
      {static_cast<uint32_t>(inside), static_cast<uint32_t>(in.pos() - 1), p->body, nullptr});
  scratch().unnumbered.push({nullptr, p, {}, line, in.line()});
  info.constant = false;
  WordPart part{PartKind::process_sub};
  part.process = p;
  push_part(part, start, info);
}

// --- `..` ------------------------------------------------------------------------

// The text is taken out here and parsed when the command's line is known.
void Grammar::backquote(WordInfo& info, bool in_double) {
  Input& in = lex_.in;
  const uint32_t line = in.line();
  const size_t start = in.pos();
  std::string text;
  in.skip();
  size_t run = in.pos();
  for (;;) {
    const char c = in.raw();
    if (c == '`') break;
    if (c == '\0') {
      if (in.more()) continue;
      unmatched('`', line);
      return;
    }
    if (c == '\\') {
      if (in.join_line()) continue;
      const char n = in.raw_at(1);
      if (n == '$' || n == '`' || n == '\\' || (n == '"' && in_double)) {
        text += in.slice(run, in.pos());
        run = in.pos() + 1;
      }
      in.skip(n == '\0' ? 1 : 2);
      continue;
    }
    in.skip();
  }
  text += in.slice(run, in.pos());
  in.skip();
  CommandSub* command = arena().make<CommandSub>();
  command->backquote = true;
  scratch().unnumbered.push({command, nullptr, arena().copy(text)});
  info.constant = false;
  WordPart part{PartKind::command_sub};
  part.command = command;
  push_part(part, start, info);
}

void Grammar::parse_backquoted(CommandSub& command, std::string_view text, uint32_t line) {
  Level level(*s_);
  lexer::StringSource source(text);
  Grammar inner(*s_, source, line, Text::backquoted);
  const size_t base = scratch().items.size();
  const Node* root;
  for (;;) {
    const Outcome outcome = inner.complete_command(root);
    if (outcome == Outcome::command) {
      if (root) scratch().items.push({root, false, true});
      continue;
    }
    if (outcome == Outcome::error) command.error = arena().copy(inner.error().text);
    break;
  }
  command.line = line;
  if (scratch().items.size() > base)
    command.body = const_cast<Node*>(list_of(base, scratch().items[base].node->line));
  if (command.error.empty()) command.read_file = file_to_read(command.body);
}

// --- arithmetic ------------------------------------------------------------------

bool Grammar::known_not_arith(size_t pos) {
  if (not_arith_.empty()) return false;
  if (not_arith_splices_ != lex_.in.splices()) {
    // Offsets moved: forget what was known.
    not_arith_splices_ = lex_.in.splices();
    not_arith_.clear();
    return false;
  }
  return std::find(not_arith_.rbegin(), not_arith_.rend(), pos) != not_arith_.rend();
}

const Arith* Grammar::read_arith(DoubleStop stop) {
  Level level(*s_);
  WordInfo info;
  info.start = lex_.in.pos();
  info.parts = scratch().parts.size();
  info.double_quoted = true;
  read_double(stop, info);
  if (failed_) return nullptr;
  std::string_view source = arena().copy(lex_.in.slice_from(info.start));
  return make_arith(*s_, word_from_parts(info.parts, info), source);
}

// After "$(", before "(". False, with nothing read, when no "))" matches.
bool Grammar::arith_sub(WordInfo& info, size_t start) {
  Input& in = lex_.in;
  const size_t inside = in.pos();
  const uint32_t line = in.line();
  const size_t unnumbered = scratch().unnumbered.size();
  const size_t edits = scratch().edits.size(), commands = scratch().raw_commands.size();
  in.skip();
  const Arith* arith = read_arith(DoubleStop::paren);
  if (failed_) return false;
  if (in.raw() != ')') {
    unmatched(')', line);
    return false;
  }
  if (in.peek_next() != ')') {
    in.seek(inside);
    scratch().unnumbered.truncate(unnumbered);
    scratch().edits.truncate(edits);
    scratch().raw_commands.truncate(commands);
    note_not_arith(inside);
    return false;
  }
  in.skip(2);
  info.constant = false;
  WordPart part{PartKind::arith_sub};
  part.arith = arith;
  push_part(part, start, info);
  return true;
}

// $[..], after the bracket.
void Grammar::old_arith_sub(WordInfo& info, size_t start) {
  Input& in = lex_.in;
  const uint32_t line = in.line();
  const Arith* arith = read_arith(DoubleStop::bracket);
  if (failed_) return;
  if (in.raw() != ']') {
    unmatched(']', line);
    return;
  }
  in.skip();
  info.constant = false;
  WordPart part{PartKind::arith_sub};
  part.arith = arith;
  push_part(part, start, info);
}

// --- $'..' -----------------------------------------------------------------------

// At the quote. bash decodes the text when it reads it, and remembers the word
// with the result between ordinary quotes.
void Grammar::ansi_c_quoted(WordInfo& info, Context context) {
  Input& in = lex_.in;
  const uint32_t line = in.line();
  const size_t start = in.pos() - 1;
  in.skip();
  const size_t text = in.pos();
  for (;;) {
    const char c = in.raw();
    if (c == '\'') break;
    if (c == '\0') {
      if (in.more()) continue;
      unmatched('\'', line);
      return;
    }
    in.skip(c == '\\' && in.raw_at(1) != '\0' ? 2 : 1);
  }
  std::string decoded;
  decode_ansi_c(in.slice_from(text), decoded);
  in.skip();
  WordPart part{PartKind::quoted};
  part.text = arena().copy(decoded);
  info.quoted = true;
  std::string_view spelling = part.text;
  if (context != Context::double_quoted) spelling = arena().copy(base::single_quote(decoded));
  // Arithmetic takes the spelling for its text, quotes and all.
  if (context == Context::arithmetic) part.text = spelling;
  scratch().edits.push({start, in.pos(), spelling, {}});
  push_part(part, start, info);
}

}  // namespace nacre::parser
