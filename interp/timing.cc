// The report of the reserved word `time`.
#include "base/numbers.h"
#include "interp/evaluate_parts.h"
#include "interp/variables.h"

namespace nacre::interp {

TimedSection::TimedSection(Process& p, bool active, bool posix)
    : p_(p), active_(active), posix_(posix) {
  if (active) start_ = p.session.clock->now();
}

namespace {

// One %[p][l]R of TIMEFORMAT. There are no child processes whose CPU time could
// be measured apart, so user and system time are what the fiber ran: unknown, 0.
void append_time(std::string& out, int64_t ns, int precision, bool longer) {
  int64_t total = ns / 1'000'000;  // milliseconds
  int64_t seconds = total / 1000, fraction = total % 1000;
  if (longer) {
    base::append_int(out, seconds / 60);
    out += 'm';
    seconds %= 60;
  }
  base::append_int(out, seconds);
  if (precision > 0) {
    out += '.';
    std::string digits = base::int_text(1000 + fraction).substr(1);
    out += digits.substr(0, static_cast<size_t>(precision));
  }
  if (longer) out += 's';
}

}  // namespace

void TimedSection::report() {
  if (!active_) return;
  int64_t real = p_.session.clock->now() - start_;
  std::string format = variable_or(p_, p_.session.symbols.intern("TIMEFORMAT"),
                                   "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS");
  if (format.empty() && !posix_) return;
  if (posix_) format = "real %2R\nuser %2U\nsys %2S";
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 >= format.size()) {
      out += format[i];
      continue;
    }
    ++i;
    if (format[i] == '%') {
      out += '%';
      continue;
    }
    if (format[i] == 'P') {
      out += "0.00";
      continue;
    }
    int precision = 3;
    bool longer = false;
    if (format[i] >= '0' && format[i] <= '9') {
      precision = std::min(format[i] - '0', 3);
      ++i;
    }
    if (i < format.size() && format[i] == 'l') {
      longer = true;
      ++i;
    }
    char which = i < format.size() ? format[i] : 0;
    if (which == 'R') append_time(out, real, precision, longer);
    else if (which == 'U' || which == 'S') append_time(out, 0, precision, longer);
    else {
      p_.error("TIMEFORMAT: `" + std::string(1, which) + "': invalid format character");
      return;
    }
  }
  out += '\n';
  p_.write_stderr(out);
}

}  // namespace nacre::interp
