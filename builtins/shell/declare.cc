// declare, typeset and local: options, listings, and the loop over arguments.
#include <algorithm>
#include <string>

#include "base/numbers.h"
#include "builtins/shell/declaration.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/set_listing.h"
#include "builtins/shell/variable_text.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::FunctionDef;
using interp::Process;
using interp::VarAttrs;
using interp::Variable;

extern const Command command_declare;
extern const Command command_typeset;
extern const Command command_local;

namespace {

struct DeclareOptions {
  Declaration declaration;
  bool functions = false;     // -f -F
  bool names_only = false;    // -F
  bool print = false;         // -p
};

void add_attribute(Declaration& d, bool plus, VarAttrs bit, VarAttrs against = 0) {
  if (plus) {
    d.off |= bit;
  } else {
    d.on |= bit;
    d.off |= against;
  }
}

bool parse_options(BuiltinOptions& options, DeclareOptions& o) {
  Declaration& d = o.declaration;
  while (char c = options.next()) {
    const bool plus = options.plus();
    switch (c) {
      case 'a': add_attribute(d, plus, interp::kIndexed); break;
      case 'A': add_attribute(d, plus, interp::kAssoc); break;
      case 'c':
        add_attribute(d, plus, interp::kCapitalize, interp::kUppercase | interp::kLowercase);
        break;
      case 'f':
        if (!plus) o.functions = true;
        break;
      case 'F':
        if (!plus) o.functions = true;
        o.names_only = true;
        break;
      case 'G':
        d.global = d.existing_local = true;
        break;
      case 'g': d.global = !plus; break;
      case 'i': add_attribute(d, plus, interp::kInteger); break;
      case 'I': d.inherit = !plus; break;
      case 'l':
        add_attribute(d, plus, interp::kLowercase, interp::kCapitalize | interp::kUppercase);
        break;
      case 'n': add_attribute(d, plus, interp::kNameref); break;
      case 'p': o.print = true; break;
      case 'r': add_attribute(d, plus, interp::kReadonly); break;
      case 't': add_attribute(d, plus, interp::kTrace); break;
      case 'u':
        add_attribute(d, plus, interp::kUppercase, interp::kCapitalize | interp::kLowercase);
        break;
      case 'x': add_attribute(d, plus, interp::kExported); break;
    }
  }
  return !options.failed();
}

int not_found(Process& p, CommandContext& ctx, const Command& command, std::string_view name) {
  ctx.out.flush();
  interp::builtin_error(p, command.name, std::string(name) + ": not found");
  return 1;
}

const FunctionDef* find_function(Process& p, std::string_view name) {
  base::Symbol s = p.session.symbols.find(name);
  return s == base::kNoSymbol ? nullptr : p.state.functions->find(s);
}

// --- listings ---------------------------------------------------------------

VarAttrs function_attributes(const FunctionDef& f) {
  return (f.exported ? interp::kExported : 0) | (f.readonly ? interp::kReadonly : 0) |
         (f.trace ? interp::kTrace : 0);
}

// The definition, and its attributes when it has any.
void list_function(Process& p, const FunctionDef& f, bool names_only, std::string& out) {
  if (!names_only) append_function(p, f, out);
  if (names_only || function_attributes(f)) append_function_attributes(p, f, out);
}

// Variables bound in the running function; "local -" comes before them.
void list_locals(Process& p, bool names_only, std::string& out) {
  if (p.local_options_level >= 0 && p.local_options_level == p.function_level) out += "local -\n";
  std::vector<base::Symbol> locals = sorted_variables(
      p, [&](base::Symbol s, const Variable&) { return p.state.vars.is_local(s); });
  for (base::Symbol s : locals) {
    std::string line;
    append_declare_line(p, s, Asked::in_a_list, line);
    if (names_only) {
      line.resize(std::min(line.find('='), line.size() - 1));
      line += '\n';
    }
    out += line;
  }
}

void list_all(Process& p, const DeclareOptions& o, std::string& out) {
  const Declaration& d = o.declaration;
  if (d.local) {
    list_locals(p, o.names_only, out);
  } else if (o.functions) {
    for (base::Symbol s : sorted_functions(p)) {
      const FunctionDef& f = *p.state.functions->find(s);
      if (!d.on || (function_attributes(f) & d.on)) list_function(p, f, o.names_only, out);
    }
  } else if (d.on == 0 && !o.print) {
    append_set_listing(p, out);
  } else {
    for (base::Symbol s : sorted_variables(p, [&](base::Symbol, const Variable& v) {
           return d.on == 0 || v.has(d.on);
         }))
      append_declare_line(p, s, Asked::in_a_list, out);
  }
}

int print_names(Process& p, CommandContext& ctx, const Command& command, const DeclareOptions& o,
                Args names) {
  int status = 0;
  std::string out;
  for (std::string_view name : names) {
    out.clear();
    if (o.functions) {
      if (const FunctionDef* f = find_function(p, name)) list_function(p, *f, o.names_only, out);
    } else {
      base::Symbol s = p.session.symbols.find(name);
      if (s != base::kNoSymbol && p.state.vars.find(s) &&
          (!o.declaration.local || p.state.vars.is_local(s)))
        append_declare_line(p, s, Asked::by_name, out);
    }
    if (out.empty()) status = not_found(p, ctx, command, name);
    ctx.out.write(out);
  }
  return status;
}

// --- functions --------------------------------------------------------------

// declare -f [-rtx] NAME: -1 when the command ends here.
int declare_function(Process& p, CommandContext& ctx, const Command& command,
                     const DeclareOptions& o, std::string_view name) {
  const Declaration& d = o.declaration;
  if (parse_target(name).has_value) {
    interp::builtin_error(p, command.name, "cannot use `-f' to make functions");
    return -1;
  }
  base::Symbol s = p.session.symbols.find(name);
  interp::FunctionRef f = s == base::kNoSymbol ? interp::FunctionRef() : p.state.functions->ref(s);
  if (!f) return 1;
  if (f->readonly && (d.off & interp::kReadonly)) {
    interp::builtin_error(p, command.name, std::string(name) + ": readonly function");
    return 1;
  }
  if (d.on == 0 && d.off == 0) {
    std::string out;
    if (!o.names_only) {
      append_function(p, *f, out);
    } else {
      out = name;
      if (p.has(interp::Shopt::extdebug)) {
        out += ' ';
        base::append_uint(out, f->node->line);
        out += ' ';
        out += f->source;
      }
      out += '\n';
    }
    ctx.out.write(out);
    return 0;
  }
  auto changed = base::make_ref<FunctionDef>(*f);
  auto put = [&](VarAttrs bit, bool& flag) {
    if (d.on & bit) flag = true;
    if (d.off & bit) flag = false;
  };
  put(interp::kExported, changed->exported);
  put(interp::kReadonly, changed->readonly);
  put(interp::kTrace, changed->trace);
  base::writable(p.state.functions).set(s, std::move(changed));
  return 0;
}

// --- the commands -----------------------------------------------------------

// `local -`: the options come back when the function returns.
void save_options(Process& p) {
  if (p.local_options_level == p.function_level) return;
  p.saved_options.push_back({p.function_level, p.state.options});
  p.local_options_level = p.function_level;
}

int declare(Process& p, CommandContext& ctx, const Command& command, bool local) {
  BuiltinOptions options(p, ctx, command, "+acfgilnprtuxAFGI");
  DeclareOptions o;
  o.declaration.builtin = command.name;
  o.declaration.local = local;
  if (!parse_options(options, o)) return options.status();
  Args rest = options.rest();
  if (rest.empty()) {
    std::string out;
    list_all(p, o, out);
    ctx.out.write(out);
    return 0;
  }
  if (o.print) return print_names(p, ctx, command, o, rest);

  int status = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (local && rest[i] == "-") {
      save_options(p);
      continue;
    }
    if (o.functions) {
      int r = declare_function(p, ctx, command, o, rest[i]);
      if (r < 0) return 1;
      status |= r;
      continue;
    }
    const parser::Assign* tree = compound_assignment(p, options.rest_index() + i);
    status |= declare_variable(p, o.declaration, rest[i], tree);
    if (p.failure.unwinding()) return status;
  }
  return status;
}

