#include "limits/meter.h"

#include "base/numbers.h"
#include "limits/clock.h"

namespace nacre::limits {

namespace {

constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;

// The moment `milliseconds` after `now`; INT64_MAX when that is too far to say.
int64_t deadline_after(int64_t now, int64_t milliseconds) {
  int64_t span, at;
  if (__builtin_mul_overflow(milliseconds, kNanosecondsPerMillisecond, &span) ||
      __builtin_add_overflow(now, span, &at))
    return INT64_MAX;
  return at;
}

bool is_duration(LimitName name) {
  return name == LimitName::timeout || name == LimitName::parse_timeout;
}

// 5000 is "5s", 2500 is "2.5s".
void append_seconds(std::string& out, int64_t milliseconds) {
  base::append_int(out, milliseconds / 1000);
  if (int64_t rest = milliseconds % 1000; rest > 0) {
    char digits[] = {'.', static_cast<char>('0' + rest / 100),
                     static_cast<char>('0' + rest / 10 % 10), static_cast<char>('0' + rest % 10)};
    size_t n = sizeof digits;
    while (digits[n - 1] == '0') --n;
    out.append(digits, n);
  }
  out += 's';
}

}  // namespace

Meter::Meter() = default;

void Meter::begin(const Limits& limits, Clock& clock, const std::atomic<bool>* cancel) {
  limits_ = limits;
  clock_ = &clock;
  cancel_ = cancel;
  commands_ = loop_iterations_ = work_ = fuel_ = output_ = 0;
  peak_memory_ = memory_;
  ticks_ = 0;
  deadline_ = deadline_after(clock.now(), limits.timeout);
  parse_deadline_ = INT64_MAX;
  parse_depth_ = 0;
}

void Meter::exceeded(LimitName name) const { throw LimitExceeded{name, limits_.get(name)}; }

void Meter::poll() {
  if (cancelled()) throw Cancelled{};
  if (clock_ && clock_->now() >= deadline_) exceeded(LimitName::timeout);
}

void Meter::begin_parse() {
  if (parse_depth_++ == 0 && clock_)
    parse_deadline_ = deadline_after(clock_->now(), limits_.parse_timeout);
}

void Meter::end_parse() {
  if (--parse_depth_ == 0) parse_deadline_ = INT64_MAX;
}

void Meter::poll_parser() {
  poll();
  if (clock_ && clock_->now() >= parse_deadline_) exceeded(LimitName::parse_timeout);
}

std::string limit_message(LimitName name, int64_t limit) {
  std::string text = "resource limit exceeded: ";
  text += limit_text(name);
  text += " (limit: ";
  if (is_duration(name)) append_seconds(text, limit);
  else base::append_int(text, limit);
  text += ')';
  return text;
}

}  // namespace nacre::limits
