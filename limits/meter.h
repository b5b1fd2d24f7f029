// The meter: everything a run does is charged here, before it is done.
//
// One Meter belongs to one session and is reset for each exec. Reaching a
// limit throws LimitExceeded; cancellation throws Cancelled. Those two (and
// interp's ProcessExit, for a fiber that is killed) are the only exceptions in
// the library; they are caught at the run's edge and at a fiber's base, and
// nothing in between may swallow them.
//
// Charging is inline and cheap (an add and a compare); the clock and the
// cancellation flag are looked at every few hundred charges (poll()).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "nacre/limits.h"

namespace nacre::limits {

class Clock;

struct LimitExceeded {
  LimitName name;
  int64_t limit;  // as in Limits: milliseconds for the two durations
};
struct Cancelled {};

// "resource limit exceeded: max_commands (limit: 1000)"; durations, which are
// given in milliseconds, read as seconds: "(limit: 5s)".
std::string limit_message(LimitName name, int64_t limit);

class Meter {
 public:
  Meter();

  // Starts a run: resets the per-exec counters (live counters such as memory
  // stay) and sets the deadline. `cancel` may be null; it is read only.
  void begin(const Limits& limits, Clock& clock, const std::atomic<bool>* cancel);
  const Limits& limits() const { return limits_; }

  [[noreturn]] void exceeded(LimitName name) const;

  void charge_command() {
    if (++commands_ > limits_.max_commands) exceeded(LimitName::max_commands);
    tick(1);
  }
  // `iterations` is the loop's own counter.
  void charge_iteration(int64_t& iterations) {
    if (++iterations > limits_.max_loop_iterations) exceeded(LimitName::max_loop_iterations);
    if (++loop_iterations_ > limits_.max_total_loop_iterations)
      exceeded(LimitName::max_total_loop_iterations);
    tick(1);
  }
  // Steps inside a command. One unit is a short constant amount of work (an
  // entry walked, a pattern step, a 4 KiB block moved).
  void charge_work(int64_t units = 1) {
    work_ += units;
    if (work_ > limits_.max_work_units) exceeded(LimitName::max_work_units);
    tick(units);
  }
  void charge_fuel(int64_t units = 1) {
    int64_t before = fuel_;
    fuel_ += units;
    if (fuel_ > limits_.max_parser_fuel) exceeded(LimitName::max_parser_fuel);
    if ((before ^ fuel_) & ~int64_t{0xff}) poll_parser();  // every 256 units
  }
  void charge_output(int64_t bytes) { output_ += bytes; }
  int64_t output_left() const { return limits_.max_output_bytes - output_; }

  // Live bytes. add_memory checks before it adds, so that on a throw nothing
  // was counted; sub_memory refunds. See MemoryCharge below.
  void add_memory(int64_t bytes) {
    if (memory_ + bytes > limits_.max_memory_bytes) exceeded(LimitName::max_memory_bytes);
    memory_ += bytes;
    if (memory_ > peak_memory_) peak_memory_ = memory_;
  }
  void sub_memory(int64_t bytes) { memory_ -= bytes; }
  // The length that a string is about to have.
  void check_string(int64_t bytes) const {
    if (bytes > limits_.max_string_bytes) exceeded(LimitName::max_string_bytes);
  }
  void check_elements(int64_t n) const {
    if (n > limits_.max_array_elements) exceeded(LimitName::max_array_elements);
  }

  // Looks at the clock and the cancellation flag now; throws.
  void poll();
  // The moment (in Clock::now() nanoseconds) at which `timeout` strikes.
  int64_t deadline() const { return deadline_; }
  bool cancelled() const { return cancel_ && cancel_->load(std::memory_order_relaxed); }
  // Opened and closed around parsing; nesting is allowed (only the outermost counts).
  void begin_parse();
  void end_parse();

  struct Counters {
    int64_t commands, loop_iterations, work, fuel, output, memory, peak_memory;
  };
  Counters counters() const {
    return {commands_, loop_iterations_, work_, fuel_, output_, memory_, peak_memory_};
  }

 private:
  void tick(int64_t units) {
    ticks_ += units;
    if (ticks_ >= kPollEvery) {
      ticks_ = 0;
      poll();
    }
  }
  void poll_parser();

  static constexpr int64_t kPollEvery = 512;

  Limits limits_;
  Clock* clock_ = nullptr;
  const std::atomic<bool>* cancel_ = nullptr;
  int64_t commands_ = 0, loop_iterations_ = 0, work_ = 0, fuel_ = 0, output_ = 0;
  int64_t memory_ = 0, peak_memory_ = 0;
  int64_t ticks_ = 0;
  int64_t deadline_ = INT64_MAX;
  int64_t parse_deadline_ = INT64_MAX;
  int parse_depth_ = 0;
};

// A charge of live bytes that refunds itself. set() moves it up or down.
class MemoryCharge {
 public:
  explicit MemoryCharge(Meter& meter, int64_t bytes = 0) : meter_(&meter) { set(bytes); }
  MemoryCharge(MemoryCharge&& o) noexcept : meter_(o.meter_), bytes_(o.bytes_) { o.bytes_ = 0; }
  MemoryCharge& operator=(MemoryCharge&&) = delete;
  MemoryCharge(const MemoryCharge&) = delete;
  ~MemoryCharge() { meter_->sub_memory(bytes_); }
  void set(int64_t bytes) {
    if (bytes > bytes_) meter_->add_memory(bytes - bytes_);
    else meter_->sub_memory(bytes_ - bytes);
    bytes_ = bytes;
  }
  void add(int64_t bytes) { set(bytes_ + bytes); }

 private:
  Meter* meter_;
  int64_t bytes_ = 0;
};

// Counts a level of nesting and refunds it; throws `name` when there are more
// than `limit`.
class DepthGuard {
 public:
  DepthGuard(const Meter& meter, int& depth, int64_t limit, LimitName name) : depth_(depth) {
    if (depth_ >= limit) meter.exceeded(name);
    ++depth_;
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;

 private:
  int& depth_;
};

}  // namespace nacre::limits
