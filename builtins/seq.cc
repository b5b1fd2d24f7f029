// seq: numbers from FIRST to LAST.
//
// Whole numbers that count up by a small step are written by adding to the
// decimal digits themselves, at any length and far faster than formatting each.
// All else counts in long double, as the namesake does: the i-th number is
// first + i * step, and the last one is kept or dropped by what its text says
// (seq 0 0.1 0.3 must end in 0.3).
#include <cmath>
#include <cstdio>
#include <string>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/support/float_format.h"
#include "builtins/support/floats.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

constexpr Option kOptions[] = {
    {"f", "format", Takes::required, "FORMAT", "use printf style floating-point FORMAT"},
    {"s", "separator", Takes::required, "STRING", "use STRING to separate numbers (default: \\n)"},
    {"w", "equal-width", Takes::nothing, "", "equalize width by padding with leading zeroes"},
};

constexpr OptionSpec kSpec = {
    .name = "seq",
    .usage = "[OPTION]... LAST\n[OPTION]... FIRST LAST\n[OPTION]... FIRST INCREMENT LAST",
    .intro = "Print numbers from FIRST to LAST, in steps of INCREMENT.",
    .options = kOptions,
    .outro = "If FIRST or INCREMENT is omitted, it defaults to 1.  That is, an\n"
             "omitted INCREMENT defaults to 1 even when LAST is smaller than FIRST.\n"
             "The sequence of numbers ends when the sum of the current number and\n"
             "INCREMENT would become greater than LAST.\n"
             "FIRST, INCREMENT, and LAST are interpreted as floating point values.\n"
             "INCREMENT is usually positive if FIRST is smaller than LAST, and\n"
             "INCREMENT is usually negative if FIRST is greater than LAST.\n"
             "INCREMENT must not be 0; none of FIRST, INCREMENT and LAST may be NaN.\n"
             "FORMAT must be suitable for printing one argument of type 'double';\n"
             "it defaults to %.PRECf if FIRST, INCREMENT, and LAST are all fixed point\n"
             "decimal numbers with maximum precision PREC, and to %g otherwise.",
    .order = Order::stop,
};

constexpr int kNoPrecision = INT32_MAX;

struct Operand {
  long double value = 0;
  size_t width = 0;      // of its plain decimal text
  int precision = 0;     // digits after the point; kNoPrecision: not plain decimal
};

bool read_operand(CommandContext& ctx, std::string_view text, Operand& r) {
  if (!parse_float(text, r.value)) {
    ctx.error("invalid floating point argument: " + base::gnu_locale_quote(text));
    return false;
  }
  if (std::isnan(r.value)) {
    ctx.error("invalid " + base::gnu_locale_quote("not-a-number") + " argument: " +
              base::gnu_locale_quote(text));
    return false;
  }
  while (text.starts_with(' ') || text.starts_with('+')) text.remove_prefix(1);
  r.precision = kNoPrecision;
  size_t point = text.find('.');
  if (point == text.npos && text.find_first_of("pP") == text.npos) r.precision = 0;
  if (text.find_first_of("xX") != text.npos || !std::isfinite(r.value)) return true;
  size_t fraction = 0;
  r.width = text.size();
  if (point != text.npos) {
    size_t end = text.find_first_of("eE", point + 1);
    fraction = (end == text.npos ? text.size() : end) - point - 1;
    r.precision = static_cast<int>(std::min<size_t>(fraction, 1 << 20));
    // "1." is as wide as "1", and ".5" as "0.5".
    if (fraction == 0) --r.width;
    else if (point == 0 || text[point - 1] < '0' || text[point - 1] > '9') ++r.width;
  }
  size_t e = text.find_first_of("eE");
  if (e == text.npos) return true;
  long exponent = std::strtol(std::string(text.substr(e + 1)).c_str(), nullptr, 10);
  if (exponent > (1 << 20) || exponent < -(1 << 20)) {
    r.precision = kNoPrecision;
    return true;
  }
  if (exponent < 0) r.precision += static_cast<int>(-exponent);
  else r.precision -= static_cast<int>(std::min<long>(r.precision, exponent));
  // The width without the exponent, and with what it moves.
  r.width -= text.size() - e;
  if (exponent < 0) {
    if (point != text.npos) {
      if (point == e - 1) ++r.width;
    } else {
      ++r.width;
    }
    exponent = -exponent;
  } else {
    if (point != text.npos && r.precision == 0 && fraction != 0) --r.width;
    exponent -= static_cast<long>(std::min<size_t>(fraction, exponent));
  }
  r.width += static_cast<size_t>(exponent);
  return true;
}

