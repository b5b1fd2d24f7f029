#include "builtins/shell/signal_table.h"

#include "base/numbers.h"
#include "interp/jobs.h"

namespace nacre::builtins {

void append_signal_table(std::string& out) {
  constexpr int kMostSignals = 64;
  constexpr int kColumns = 5;
  int column = 0;
  for (int n = 1; n <= kMostSignals; ++n) {
    const interp::SignalInfo* info = interp::signal_by_number(n);
    if (!info) continue;
    if (n < 10) out += ' ';
    base::append_int(out, n);
    out += ") ";
    out += info->name;
    column = (column + 1) % kColumns;
    out += column == 0 ? '\n' : '\t';
  }
  if (column != 0) out += '\n';
}

}  // namespace nacre::builtins
