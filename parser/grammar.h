// The recursive-descent parser. Internal to parser/; the face is parser.h.
//
// One Grammar reads one text. It owns the lexer, looks ahead by one token, and
// digests each word into parts while it reads it, calling itself for the
// commands inside $(..) and <(..). Text that bash reads apart from its
// surroundings (`..`, here-documents) gets a Grammar of its own that shares
// everything else (Shared).
//
// Errors: the first syntax error is kept in error(); from then on every token
// is Tok::eof and every function returns null, so that callers only check
// failed(). Limits throw.
//
// Depth: every function that may be entered again from within itself counts a
// level (Level) against max_nesting_depth.
//
// Scratch stacks: the sequences under construction (parts, words, items) live
// on shared stacks; a function notes a stack's height, pushes, and takes what
// lies above that height into the arena. No vector lives in a recursive frame.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lexer/lexer.h"
#include "parser/arith.h"
#include "parser/ast.h"
#include "parser/parser.h"

namespace nacre::parser {

using lexer::Tok;

template <class T>
class Stack {
 public:
  size_t size() const { return items_.size(); }
  void push(const T& item) { items_.push_back(item); }
  T& operator[](size_t i) { return items_[i]; }
  T& back() { return items_.back(); }
  void truncate(size_t n) { items_.erase(items_.begin() + static_cast<ptrdiff_t>(n), items_.end()); }
  std::span<T> above(size_t base) { return std::span<T>(items_).subspan(base); }
  // Moves what lies above `base` into the arena.
  std::span<T> take(size_t base, base::Arena& arena) {
    size_t n = items_.size() - base;
    if (n == 0) return {};
    T* p = static_cast<T*>(arena.allocate(n * sizeof(T), alignof(T)));
    for (size_t i = 0; i < n; ++i) new (p + i) T(items_[base + i]);
    truncate(base);
    return {p, n};
  }

 private:
  std::vector<T> items_;
};

// A piece of a word's spelling that bash remembers otherwise than it is written.
struct RawEdit {
  size_t begin, end;  // offsets in the input
  std::string_view text;
  std::span<const RawCommand> commands;  // within text
};

// A substitution whose lines are not known before the command that holds it is.
struct Unnumbered {
  CommandSub* command = nullptr;
  ProcessSub* process = nullptr;
  std::string_view backquoted;  // its text, parsed only then
  uint32_t first_line = 0, last_line = 0;
};

struct Scratch {
  Stack<WordPart> parts;
  Stack<size_t> part_starts;  // where each part of a top-level word begins, in the input
  Stack<RawEdit> edits;
  Stack<RawCommand> raw_commands;
  Stack<Unnumbered> unnumbered;   // substitutions of the command at hand
  Stack<const Word*> words;
  Stack<const Assign*> assigns;
  Stack<Redirect> redirects;
  Stack<ListItem> items;
  Stack<const Node*> nodes;
  Stack<ListOp> ops;
  Stack<char> flags;
  Stack<IfClause> if_clauses;
  Stack<CaseClause> case_clauses;
  Stack<ArrayElement> elements;
  std::string text;  // a run of literal text with its escapes removed
  void clear();
};

// What all Grammars of one Program share.
struct Shared {
  base::Arena& arena;
  base::SymbolTable& symbols;
  const ParseEnvironment* environment;  // null: no aliases
  limits::Meter& meter;
  ParseOptions options;
  Scratch& scratch;
  limits::MemoryCharge* charge = nullptr;  // the Program's
  std::string* warnings = nullptr;
  size_t charged_bytes = 0;
  int depth = 0;
};

// Counts a level of nesting while it lives.
struct Level : limits::DepthGuard {
  explicit Level(Shared& s)
      : DepthGuard(s.meter, s.depth, s.meter.limits().max_nesting_depth,
                   LimitName::max_nesting_depth) {}
};

// Where an unquoted stretch ends.
enum class Stop : uint8_t {
  word,        // at a blank, newline or operator
  brace,       // at the } of ${..}
  slash,       // at that or at a /   (the pattern of ${x/p/r})
  bracket,     // at the ] of a subscript
  subscript,   // at that, or at the } of the ${..} that it is in
  end,         // at the end of the text
  regex,       // as word, but ( ) groups and | are part of it
};
enum class Context : uint8_t { unquoted, double_quoted, arithmetic };
// Where a stretch that expands as in double quotes ends.
enum class DoubleStop : uint8_t {
  quote,       // at the "
  end,         // at the end of the text (here-documents)
  brace,       // at the } of ${..}
  paren,       // at the ) that matches an opening one outside (arithmetic)
  semicolon,   // at that or at a ;   (for ((..)))
  bracket,     // at the ] of $[..]
  colon,       // at the } of ${..} or at a : (the offset of ${x:o:l})
  offset_end,  // at the } of ${..} (the length there)
};

// Facts gathered about a word while it is read.
struct WordInfo {
  size_t start = 0;             // in the input
  size_t parts = 0;             // height of the stack of parts
  size_t part_starts = 0;       // and of part_starts
  bool quoted = false;
  bool constant = true;         // no expansion of any kind
  bool glob = false;            // * ? [..] or an extended pattern
  bool bracket = false;         // an unquoted [
  bool open_brace = false;      // an unquoted {
  bool double_quoted = false;   // within "..": no tildes, no process substitution
  bool top_level = false;       // record where parts begin
  bool extglob = false;
  bool assignable = false;      // NAME[ and NAME=( are syntax here
  bool compound = false;        // NAME=( is
  bool colon_tilde = false;     // in the value of an assignment
  bool here_string = false;     // the word of <<<
  bool element = false;         // of NAME=( .. )
  bool pattern = false;         // of ${..}: has tildes even within ".."
  bool build_assign = false;    // an Assign is wanted
  // NAME=.. and NAME[..]=..: what was found
  const Subscript* subscript = nullptr;
  size_t equals = SIZE_MAX;     // offset of the =
  size_t name_end = 0;          // offset of the end of NAME
  size_t value_parts = 0;       // height of the stack of parts at the value
  bool append = false;
  bool is_array = false;
  std::span<const ArrayElement> elements;
};

class Grammar {
 public:
  // What the text is: its last line is completed in a script only, and errors
  // in `..` have a prefix of their own.
  enum class Text : uint8_t { script, backquoted, heredoc, fragment };
  Grammar(Shared& shared, LineSource& source, uint32_t first_line, Text text);