// Digits that count up. first <= last holds at the start, both plain digits
// without leading zeros; `last` empty means without end.
void count_up(CommandContext& ctx, std::string_view first, std::string_view last, unsigned step,
              std::string_view separator) {
  // The number stands at the end of a buffer with room to grow in front.
  size_t room = std::max(first.size(), last.size()) + 32;
  limits::MemoryCharge charge(ctx.meter, static_cast<int64_t>(room));
  std::string digits(room, '0');
  size_t start = room - first.size();
  digits.replace(start, first.size(), first);
  auto current = [&] { return std::string_view(digits).substr(start); };
  uint64_t written = 0;
  ctx.out.write(current());
  while (!ctx.out.has_error()) {
    unsigned carry = step;
    size_t i = room;
    while (carry) {
      if (i == 0) {
        digits.insert(0, 32, '0');
        i += 32;
        start += 32;
        room += 32;
      }
      --i;
      unsigned d = static_cast<unsigned>(digits[i] - '0') + carry;
      if (d < 10) {
        digits[i] = static_cast<char>('0' + d);
        break;
      }
      digits[i] = static_cast<char>('0' + d % 10);
      carry = d / 10;
    }
    while (start > 0 && start > i) --start;
    while (digits[start] == '0' && start < room - 1) ++start;
    if (!last.empty()) {
      size_t size = room - start;
      if (size > last.size() || (size == last.size() && current() > last)) break;
    }
    ctx.out.write(separator);
    ctx.out.write(current());
    if ((++written & 0x1ff) == 0) ctx.meter.charge_work();
  }
  ctx.out.put('\n');
}

std::string_view without_zeros(std::string_view digits) {
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits;
}

bool not_greater(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a <= b;
}

struct Plan {
  Operand first{1, 1, 0}, step{1, 1, 0}, last;
  bool equal_width = false;
  std::string_view separator = "\n";
};

// What one number is printed with: a user's format or a precision and a width.
struct Layout {
  const FloatFormat* format = nullptr;
  int precision = 0;
  size_t width = 0;      // 0: as wide as it is
  bool general = false;  // %Lg

  void append(std::string& out, long double v) const {
    if (format) return format->append(out, v);
    FloatConversion c;
    c.type = general ? 'g' : 'f';
    if (!general) c.precision = precision;
    c.zero = width > 0;
    c.width = static_cast<int>(width);
    append_float(out, v, c);
  }
};

Layout plain_layout(const Plan& plan) {
  Layout layout;
  int precision = std::max(plan.first.precision, plan.step.precision);
  if (precision == kNoPrecision || plan.last.precision == kNoPrecision) {
    layout.general = true;
    return layout;
  }
  layout.precision = precision;
  if (!plan.equal_width) return layout;
  auto padded = [&](const Operand& o, bool cut) {
    size_t width = o.width + static_cast<size_t>(std::max(0, precision - o.precision));
    if (cut && o.precision && precision == 0) --width;      // the point goes
    if (o.precision == 0 && precision) ++width;             // a point comes
    if (cut && o.precision > precision) width -= static_cast<size_t>(o.precision - precision);
    return width;
  };
  layout.width = std::max(padded(plan.first, false), padded(plan.last, true));
  return layout;
}

void count_floats(CommandContext& ctx, const Plan& plan, const Layout& layout) {
  long double first = plan.first.value, step = plan.step.value, last = plan.last.value;
  bool done = step < 0 ? first < last : last < first;
  if (done) return;
  long double x = first;
  std::string text, next;
  for (long double i = 1;; ++i) {
    text.clear();
    layout.append(text, x);
    ctx.out.write(text);
    if (ctx.out.has_error()) return;
    ctx.meter.charge_work();
    long double before = x;
    x = first + i * step;
    if (step < 0 ? x < last : last < x) {
      // Rounding may have carried x beyond LAST although it prints as LAST.
      next.clear();
      layout.append(next, x);
      long double shown;
      bool keep = false;
      std::string_view digits = next;
      if (layout.format) digits = layout.format->number_in(next);
      if (parse_float(digits, shown) && shown == last) {
        std::string previous;
        layout.append(previous, before);
        keep = previous != next;
      }
      if (!keep) break;
    }
    ctx.out.write(plan.separator);
  }
  ctx.out.put('\n');
}

