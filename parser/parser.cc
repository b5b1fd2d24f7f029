#include "parser/parser.h"

#include <memory>

#include "parser/grammar.h"

namespace nacre::parser {

namespace {

// Opens the parser's own clock for a scope.
class ParseClock {
 public:
  explicit ParseClock(limits::Meter& meter) : meter_(meter) { meter_.begin_parse(); }
  ~ParseClock() { meter_.end_parse(); }
  ParseClock(const ParseClock&) = delete;

 private:
  limits::Meter& meter_;
};

}  // namespace

struct Parser::Impl {
  Impl(LineSource& source, base::SymbolTable& symbols, const ParseEnvironment& environment,
       limits::Meter& meter, uint32_t first_line)
      : symbols(symbols),
        environment(environment),
        meter(meter),
        first{arena, symbols, &environment, meter, {}, scratch},
        grammar(first, source, first_line, Grammar::Text::script) {}

  base::SymbolTable& symbols;
  const ParseEnvironment& environment;
  limits::Meter& meter;
  Scratch scratch;
  base::Arena arena;  // of no Program: what the grammar holds before the first
  Shared first;
  Grammar grammar;
};

Parser::Parser(LineSource& source, base::SymbolTable& symbols, const ParseEnvironment& environment,
               limits::Meter& meter, uint32_t first_line)
    : impl_(new Impl(source, symbols, environment, meter, first_line)) {}

Parser::~Parser() { delete impl_; }

ParseResult Parser::next() {
  Impl& m = *impl_;
  ParseClock clock(m.meter);
  ParseResult result{ParseStatus::end};
  base::Ref<Program> program = base::make_ref<Program>(m.meter);
  m.scratch.clear();
  Shared shared{program->arena, m.symbols, &m.environment, m.meter, m.environment.parse_options(),
                m.scratch};
  shared.charge = &program->charge;
  shared.warnings = &result.warnings;
  m.grammar.rebind(shared);
  switch (m.grammar.complete_command(program->root)) {
    case Grammar::Outcome::command:
      result.status = ParseStatus::command;
      if (program->root) {
        program->source = program->arena.copy(m.grammar.lex().in.source());
        program->charge.set(static_cast<int64_t>(program->arena.bytes_reserved()));
      }
      result.program = std::move(program);
      break;
    case Grammar::Outcome::end:
      break;
    case Grammar::Outcome::error:
      result.status = ParseStatus::error;
      result.error = m.grammar.error();
      m.grammar.recover();
      break;
  }
  m.grammar.rebind(m.first);
  return result;
}

uint32_t Parser::line() const { return impl_->grammar.lex().in.next_line_number(); }

// --- texts that are made at run time --------------------------------------------------

ArithParse parse_arith(std::string_view text, base::Arena& arena, base::SymbolTable& symbols,
                       limits::Meter& meter) {
  Scratch scratch;
  Shared shared{arena, symbols, nullptr, meter, {}, scratch};
  ArithParse result;
  result.tree = parse_arith_text(shared, text, {}, &result.message, &result.shown);
  return result;
}

const Word* parse_double_quoted(std::string_view text, base::Arena& arena,
                                base::SymbolTable& symbols, const ParseEnvironment& environment,
                                limits::Meter& meter) {
  ParseClock clock(meter);
  Scratch scratch;
  Shared shared{arena, symbols, &environment, meter, environment.parse_options(), scratch};
  StringSource source(text);
  Grammar grammar(shared, source, 1, Grammar::Text::heredoc);
  Word* word = const_cast<Word*>(grammar.double_quoted_text());
  word->raw = arena.copy(text);
  return word;
}

const Subscript* parse_subscript(std::string_view text, base::Arena& arena,
                                 base::SymbolTable& symbols, const ParseEnvironment& environment,
                                 limits::Meter& meter) {
  ParseClock clock(meter);
  Scratch scratch;
  Shared shared{arena, symbols, &environment, meter, environment.parse_options(), scratch};
  std::string_view copy = arena.copy(text);
  StringSource source(copy);
  Grammar grammar(shared, source, 1, Grammar::Text::fragment);
  return grammar.subscript_text(copy);
}

bool parse_array_elements(std::string_view text, base::Arena& arena, base::SymbolTable& symbols,
                          const ParseEnvironment& environment, limits::Meter& meter,
                          std::span<const ArrayElement>& out) {
  ParseClock clock(meter);
  Scratch scratch;
  Shared shared{arena, symbols, &environment, meter, environment.parse_options(), scratch};
  StringSource source(text);
  Grammar grammar(shared, source, 1, Grammar::Text::fragment);
  return grammar.array_elements_text(out);
}

}  // namespace nacre::parser
