#include "builtins/shell/printf_time.h"

#include "base/time_format.h"
#include "base/time_zone.h"
#include "interp/variables.h"

namespace nacre::builtins {

void append_printf_time(interp::Process& p, std::string& out, std::string_view format,
                        int64_t seconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t wall = p.session.clock->wall_now();
  if (seconds == -1) seconds = wall / kSecond;
  else if (seconds == -2)
    seconds = (wall - (p.session.clock->now() - p.state.seconds_base)) / kSecond;
  base::TimeZone zone = base::TimeZone::parse(interp::variable_or(p, p.session.names.tz, ""));
  // strftime(3) knows neither %N nor %:z; what `date` makes of them is kept out.
  std::string known;
  for (size_t i = 0; i < format.size(); ++i) {
    known += format[i];
    if (format[i] != '%' || i + 1 >= format.size()) continue;
    if (format[i + 1] == 'N' || format[i + 1] == ':') known += '%';
    else known += format[++i];
  }
  base::append_time(out, known, zone.civil(seconds), seconds);
}

}  // namespace nacre::builtins
