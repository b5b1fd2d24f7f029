// compgen: the completions that a specification made of its options gives.
//
// Matches come in bash's order: the actions in a fixed order of their own, then
// -G, -W, -F and -C; the filter and the affixes work on all of them. They are
// not sorted, and duplicates stay.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/shell/completion.h"
#include "builtins/shell/completion_names.h"
#include "builtins/shell/completion_words.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/expand.h"
#include "interp/variables.h"

namespace nacre::builtins {

extern const interp::Command command_compgen;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::CompletionSpec;
using interp::FieldList;
using interp::Flow;
using interp::Outcome;
using interp::Process;

namespace {

void add_glob(Process& p, const CompletionSpec& spec, CompletionMatches& out) {
  FieldList paths(p.scratch());
  interp::glob_paths(p, spec.glob, paths);
  for (std::string_view path : paths.view()) out.add(path);
}

void add_words(Process& p, const CompletionSpec& spec, std::string_view word,
               CompletionMatches& out) {
  std::string prefix = dequote_word(word);
  FieldList words(p.scratch());
  expand_word_list(p, spec.words, words);
  for (std::string_view w : words.view())
    if (w.starts_with(prefix)) out.add(w);
}

// Variables that a completion function may look at; nothing is being edited.
void set_completion_variables(Process& p) {
  base::SymbolTable& names = p.session.symbols;
  interp::assign_variable(p, names.intern("COMP_LINE"), "");
  interp::assign_variable(p, names.intern("COMP_POINT"), "0");
  interp::assign_variable(p, names.intern("COMP_TYPE"), "0");
  interp::assign_variable(p, names.intern("COMP_KEY"), "0");
  interp::assign_array(p, names.intern("COMP_WORDS"), {});
  interp::assign_variable(p, names.intern("COMP_CWORD"), "-1");
}
void unset_completion_variables(Process& p) {
  for (std::string_view name : {"COMP_LINE", "COMP_POINT", "COMP_TYPE", "COMP_KEY", "COMP_WORDS",
                                "COMP_CWORD", "COMPREPLY"})
    if (base::Symbol s = p.session.symbols.find(name); s != base::kNoSymbol) p.state.vars.unset(s);
}

// False when the function made the shell unwind.
bool add_from_function(Process& p, const CompletionSpec& spec, std::string_view word,
                       CompletionMatches& out) {
  base::Symbol s = p.session.symbols.find(spec.function);
  const interp::FunctionDef* f = s == base::kNoSymbol ? nullptr : p.state.functions->find(s);
  if (!f) {
    p.error("completion: function `" + spec.function + "' not found");
    return true;
  }
  set_completion_variables(p);
  const std::string_view args[] = {spec.function, "compgen", word, ""};
  Outcome o = interp::call_function(p, *f, args);
  if (o.flow == Flow::exit || o.flow == Flow::discard) {
    p.failure = o;
    return false;
  }
  base::Symbol reply = p.session.symbols.intern("COMPREPLY");
  if (interp::element_count(p, reply) > 0) {
    FieldList values(p.scratch());
    if (interp::read_all_elements(p, reply, values, nullptr))
      for (std::string_view v : values.view()) out.add(v);
  }
  unset_completion_variables(p);
  return true;
}

// The lines that `COMMAND compgen WORD ''` prints.
bool add_from_command(Process& p, const CompletionSpec& spec, std::string_view word,
                      CompletionMatches& out) {
  std::string text = "$(";
  text += spec.command;
  text += " 'compgen' ";
  text += base::single_quote(word);
  text += " '')";
  std::string lines;
  set_completion_variables(p);
  bool expanded = interp::expand_prompt_text(p, text, lines);
  unset_completion_variables(p);
  if (!expanded) return false;
  for (size_t pos = 0; pos < lines.size();) {
    size_t end = std::min(lines.find('\n', pos), lines.size());
    out.add(std::string_view(lines).substr(pos, end - pos));
    pos = end + 1;
  }
  return true;
}

// -X: removes what matches; with `!`, what does not. & stands for the word.
void filter(Process& p, const CompletionSpec& spec, std::string_view word, CompletionMatches& m) {
  if (!spec.has_filter || spec.filter.empty()) return;
  std::string pattern;
  for (size_t i = 0; i < spec.filter.size(); ++i) {
    char c = spec.filter[i];
    if (c == '\\' && i + 1 < spec.filter.size()) {
      if (spec.filter[i + 1] != '&') pattern += c;
      pattern += spec.filter[++i];
    } else if (c == '&') {
      pattern += word;
    } else {
      pattern += c;
    }
  }
  bool negated = pattern.starts_with('!');
  if (negated) pattern.erase(0, 1);
  regex::PatternOptions options;
  options.extglob = true;
  const regex::Pattern& compiled = p.session.patterns.pattern(pattern, options, p.meter());
  std::erase_if(m.texts, [&](const std::string& text) {
    return compiled.matches(text, p.meter()) != negated;
  });
}

void affix(const CompletionSpec& spec, CompletionMatches& m) {
  if (!spec.has_prefix && !spec.has_suffix) return;
  for (std::string& text : m.texts) {
    text.insert(0, spec.prefix);
    text += spec.suffix;
  }
}

int compgen_builtin(Process& p, CommandContext& ctx) {
  if (ctx.args.size() == 1) return 0;
  int status = 0;
  auto request = parse_completion(p, ctx, command_compgen, status);
  if (!request) return status;
  if (!request->any) return 0;
  const CompletionSpec& spec = request->spec;
  std::string_view word = request->operands.empty() ? std::string_view() : request->operands[0];
  if (spec.has_function) say(p, "compgen", "warning: -F option may not work as you expect");
  if (spec.has_command) say(p, "compgen", "warning: -C option may not work as you expect");
  CompletionMatches matches(p);
  add_names(p, spec, word, matches);
  if (spec.has_glob) add_glob(p, spec, matches);
  if (spec.has_words) add_words(p, spec, word, matches);
  if (spec.has_function && !add_from_function(p, spec, word, matches)) return 1;
  if (spec.has_command && !add_from_command(p, spec, word, matches)) return 1;
  filter(p, spec, word, matches);
  affix(spec, matches);
  if ((matches.texts.empty() && has_option(spec, CompletionOption::dirnames)) ||
      has_option(spec, CompletionOption::plusdirs))
    add_paths(p, word, PathKind::directories, matches);
  if (matches.texts.empty() && (has_option(spec, CompletionOption::default_) ||
                                has_option(spec, CompletionOption::bashdefault)))
    add_paths(p, word, PathKind::all, matches);
  for (const std::string& text : matches.texts) ctx.out << text << "\n";
  return matches.texts.empty() ? 1 : 0;
}

}  // namespace

const Command command_compgen = {
    "compgen",
    "compgen [-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C "
    "command] [-X filterpat] [-P prefix] [-S suffix] [word]",
    "compgen: compgen [-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] "
    "[-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [word]\n"
    "    Print what a word may be completed to.\n"
    "    \n"
    "    The options make a specification as they do for `complete'; what it gives\n"
    "    for WORD is printed, one completion a line.\n"
    "    \n"
    "    Options:\n"
    "      -A action\tnames of a kind: alias, arrayvar, builtin, command,\n"
    "    \t\tdirectory, disabled, enabled, export, file, function, group,\n"
    "    \t\thelptopic, hostname, job, keyword, running, service, setopt,\n"
    "    \t\tshopt, signal, stopped, user, variable (-a, -b, -c, -d, -e,\n"
    "    \t\t-f, -g, -j, -k, -s, -u and -v are short for some)\n"
    "      -G globpat\tthe paths that a pattern matches\n"
    "      -W wordlist\tthe words of a list, after expansion\n"
    "      -F function\twhat a function leaves in COMPREPLY\n"
    "      -C command\tthe lines that a command prints\n"
    "      -X filterpat\tleave out what matches the pattern\n"
    "      -P prefix\tput PREFIX before each\n"
    "      -S suffix\tput SUFFIX behind each\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless there is no completion or an option is invalid.\n",
    CommandKind::builtin, nullptr, compgen_builtin};

}  // namespace nacre::builtins
