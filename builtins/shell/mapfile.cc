// mapfile and readarray: lines to the elements of an indexed array.
#include <string>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/shell/descriptor.h"
#include "builtins/shell/getopt.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/invoke.h"
#include "interp/process.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Input;
using interp::Outcome;
using interp::Process;
using interp::Variable;

extern const Command command_mapfile;
extern const Command command_readarray;

namespace {

constexpr int64_t kDefaultQuantum = 5000;

struct MapOptions {
  char delimiter = '\n';
  int64_t count = 0;           // 0: all
  int64_t origin = 0;
  bool keep = false;           // -O was given: the array is not cleared
  int64_t skip = 0;
  bool chop = false;
  int fd = 0;
  std::string_view callback;
  bool has_callback = false;
  int64_t quantum = kDefaultQuantum;
};

int fail(Process& p, const Command& command, std::string_view what, std::string_view text) {
  std::string message(what);
  message += ": ";
  message += text;
  interp::builtin_error(p, command.name, message);
  return 1;
}

bool in_range(std::string_view text, int64_t least, int64_t most, int64_t& out) {
  auto n = base::parse_legal_number(text);
  if (!n || *n < least || *n > most) return false;
  out = *n;
  return true;
}

// 0, or the status to return.
int parse_options(Process& p, const Command& command, BuiltinOptions& options, MapOptions& o) {
  while (char c = options.next()) {
    std::string_view value = options.value();
    switch (c) {
      case 'd': o.delimiter = value.empty() ? '\0' : value[0]; break;
      case 'n':
        if (!in_range(value, 0, UINT32_MAX, o.count))
          return fail(p, command, value, "invalid line count");
        break;
      case 'O':
        if (!in_range(value, 0, UINT32_MAX, o.origin))
          return fail(p, command, value, "invalid array origin");
        o.keep = true;
        break;
      case 's':
        if (!in_range(value, 0, UINT32_MAX, o.skip))
          return fail(p, command, value, "invalid line count");
        break;
      case 't': o.chop = true; break;
      case 'u':
        if (!parse_descriptor(p, command.name, value, o.fd)) return 1;
        break;
      case 'C':
        o.callback = value;
        o.has_callback = true;
        break;
      case 'c':
        if (!in_range(value, 1, UINT32_MAX, o.quantum))
          return fail(p, command, value, "invalid callback quantum");
        break;
    }
  }
  return options.failed() ? options.status() : 0;
}

// The array, empty unless it is to be kept. kNoSymbol after a message.
base::Symbol prepare_array(Process& p, const Command& command, std::string_view name, bool keep) {
  base::Symbol symbol = interp::resolve_nameref(p, p.session.symbols.intern(name));
  if (symbol == base::kNoSymbol) return symbol;
  const Variable* old = p.state.vars.find(symbol);
  if (old && old->has(interp::kNoAssign)) return base::kNoSymbol;
  if (old && old->has(interp::kAssoc) && !old->has(interp::kReadonly)) {
    fail(p, command, name, "not an indexed array");
    return base::kNoSymbol;
  }
  Variable* v = interp::make_array(p, symbol, interp::kIndexed);
  if (!v) {
    p.failure = Outcome();
    return base::kNoSymbol;
  }
  if (!keep) {
    interp::VarAttrs attrs = v->attrs;
    v->drop_value();
    v->attrs = attrs;
    v->writable_indexed();
  }
  v->attrs &= ~interp::kUnset;
  return symbol;
}

// CALLBACK index line. False when it unwinds (exit, return).
bool run_callback(Process& p, std::string_view callback, int64_t index, std::string_view line) {
  std::string text(callback);
  text += ' ';
  base::append_int(text, index);
  text += ' ';
  text += base::single_quote(line);
  interp::SourceOptions options;
  options.first_line = p.line;
  Outcome o = interp::run_text(p, text, options);
  if (!o.unwinding()) return true;
  p.failure = o;
  return false;
}

int map_file(Process& p, CommandContext& ctx, const Command& command) {
  BuiltinOptions options(p, ctx, command, "d:u:n:O:tC:c:s:");
  MapOptions o;
  if (int status = parse_options(p, command, options, o)) return status;
  std::string_view name = options.rest().empty() ? "MAPFILE" : options.rest()[0];
  if (name.empty()) {
    interp::builtin_error(p, command.name, "empty array variable name");
    return 2;
  }
  if (!base::is_identifier(name)) {
    std::string text = "`";
    text += name;
    text += "': not a valid identifier";
    interp::builtin_error(p, command.name, text);
    return 1;
  }
  base::Symbol array = prepare_array(p, command, name, o.keep);
  if (array == base::kNoSymbol) return 1;

  Input in(p.state.fds->ref(o.fd), p.meter());
  if (!in) return 0;
  std::string_view line;
  for (int64_t n = 0; n < o.skip; ++n)
    if (!in.read_line(line, o.delimiter)) return 0;
  int64_t index = o.origin;
  for (int64_t n = 1; in.read_line(line, o.delimiter); ++n, ++index) {
    std::string with_delimiter;
    size_t nul = line.find('\0');  // bash keeps C strings
    if (nul != std::string_view::npos) {
      line = line.substr(0, nul);
    } else if (!o.chop && in.had_delimiter() && o.delimiter != '\0') {
      with_delimiter = line;
      with_delimiter += o.delimiter;
      line = with_delimiter;
    }
    std::string kept;
    if (o.has_callback && n % o.quantum == 0) {
      kept = line;
      line = kept;
      if (!run_callback(p, o.callback, index, line)) return p.failure.status;
    }
    if (!interp::assign_element(p, array, index, line)) return 1;
    if (o.count != 0 && n >= o.count) break;
  }
  return 0;
}

int mapfile_builtin(Process& p, CommandContext& ctx) { return map_file(p, ctx, command_mapfile); }
int readarray_builtin(Process& p, CommandContext& ctx) {
  return map_file(p, ctx, command_readarray);
}

}  // namespace

extern const Command command_mapfile = {
    "mapfile",
    "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] "
    "[-c quantum] [array]",
    "mapfile: mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] "
    "[-c quantum] [array]\n"
    "    Read lines into the indexed array ARRAY (MAPFILE when none is named).\n"
    "    \n"
    "    Options:\n"
    "      -d delim\tend lines at the first character of DELIM\n"
    "      -n count\tread at most COUNT lines (0: all)\n"
    "      -O origin\tassign from index ORIGIN on, and keep the other elements\n"
    "      -s count\tskip the first COUNT lines\n"
    "      -t\tremove the delimiter from each line\n"
    "      -u fd\tread from the descriptor FD\n"
    "      -C callback\tevaluate CALLBACK, with the index and the line as arguments,\n"
    "    \t\teach time QUANTUM lines have been read\n"
    "      -c quantum\tthat number of lines (5000)\n"
    "    \n"
    "    Returns 0 unless an option is wrong or ARRAY is readonly or no indexed array.\n",
    CommandKind::builtin, nullptr, mapfile_builtin};

extern const Command command_readarray = {
    "readarray",
    "readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] "
    "[-c quantum] [array]",
    "readarray: readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] "
    "[-C callback] [-c quantum] [array]\n"
    "    The same as `mapfile'.\n",
    CommandKind::builtin, nullptr, readarray_builtin};

}  // namespace nacre::builtins
