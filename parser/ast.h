// The syntax tree: passive structs in a Program's arena, immutable once built.
//
// Each field's comment shows the shell syntax that it stands for. Text views
// point into the arena. `raw` is source spelling (as `declare -f` would print
// it); all other text has had its quoting digested.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/ref.h"
#include "base/symbol.h"
#include "limits/meter.h"

namespace nacre::parser {

using base::Symbol;

struct Node;
struct Word;
struct Param;
struct ArithNode;

// --- arithmetic -------------------------------------------------------------

enum class ArithOp : uint8_t {
  number,      // value
  variable,    // x, x[sub]            (name, sub)
  param,       // $x ${..} as a whole operand: used as a number when its text is
               // a plain decimal integer; otherwise the evaluator falls back to
               // expanding Arith::text and parsing the result   (param)
  // unary, operand in a
  plus, minus, lognot, bitnot,
  pre_inc, pre_dec, post_inc, post_dec,   // a is variable
  // binary, operands in a, b
  mul, div, mod, add, sub, shl, shr, lt, le, gt, ge, eq, ne,
  bitand_, bitxor, bitor_, logand, logor, power, comma,
  cond,        // a ? b : c
  assign,      // a = b; a is variable
  // a OP= b; `compound` holds the binary operator
  compound_assign,
};

struct Subscript;

struct ArithNode {
  ArithOp op;
  ArithOp compound = ArithOp::number;
  uint32_t pos = 0;       // byte offset, in Arith::source, where an error about this operator's
                          // right operand points (bash's "error token"); of a number or a
                          // variable, where it starts
  ArithNode* a = nullptr;
  ArithNode* b = nullptr;
  ArithNode* c = nullptr;
  int64_t value = 0;      // number
  Symbol name = base::kNoSymbol;   // variable
  const Subscript* sub = nullptr;  // variable: x[sub]; null when plain
  const Param* param = nullptr;    // param
};

// An arithmetic expression as it stands in the source.
struct Arith {
  // Null when the text is not known before expansion ($op, "..", $(..), `a$b`)
  // or does not parse (the error is then the evaluator's to report, by
  // expanding and parsing at run time). Empty text is the number 0.
  const ArithNode* tree = nullptr;
  const Word* text = nullptr;      // the same, as a word to expand (as in double quotes)
  std::string_view source;         // as written
};

// --- words ------------------------------------------------------------------

enum class PartKind : uint8_t {
  literal,        // abc        unquoted: may hold active glob characters; no backslashes
  quoted,         // 'abc' \* $'a\n' and literal text within "..": never split or globbed
  double_quoted,  // "..": parts (may be empty: an empty field)
  param,          // $x ${x...}
  command_sub,    // $(..) `..`
  arith_sub,      // $((..)) $[..]
  process_sub,    // <(..) >(..)
  tilde,          // ~ ~user ~+ ~- (text without the ~), only where bash would expand it
  brace,          // {a,b} {1..9}
};

struct CommandSub {
  Node* body = nullptr;              // null when empty
  bool backquote = false;
  const Word* read_file = nullptr;   // $(< file): the file's word, when the body is only that
  uint32_t line = 1;                 // of the command that it stands in
  // A syntax error that bash finds only when it runs the substitution (in `..`
  // and in here-documents): whole messages, without "bash: ". The body is what
  // came before it on earlier lines, and still runs.
  std::string_view error;
};

struct ProcessSub {
  Node* body = nullptr;
  bool output = false;               // >(..)
};

struct Brace {
  enum class Kind : uint8_t { list, ints, chars } kind;
  std::span<const Word* const> items;  // list: alternatives (may be empty words)
  int64_t first = 0, last = 0, step = 0;  // ranges; step 0: not given
  int width = 0;                       // ints: minimal width when zero padded, else 0
};

struct WordPart {
  PartKind kind;
  std::string_view text;               // literal, quoted, tilde
  std::span<const WordPart> parts;     // double_quoted
  union {                              // by kind
    const void* none = nullptr;
    const Param* param;
    const CommandSub* command;
    const Arith* arith;
    const ProcessSub* process;
    const Brace* brace;
  };
};

struct Assign;

// Where a word's spelling holds a command substitution: bash prints its tree
// there (`declare -f`), not what was written. Backquotes stay as written.
struct RawCommand {
  uint32_t begin = 0, end = 0;         // of the text between the parentheses, in Word::raw
  const Node* body = nullptr;          // null when empty
  CommandSub* command = nullptr;       // of $(..); null for <(..)
};

struct Word {
  // As written, but for what bash forgets: backslash-newlines are gone, $'..'
  // is spelt '..', blanks in =( .. ) are single. Empty for the words inside
  // ${..}. append_word() (printer.h) gives what bash prints.
  std::string_view raw;
  std::span<const WordPart> parts;
  std::span<const RawCommand> commands;  // in raw, outermost ones, in order
  // The word is constant text: no expansion, splitting or globbing can change
  // it; `literal` is that text (after quote removal) and `symbol` its name.
  bool is_literal = false;
  bool quoted = false;                 // some part is quoted (matters for reserved words,
                                       // empty results, here-document delimiters)
  bool has_brace = false;              // a brace part is at top level
  bool may_glob = false;               // a literal part has an unquoted * ? [ or extglob group
  std::string_view literal;
  // Of `literal` when the word is literal and is a command's name or an
  // identifier of at most 64 bytes; else none.
  Symbol symbol = base::kNoSymbol;
  // Set when the word reads NAME=.. NAME+=.. NAME[..]=.. (as an argument: for
  // the declaration builtins, which expand it as an assignment).
  const Assign* assign = nullptr;
  uint32_t line = 1;
};

struct Subscript {
  enum class Kind : uint8_t { at, star, index } kind;   // [@] [*] [expr]
  const Word* word = nullptr;          // index: the key of an associative array (as "..")
  Arith arith;                         // index: the index of an indexed array
  std::string_view raw;                // text between the brackets
};

// What stands between the braces of ${..}.
enum class ParamOp : uint8_t {
  none,
  use_default,     // ${x-w}  ${x:-w}
  assign_default,  // ${x=w}  ${x:=w}
  error,           // ${x?w}  ${x:?w}
  alternative,     // ${x+w}  ${x:+w}
  length,          // ${#x}
  substring,       // ${x:off} ${x:off:len}
  remove_prefix,   // ${x#w}
  remove_prefix_long,  // ${x##w}
  remove_suffix,   // ${x%w}
  remove_suffix_long,  // ${x%%w}
  replace_first,   // ${x/p/r}
  replace_all,     // ${x//p/r}
  replace_prefix,  // ${x/#p/r}
  replace_suffix,  // ${x/%p/r}
  upper_first,     // ${x^p}
  upper_all,       // ${x^^p}
  lower_first,     // ${x,p}
  lower_all,       // ${x,,p}
  toggle_first,    // ${x~p}   (undocumented, but bash has it)
  toggle_all,      // ${x~~p}
  transform,       // ${x@Q}   (letter in `transform`; an unknown one is an error only when x is set)
  names,           // ${!pre*} ${!pre@}   (`names_at` tells which)
  keys,            // ${!a[@]} ${!a[*]}   (sub tells which)
  bad,             // ${x!..}: "bad substitution" when it is reached; raw holds the whole ${..}
  unclosed,        // ${x of a here-document: "bad substitution: no closing `}' in RAW"
};

struct Param {
  // Exactly one of these names the parameter.
  enum class Kind : uint8_t { variable, positional, special } kind;
  Symbol name = base::kNoSymbol;       // variable
  uint32_t position = 0;               // positional: $1 ${12}
  char special = 0;                    // @ * # ? - $ ! 0
  const Subscript* sub = nullptr;      // ${x[..]}
  bool braced = false;                 // ${..}
  bool indirect = false;               // ${!x..}
  bool colon = false;                  // :- := :? :+
  bool names_at = false;               // ${!pre@}
  char transform = 0;                  // Q E P A K k a U u L
  ParamOp op = ParamOp::none;
  const Word* arg = nullptr;           // word of - = ? +, pattern of # % / ^ ,  (null: absent)
  const Word* replacement = nullptr;   // of / (null when there is no second slash)
  const Arith* offset = nullptr;       // substring
  const Arith* length = nullptr;       // substring; null when absent
  std::string_view raw;                // whole source text, "${x:-a}"
};

// --- assignments and redirections -------------------------------------------

struct ArrayElement {
  const Subscript* sub = nullptr;      // [sub]=value; null: next index
  bool append = false;                 // [sub]+=value
  const Word* value = nullptr;         // with sub: not split; without: expands as an argument
};

struct Assign {
  Symbol name;
  const Subscript* sub = nullptr;      // name[sub]=..
  bool append = false;                 // +=
  bool is_array = false;               // name=( .. )
  const Word* value = nullptr;         // null for name= with nothing, and for arrays
  std::span<const ArrayElement> elements;
  std::string_view raw;                // whole, as Word::raw
  std::span<const RawCommand> commands;
};

enum class RedirectOp : uint8_t {
  in,            // <   word
  out,           // >   word
  clobber,       // >|  word
  append,        // >>  word
  in_out,        // <>  word
  dup_in,        // <&  word   (a number, number-, or -)
  dup_out,       // >&  word   (also >&file when fd is 1 or absent and word is no number)
  both,          // &>  word
  both_append,   // &>> word
  here_doc,      // <<  <<-
  here_string,   // <<< word
};

struct Redirect {
  RedirectOp op;
  int fd = -1;                         // -1: the operator's default
  Symbol fd_var = base::kNoSymbol;     // {name}> ..   ({a[1]}>: the whole a[1])
  const Word* target = nullptr;        // for here_doc: the body, as a word to expand like ".."
                                       // (is_literal when the delimiter was quoted)
  std::string_view delimiter;          // here_doc: after quote removal
  bool delimiter_quoted = false;
  bool strip_tabs = false;             // <<-
  uint32_t line = 1;
};

// --- commands ---------------------------------------------------------------

enum class NodeKind : uint8_t {
  simple, pipeline, and_or, list, subshell, group, if_, while_, for_, arith_for,
  select, case_, function, cond, arith, coproc,
};

struct Node {
  NodeKind kind;
  uint32_t line = 1;                          // of the first token: LINENO
  std::span<const Redirect> redirects;        // of simple and compound commands
};

// a=1 b=2 cmd args >file   (redirects keep their order; words and assignments theirs)
struct SimpleCommand : Node {
  std::span<const Assign* const> assigns;
  std::span<const Word* const> words;
};

struct Pipeline : Node {                      // [time [-p]] [!] a | b |& c
  std::span<const Node* const> stages;
  std::span<const bool> pipe_both;            // pipe_both[i]: stage i is joined by |&
  bool negated = false;
  bool timed = false;
  bool time_posix = false;                    // time -p
};

enum class ListOp : uint8_t { and_, or_ };
struct AndOr : Node {                         // a && b || c
  std::span<const Node* const> items;
  std::span<const ListOp> ops;                // ops[i] stands before items[i + 1]
};

struct ListItem {
  const Node* node;
  bool background = false;                    // followed by &
  bool newline = false;                       // a newline, not a ; , parts it from the next
};
struct List : Node {                          // a; b & c
  std::span<const ListItem> items;
};

struct Subshell : Node { const Node* body; }; // ( list )
struct Group : Node { const Node* body; };    // { list; }

struct IfClause {
  const Node* condition;                      // null: else
  const Node* body;
};
struct If : Node { std::span<const IfClause> clauses; };

struct While : Node {                         // while c; do b; done
  const Node* condition;
  const Node* body;
  bool until = false;
};

struct For : Node {                           // for x [in words]; do b; done (also select)
  Symbol name;
  std::string_view name_text;                 // as written (an invalid identifier is a run-time error)
  bool has_in = false;                        // false: over "$@"
  std::span<const Word* const> words;
  const Node* body;
};

struct ArithFor : Node {                      // for ((init; test; step)); do b; done
  const Arith* init;                          // null when empty
  const Arith* test;
  const Arith* step;
  const Node* body;
};

enum class CaseEnd : uint8_t { break_, fall_through, test_next };  // ;; ;& ;;&
struct CaseClause {
  std::span<const Word* const> patterns;
  const Node* body;                           // null when empty
  CaseEnd end;
};
struct Case : Node {
  const Word* word;
  std::span<const CaseClause> clauses;
};

struct Function : Node {                      // name() body   function name body
  Symbol name;                                // as written: "f" and $x are run-time errors
  const Node* body;                           // compound command with its own redirects
  bool keyword = false;                       // written with `function`
};

enum class CondKind : uint8_t { and_, or_, not_, group, word, unary, binary };
enum class CondOp : uint8_t {
  none,
  // unary: -a -b ... (the letter is in `letter`)
  unary,
  // binary
  eq,        // == and =   (rhs is a pattern)
  ne,        // !=
  match,     // =~         (rhs is a regular expression)
  lt, gt,    // < >        (text)
  num_eq, num_ne, num_lt, num_le, num_gt, num_ge,
  newer, older, same_file,  // -nt -ot -ef
};
struct CondExpr {
  CondKind kind;
  CondOp op = CondOp::none;
  char letter = 0;                            // unary: f of -f
  const CondExpr* left = nullptr;             // and or; not, group: operand in left
  const CondExpr* right = nullptr;
  const Word* lhs = nullptr;                  // word, unary operand, binary
  const Word* rhs = nullptr;
  std::string_view op_text;                   // as written: == or =, for the printer
};
struct Cond : Node { const CondExpr* expr; };

struct ArithCommand : Node { const Arith* expr; };   // (( expr ))

struct Coproc : Node {                        // coproc [NAME] command
  Symbol name;                                // COPROC when not given
  const Node* body;
};

// Owns one complete command: what Parser::next() gives. A function that was
// defined in it keeps it alive. Its memory is charged to the meter, which must
// outlive it.
struct Program : base::RefCounted {
  explicit Program(limits::Meter& meter) : charge(meter) {}

  base::Arena arena;
  const Node* root = nullptr;                 // null for an empty line
  std::string_view source;                    // the text that was read, for `set -v` and history
  limits::MemoryCharge charge;
};

}  // namespace nacre::parser
