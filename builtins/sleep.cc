// sleep: waits for the sum of its operands.
#include <cmath>
#include <string>

#include "base/quoting.h"
#include "builtins/support/floats.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

constexpr OptionSpec kSpec = {
    .name = "sleep",
    .usage = "NUMBER[SUFFIX]...\nOPTION",
    .intro = "Pause for NUMBER seconds.  SUFFIX may be 's' for seconds (the default),\n"
             "'m' for minutes, 'h' for hours or 'd' for days.  NUMBER need not be an\n"
             "integer.  Given two or more arguments, pause for the amount of time\n"
             "specified by the sum of their values.",
};

int sleep_main(CommandContext& ctx) {
  OptionReader options(ctx, kSpec);
  while (options.next()) {
  }
  if (options.done()) return options.status();
  if (options.operands().empty()) return missing_operand(ctx, kSpec);
  long double seconds = 0;
  bool ok = true;
  for (std::string_view text : options.operands()) {
    long double value;
    if (scan_duration(text, value)) {
      seconds += value;
    } else {
      ctx.error("invalid time interval " + base::gnu_locale_quote(text));
      ok = false;
    }
  }
  if (!ok) return options.usage_error();
  int64_t now = ctx.clock.now();
  int64_t until = seconds >= static_cast<long double>(INT64_MAX - now) / 1e9L
                      ? INT64_MAX
                      : now + static_cast<int64_t>(std::ceil(seconds * 1e9L));
  return ctx.host.sleep_until(until) ? 0 : 1;
}

}  // namespace

extern const interp::Command command_sleep;
const interp::Command command_sleep = {
    .name = "sleep",
    .synopsis = "delay for a specified amount of time",
    .usage = usage_text<kSpec>(),
    .main = sleep_main,
};

}  // namespace nacre::builtins