// A negative number is an operand, not an option.
bool is_negative_number(std::string_view arg) {
  return arg.size() > 1 && arg[0] == '-' && (arg[1] == '.' || (arg[1] >= '0' && arg[1] <= '9'));
}

int seq_main(CommandContext& ctx) {
  Plan plan;
  std::string_view format_text;
  bool has_format = false;
  // Options end where a negative number stands.
  size_t end = 1;
  for (; end < ctx.args.size() && !is_negative_number(ctx.args[end]); ++end) {
  }
  interp::CommandContext head{ctx.args.first(end), ctx.in, ctx.out, ctx.err,
                              ctx.fs, ctx.meter, ctx.clock, ctx.host};
  OptionReader options(head, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'f': format_text = options.value(); has_format = true; break;
      case 's': plan.separator = options.value(); break;
      case 'w': plan.equal_width = true; break;
    }
  }
  if (options.done()) return options.status();
  auto operands = ctx.args.subspan(end - options.operands().size());
  if (operands.empty()) return missing_operand(ctx, kSpec);
  if (operands.size() > 3) return extra_operand(ctx, kSpec, operands[3]);
  FloatFormat format;
  if (has_format) {
    std::string error;
    if (!format.compile(format_text, error)) {
      ctx.error(error);
      return 1;
    }
    if (plan.equal_width)
      return options.usage_error(
          "format string may not be specified when printing equal width strings");
  }

  bool all_digits = true;
  for (size_t i = 0; i < operands.size(); ++i)
    if (i != 1 || operands.size() < 3) all_digits &= base::all_digits(operands[i]);
  long double step_value = 1;
  if (operands.size() == 3)
    all_digits &= base::all_digits(operands[1]) && parse_float(operands[1], step_value) &&
                  step_value > 0 && step_value <= 200;
  if (all_digits && !has_format && !plan.equal_width) {
    std::string_view first = operands.size() == 1 ? "1" : without_zeros(operands[0]);
    std::string_view last = without_zeros(operands.back());
    if (not_greater(first, last))
      count_up(ctx, first, last, static_cast<unsigned>(step_value), plan.separator);
    return 0;
  }

  Operand* targets[] = {&plan.first, &plan.step, &plan.last};
  size_t at[] = {0, 1, 2};
  if (operands.size() == 1) at[0] = 2;
  if (operands.size() == 2) at[1] = 2;
  for (size_t i = 0; i < operands.size(); ++i)
    if (!read_operand(ctx, operands[i], *targets[at[i]])) return options.usage_error();
  if (plan.step.value == 0)
    return options.usage_error("invalid Zero increment value: " +
                               base::gnu_locale_quote(operands[1]));

  // Whole numbers that were written in another way (1e3, +1), or without end.
  bool whole = plan.first.precision == 0 && plan.step.precision == 0 && plan.last.precision == 0;
  if (whole && !has_format && !plan.equal_width && std::isfinite(plan.first.value) &&
      plan.first.value >= 0 && plan.last.value >= 0 && !std::signbit(plan.first.value) &&
      plan.step.value > 0 && plan.step.value <= 200 && plan.first.value < 1e18L &&
      (std::isinf(plan.last.value) || plan.last.value < 1e18L)) {
    std::string first = base::int_text(static_cast<int64_t>(plan.first.value));
    std::string last;
    if (!std::isinf(plan.last.value)) last = base::int_text(static_cast<int64_t>(plan.last.value));
    if (last.empty() || not_greater(first, last))
      count_up(ctx, first, last, static_cast<unsigned>(plan.step.value), plan.separator);
    return 0;
  }

  Layout layout = plain_layout(plan);
  if (has_format) layout.format = &format;
  count_floats(ctx, plan, layout);
  return 0;
}

}  // namespace

extern const interp::Command command_seq;
const interp::Command command_seq = {
    .name = "seq",
    .synopsis = "print a sequence of numbers",
    .usage = usage_text<kSpec>(),
    .main = seq_main,
};

}  // namespace nacre::builtins
