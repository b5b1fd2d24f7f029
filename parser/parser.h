// Source text to Programs, one complete command at a time (bash reads, parses
// and runs a line before it reads the next). The parser depends on nothing
// above it, so that a fuzzer links it alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/symbol.h"
#include "lexer/line_source.h"
#include "limits/meter.h"
#include "parser/ast.h"

namespace nacre::parser {

using lexer::LineSource;
using lexer::StringSource;

// What of the shell's state changes how text is read. Asked for at each
// command, since `alias` and `shopt` on line 1 change how line 2 is read.
struct ParseOptions {
  bool extglob = false;
  bool expand_aliases = false;
  bool posix = false;
  bool brace_expand = true;
};
class ParseEnvironment {
 public:
  virtual ~ParseEnvironment() = default;
  virtual ParseOptions parse_options() const = 0;
  // The alias's text, or nullopt.
  virtual std::optional<std::string_view> alias(std::string_view name) const = 0;
};

struct SyntaxError {
  // One or more whole messages, each without the "bash: " prefix and with
  // "line N: " where bash prints it, in bash's own words:
  //   line 3: syntax error near unexpected token `)'
  //   line 3: `echo )'
  std::string text;
  uint32_t line = 1;
  bool at_eof = false;  // unexpected end of file (a REPL asks for more input)
  // bash ends a script at a syntax error, but for one within NAME=( .. ): there
  // it goes on with the next line, with $? set to 1.
  bool recoverable = false;
  // Within $(..) or <(..): ends the shell with status 127, from eval too.
  bool fatal = false;
};

enum class ParseStatus : uint8_t { command, end, error };

struct ParseResult {
  ParseStatus status;
  base::Ref<Program> program;  // command
  SyntaxError error;           // error
  // Warnings that bash prints while reading, same form as SyntaxError::text
  // ("line 1: warning: here-document at line 1 delimited by end-of-file (wanted `E')").
  std::string warnings;
};

class Parser {
 public:
  // All references must outlive the parser. first_line is the number of the
  // source's first line (LINENO).
  Parser(LineSource& source, base::SymbolTable& symbols, const ParseEnvironment& environment,
         limits::Meter& meter, uint32_t first_line = 1);
  ~Parser();
  Parser(const Parser&) = delete;

  // The next complete command. After an error the rest of the current line
  // (and what bash would also drop) has been discarded.
  ParseResult next();

  // Line number of the next line to be read.
  uint32_t line() const;

 private:
  struct Impl;
  Impl* impl_;
};

// Parses the text of an arithmetic expression after its expansion. On a syntax
// error the tree is null and `message` holds bash's text after the expression,
// such as `syntax error: operand expected (error token is "+ ")`.
struct ArithParse {
  const ArithNode* tree = nullptr;
  std::string message;
  // How much of the text bash shows before the message (`$((1+09+1))` shows
  // 1+09); SIZE_MAX: all of it.
  size_t shown = SIZE_MAX;
};
// `text` must live as long as the tree.
ArithParse parse_arith(std::string_view text, base::Arena& arena, base::SymbolTable& symbols,
                       limits::Meter& meter);

// Parses text as the inside of "..": for `PS4`, ${x@P} and here-documents made
// at run time; also a subscript's text (`unset 'a[$i]'`, `read 'a[1]'`).
const Word* parse_double_quoted(std::string_view text, base::Arena& arena,
                                base::SymbolTable& symbols, const ParseEnvironment& environment,
                                limits::Meter& meter);
const Subscript* parse_subscript(std::string_view text, base::Arena& arena,
                                 base::SymbolTable& symbols, const ParseEnvironment& environment,
                                 limits::Meter& meter);
// The inside of NAME=( .. ) given as text (`declare -a 'x=(1 2)'`). False on a syntax error.
bool parse_array_elements(std::string_view text, base::Arena& arena, base::SymbolTable& symbols,
                          const ParseEnvironment& environment, limits::Meter& meter,
                          std::span<const ArrayElement>& out);

}  // namespace nacre::parser
