// export and readonly: one attribute for variables or functions.
#include <string>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/shell/declaration.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/variable_text.h"
#include "interp/assign.h"
#include "interp/invoke.h"
#include "interp/process.h"
#include "interp/trace.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::FunctionDef;
using interp::Outcome;
using interp::Process;
using interp::VarAttrs;
using interp::Variable;

extern const Command command_export;
extern const Command command_readonly;

namespace {

struct AttributeOptions {
  const Command& command;
  VarAttrs attribute;
  bool undo = false;        // -n
  bool functions = false;   // -f
  VarAttrs kind = 0;        // -a -A
};

bool& function_flag(FunctionDef& f, VarAttrs attribute) {
  return attribute == interp::kExported ? f.exported : f.readonly;
}

void list_all(Process& p, const AttributeOptions& o, std::string& out) {
  if (o.functions) {
    for (base::Symbol s : sorted_functions(p)) {
      const FunctionDef& f = *p.state.functions->find(s);
      if (!(o.attribute == interp::kExported ? f.exported : f.readonly)) continue;
      if (p.has(interp::SetOption::posix)) {
        out += o.command.name;
        out += " -f ";
        out += p.session.symbols.name(s);
        out += '\n';
      } else {
        append_function(p, f, out);
        append_function_attributes(p, f, out);
      }
    }
    return;
  }
  for (base::Symbol s : sorted_variables(p, [&](base::Symbol, const Variable& v) {
         return v.has(o.attribute) && (!o.kind || v.has(o.kind));
       }))
    append_attribute_line(p, s, o.command.name, out);
}

int change_function(Process& p, const AttributeOptions& o, std::string_view name) {
  base::Symbol s = p.session.symbols.find(name);
  interp::FunctionRef f = s == base::kNoSymbol ? interp::FunctionRef() : p.state.functions->ref(s);
  if (!f) {
    interp::builtin_error(p, o.command.name, std::string(name) + ": not a function");
    return 1;
  }
  const bool on = !o.undo;
  if (o.undo && o.attribute == interp::kReadonly) return 0;  // never undone
  auto changed = base::make_ref<FunctionDef>(*f);
  function_flag(*changed, o.attribute) = on;
  base::writable(p.state.functions).set(s, std::move(changed));
  return 0;
}

// `x=1 export x`: the variable behind the temporary binding gets its value.
Variable* keep_beyond_command(Process& p, base::Symbol s, const Variable& temporary) {
  std::string text(temporary.text());
  VarAttrs attrs = temporary.attrs & ~(interp::kTempEnv | interp::kLocalVar | interp::kUnset);
  // The attributes that the variable had before apply.
  const Variable* old = p.state.vars.find_global(s);
  if (!interp::transform_value(p, old ? old->attrs : 0, text)) return nullptr;
  Variable& kept = p.state.vars.create_global(s);
  kept.set_text(text);
  kept.attrs |= attrs;
  return &kept;
}

int change_variable(Process& p, const AttributeOptions& o, std::string_view argument,
                    const parser::Assign* tree) {
  Target t = parse_target(argument);
  if (!base::is_identifier(t.name) || t.has_subscript) {
    invalid_identifier(p, o.command.name, argument);
    return 1;
  }
  if (tree || (t.has_value && o.kind)) {
    // An array: as declare would make it, but never a local one.
    Declaration d;
    d.builtin = o.command.name;
    d.on = o.kind;
    d.global = d.existing_local = true;
    if (int status = declare_variable(p, d, argument, tree)) return status;
  } else if (t.has_value) {
    interp::AssignFlags flags;
    flags.append = t.append;
    if (p.has(interp::SetOption::xtrace))
      interp::trace_line(p, std::string(t.name) + (t.append ? "+=" : "=") +
                                (t.value.empty() ? std::string() : base::xtrace_quote(t.value)));
    if (!interp::assign_variable(p, p.session.symbols.intern(t.name), t.value, flags)) {
      // A readonly variable is only a status here; a bad expression drops the line.
      const Variable* v = p.state.vars.find(p.session.symbols.intern(t.name));
      if (v && v->has(interp::kReadonly)) p.failure = Outcome();
      return 1;
    }
  }
  base::Symbol s = interp::resolve_nameref(p, p.session.symbols.intern(t.name));
  if (s == base::kNoSymbol) return 1;
  Variable* v = p.state.vars.find_writable(s);
  if (o.undo) {
    if (v && o.attribute != interp::kReadonly) v->attrs &= ~o.attribute;
    return 0;
  }
  if (!v) v = &p.state.vars.create(s);
  v->attrs |= o.attribute;
  if (v->has(interp::kTempEnv)) {
    Variable* kept = keep_beyond_command(p, s, *v);
    if (!kept) return 1;
    kept->attrs |= o.attribute;
  }
  return 0;
}

int change(Process& p, CommandContext& ctx, AttributeOptions o, std::string_view letters) {
  BuiltinOptions options(p, ctx, o.command, letters);
  while (char c = options.next()) {
    switch (c) {
      case 'n': o.undo = true; break;
      case 'f': o.functions = true; break;
      case 'a': o.kind = interp::kIndexed; break;
      case 'A': o.kind = interp::kAssoc; break;
      case 'p': break;
    }
  }
  if (options.failed()) return options.status();
  Args rest = options.rest();
  if (rest.empty()) {
    std::string out;
    list_all(p, o, out);
    ctx.out.write(out);
    return 0;
  }
  int status = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (o.functions) {
      status |= change_function(p, o, rest[i]);
      continue;
    }
    status |= change_variable(p, o, rest[i], compound_assignment(p, options.rest_index() + i));
    if (p.failure.unwinding()) return status;
  }
  return status;
}

int export_builtin(Process& p, CommandContext& ctx) {
  return change(p, ctx, {command_export, interp::kExported}, "fnp");
}
int readonly_builtin(Process& p, CommandContext& ctx) {
  return change(p, ctx, {command_readonly, interp::kReadonly}, "aAfnp");
}

}  // namespace

extern const Command command_export = {
    "export", "export [-fn] [name[=value] ...] or export -p",
    "export: export [-fn] [name[=value] ...] or export -p\n"
    "    Put variables into the environment of the commands that are run.\n"
    "    \n"
    "    Options:\n"
    "      -f\tthe NAMEs are functions\n"
    "      -n\ttake the NAMEs out of the environment\n"
    "      -p\tlist what is exported\n"
    "    \n"
    "    Returns 0 unless an option or a NAME is wrong.\n",
    CommandKind::special, nullptr, export_builtin, true};

extern const Command command_readonly = {
    "readonly", "readonly [-aAf] [name[=value] ...] or readonly -p",
    "readonly: readonly [-aAf] [name[=value] ...] or readonly -p\n"
    "    Forbid changes to variables or functions.\n"
    "    \n"
    "    Options:\n"
    "      -a\tthe NAMEs are indexed arrays\n"
    "      -A\tthe NAMEs are associative arrays\n"
    "      -f\tthe NAMEs are functions\n"
    "      -p\tlist what is readonly\n"
    "    \n"
    "    Returns 0 unless an option or a NAME is wrong.\n",
    CommandKind::special, nullptr, readonly_builtin, true};

}  // namespace nacre::builtins
