// Running trees.
#pragma once

#include <string>
#include <string_view>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

Outcome evaluate(Process& p, const parser::Node& node);

// Reads, parses and runs commands until the end of the source; a syntax error
// is printed and gives status 2 (or ends the source as bash does). Used for
// -c, files, stdin, eval, source, traps.
struct SourceOptions {
  uint32_t first_line = 1;
  // Stands before a syntax error's text: "-c: ", "eval: ", "" for files.
  std::string_view label = {};
  bool verbose = true;          // set -v prints what is read (not for traps)
  bool trace_deeper = true;     // set -x prints one more sign for what is inside
};
Outcome run_source(Process& p, parser::LineSource& source, SourceOptions options = {});
Outcome run_text(Process& p, std::string_view text, SourceOptions options = {});

// Runs `body` in a child process on this fiber (`( )`, `$( )`): gives its status.
int run_subshell(Process& p, const parser::Node& body, Process::ChildKind kind);
// Output of a command substitution, trailing newlines removed, NULs dropped
// with bash's warning; p.status is its status.
bool capture_output(Process& p, const parser::CommandSub& sub, std::string& out);
// <( ) and >( ): starts the process, gives "/dev/fd/63".
bool start_process_substitution(Process& p, const parser::ProcessSub& sub, std::string& path);

// Closes the descriptors of <( ) and >( ) opened since there were `count` of them.
void close_substitutions(Process& p, size_t count);

// Calls a function with arguments (args[0] is its name).
Outcome call_function(Process& p, const FunctionDef& f, Args args);
// The end of a process: EXIT trap; gives the final status.
int finish_process(Process& p, Outcome how);

}  // namespace nacre::interp
