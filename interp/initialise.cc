// The variables that a new bash has before a script sets any.
#include "base/numbers.h"
#include "interp/assign.h"
#include "interp/variables.h"

namespace nacre::interp {
namespace {

struct DynamicRow {
  std::string_view name;
  Dynamic kind;
  VarAttrs attrs;
};
constexpr DynamicRow kDynamic[] = {
    {"BASHOPTS", Dynamic::bashopts, kReadonly},
    {"BASHPID", Dynamic::bashpid, kInteger | kNoAssign},
    {"BASH_ALIASES", Dynamic::bash_aliases, kAssoc},
    {"BASH_ARGV0", Dynamic::bash_argv0, 0},
    {"BASH_CMDS", Dynamic::bash_cmds, kAssoc},
    {"BASH_COMMAND", Dynamic::bash_command, 0},
    {"BASH_LINENO", Dynamic::bash_lineno, kIndexed | kNoAssign},
    {"BASH_SOURCE", Dynamic::bash_source, kIndexed | kNoAssign},
    {"BASH_SUBSHELL", Dynamic::bash_subshell, 0},
    {"DIRSTACK", Dynamic::dirstack, kIndexed},
    {"EPOCHREALTIME", Dynamic::epochrealtime, 0},
    {"EPOCHSECONDS", Dynamic::epochseconds, 0},
    {"FUNCNAME", Dynamic::funcname, kIndexed | kNoAssign},
    {"GROUPS", Dynamic::groups, kIndexed | kNoAssign},
    {"HISTCMD", Dynamic::histcmd, kInteger | kNoAssign},
    {"LINENO", Dynamic::lineno, 0},
    {"PIPESTATUS", Dynamic::pipestatus, kIndexed},
    {"RANDOM", Dynamic::random, kInteger},
    {"SECONDS", Dynamic::seconds, kInteger},
    {"SHELLOPTS", Dynamic::shellopts, kReadonly},
    {"SRANDOM", Dynamic::srandom, kInteger},
};

struct PlainRow {
  std::string_view name, value;
  VarAttrs attrs;
};
constexpr PlainRow kPlain[] = {
    {"BASH", "/usr/bin/bash", 0},
    {"BASH_LOADABLES_PATH",
     "/usr/local/lib/bash:/usr/lib/bash:/opt/local/lib/bash:/usr/pkg/lib/bash:/opt/pkg/lib/bash:.",
     0},
    {"BASH_VERSION", "5.2.15(1)-release", 0},
    {"COMP_WORDBREAKS", " \t\n\"'><=;|&(:", 0},
    {"HOSTTYPE", "x86_64", 0},
    {"IFS", " \t\n", 0},
    {"MACHTYPE", "x86_64-pc-linux-gnu", 0},
    {"OPTERR", "1", 0},
    {"OSTYPE", "linux-gnu", 0},
    {"PS4", "+ ", 0},
    {"TERM", "dumb", 0},
};
constexpr std::string_view kVersionInfo[] = {"5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"};

}  // namespace

void initialise_variables(Process& p) {
  base::SymbolTable& names = p.session.symbols;
  VarTable& vars = p.state.vars;
  for (const DynamicRow& row : kDynamic) {
    Variable& v = vars.create(names.intern(row.name));
    v.dynamic = row.kind;
    v.attrs = row.attrs;
    if (row.kind == Dynamic::funcname) v.attrs |= kUnset;
  }
  for (const PlainRow& row : kPlain) {
    Variable& v = vars.create(names.intern(row.name));
    v.set_text(row.value);
    v.attrs |= row.attrs;
  }
  auto number = [&](std::string_view name, int64_t value, VarAttrs attrs) {
    Variable& v = vars.create(names.intern(name));
    v.set_number(value);
    v.attrs |= attrs;
  };
  number("OPTIND", 1, kInteger);
  number("PPID", 1, kInteger | kReadonly);
  number("UID", p.state.view.credentials().uid, kInteger | kReadonly);
  number("EUID", p.state.view.credentials().uid, kInteger | kReadonly);
  vars.create(names.intern("HOSTNAME")).set_text(p.session.host_name);
  for (std::string_view name : {"BASH_ARGC", "BASH_ARGV"}) {
    Variable& v = vars.create(names.intern(name));
    v.writable_indexed();
    v.attrs = kIndexed;
  }
  Variable& version = vars.create(names.intern("BASH_VERSINFO"));
  for (size_t i = 0; i < std::size(kVersionInfo); ++i)
    version.writable_indexed().at(static_cast<int64_t>(i)) = kVersionInfo[i];
  version.attrs = kIndexed | kReadonly;
}

}  // namespace nacre::interp
