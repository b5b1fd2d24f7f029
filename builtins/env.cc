// env: shows the environment, or runs a command in a changed one.
#include <algorithm>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/support/options.h"
#include "builtins/support/run_command.h"
#include "builtins/support/signals.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

enum : int { kBlock = kLongOnly, kDefault, kIgnore, kListSignals };

constexpr Option kOptions[] = {
    {"i", "ignore-environment", Takes::nothing, "", "start with an empty environment"},
    {"0", "null", Takes::nothing, "", "end each output line with NUL, not newline"},
    {"u", "unset", Takes::required, "NAME", "remove variable from the environment"},
    {"C", "chdir", Takes::required, "DIR", "change working directory to DIR"},
    {"S", "split-string", Takes::required, "S", "process and split S into separate arguments;\n"
     "used to pass multiple arguments on shebang lines"},
    {"", "block-signal", Takes::optional, "SIG", "block delivery of SIG signal(s) to COMMAND",
     kBlock},
    {"", "default-signal", Takes::optional, "SIG",
     "reset handling of SIG signal(s) to the default", kDefault},
    {"", "ignore-signal", Takes::optional, "SIG", "set handling of SIG signal(s) to do nothing",
     kIgnore},
    {"", "list-signal-handling", Takes::nothing, "",
     "list non default signal handling to stderr", kListSignals},
    {"v", "debug", Takes::nothing, "", "print verbose information for each processing step"},
};

constexpr OptionSpec kSpec = {
    .name = "env",
    .usage = "[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    .intro = "Set each NAME to VALUE in the environment and run COMMAND.",
    .options = kOptions,
    .outro = "A mere - implies -i.  If no COMMAND, print the resulting environment.",
    .column = 28,
    .failure = 125,
    .order = Order::stop,
};

// Splits the text of -S: words between blanks, quotes, escapes, ${NAME}, # to
// the end. On an error `error` is set.
class Splitter {
 public:
  Splitter(CommandContext& ctx, std::string_view text) : ctx_(ctx), s_(text) {}

