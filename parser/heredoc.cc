// Here-documents. A body is read when the newline after its operator is; it is
// then digested as a text of its own, since bash expands it (and finds its
// errors) only when it runs the command.
#include "base/numbers.h"
#include "parser/grammar.h"

namespace nacre::parser {

void Grammar::add_heredoc(Redirect& redirect, const Word& delimiter) {
  Word* body = arena().make<Word>();
  body->line = redirect.line;
  redirect.target = body;
  // The delimiter is not expanded, only unquoted.
  redirect.delimiter = delimiter.is_literal ? delimiter.literal : unquoted(delimiter);
  redirect.delimiter_quoted = delimiter.quoted;
  pending_.push_back({body, redirect.delimiter, redirect.delimiter_quoted, redirect.strip_tabs,
                      redirect.line});
}

// Quote removal alone: $x and `x` stay as they are spelt.
std::string_view Grammar::unquoted(const Word& word) {
  std::string out;
  const std::string_view raw = word.raw;
  char quote = 0;
  for (size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (c == '\\' && quote != '\'' && i + 1 < raw.size()) {
      const char n = raw[i + 1];
      if (quote == '"' && n != '$' && n != '`' && n != '"' && n != '\\') out += c;
      out += n;
      ++i;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      out += c;
    }
  }
  return arena().copy(out);
}

void Grammar::gather_heredocs() {
  for (size_t i = pending_base_; i < pending_.size(); ++i) gather_heredoc(pending_[i]);
  pending_.resize(pending_base_);
}

void Grammar::gather_heredoc(const Pending& doc) {
  lexer::Input& in = lex_.in;
  std::string text, line;
  bool found = false;
  for (;;) {
    line.clear();
    if (!in.take_line(line)) break;
    if (!doc.quoted) {
      // A backslash that is itself not escaped joins the next line.
      size_t checked = 0;
      for (;;) {
        size_t end = line.size();
        if (end < 2 || line[end - 1] != '\n' || line[end - 2] != '\\') break;
        size_t i = end - 2, backslashes = 0;
        while (i + 1 > checked && line[i] == '\\') {
          ++backslashes;
          if (i-- == 0) break;
        }
        if (backslashes % 2 == 0) break;
        line.resize(end - 2);
        checked = line.size();
        if (!in.take_line(line)) break;
      }
    }
    std::string_view body = line;
    if (doc.strip_tabs) body.remove_prefix(std::min(body.find_first_not_of('\t'), body.size()));
    if (body.starts_with(doc.delimiter)) {
      std::string_view rest = body.substr(doc.delimiter.size());
      if (rest.empty() || rest == "\n") {
        found = true;
        break;
      }
      // Inside $(..) the delimiter may share its line with the closing parenthesis.
      if (substitution_depth_ > 0 && rest.find(')') != std::string_view::npos) {
        in.splice(in.pos(), rest);
        found = true;
        break;
      }
    }
    text += body;
    if (text.empty() || text.back() != '\n') text += '\n';
    charge_memory();
  }
  if (!found && s_->warnings) {
    std::string out;
    out += "warning: here-document at line ";
    base::append_uint(out, doc.line);
    out += " delimited by end-of-file (wanted `";
    out += doc.delimiter;
    out += "')";
    add_line(*s_->warnings, in.line() - (in.ended() ? 1 : 0), out);
  }
  Word& word = *doc.body;
  word.raw = arena().copy(text);
  if (doc.quoted) {
    WordPart* part = arena().make<WordPart>(PartKind::quoted);
    part->text = word.raw;
    if (!word.raw.empty()) word.parts = {part, 1};
    word.is_literal = true;
    word.quoted = true;
    word.literal = word.raw;
    return;
  }
  Level level(*s_);
  lexer::StringSource source(word.raw);
  Grammar inner(*s_, source, doc.line, Text::heredoc);
  const Word* digested = inner.double_quoted_text();
  const std::string_view raw = word.raw;
  word = *digested;
  word.raw = raw;
}

// Errors are the evaluator's to report: the word then holds only the error.
const Word* Grammar::double_quoted_text() {
  WordInfo info;
  info.parts = scratch().parts.size();
  const size_t unnumbered = scratch().unnumbered.size();
  const size_t edits = scratch().edits.size(), commands = scratch().raw_commands.size();
  const uint32_t line = lex_.in.line() + 1;
  info.double_quoted = true;
  read_double(DoubleStop::end, info);
  if (failed_) {
    scratch().parts.truncate(info.parts);
    scratch().unnumbered.truncate(unnumbered);
    info.constant = false;
    CommandSub* command = arena().make<CommandSub>();
    command->error = arena().copy(error_.text);
    command->line = line;
    WordPart part{PartKind::command_sub};
    part.command = command;
    scratch().parts.push(part);
  } else {
    number_lines(unnumbered, line);
  }
  scratch().edits.truncate(edits);
  scratch().raw_commands.truncate(commands);
  Word* word = word_from_parts(info.parts, info);
  word->line = line;
  return word;
}

}  // namespace nacre::parser