  // For a Parser that keeps its Grammar from one Program to the next.
  void rebind(Shared& shared) { s_ = &shared; }

  enum class Outcome : uint8_t { command, end, error };
  // Reads one complete command, up to the newline that ends it.
  Outcome complete_command(const Node*& root);
  // Drops the rest of the line and gets ready to read on after an error.
  void recover();

  bool failed() const { return failed_; }
  const SyntaxError& error() const { return error_; }
  lexer::Lexer& lex() { return lex_; }

  // The whole text as the inside of double quotes (a here-document's body).
  const Word* double_quoted_text();
  const Subscript* subscript_text(std::string_view raw);
  bool array_elements_text(std::span<const ArrayElement>& out);
  // One word as an argument, without brace expansion.
  const Word* argument_text(bool assign_argument);

 private:
  struct Token {
    Tok kind = Tok::eof;
    bool double_paren = false;  // "((" where an arithmetic command may stand
    bool assignment = false;    // word: reads NAME=..
    Word* word = nullptr;       // words and numbers
    int number = 0;
    Symbol name = base::kNoSymbol;  // redir_word
    uint32_t line = 0;              // number of the line on which it ended
    size_t unnumbered = 0;          // height of that stack before it was read
  };
  struct Pending {  // a here-document whose body is to come
    Word* body;
    std::string_view delimiter;
    bool quoted;
    bool strip_tabs;
    uint32_t line;
  };

  // --- tokens (grammar.cc)
  Tok peek() {
    if (!have_token_) fetch();
    return tok_.kind;
  }
  void take() { have_token_ = false; }
  bool expect(Tok kind);
  void fetch();
  // False when the word was an alias: its text is read instead.
  bool read_word_token();
  // Tok::eof in that case.
  Tok word_token(const Word& word, bool plain, size_t start);
  static bool takes_assignments(std::string_view name);
  bool expand_alias(std::string_view name, size_t start);
  void skip_newlines();
  void charge_memory();

  // --- errors (grammar.cc)
  std::nullptr_t syntax_error();
  std::nullptr_t unmatched(char closer, uint32_t line);
  std::nullptr_t fail(std::string text, bool at_eof);
  void add_line(std::string& out, uint32_t line, std::string_view text) const;
  std::string token_description() const;

  // --- lists and pipelines (grammar.cc)
  const Node* simple_list();
  const Node* compound_list();
  const Node* and_or();
  const Node* pipeline();
  const Node* pipe_sequence(Pipeline* prefix);
  const Node* command();
  static bool starts_command(Tok t);
  const Node* list_of(size_t base, uint32_t line);

  // --- simple commands, redirections, functions, coprocesses (simple.cc)
  const Node* simple_command(Word* first);
  const Node* function_body(const Word& name, uint32_t line, bool keyword);
  const Node* function_keyword();
  const Node* coproc();
  bool redirection();
  bool trailing_redirections(Node* node);
  void note_command_word(const Word& word);

  // --- compound commands (compound.cc)
  static bool starts_compound(Tok t);
  Node* compound();
  const Node* compound_with_redirections();
  Node* subshell_or_arith();
  Node* subshell_rest(uint32_t line);
  Node* group();
  Node* if_command();
  Node* while_command();
  Node* for_command();
  Node* arith_for(uint32_t line);
  Node* case_command();
  bool case_clause(uint32_t line, bool& last);
  const Node* do_group();

