// Words: characters to parts, in one pass.
//
// A stretch of text is read either as unquoted (read_unquoted) or as within
// double quotes (read_double), up to a given end. Ordinary characters are
// skipped by a table; each run of them becomes one part. The reader sits at
// the input's cursor, and what it finds goes on the shared stack of parts, so
// that a word inside a word needs only a note of the stack's height.
#include "parser/grammar.h"

#include <algorithm>
#include <cstring>

#include "base/numbers.h"

namespace nacre::parser {

using lexer::has_flag;
using lexer::Input;
using lexer::kWordBreak;

// --- parts --------------------------------------------------------------------

void Grammar::push_part(const WordPart& part, size_t from, const WordInfo& info) {
  scratch().parts.push(part);
  if (info.top_level) scratch().part_starts.push(from);
}

// The text of [from, to), after what scratch().text holds already.
void Grammar::push_text(PartKind kind, size_t from, size_t to, const WordInfo& info) {
  std::string& held = scratch().text;
  if (from == to && held.empty()) return;
  WordPart part{kind};
  if (held.empty()) {
    part.text = arena().copy(lex_.in.slice(from, to));
  } else {
    held += lex_.in.slice(from, to);
    part.text = arena().copy(held);
    held.clear();
  }
  push_part(part, from, info);
}

Word* Grammar::word_from_parts(size_t base, const WordInfo& info) {
  s_->meter.charge_fuel();
  Word* word = arena().make<Word>();
  word->line = lex_.in.line();
  word->parts = scratch().parts.take(base, arena());
  word->quoted = info.quoted;
  set_literal(*word, info);
  return word;
}

void Grammar::set_literal(Word& word, const WordInfo& info) {
  word.may_glob = info.glob || (info.bracket && !info.constant);
  if (!info.constant || info.glob) return;
  word.is_literal = true;
  if (word.parts.size() == 1) {
    word.literal = word.parts[0].text;
  } else if (!word.parts.empty()) {
    size_t n = 0;
    for (const WordPart& p : word.parts) n += p.text.size();
    char* out = static_cast<char*>(arena().allocate(n + 1, 1));
    word.literal = {out, n};
    for (const WordPart& p : word.parts) {
      if (!p.text.empty()) std::memcpy(out, p.text.data(), p.text.size());
      out += p.text.size();
    }
  }
}

// --- whole words ----------------------------------------------------------------

// Most words are plain text: none of the machinery below is needed. Null, with
// nothing read, for all others.
Word* Grammar::plain_word(bool command) {
  Input& in = lex_.in;
  const char* start = in.data() + in.pos();
  const char* p = start;
  while (!has_flag(*p, lexer::kFastStop)) ++p;
  const size_t n = static_cast<size_t>(p - start);
  if (n == 0 || *start == '~' || lex_.state.last == Tok::tless || !has_flag(*p, kWordBreak) || *p == '(' || *p == '|' ||
      ((*p == '<' || *p == '>') && in.raw_at(n + 1) == '('))
    return nullptr;
  in.skip(n);
  Word* word = arena().make<Word>();
  WordPart* part = arena().make<WordPart>(PartKind::literal);
  part->text = word->raw = word->literal = arena().copy({start, n});
  word->parts = {part, 1};
  word->is_literal = true;
  word->line = in.line();
  intern_literal(*word, command);
  return word;
}

Word* Grammar::read_word(WordInfo& info) {
  Input& in = lex_.in;
  const lexer::State& state = lex_.state;
  const bool command = lex_.command_position();
  info.start = in.pos();
  info.parts = scratch().parts.size();
  info.top_level = true;
  info.extglob = s_->options.extglob || state.pattern;
  info.assignable = command && !state.case_pattern && !state.conditional;
  info.compound = info.assignable || state.assign_args;
  info.build_assign = info.assignable || !state.plain_args;
  info.here_string = state.last == Tok::tless;
  const size_t edits = scratch().edits.size(), commands = scratch().raw_commands.size();
  const size_t starts = scratch().part_starts.size();
  info.part_starts = starts;
  read_unquoted(state.regex ? Stop::regex : Stop::word, info);
  Word* word = failed_ ? nullptr : finish_word(info, command);
  if (word) finish_raw(info.start, edits, commands, *word);
  if (word && word->assign) {
    Assign* assign = const_cast<Assign*>(word->assign);
    assign->raw = word->raw;
    assign->commands = word->commands;
  }
  scratch().edits.truncate(edits);
  scratch().raw_commands.truncate(commands);
  scratch().part_starts.truncate(starts);
  return failed_ ? nullptr : word;
}

void Grammar::intern_literal(Word& word, bool command) {
  if (command || (word.literal.size() <= 64 && base::is_identifier(word.literal)))
    word.symbol = s_->symbols.intern(word.literal);
}

Word* Grammar::finish_word(WordInfo& info, bool command) {
  const bool statement = info.equals != SIZE_MAX && info.assignable;
  Word* word = nullptr;
  if (info.open_brace && !statement && !no_braces_ && s_->options.brace_expand &&
      !lex_.state.conditional && !lex_.state.regex) {
    word = expand_braces(info);
    if (failed_) return nullptr;
    if (word) return word;
  }
  Assign* assign = nullptr;
  if (info.equals != SIZE_MAX && info.build_assign) assign = make_assign(info);
  word = word_from_parts(info.parts, info);
  word->assign = assign;
  if (word->is_literal && !assign) intern_literal(*word, command);
  return word;
}

// The value shares the word's parts.
Assign* Grammar::make_assign(const WordInfo& info) {
  s_->meter.charge_fuel();
  Input& in = lex_.in;
  Assign* a = arena().make<Assign>();
  a->name = s_->symbols.intern(in.slice(info.start, info.name_end));
  a->sub = info.subscript;
  a->append = info.append;
  a->is_array = info.is_array;
  a->elements = info.elements;
  if (!info.is_array && in.pos() > info.equals + 1) {
    Word* value = arena().make<Word>();
    value->line = in.line();
    std::span<WordPart> parts = scratch().parts.above(info.value_parts);
    WordPart* copy = static_cast<WordPart*>(
        arena().allocate(parts.size() * sizeof(WordPart) + 1, alignof(WordPart)));
    std::uninitialized_copy(parts.begin(), parts.end(), copy);
    value->parts = {copy, parts.size()};
    value->quoted = info.quoted;
    WordInfo facts;
    facts.constant = true;
    for (const WordPart& p : value->parts)
      if (p.kind != PartKind::literal && p.kind != PartKind::quoted) facts.constant = false;
    // Assignment does not glob, so that * and [ are ordinary text here.
    set_literal(*value, facts);
    a->value = value;
  }
  return a;
}

// Copies the word's spelling, with its edits, and settles where in it the
// command substitutions stand.
void Grammar::finish_raw(size_t start, size_t edits_base, size_t commands_base, Word& word) {
  Input& in = lex_.in;
  const size_t end = in.pos();
  const std::span<RawEdit> edits = scratch().edits.above(edits_base);
  Stack<RawCommand>& commands = scratch().raw_commands;
  if (edits.empty()) {
    for (RawCommand& c : commands.above(commands_base)) {
      c.begin -= start;
      c.end -= start;
    }
    const bool same = word.parts.size() == 1 && word.parts[0].kind == PartKind::literal &&
                      word.parts[0].text.size() == end - start;
    word.raw = same ? word.parts[0].text : arena().copy(in.slice(start, end));
    word.commands = commands.take(commands_base, arena());
    return;
  }
  // Commands between two edits keep their distance from the text before them;
  // those within an edited stretch came with it.
  std::string out;
  std::vector<RawCommand> moved;
  size_t at = start, next = commands_base;
  const size_t last = commands.size();
  const auto copy_until = [&](size_t to) {
    for (; next < last && commands[next].begin < to; ++next) {
      RawCommand c = commands[next];
      c.begin = static_cast<uint32_t>(c.begin - at + out.size());
      c.end = static_cast<uint32_t>(c.end - at + out.size());
      moved.push_back(c);
    }
    out += in.slice(at, to);
  };
  for (const RawEdit& e : edits) {
    copy_until(e.begin);
    for (RawCommand c : e.commands) {
      c.begin += static_cast<uint32_t>(out.size());
      c.end += static_cast<uint32_t>(out.size());
      moved.push_back(c);
    }
    out += e.text;
    at = e.end;
  }
  copy_until(end);
  word.raw = arena().copy(out);
  word.commands = arena().copy(moved);
  commands.truncate(commands_base);
}

// --- unquoted text ----------------------------------------------------------------

void Grammar::read_unquoted(Stop stop, WordInfo& info) {
  Input& in = lex_.in;
  const uint32_t line = in.line();
  size_t run = in.pos();
  int nest = 0;         // open [ of a subscript, or open ( of a pattern or a regex
  bool group = false;   // nest counts (
  const bool bracketed = stop == Stop::bracket || stop == Stop::subscript;
  const auto flush = [&] { push_text(PartKind::literal, run, in.pos(), info); };
  for (;;) {
    {
      const char* p = in.data() + in.pos();
      const char* from = p;
      while (!has_flag(*p, lexer::kWordStop)) ++p;
      in.skip(static_cast<size_t>(p - from));
    }
    const char c = in.raw();
    switch (c) {
      case '\0':
        if (in.more()) continue;
        flush();
        if (group) unmatched(')', line);
        return;
      case '\\':
        if (in.join_line()) continue;
        if (stop == Stop::regex) {
          // The pair is the regular expression's own.
          in.skip();
          if (in.raw() != '\0') in.skip();
          info.quoted = true;
          continue;
        }
        flush();
        backslash(info);
        break;
      case '\'':
        flush();
        single_quoted(info);
        break;
      case '"':
        flush();
        double_quoted(info);
        break;
      case '`':
        flush();
        backquote(info, false);
        break;
      case '$':
        if (!begins_expansion(false)) {
          in.skip();
          continue;
        }
        flush();
        dollar(info, Context::unquoted);
        break;
      case '<': case '>':
        if (in.raw_at(1) == '(' && !info.double_quoted) {
          flush();
          process_sub(info);
          break;
        }
        [[fallthrough]];
      case ' ': case '\t': case '\n': case ';': case '&':
        if ((stop == Stop::word || stop == Stop::regex) && !group) return flush();
        in.skip();
        continue;
      case '|':
        if (stop == Stop::word && !group) return flush();
        in.skip();
        continue;
      case '(':
        if (stop == Stop::word && !group) return flush();
        in.skip();
        if (stop == Stop::regex || group) {
          group = true;
          ++nest;
        }
        continue;
      case ')':
        if ((stop == Stop::word || stop == Stop::regex) && !group) return flush();
        in.skip();
        if (group && --nest == 0) group = false;
        continue;
      case '}':
        if ((stop == Stop::brace || stop == Stop::slash || stop == Stop::subscript) && !group)
          return flush();
        in.skip();
        continue;
      case '/':
        if (stop == Stop::slash && !group) return flush();
        in.skip();
        continue;
      case '[':
        if (bracketed) {
          ++nest;
        } else if (info.assignable && scratch().parts.size() == info.parts &&
                   base::is_identifier(in.slice_from(info.start))) {
          if (!assignable_subscript(info)) return;
          run = in.pos();
          continue;
        }
        info.bracket = true;
        in.skip();
        continue;
      case ']':
        if (bracketed) {
          if (nest == 0) return flush();
          --nest;
        }
        if (info.bracket) info.glob = true;
        in.skip();
        continue;
      case '{':
        info.open_brace = true;
        in.skip();
        continue;
      case '=':
        if (stop == Stop::word && info.equals == SIZE_MAX && assignment_here(info)) {
          in.skip();
          if (info.build_assign) {
            flush();
            info.value_parts = scratch().parts.size();
            run = in.pos();
          }
          if (info.compound && in.peek_joined() == '(') {
            flush();
            compound_value(info);
            return;
          }
          continue;
        }
        in.skip();
        continue;
      case '~':
        if (tilde_here(stop, info, run)) {
          flush();
          if (tilde(stop, info)) break;
          run = in.pos();
        }
        in.skip();
        continue;
      case '*': case '?':
        info.glob = true;
        [[fallthrough]];
      case '+': case '@': case '!':
        in.skip();
        if (info.extglob && in.peek_joined() == '(' && !bracketed) {
          info.glob = true;
          in.skip();
          ++nest;
          group = true;
        }
        continue;
      default:  // : ,
        in.skip();
        continue;
    }
    if (failed_) return;
    run = in.pos();
  }
}

void Grammar::backslash(WordInfo& info) {
  Input& in = lex_.in;
  const size_t from = in.pos();
  in.skip();
  if (in.raw() == '\0' || in.at_added_newline()) {
    // At the very end of the text a backslash stands for itself.
    WordPart part{PartKind::quoted};
    part.text = "\\";
    info.quoted = true;
    return push_part(part, from, info);
  }
  const size_t text = in.pos();
  in.skip();
  while ((static_cast<unsigned char>(in.raw()) & 0xc0) == 0x80) in.skip();
  info.quoted = true;
  WordPart part{PartKind::quoted};
  part.text = arena().copy(in.slice_from(text));
  push_part(part, from, info);
}

void Grammar::single_quoted(WordInfo& info) {
  Input& in = lex_.in;
  const uint32_t line = in.line();
  const size_t from = in.pos();
  in.skip();
  const size_t text = in.pos();
  for (;;) {
    const char* p = in.data() + in.pos();
    const void* q = std::memchr(p, '\'', in.size() - in.pos());
    if (q) {
      in.skip(static_cast<size_t>(static_cast<const char*>(q) - p));
      break;
    }
    in.seek(in.size());
    if (!in.more()) {
      unmatched('\'', line);
      return;
    }
  }
  WordPart part{PartKind::quoted};
  part.text = arena().copy(in.slice_from(text));
  in.skip();
  info.quoted = true;
  push_part(part, from, info);
}

// "..": one quoted part when it holds only text.
void Grammar::double_quoted(WordInfo& info) {
  Level level(*s_);
  Input& in = lex_.in;
  const uint32_t line = in.line();
  const size_t from = in.pos();
  const size_t base = scratch().parts.size();
  const bool top_level = info.top_level;
  in.skip();
  info.top_level = false;
  info.quoted = true;
  read_double(DoubleStop::quote, info);
  info.top_level = top_level;
  if (failed_) return;
  if (in.raw() != '"') {
    unmatched('"', line);
    return;
  }
  in.skip();
  std::span<WordPart> parts = scratch().parts.above(base);
  WordPart whole{PartKind::quoted};
  if (parts.size() == 1 && parts[0].kind == PartKind::quoted) {
    whole.text = parts[0].text;
    scratch().parts.truncate(base);
  } else if (!parts.empty()) {
    whole.kind = PartKind::double_quoted;
    whole.parts = scratch().parts.take(base, arena());
  }
  push_part(whole, from, info);
}

// --- text that expands as within double quotes -----------------------------------

void Grammar::read_double(DoubleStop stop, WordInfo& info) {
  Input& in = lex_.in;
  const uint32_t line = in.line();
  size_t run = in.pos();
  int nest = 0;             // open ( or [
  int questions = 0;        // of ?: within the offset of ${x:o:l}
  bool single = false;      // within '..', which hides what would end the stretch
  uint32_t single_line = line;
  const bool arithmetic = stop == DoubleStop::paren || stop == DoubleStop::semicolon ||
                          stop == DoubleStop::bracket || stop == DoubleStop::colon ||
                          stop == DoubleStop::offset_end;
  const bool braced = stop == DoubleStop::brace || stop == DoubleStop::colon ||
                      stop == DoubleStop::offset_end;
  const bool heredoc = text_ == Text::heredoc && substitution_depth_ == 0;
  const auto flush = [&] { push_text(PartKind::quoted, run, in.pos(), info); };
  for (;;) {
    {
      const char* p = in.data() + in.pos();
      const char* from = p;
      while (!has_flag(*p, lexer::kDoubleStop)) ++p;
      in.skip(static_cast<size_t>(p - from));
    }
    const char c = in.raw();
    switch (c) {
      case '\0':
        if (in.more()) continue;
        flush();
        if (single) unmatched('\'', single_line);
        return;
      case '\\': {
        if (in.join_line()) continue;
        const char n = in.raw_at(1);
        const bool escapes = n == '$' || n == '`' || n == '\\' ||
                             (n == '"' && stop != DoubleStop::end) || (n == '}' && braced);
        if (escapes) {
          scratch().text += in.slice(run, in.pos());
          in.skip();
          run = in.pos();
        }
        in.skip(n == '\0' || n == '\n' ? 1 : escapes ? 1 : 2);
        continue;
      }
      case '"':
        if (stop == DoubleStop::quote) return flush();
        if (stop == DoubleStop::end || single) break;
        flush();
        double_quoted(info);
        if (failed_) return;
        run = in.pos();
        continue;
      case '\'':
        if (stop == DoubleStop::quote || stop == DoubleStop::end ||
            (s_->options.posix && stop == DoubleStop::brace))
          break;
        single = !single;
        single_line = in.line();
        break;
      case '`':
        flush();
        backquote(info, true);
        if (failed_) return;
        run = in.pos();
        continue;
      case '$':
        if (!begins_expansion(true) && !(in.raw_at(1) == '\'' && stop != DoubleStop::quote &&
                                         stop != DoubleStop::end && !heredoc && !single))
          break;
        flush();
        dollar(info, arithmetic ? Context::arithmetic : Context::double_quoted);
        if (failed_) return;
        run = in.pos();
        continue;
      case '}':
        if (braced && !single) return flush();
        break;
      case '?':
        if (nest == 0) ++questions;
        break;
      case ':':
        if (stop == DoubleStop::colon && nest == 0 && !single) {
          if (questions == 0) return flush();
          --questions;
        }
        break;
      case ';':
        if (stop == DoubleStop::semicolon && !single) return flush();
        break;
      case '(':
        if (arithmetic && stop != DoubleStop::bracket && !single) ++nest;
        break;
      case ')':
        if (single) break;
        if ((stop == DoubleStop::paren || stop == DoubleStop::semicolon) && nest == 0)
          return flush();
        if (nest > 0 && stop != DoubleStop::bracket) --nest;
        break;
      case '[':
        if (stop == DoubleStop::bracket && !single) ++nest;
        break;
      case ']':
        if (stop != DoubleStop::bracket || single) break;
        if (nest == 0) return flush();
        --nest;
        break;
    }
    in.skip();
  }
}

// --- assignments and tildes --------------------------------------------------------

// At a = in a word: does the text before it read NAME, NAME[..], NAME+?
bool Grammar::assignment_here(WordInfo& info) {
  Input& in = lex_.in;
  std::string_view text = in.slice_from(info.start);
  const bool append = text.ends_with('+');
  if (append) text.remove_suffix(1);
  size_t n = 0;
  while (n < text.size() && lexer::has_flag(text[n], lexer::kNameChar)) ++n;
  if (n == 0 || !lexer::has_flag(text[0], lexer::kNameStart)) return false;
  if (n < text.size()) {
    if (text[n] != '[' || text.back() != ']') return false;
    if (info.build_assign && !info.subscript) {
      std::string_view inside = arena().copy(text.substr(n + 1, text.size() - n - 2));
      info.subscript = fragment_subscript(inside);
      if (failed_) return false;
    }
  } else if (scratch().parts.size() != info.parts) {
    return false;  // "NAME"=
  }
  info.name_end = info.start + n;
  info.equals = in.pos();
  info.append = append;
  // bash expands tildes after NAME= in any argument, but not in an array's
  // elements nor in a here-string, which has them after colons alone.
  info.colon_tilde = !info.element && !info.here_string;
  if (s_->options.posix && !info.build_assign) info.colon_tilde = false;
  return true;
}

// At the [ after a NAME that may begin an assignment: everything up to the
// matching ] belongs to the word, blanks too.
bool Grammar::assignable_subscript(WordInfo& info) {
  Input& in = lex_.in;
  const uint32_t line = in.line();
  const size_t name_end = in.pos();
  in.skip();
  push_text(PartKind::literal, info.start, in.pos(), info);
  const size_t base = scratch().parts.size();
  Level level(*s_);
  WordInfo inner;
  inner.start = in.pos();
  inner.parts = base;
  inner.top_level = true;
  read_unquoted(Stop::bracket, inner);
  if (failed_) return false;
  if (in.raw() != ']') {
    unmatched(']', line);
    return false;
  }
  const size_t end = in.pos();
  in.skip();
  const char next = in.peek_joined();
  if (next == '=' || (next == '+' && in.peek_next() == '=')) {
    Word* word = subscript_word(base, inner);
    info.subscript = subscript_of(word, arena().copy(in.slice(inner.start, end)));
    in.seek(end);
    in.skip();
  } else {
    info.constant = info.constant && inner.constant;
    info.quoted = info.quoted || inner.quoted;
    info.open_brace = info.open_brace || inner.open_brace;
    info.glob = info.glob || inner.glob;
  }
  info.bracket = true;
  info.name_end = name_end;
  in.seek(end);
  return true;
}

bool Grammar::tilde_here(Stop stop, const WordInfo& info, size_t run) {
  Input& in = lex_.in;
  const size_t pos = in.pos();
  if ((info.double_quoted && !info.pattern) || stop == Stop::bracket ||
      stop == Stop::subscript || stop == Stop::end)
    return false;
  if (pos == info.start) return true;
  if (stop == Stop::regex || (!info.colon_tilde && !info.here_string)) return false;
  return pos == info.equals + 1 || (pos > run && in.data()[pos - 1] == ':');
}

// Reads ~user when it is a tilde prefix: nothing in it may be quoted or expanded.
bool Grammar::tilde(Stop stop, WordInfo& info) {
  Input& in = lex_.in;
  const size_t from = in.pos();
  size_t n = 1;
  for (;; ++n) {
    const char c = in.raw_at(n);
    if (c == '/' || c == ':' || c == '\0') break;
    if (stop == Stop::word || stop == Stop::regex ? has_flag(c, kWordBreak) : c == '}') break;
    if (c == '\\' || c == '\'' || c == '"' || c == '$' || c == '`') return false;
  }
  in.skip();
  WordPart part{PartKind::tilde};
  part.text = arena().copy(in.slice(from + 1, from + n));
  in.skip(n - 1);
  info.constant = false;
  push_part(part, from, info);
  return true;
}

}  // namespace nacre::parser
