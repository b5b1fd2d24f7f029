// Fibers and their scheduler: cooperative, single-threaded, in a fixed order.
//
// A Fiber is a stackful coroutine on a guarded stack from a pool (Boost.Context
// does the switch). The scheduler runs fibers round-robin from one FIFO queue;
// a fiber gives way only where it blocks (WaitQueue), sleeps, or calls yield().
// Nothing here knows of shells: interp's processes sit on top.
//
// Unwinding: a fiber that is killed is woken, and the blocking call that it sits
// in throws FiberKilled, which the fiber's base (inside Fiber) catches. An
// exception of any other type that leaves a fiber's body (LimitExceeded,
// Cancelled) is kept by the scheduler and thrown again at the blocking point of
// the main fiber; when that has unwound, every other fiber is killed and run()
// throws the exception on its caller.
//
// What a fiber runs while it unwinds (destructors) may notify, kill, release
// and interrupt, but must not block: a blocking call of a killed fiber throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

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

// Fibers that wait for one thing, in order of arrival. An intrusive list: it
// allocates nothing.
class WaitQueue {
 public:
  WaitQueue() = default;
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;
  ~WaitQueue();  // wakes whoever still waits
  bool empty() const { return first_ == nullptr; }
  void notify_one();
  void notify_all();
  // As notify_all(), but only once nothing else can run: for a wake-up that is
  // cheaper late (a pipe with little room) and must not be lost.
  void notify_when_idle();

 private:
  friend class Scheduler;
  Fiber* first_ = nullptr;
  Fiber* last_ = nullptr;
  Scheduler* lazy_owner_ = nullptr;  // set while in its list of late wake-ups
  WaitQueue* lazy_next_ = nullptr;
  WaitQueue* lazy_previous_ = nullptr;
};

// Bytes of stack that the main fiber and the others get; committed by the
// kernel as they are touched.
struct StackSizes {
  size_t main;
  size_t fiber;
  static StackSizes standard();  // 64 MiB and 256 KiB; four times that under AddressSanitizer
};

class Scheduler {
 public:
  Scheduler(limits::Meter& meter, limits::Clock& clock,
            StackSizes sizes = StackSizes::standard());
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Runs `body` as the main fiber (on a large, lazily committed stack of its
  // own: 64 MiB by default) until it returns; other fibers run when it blocks.
  // When it has returned, fibers still alive are killed and unwound. Throws
  // what any fiber's body threw. Re-entry is not allowed (another Scheduler may
  // run inside a fiber of this one).
  void run(const std::function<void()>& body);
  bool running() const { return current_ != nullptr; }

  // Starts a fiber at the back of the queue; it does not run yet. Throws
  // LimitExceeded(max_jobs) when too many are alive; its stack is charged to
  // memory while it lives. The handle stays valid until release(); `done` below
  // tells whether it has ended.
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
  // Sleeps until `deadline`; interrupted ends it early. A deadline that has
  // passed lets the others run first, as yield() does.
  Wake sleep_until(int64_t deadline);
  // Makes a blocked fiber's wait return `interrupted`; when it has been woken
  // already and has not run yet, its next wait does. A no-op on the current one.
  void interrupt(Fiber* fiber);
  // The fiber's blocking call throws FiberKilled, now or at its next one. A
  // fiber that has not run yet is dropped.
  void kill(Fiber* fiber);

  // Bytes of stack left to the current fiber; 0 when not on one of ours. The
  // evaluator raises max_function_depth before this runs out, or goes on with
  // run_on_new_stack().
  size_t stack_left() const;
  // Calls `body` on a further stack from the pool (StackSizes::fiber, charged
  // while in use), as the same fiber; exceptions pass through. For recursion
  // that is within its limits and deeper than one stack.
  void run_on_new_stack(const std::function<void()>& body);

  // A new number, counted from 1 for each Scheduler (the inodes of pipes).
  uint64_t next_id() { return ++last_id_; }
  limits::Clock& clock() const { return clock_; }

  struct Impl;

 private:
  friend class WaitQueue;
  void make_ready(Fiber* fiber, Wake why);
  static void append(WaitQueue& queue, Fiber* fiber);
  static void unlink(Fiber* fiber);

  limits::Clock& clock_;
  std::unique_ptr<Impl> impl_;
  Fiber* current_ = nullptr;
  int live_ = 0;
  uint64_t last_id_ = 0;
};

// Thrown on the main fiber when all fibers wait for each other.
struct Deadlock {};

}  // namespace nacre::interp
