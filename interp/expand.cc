// Words to fields and strings. The order of expansions is that of the parts,
// which the parser has already put in bash's order.
#include "interp/expand.h"

#include "base/errno_text.h"
#include "interp/arith.h"
#include "interp/evaluate.h"
#include "interp/expander.h"
#include "interp/redirect.h"

namespace nacre::interp {

using parser::PartKind;
using parser::Word;
using parser::WordPart;

namespace {

bool expand_read_file(Process& p, const parser::CommandSub& sub, std::string& out);

void emit(WordBuilder& out, std::string_view text, Quote quote) {
  if (quote == Quote::quoted) out.quoted(text);
  else out.expansion(text);
}

// An expression that did not evaluate, within a word; false.
bool expression_is_discard(Process& p) {
  if (expression_failed(p)) fail_discard(p);
  return false;
}

bool expand_double_quoted(Process& p, const WordPart& part, WordBuilder& out) {
  uint32_t content = out.content();
  bool outer = out.empty_list;
  out.empty_list = false;
  if (!expand_parts(p, part.parts, Quote::quoted, out)) return false;
  if (out.content() == content && !out.empty_list) out.quoted_null();
  out.empty_list = outer;
  return true;
}

bool expand_tilde_part(Process& p, const WordPart& part, Quote quote, WordBuilder& out) {
  std::string directory;
  if (!out.no_tildes && tilde_directory(p, part.text, directory)) {
    // The directory may be empty (HOME=), and is a field all the same.
    out.quoted(directory);
    if (directory.empty()) out.quoted_null();
    return true;
  }
  if (quote == Quote::quoted) {
    out.quoted("~");
    out.quoted(part.text);
  } else {
    out.literal("~");
    out.literal(part.text);
  }
  return true;
}

bool expand_part(Process& p, const WordPart& part, Quote quote, WordBuilder& out) {
  switch (part.kind) {
    case PartKind::literal:
      if (quote == Quote::none) out.literal(part.text);
      else emit(out, part.text, quote);
      return true;
    case PartKind::quoted:
      out.quoted(part.text);
      if (part.text.empty() && quote != Quote::quoted) out.quoted_null();
      return true;
    case PartKind::double_quoted:
      if (quote == Quote::quoted) return expand_parts(p, part.parts, quote, out);
      return expand_double_quoted(p, part, out);
    case PartKind::param:
      return expand_param(p, *part.param, quote, out);
    case PartKind::command_sub: {
      std::string text;
      if (!expand_command(p, *part.command, text)) return false;
      emit(out, text, quote);
      return true;
    }
    case PartKind::arith_sub: {
      int64_t value;
      if (!eval_arith(p, *part.arith, value)) return expression_is_discard(p);
      char digits[24];
      auto r = std::to_chars(digits, digits + sizeof digits, value);
      emit(out, {digits, static_cast<size_t>(r.ptr - digits)}, quote);
      return true;
    }
    case PartKind::process_sub: {
      std::string path;
      if (!start_process_substitution(p, *part.process, path)) return false;
      emit(out, path, quote);
      return true;
    }
    case PartKind::tilde:
      return expand_tilde_part(p, part, quote, out);
    case PartKind::brace:
      return expand_brace_as_written(p, *part.brace, quote, out);
  }
  return true;
}

Collect collect_as(ExpandAs as) {
  switch (as) {
    case ExpandAs::pattern: return Collect::pattern;
    case ExpandAs::regex: return Collect::regex;
    default: return Collect::plain;
  }
}

// Whether the default IFS splits it or a pattern may be in it.
bool needs_a_look(std::string_view text) {
  for (unsigned char c : text)
    if (kDefaultClasses[c]) return true;
  return false;
}

enum class Lone : uint8_t { done, failed, other };

// $x and "$x" alone in a word; `other` when the word is something else (then
// nothing has happened).
Lone expand_lone_part(Process& p, const WordPart& word_part, FieldList& out) {
  const WordPart* part = &word_part;
  bool quoted = part->kind == PartKind::double_quoted;
  if (quoted) {
    if (part->parts.size() != 1) return Lone::other;
    part = &part->parts[0];
  }
  if (part->kind == PartKind::quoted) {
    out.add_stable(part->text);
    return Lone::done;
  }
  if (part->kind != PartKind::param) return Lone::other;
  std::string buffer;
  std::string_view text;
  if (!plain_value(p, *part->param, text, buffer)) return Lone::other;
  if (quoted) {
    out.add(text);
    return Lone::done;
  }
  if (text.empty()) return Lone::done;
  if (!default_ifs(p) || needs_a_look(text)) {
    WordBuilder builder(p, out);
    builder.expansion(text);
    return builder.finish() ? Lone::done : Lone::failed;
  }
  out.add(text);
  return Lone::done;
}

}  // namespace

ExpansionDepth::ExpansionDepth(Process& p)
    : guard_(p.meter(), p.expansion_depth, p.meter().limits().max_nesting_depth,
             LimitName::max_nesting_depth) {
  constexpr size_t kReserve = 64 * 1024;
  if (p.session.scheduler.running() && p.session.scheduler.stack_left() < kReserve)
    p.meter().exceeded(LimitName::max_nesting_depth);
}

bool expand_parts(Process& p, std::span<const WordPart> parts, Quote quote, WordBuilder& out) {
  for (const WordPart& part : parts)
    if (!expand_part(p, part, quote, out)) return false;
  return true;
}

bool expand_one_word(Process& p, std::span<const WordPart> parts, FieldList& out) {
  WordBuilder builder(p, out);
  return expand_parts(p, parts, Quote::none, builder) && builder.finish();
}

bool expand_word_fields(Process& p, const Word& word, FieldList& out) {
  if (word.is_literal) {
    out.add_stable(word.literal);
    return true;
  }
  if (word.has_brace && p.has(SetOption::braceexpand)) return expand_braces(p, word, out);
  if (word.parts.size() == 1) {
    Lone lone = expand_lone_part(p, word.parts[0], out);
    if (lone != Lone::other) return lone == Lone::done;
  }
  return expand_one_word(p, word.parts, out);
}

bool expand_words(Process& p, std::span<const Word* const> words, FieldList& out) {
  for (const Word* word : words)
    if (!expand_word_fields(p, *word, out)) return false;
  return true;
}

bool expand_string(Process& p, const Word& word, ExpandAs as, std::string& out) {
  if (word.is_literal && (as == ExpandAs::assignment || as == ExpandAs::plain ||
                          as == ExpandAs::here_document)) {
    out += word.literal;
    return true;
  }
  if (word.parts.size() == 1) {
    // x=$y and x="$y".
    const WordPart* part = &word.parts[0];
    bool quoted = part->kind == PartKind::double_quoted && part->parts.size() == 1;
    if (quoted) part = &part->parts[0];
    if (part->kind == PartKind::param && collect_as(as) == Collect::plain) {
      std::string buffer;
      std::string_view text;
      if (plain_value(p, *part->param, text, buffer)) {
        out += text;
        return true;
      }
    } else if (part->kind == PartKind::command_sub && collect_as(as) == Collect::plain &&
               out.empty()) {
      return expand_command(p, *part->command, out);
    }
  }
  WordBuilder builder(p, collect_as(as));
  builder.here_document = as == ExpandAs::here_document;
  builder.no_tildes = as == ExpandAs::assoc_value;
  Quote quote = builder.here_document ? Quote::quoted : Quote::none;
  if (!expand_parts(p, word.parts, quote, builder)) return false;
  out += builder.view();
  return true;
}

bool expand_redirect_target(Process& p, const Word& word, std::string& out) {
  if (word.is_literal) {
    out.assign(word.literal);
    return true;
  }
  FieldList fields(p.scratch());
  if (!expand_word_fields(p, word, fields)) return false;
  if (fields.size() != 1) {
    std::string message(word.raw);
    message += ": ambiguous redirect";
    p.error(message);
    return false;
  }
  out.assign(fields[0]);
  return true;
}

bool expand_prompt_text(Process& p, std::string_view text, std::string& out) {
  ExpansionDepth depth(p);
  base::Arena arena;
  const Word* word =
      parser::parse_double_quoted(text, arena, p.session.symbols, p, p.meter());
  if (!word) return true;
  return expand_string(p, *word, ExpandAs::here_document, out);
}

void split_fields(Process& p, std::string_view text, FieldList& out) {
  WordBuilder builder(p, out);
  builder.set_glob(false);
  builder.expansion(text);
  builder.finish();
}

bool expand_command(Process& p, const parser::CommandSub& sub, std::string& out) {
  if (sub.read_file) return expand_read_file(p, sub, out);
  return capture_output(p, sub, out);
}

namespace {

// $(<file): bash opens the file in the substitution's subshell, so a failure is
// the substitution's status and no more.
bool expand_read_file(Process& p, const parser::CommandSub& sub, std::string& out) {
  std::string path;
  if (!expand_redirect_target(p, *sub.read_file, path)) {
    p.status = p.substitution_status = 1;
    return true;
  }
  vfs::OpenFlags flags;
  flags.read = true;
  auto file = open_path(p, path, flags, 0);
  if (!file) {
    p.error(path + ": " + std::string(base::errno_text(file.error())));
    p.status = p.substitution_status = 1;
    return true;
  }
  p.status = p.substitution_status = 0;
  limits::MemoryCharge charge(p.meter());
  bool dropped_null = false;
  for (;;) {
    auto chunk = (*file)->peek();
    if (!chunk) {
      p.error(path + ": " + std::string(base::errno_text(chunk.error())));
      p.status = p.substitution_status = 1;
      break;
    }
    if (chunk->empty()) break;
    size_t size = chunk->size();
    p.meter().check_string(static_cast<int64_t>(out.size() + size));
    charge.set(static_cast<int64_t>(out.size() + size));
    p.meter().charge_work(1 + static_cast<int64_t>(size >> 12));
    std::string_view rest = *chunk;
    while (!rest.empty()) {
      size_t null = rest.find('\0');
      out.append(rest.substr(0, null));
      if (null == std::string_view::npos) break;
      dropped_null = true;
      rest.remove_prefix(null + 1);
    }
    (*file)->consume(size);
  }
  if (dropped_null) p.error("warning: command substitution: ignored null byte in input");
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return true;
}

}  // namespace
}  // namespace nacre::interp
