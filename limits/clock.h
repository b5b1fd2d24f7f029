// Time as a session sees it. RealClock reads the machine; VirtualClock stands
// still but for what sleeps add, so that a run is deterministic (I5).
#pragma once

#include <cstdint>

namespace nacre::limits {

class Clock {
 public:
  virtual ~Clock() = default;
  // Nanoseconds since the Unix epoch (wall time).
  virtual int64_t wall_now() = 0;
  // Nanoseconds of a monotonic clock; the meter's deadlines are in it.
  virtual int64_t now() = 0;
  // Called by the scheduler when nothing can run before `until` (monotonic
  // ns): RealClock sleeps (in slices, for the caller polls cancellation),
  // VirtualClock jumps. Returns no later than `until`.
  virtual void wait_until(int64_t until) = 0;
};

class RealClock final : public Clock {
 public:
  int64_t wall_now() override;
  int64_t now() override;
  void wait_until(int64_t until) override;  // sleeps at most 10 ms per call
};

class VirtualClock final : public Clock {
 public:
  // Starts at `wall` nanoseconds since the epoch.
  explicit VirtualClock(int64_t wall) : wall_(wall) {}
  int64_t wall_now() override { return wall_ + elapsed_; }
  int64_t now() override { return elapsed_; }
  void wait_until(int64_t until) override {
    if (until > elapsed_) elapsed_ = until;
  }

 private:
  int64_t wall_;
  int64_t elapsed_ = 0;
};

}  // namespace nacre::limits
