#include "limits/clock.h"

#include <time.h>

namespace nacre::limits {

namespace {

constexpr int64_t kSecond = 1'000'000'000;
// Short enough that cancellation and deadlines take effect within 50 ms.
constexpr int64_t kLongestSleep = 10'000'000;

int64_t read_clock(clockid_t id) {
  timespec t;
  clock_gettime(id, &t);
  return t.tv_sec * kSecond + t.tv_nsec;
}

}  // namespace

int64_t RealClock::wall_now() { return read_clock(CLOCK_REALTIME); }
int64_t RealClock::now() { return read_clock(CLOCK_MONOTONIC); }

void RealClock::wait_until(int64_t until) {
  int64_t left = until - now();
  if (left <= 0) return;
  if (left > kLongestSleep) left = kLongestSleep;
  timespec t{static_cast<time_t>(left / kSecond), static_cast<long>(left % kSecond)};
  // An interrupted sleep is a short one, which the contract allows.
  nanosleep(&t, nullptr);
}

}  // namespace nacre::limits
