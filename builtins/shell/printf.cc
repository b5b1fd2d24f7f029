// printf: the builtin. The formatter is in printf_format.h.
#include <string>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/shell/declaration.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/printf_format.h"
#include "builtins/shell/printf_time.h"
#include "interp/assign.h"
#include "interp/invoke.h"
#include "interp/process.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::Outcome;
using interp::Process;

extern const Command command_printf;

namespace {

class BashPrintf final : public PrintfHost {
 public:
  explicit BashPrintf(Process& p) : p_(p) {}

  void number_error(NumberError e, std::string_view text, std::string_view) override {
    std::string message;
    if (e == NumberError::range) {
      message = "warning: ";
      message += text;
      message += ": Numerical result out of range";
    } else {
      message = text;
      if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9')
        message += ": invalid octal number";
      else if (text.starts_with("0x")) message += ": invalid hex number";
      else message += ": invalid number";
    }
    interp::builtin_error(p_, "printf", message);
  }
  void missing_digits(char letter) override {
    std::string message = letter == 'x' ? "missing hex digit for \\" : "missing unicode digit for \\";
    interp::builtin_error(p_, "printf", message + letter);
  }
  void missing_format(std::string_view spec) override {
    interp::builtin_error(p_, "printf",
                          "`" + std::string(spec) + "': missing format character");
  }
  void invalid_format(std::string_view, char conversion) override {
    interp::builtin_error(p_, "printf",
                          std::string("`") + conversion + "': invalid format character");
  }
  std::string quoted(std::string_view text) override { return base::backslash_quote(text); }
  void invalid_time_format(char c) override {
    interp::builtin_error(p_, "printf",
                          std::string("warning: `") + c + "': invalid time format specification");
  }
  void append_time(std::string& out, std::string_view format, bool has_argument,
                   int64_t argument) override {
    append_printf_time(p_, out, format, has_argument ? argument : -1);
  }
  bool assign_count(std::string_view name, int64_t count) override {
    if (!base::is_identifier(name)) {
      invalid_identifier(p_, "printf", name);
      return false;
    }
    return interp::assign_number(p_, p_.session.symbols.intern(name), count);
  }

 private:
  Process& p_;
};

bool is_target(std::string_view s) {
  Target t = parse_target(s);
  return base::is_identifier(t.name) && !t.has_value;
}

int assign_result(Process& p, std::string_view target, std::string_view text, int status) {
  const bool ok = base::is_identifier(target)
                      ? interp::assign_variable(p, p.session.symbols.intern(target), text)
                      : interp::assign_target(p, target, text, "printf");
  if (ok) return status;
  base::Symbol s = p.session.symbols.find(parse_target(target).name);
  const interp::Variable* v = s == base::kNoSymbol ? nullptr : p.state.vars.find(s);
  const bool readonly = v && v->has(interp::kReadonly);
  p.failure = readonly ? Outcome() : Outcome(1, p.runs_string ? Flow::exit : Flow::discard);
  return 1;
}

int printf_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_printf, "v:");
  std::string_view target;
  bool to_variable = false;
  while (options.next()) {
    target = options.value();
    to_variable = true;
    if (!is_target(target)) {
      invalid_identifier(p, "printf", target);
      return 2;
    }
  }
  if (options.failed()) return options.status();
  Args rest = options.rest();
  if (rest.empty()) return interp::builtin_usage(p, command_printf);
  BashPrintf host(p);
  if (to_variable) {
    std::string text;
    PrintfSink sink(text, p.meter());
    int status = PrintfFormatter(host, sink, p.meter()).run(rest[0], rest.subspan(1));
    return assign_result(p, target, text, status);
  }
  PrintfSink sink(ctx.out);
  return PrintfFormatter(host, sink, p.meter()).run(rest[0], rest.subspan(1));
}

}  // namespace

extern const Command command_printf = {
    "printf", "printf [-v var] format [arguments]",
    "printf: printf [-v var] format [arguments]\n"
    "    Print arguments as FORMAT says.\n"
    "    \n"
    "    Options:\n"
    "      -v var\tput the text into the variable VAR\n"
    "    \n"
    "    FORMAT is used again as long as there are arguments; those that are\n"
    "    missing count as empty or 0. Besides the conversions of printf(1), the\n"
    "    escapes of C in FORMAT, and %% there are\n"
    "    \n"
    "      %b\tthe argument with its backslash escapes expanded\n"
    "      %q\tthe argument quoted for the shell\n"
    "      %Q\tthe same, but a precision applies before the quoting\n"
    "      %(fmt)T\ta time in seconds as strftime(3) prints it by FMT; -1 is now,\n"
    "    \t\t-2 the start of the shell\n"
    "    \n"
    "    Returns 0 unless an option, a number or the format is wrong.\n",
    CommandKind::builtin, nullptr, printf_builtin};

}  // namespace nacre::builtins