  // --- [[ ]] (cond.cc)
  Node* cond_command();
  const CondExpr* cond_or();
  const CondExpr* cond_and();
  const CondExpr* cond_term();
  const CondExpr* cond_operation(const Word* lhs);
  Tok cond_read();
  Tok cond_skip_newlines();
  std::nullptr_t cond_fail(Tok token, std::string_view before, std::string_view after,
                           std::string_view unnamed, uint32_t line);

  // --- here-documents (heredoc.cc)
  void add_heredoc(Redirect& redirect, const Word& delimiter);
  std::string_view unquoted(const Word& word);
  void gather_heredocs();
  void gather_heredoc(const Pending& doc);

  // --- words (word.cc)
  Word* plain_word(bool command);
  Word* read_word(WordInfo& info);
  Word* finish_word(WordInfo& info, bool command);
  void finish_raw(size_t start, size_t edits_base, size_t commands_base, Word& word);
  void intern_literal(Word& word, bool command);
  void read_unquoted(Stop stop, WordInfo& info);
  void read_double(DoubleStop stop, WordInfo& info);
  void single_quoted(WordInfo& info);
  void double_quoted(WordInfo& info);
  void backslash(WordInfo& info);
  bool assignment_here(WordInfo& info);
  bool assignable_subscript(WordInfo& info);
  bool tilde_here(Stop stop, const WordInfo& info, size_t run);
  bool tilde(Stop stop, WordInfo& info);
  void push_text(PartKind kind, size_t from, size_t to, const WordInfo& info);
  void push_part(const WordPart& part, size_t from, const WordInfo& info);
  Word* word_from_parts(size_t base, const WordInfo& info);
  Assign* make_assign(const WordInfo& info);
  void set_literal(Word& word, const WordInfo& info);

  // --- arrays (array.cc)
  void compound_value(WordInfo& info);
  bool array_elements(Tok end, uint32_t line, std::string& raw, std::vector<RawCommand>& commands);
  void array_element(std::string& raw, std::vector<RawCommand>& commands);
  bool element_subscript(WordInfo& info, ArrayElement& element);
  void compound_parts(WordInfo& info, size_t open);
  const Subscript* read_subscript();
  Word* subscript_word(size_t base, const WordInfo& inner);
  const Subscript* subscript_of(const Word* word, std::string_view raw);
  const Subscript* fragment_subscript(std::string_view text);

  // --- $ and ` (dollar.cc)
  bool begins_expansion(bool in_double);
  void dollar(WordInfo& info, Context context);
  enum class Spelling : uint8_t { printed, written };
  void command_sub(WordInfo& info, size_t start, Spelling spelling);
  void process_sub(WordInfo& info);
  void backquote(WordInfo& info, bool in_double);
  bool arith_sub(WordInfo& info, size_t start);
  void old_arith_sub(WordInfo& info, size_t start);
  const Node* nested_commands();
  void ansi_c_quoted(WordInfo& info, Context context);
  const Arith* read_arith(DoubleStop stop);
  bool known_not_arith(size_t pos);
  void note_not_arith(size_t pos) { not_arith_.push_back(pos); }
  void push_param(WordInfo& info, size_t start, Param& param);

  // --- ${..} (param.cc)
  void brace_param(WordInfo& info, size_t start, Context context);
  bool param_name(Param& param);
  bool param_variable(Param& param);
  bool param_operator(Param& param, Context context);
  bool param_replacement(Param& param, Context context);
  const Word* param_pattern(Stop stop, Context context);
  const Word* param_text(Context context);

  // --- braces (brace.cc)
  Word* expand_braces(WordInfo& info);

  // --- lines of $(..) (lines.cc)
  void number_lines(size_t base, uint32_t line);
  void parse_backquoted(CommandSub& command, std::string_view text, uint32_t line);

  base::Arena& arena() { return s_->arena; }
  Scratch& scratch() { return s_->scratch; }
  template <class T>
  T* node(NodeKind kind, uint32_t line) {
    s_->meter.charge_fuel();
    T* n = arena().template make<T>();
    n->kind = kind;
    n->line = line;
    return n;
  }

  Shared* s_;
  lexer::Lexer lex_;
  Token tok_;
  bool have_token_ = false;
  bool failed_ = false;
  Text text_;
  bool no_braces_ = false;
  size_t element_start_ = 0;     // of the array element being read
  int substitution_depth_ = 0;   // inside how many $( of this text
  Tok cond_token_ = Tok::eof;
  SyntaxError error_;
  std::vector<Pending> pending_;
  size_t pending_base_ = 0;      // those of the $( at hand start here
  std::vector<size_t> not_arith_;  // offsets of "((" known to open nested subshells
  uint32_t not_arith_splices_ = 0;
};

// ansi_c.cc: the text of $'..' (without the quotes), appended to `out`.
void decode_ansi_c(std::string_view text, std::string& out);

}  // namespace nacre::parser
