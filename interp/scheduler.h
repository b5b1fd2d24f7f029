// Fibers and their scheduler: cooperative, single-threaded, in a fixed order.
//
// A Fiber is a stackful coroutine on a guarded stack from a pool (Boost.Context
// does the switch). The scheduler runs fibers round-robin from one FIFO queue;
// a fiber gives way only where it blocks (WaitQueue), sleeps, or calls yield().
// Nothing here knows of shells: interp's processes sit on top.
//
// Unwinding: a fiber that is killed gets its wake-up with Wake::killed; the
// blocking call that it sits in then throws FiberKilled, which the fiber's base
// (inside Fiber) catches. An exception of any other type that leaves a fiber's
// body (LimitExceeded, Cancelled) is kept by the scheduler, every other fiber
// is killed, and it is thrown again from run() on the main fiber's caller.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "limits/clock.h"
#include "limits/meter.h"

namespace nacre::interp {

// Thrown at a blocking point of a fiber that has been killed.
struct FiberKilled {};

class Fiber;
class Scheduler;

enum class Wake : uint8_t {
  notified,     // the queue was notified
  timed_out,    // the deadline passed
  interrupted,  // Scheduler::interrupt(): look at the process's pending signals
};

// Fibers that wait for one thing, in order of arrival.
class WaitQueue {
 public:
  WaitQueue() = default;
  WaitQueue(const WaitQueue&) = delete;
  ~WaitQueue();
  bool empty() const { return waiting_.empty(); }
  void notify_one();
  void notify_all();

 private:
  friend class Scheduler;
  std::vector<Fiber*> waiting_;
};

class Scheduler {
 public:
  Scheduler(limits::Meter& meter, limits::Clock& clock);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;

  // Runs `body` as the main fiber (on a large, lazily committed stack of its
  // own: 64 MiB by default) until it returns; other fibers run when it blocks.
  // When it has returned, fibers still alive are killed and unwound. Throws
  // what any fiber's body threw. Re-entry is not allowed.
  void run(const std::function<void()>& body);
  bool running() const { return current_ != nullptr; }

  // Starts a fiber at the back of the queue; it does not run yet. Throws
  // LimitExceeded(max_jobs) when too many are alive. The handle stays valid
  // until release(); `done` below tells whether it has ended.
  Fiber* spawn(std::function<void()> body);
  void release(Fiber* fiber);            // the owner no longer needs the handle
  static bool done(const Fiber* fiber);
  Fiber* current() const { return current_; }
  int live() const { return live_; }     // fibers that have not ended, without main

  // To the back of the queue. Returns at once when nothing else can run.
  void yield();
  // Blocks until notified, interrupted, or `deadline` (Clock::now() ns;
  // INT64_MAX: none). May return `notified` spuriously: callers loop on their
  // condition. When every fiber is blocked for ever this is a deadlock: throws
  // Deadlock on the main fiber.
  Wake wait(WaitQueue& queue, int64_t deadline = INT64_MAX);
  // Sleeps until `deadline`; interrupted ends it early.
  Wake sleep_until(int64_t deadline);
  // Makes a blocked fiber's wait return `interrupted` (a no-op when it runs).
  void interrupt(Fiber* fiber);
  // The fiber's blocking call throws FiberKilled, now or at its next one.
  void kill(Fiber* fiber);

  // Bytes of stack left to the current fiber; 0 when not on one of ours. The
  // evaluator raises max_function_depth before this runs out.
  size_t stack_left() const;

  struct Impl;

 private:
  friend class WaitQueue;
  void make_ready(Fiber* fiber, Wake why);

  std::unique_ptr<Impl> impl_;
  Fiber* current_ = nullptr;
  int live_ = 0;
};

// Thrown on the main fiber when all fibers wait for each other.
struct Deadlock {};

}  // namespace nacre::interp
