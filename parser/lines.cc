// $LINENO inside substitutions. bash parses their text when it runs them,
// starting from the line of the command that holds them: for $(..) the text is
// the printed one, for `..` the written one. Hence both wait here until that
// command is read.
#include "parser/grammar.h"
#include "parser/layout.h"

namespace nacre::parser {

void Grammar::number_lines(size_t base, uint32_t line) {
  for (size_t i = base; i < scratch().unnumbered.size(); ++i) {
    const Unnumbered u = scratch().unnumbered[i];
    if (u.command && u.command->backquote) {
      parse_backquoted(*u.command, u.backquoted, line);
      continue;
    }
    if (u.command) u.command->line = line;
    const Node* body = u.command ? u.command->body : u.process->body;
    if (!body || (u.first_line == line && u.last_line == line)) continue;
    Layout layout(s_->symbols, Layout::Mode::substitution);
    layout.number_from(line);
    layout.command(body);
    s_->meter.charge_fuel(static_cast<int64_t>(layout.text().size() / 64 + 1));
  }
  scratch().unnumbered.truncate(base);
}

}  // namespace nacre::parser