int declare_builtin(Process& p, CommandContext& ctx) {
  return declare(p, ctx, command_declare, false);
}
int typeset_builtin(Process& p, CommandContext& ctx) {
  return declare(p, ctx, command_typeset, false);
}
int local_builtin(Process& p, CommandContext& ctx) {
  if (p.function_level == 0) {
    interp::builtin_error(p, "local", "can only be used in a function");
    return 1;
  }
  return declare(p, ctx, command_local, true);
}

}  // namespace

extern const Command command_declare = {
    "declare",
    "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
    "declare: declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]\n"
    "    Give variables attributes and values, or show them.\n"
    "    \n"
    "    Without a NAME all variables are listed, or those that have one of the\n"
    "    attributes. Inside a function NAMEs become local, as with `local'.\n"
    "    \n"
    "    Options:\n"
    "      -f\tdeal with functions: show their definitions\n"
    "      -F\tshow only the names of functions\n"
    "      -g\tmake global variables, inside functions too\n"
    "      -I\ta new local takes over value and attributes of the variable it hides\n"
    "      -p\tshow each NAME as a command that would declare it\n"
    "    \n"
    "    Attributes (+ instead of - takes them away):\n"
    "      -a\tindexed array\n"
    "      -A\tassociative array\n"
    "      -i\tinteger: what is assigned is evaluated\n"
    "      -l\tlower case on assignment\n"
    "      -n\treference to the variable that the value names\n"
    "      -r\treadonly\n"
    "      -t\ttrace\n"
    "      -u\tupper case on assignment\n"
    "      -x\texported\n"
    "    \n"
    "    Returns 0 unless an option is wrong or a NAME cannot be set.\n",
    CommandKind::builtin, nullptr, declare_builtin, true};

extern const Command command_typeset = {
    "typeset",
    "typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
    "typeset: typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]\n"
    "    The same as `declare'.\n",
    CommandKind::builtin, nullptr, typeset_builtin, true};

extern const Command command_local = {
    "local", "local [option] name[=value] ...",
    "local: local [option] name[=value] ...\n"
    "    Make variables of a function, seen by it and by what it calls.\n"
    "    \n"
    "    The options are those of `declare'. `local -' saves the options of `set'\n"
    "    until the function returns. Without a NAME the locals are listed.\n"
    "    \n"
    "    Returns 0 unless used outside a function, an option is wrong or a NAME\n"
    "    cannot be set.\n",
    CommandKind::builtin, nullptr, local_builtin, true};

}  // namespace nacre::builtins