  bool split(std::vector<std::string>& words, std::string& error) {
    bool in_word = false, single = false, double_ = false;
    std::string word;
    auto begin = [&] {
      in_word = true;
    };
    auto end = [&] {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    };
    for (size_t i = 0; i < s_.size(); ++i) {
      char c = s_[i];
      if (c == '\'' && !double_) {
        begin();
        single = !single;
      } else if (c == '"' && !single) {
        begin();
        double_ = !double_;
      } else if (!single && !double_ && is_blank(c)) {
        end();
      } else if (c == '#' && !in_word) {
        break;
      } else if (c == '\\') {
        char e = i + 1 < s_.size() ? s_[i + 1] : 0;
        if (single && e != '\\' && e != '\'') {
          word += c;
          continue;
        }
        ++i;
        begin();
        switch (e) {
          case '"': case '#': case '$': case '\'': case '\\': word += e; break;
          case '_':
            if (double_) {
              word += ' ';
            } else {
              if (word.empty()) in_word = false;
              end();
            }
            break;
          case 'c':
            if (double_) {
              error = "'\\c' must not appear in double-quoted -S string";
              return false;
            }
            if (word.empty()) in_word = false;
            end();
            return true;
          case 'f': word += '\f'; break;
          case 'n': word += '\n'; break;
          case 'r': word += '\r'; break;
          case 't': word += '\t'; break;
          case 'v': word += '\v'; break;
          case 0:
            error = "invalid backslash at end of string in -S";
            return false;
          default:
            error = std::string("invalid sequence '\\") + e + "' in -S";
            return false;
        }
      } else if (c == '$' && !single) {
        begin();
        size_t close = i + 1 < s_.size() && s_[i + 1] == '{' ? s_.find('}', i) : s_.npos;
        std::string_view name =
            close == s_.npos ? std::string_view() : s_.substr(i + 2, close - i - 2);
        if (!base::is_identifier(name)) {
          error = "only ${VARNAME} expansion is supported, error at: ";
          error += s_.substr(i);
          return false;
        }
        if (auto value = ctx_.host.getenv(name)) word += *value;
        i = close;
      } else {
        begin();
        word += c;
      }
      ctx_.meter.check_string(static_cast<int64_t>(word.size()));
    }
    if (single || double_) {
      error = "no terminating quote in -S string";
      return false;
    }
    end();
    return true;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  CommandContext& ctx_;
  std::string_view s_;
};

void set_variable(std::vector<std::string>& environment, std::string_view assignment) {
  std::string_view name = assignment.substr(0, assignment.find('=') + 1);
  for (std::string& e : environment) {
    if (e.starts_with(name)) {
      e = assignment;
      return;
    }
  }
  environment.emplace_back(assignment);
}

void unset_variable(std::vector<std::string>& environment, std::string_view name) {
  std::erase_if(environment, [&](const std::string& e) {
    return e.size() > name.size() && e[name.size()] == '=' && e.starts_with(name);
  });
}

// The arguments with -S strings taken apart; these are what env then reads.
// The views point into `kept`, which must not move.
bool expand_split_strings(CommandContext& ctx, std::vector<std::string>& kept, std::string& error) {
  kept.assign(ctx.args.begin(), ctx.args.end());
  for (size_t i = 1; i < kept.size(); ++i) {
    ctx.meter.charge_work();
    std::string arg = kept[i];
    if (arg.size() < 2 || arg[0] != '-' || arg == "--") break;
    std::string text;
    size_t used = 1;
    if (arg.starts_with("--")) {
      size_t equal = arg.find('=');
      std::string name = arg.substr(2, equal == arg.npos ? arg.npos : equal - 2);
      if (name.empty() || !std::string_view("split-string").starts_with(name)) {
        bool value = equal == arg.npos && !name.empty() &&
                     (std::string_view("unset").starts_with(name) ||
                      std::string_view("chdir").starts_with(name));
        i += value;
        continue;
      }
      if (equal != arg.npos) text = arg.substr(equal + 1);
      else if (i + 1 < kept.size()) text = kept[i + 1], used = 2;
      else break;
      arg.clear();
    } else {
      size_t at = arg.find_first_of("SuC", 1);
      if (at == arg.npos) continue;
      if (arg[at] != 'S') {
        i += at + 1 == arg.size();
        continue;
      }
      if (at + 1 < arg.size()) text = arg.substr(at + 1);
      else if (i + 1 < kept.size()) text = kept[i + 1], used = 2;
      else break;
      arg.resize(at);
    }
    std::vector<std::string> words;
    if (!Splitter(ctx, text).split(words, error)) return false;
    kept.erase(kept.begin() + static_cast<ptrdiff_t>(i),
               kept.begin() + static_cast<ptrdiff_t>(i + used));
    if (arg.size() > 1) words.insert(words.begin(), arg);
    kept.insert(kept.begin() + static_cast<ptrdiff_t>(i), words.begin(), words.end());
    ctx.meter.check_elements(static_cast<int64_t>(kept.size()));
    // What came out may hold options, -S among them, though not for ever: each
    // round takes a -S away and quotes one level.
    --i;
  }
  return true;
}

// The names in --ignore-signal=INT,TERM; empty means all.
bool known_signals(CommandContext& ctx, OptionReader& options) {
  std::string_view list = options.value();
  while (!list.empty()) {
    size_t comma = list.find(',');
    std::string_view word = list.substr(0, comma);
    if (signal_number(word) <= 0) {
      ctx.error(base::gnu_locale_quote(word) + ": invalid signal");
      options.usage_error();
      return false;
    }
    list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
  }
  return true;
}

int env_main(CommandContext& outer) {
  std::vector<std::string> kept;
  std::string error;
  if (!expand_split_strings(outer, kept, error)) {
    outer.error(error);
    return 125;
  }
  limits::MemoryCharge charge(outer.meter, static_cast<int64_t>(kept.size() * 48));
  std::vector<std::string_view> args(kept.begin(), kept.end());
  CommandContext ctx{args, outer.in, outer.out, outer.err, outer.fs, outer.meter, outer.clock,
                     outer.host};

  bool clear = false, verbose = false;
  char end = '\n';
  std::string_view directory;
  bool has_directory = false;
  std::vector<std::string_view> unset;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'i': clear = true; break;
      case '0': end = '\0'; break;
      case 'u': unset.push_back(options.value()); break;
      case 'C': directory = options.value(); has_directory = true; break;
      case 'S': break;  // taken apart before
      case 'v': verbose = true; break;
      case kListSignals: break;  // all signals have their default handling
      case kBlock:
      case kDefault:
      case kIgnore:
        if (!known_signals(ctx, options)) {
          options.finish(125);
        } else if (id != kDefault) {
          // A command here has no signal mask of its own.
          ctx.host.unsupported("env", id == kBlock ? "--block-signal" : "--ignore-signal");
          ctx.error(std::string("unsupported option --") +
                    (id == kBlock ? "block-signal" : "ignore-signal"));
          options.finish(125);
        }
        break;
    }
  }
  if (options.done()) return options.status();

  auto operands = options.operands();
  if (!operands.empty() && operands[0] == "-") {
    clear = true;
    operands = operands.subspan(1);
  }
  auto debug = [&](std::string_view a, std::string_view b = {}) {
    if (!verbose) return;
    ctx.out.flush();
    ctx.err << a << b << "\n";
  };
  std::vector<std::string> environment;
  if (clear) {
    debug("cleaning environ");
  } else {
    environment = ctx.host.environment();
  }
  for (std::string_view name : unset) {
    if (name.empty() || name.find('=') != name.npos) {
      ctx.error("cannot unset " + base::gnu_locale_quote(name), std::errc::invalid_argument);
      return 125;
    }
    debug("unset:    ", name);
    unset_variable(environment, name);
  }
  size_t i = 0;
  for (; i < operands.size() && operands[i].find('=') != std::string_view::npos; ++i) {
    debug("setenv:   ", operands[i]);
    set_variable(environment, operands[i]);
  }
  auto command = operands.subspan(i);
  if (command.empty()) {
    if (has_directory) return options.usage_error("must specify command with --chdir (-C)");
    for (const std::string& e : environment) {
      ctx.out.write(e);
      ctx.out.put(end);
    }
    return 0;
  }
  if (end == '\0') return options.usage_error("cannot specify --null (-0) with command");
  interp::RunOptions run;
  run.environment = &environment;
  if (has_directory) {
    vfs::View probe = ctx.fs;
    if (auto moved = probe.chdir(directory); !moved) {
      ctx.error("cannot change directory to " + base::gnu_quote(directory), moved.error());
      return 125;
    }
    debug("chdir:    ", base::gnu_quote(directory));
    run.cwd = directory;
  }
  if (verbose) {
    debug("executing: ", command[0]);
    for (size_t k = 0; k < command.size(); ++k) {
      std::string line = "   arg[";
      base::append_uint(line, k);
      debug(line += "]= ", base::gnu_locale_quote(command[k]));
    }
  }
  return run_or_report(ctx, command, run);
}

}  // namespace

extern const interp::Command command_env;
const interp::Command command_env = {
    .name = "env",
    .synopsis = "run a command in a changed environment",
    .usage = usage_text<kSpec>(),
    .main = env_main,
};

}  // namespace nacre::builtins
