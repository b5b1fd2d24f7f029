// How it works
//
// Control passes from fiber to fiber directly (one jump), never through a loop
// of the scheduler's own: whoever blocks picks the next one (next_ready) on its
// own stack, and waits for the clock there when nothing can run.
//
// Invariants:
//  - A fiber is in at most one list: a WaitQueue it blocks on, or `ready`.
//  - Switching saves and restores the C++ runtime's record of the exceptions in
//    flight, so a fiber may block inside a catch block.
//  - A fiber that has ended cannot free the stack it stands on; the context that
//    runs next does (arrive).
//  - A failure (an exception that left a side fiber's body, a deadlock, the
//    meter's word while all sleep) is thrown by the main fiber at its blocking
//    point; nothing else runs in between.
#include "interp/scheduler.h"

#include <cxxabi.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <cassert>
#include <cstring>
#include <exception>
#include <utility>

#include "interp/fiber_stack.h"
#include "interp/sanitizers.h"

namespace nacre::interp {

namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr size_t kSanitizerFactor = kAddressSanitizer ? 4 : 1;
constexpr size_t kMostKeptStacks = 64;
// What a session that does not run keeps, beside its main stack.
constexpr size_t kIdleStacks = 8;

// The head of __cxa_eh_globals, which the Itanium C++ ABI lays out so.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

}  // namespace

StackSizes StackSizes::standard() {
  return {(size_t{64} << 20) * kSanitizerFactor, (size_t{256} << 10) * kSanitizerFactor};
}

class Fiber {
 public:
  enum class State : uint8_t { ready, running, blocked, done };

  Scheduler* scheduler = nullptr;
  std::function<void()> body;

  fcontext_t context = nullptr;
  FiberStack stack;  // the one it stands on; none before it first runs
  ExceptionState exceptions;
  void* tsan = nullptr;

  Fiber* next = nullptr;  // in `queue`
  Fiber* previous = nullptr;
  WaitQueue* queue = nullptr;
  Fiber* next_of_all = nullptr;
  Fiber* previous_of_all = nullptr;

  int64_t deadline = INT64_MAX;  // INT64_MAX: has no timer
  uint64_t timer = 0;            // the timer's sequence number

  State state = State::ready;
  Wake wake = Wake::notified;
  bool started = false;
  bool killed = false;
  bool interrupted = false;  // its next wait is to return `interrupted`
  bool released = false;
};

struct Scheduler::Impl {
  struct Timer {
    int64_t deadline;
    uint64_t sequence;
    Fiber* fiber;
    // The next one to strike sorts last.
    bool operator<(const Timer& o) const {
      return deadline != o.deadline ? deadline > o.deadline : sequence > o.sequence;
    }
  };

  Impl(Scheduler& owner, limits::Meter& m, StackSizes sizes)
      : scheduler(owner),
        meter(m),
        main_stacks(sizes.main, 1),
        stacks(sizes.fiber, kMostKeptStacks),
        stack_charge(static_cast<int64_t>(stacks.stack_size() / kSanitizerFactor)) {
    main.scheduler = host.scheduler = &owner;
  }

  Scheduler& scheduler;
  limits::Meter& meter;
  StackPool main_stacks, stacks;
  const int64_t stack_charge;

  Fiber host;  // stands for the caller of run(); never scheduled
  Fiber main;
  Fiber* all_first = nullptr;  // every fiber but these two, until it is deleted
  Fiber* all_last = nullptr;
  WaitQueue ready;
  WaitQueue* lazy = nullptr;  // queues with a late wake-up due
  std::vector<Timer> timers;  // sorted
  uint64_t timer_sequence = 0;

  void* exception_globals = nullptr;  // of the thread that runs us
  const std::function<void()>* main_body = nullptr;
  std::exception_ptr failure;         // to be thrown by main
  std::exception_ptr main_exception;  // what left main's body
  bool ending = false;                // main's body is over; the others unwind

  // --- timers ---
  void add_timer(Fiber* fiber, int64_t deadline);
  void remove_timer(Fiber* fiber);
  void fire_due();

  // --- switching ---
  Fiber* next_ready();
  Fiber* take_main();
  bool prepare(Fiber* fiber);
  void jump(Fiber* self, Fiber* next, bool last);
  void switch_to(Fiber* next) { jump(scheduler.current_, next, false); }
  void arrive(transfer_t from);
  Wake block(Fiber* self);
  void throw_if_doomed(Fiber* self);

  // --- a fiber's life ---
  void add(Fiber* fiber);
  void forget(Fiber* fiber);
  void drop(Fiber* fiber);
  void ended(Fiber* fiber);
  void wake_lazy();
  void clear_lazy();
  void unwind_all();
  static void run_body(Fiber* self);
  static void entry(transfer_t from);
};

// --- lists ---------------------------------------------------------------

void Scheduler::append(WaitQueue& queue, Fiber* fiber) {
  fiber->queue = &queue;
  fiber->next = nullptr;
  fiber->previous = queue.last_;
  (queue.last_ ? queue.last_->next : queue.first_) = fiber;
  queue.last_ = fiber;
}

void Scheduler::unlink(Fiber* fiber) {
  WaitQueue* queue = fiber->queue;
  if (!queue) return;
  (fiber->previous ? fiber->previous->next : queue->first_) = fiber->next;
  (fiber->next ? fiber->next->previous : queue->last_) = fiber->previous;
  fiber->next = fiber->previous = nullptr;
  fiber->queue = nullptr;
}

WaitQueue::~WaitQueue() {
  notify_all();
  if (!lazy_owner_) return;
  (lazy_previous_ ? lazy_previous_->lazy_next_ : lazy_owner_->impl_->lazy) = lazy_next_;
  if (lazy_next_) lazy_next_->lazy_previous_ = lazy_previous_;
}

void WaitQueue::notify_one() {
  if (first_) first_->scheduler->make_ready(first_, Wake::notified);
}

void WaitQueue::notify_all() {
  while (first_) first_->scheduler->make_ready(first_, Wake::notified);
}

void WaitQueue::notify_when_idle() {
  if (!first_ || lazy_owner_) return;
  lazy_owner_ = first_->scheduler;
  WaitQueue*& head = lazy_owner_->impl_->lazy;
  lazy_previous_ = nullptr;
  lazy_next_ = head;
  if (head) head->lazy_previous_ = this;
  head = this;
}

void Scheduler::Impl::clear_lazy() {
  while (WaitQueue* queue = lazy) {
    lazy = queue->lazy_next_;
    if (lazy) lazy->lazy_previous_ = nullptr;
    queue->lazy_owner_ = nullptr;
    queue->lazy_next_ = nullptr;
  }
}

void Scheduler::Impl::wake_lazy() {
  while (WaitQueue* queue = lazy) {
    lazy = queue->lazy_next_;
    if (lazy) lazy->lazy_previous_ = nullptr;
    queue->lazy_owner_ = nullptr;
    queue->lazy_next_ = nullptr;
    queue->notify_all();
  }
}

void Scheduler::make_ready(Fiber* fiber, Wake why) {
  if (fiber->state != Fiber::State::blocked) return;
  unlink(fiber);
  impl_->remove_timer(fiber);
  fiber->state = Fiber::State::ready;
  fiber->wake = why;
  append(impl_->ready, fiber);
}

// --- timers --------------------------------------------------------------

void Scheduler::Impl::add_timer(Fiber* fiber, int64_t deadline) {
  Timer timer{deadline, ++timer_sequence, fiber};
  timers.insert(std::lower_bound(timers.begin(), timers.end(), timer), timer);
  fiber->deadline = deadline;
  fiber->timer = timer.sequence;
}

void Scheduler::Impl::remove_timer(Fiber* fiber) {
  if (fiber->deadline == INT64_MAX) return;
  Timer timer{fiber->deadline, fiber->timer, fiber};
  timers.erase(std::lower_bound(timers.begin(), timers.end(), timer));
  fiber->deadline = INT64_MAX;
}

void Scheduler::Impl::fire_due() {
  int64_t now = scheduler.clock_.now();
  while (!timers.empty() && timers.back().deadline <= now)
    scheduler.make_ready(timers.back().fiber, Wake::timed_out);
}

// --- switching -----------------------------------------------------------

// Takes the next fiber off the queue; when there is none, waits until there is
// one. Gives main when there is a failure to be thrown.
Fiber* Scheduler::Impl::next_ready() {
  for (;;) {
    if (failure && !ending) return take_main();
    if (!timers.empty()) fire_due();
    if (Fiber* fiber = ready.first_) {
      unlink(fiber);
      if (fiber->started || prepare(fiber)) return fiber;
      continue;
    }
    if (lazy) {
      wake_lazy();
    } else if (timers.empty()) {
      failure = std::make_exception_ptr(Deadlock{});
    } else {
      try {
        scheduler.clock_.wait_until(std::min(timers.back().deadline, meter.deadline()));
        meter.poll();
      } catch (...) {
        failure = std::current_exception();
      }
    }
  }
}

Fiber* Scheduler::Impl::take_main() {
  unlink(&main);
  remove_timer(&main);
  return &main;
}

// Gives a fiber its stack. False when it was dropped instead: it has been
// killed, or there is no memory (which becomes the failure).
bool Scheduler::Impl::prepare(Fiber* fiber) {
  if (!fiber->killed) {
    fiber->stack = stacks.acquire();
    if (fiber->stack) {
      fiber->context = make_fcontext(fiber->stack.top(), fiber->stack.size, &Impl::entry);
      fiber->tsan = tsan_create();
      fiber->started = true;
      return true;
    }
    if (!failure) {
      LimitName name = LimitName::max_memory_bytes;
      failure =
          std::make_exception_ptr(limits::LimitExceeded{name, meter.limits().get(name)});
    }
  }
  drop(fiber);
  return false;
}

// Leaves `self` for `next`. `last`: self never runs again.
void Scheduler::Impl::jump(Fiber* self, Fiber* next, bool last) {
  std::memcpy(&self->exceptions, exception_globals, sizeof(ExceptionState));
  std::memcpy(exception_globals, &next->exceptions, sizeof(ExceptionState));
  scheduler.current_ = next;
  tsan_switch(next->tsan);
  void* fake_stack = nullptr;
  before_switch(last ? nullptr : &fake_stack, next->stack.base, next->stack.size);
  transfer_t from = jump_fcontext(next->context, self);
  after_switch(fake_stack);
  arrive(from);
}

void Scheduler::Impl::arrive(transfer_t from) {
  Fiber* left = static_cast<Fiber*>(from.data);
  left->context = from.fctx;
  if (left->state != Fiber::State::done) return;
  (left == &main ? main_stacks : stacks).release(std::exchange(left->stack, {}));
  if (left == &main) return;
  tsan_destroy(std::exchange(left->tsan, nullptr));
  if (left->released) forget(left);
}

// Runs others until `self`, which is in a list already, is taken again.
Wake Scheduler::Impl::block(Fiber* self) {
  Fiber* next = next_ready();
  if (next != self) switch_to(next);
  self->state = Fiber::State::running;
  throw_if_doomed(self);
  return self->wake;
}

void Scheduler::Impl::throw_if_doomed(Fiber* self) {
  if (self == &main && failure && !ending)
    std::rethrow_exception(std::exchange(failure, nullptr));
  if (self->killed) throw FiberKilled{};
}

// --- a fiber's life ------------------------------------------------------

void Scheduler::Impl::add(Fiber* fiber) {
  fiber->previous_of_all = all_last;
  (all_last ? all_last->next_of_all : all_first) = fiber;
  all_last = fiber;
}

void Scheduler::Impl::forget(Fiber* fiber) {
  (fiber->previous_of_all ? fiber->previous_of_all->next_of_all : all_first) = fiber->next_of_all;
  (fiber->next_of_all ? fiber->next_of_all->previous_of_all : all_last) = fiber->previous_of_all;
  delete fiber;
}

void Scheduler::Impl::ended(Fiber* fiber) {
  fiber->state = Fiber::State::done;
  --scheduler.live_;
  meter.sub_memory(stack_charge);
}

// Ends a fiber that never ran and is in no list.
void Scheduler::Impl::drop(Fiber* fiber) {
  std::function<void()> body = std::move(fiber->body);
  ended(fiber);
  if (fiber->released) forget(fiber);
  // `body` goes last: what it holds may call back.
}

// Everything of the body is gone when this returns: the frame below never does.
[[gnu::noinline]] void Scheduler::Impl::run_body(Fiber* self) {
  Impl& impl = *self->scheduler->impl_;
  try {
    if (self == &impl.main) (*impl.main_body)();
    else self->body();
  } catch (const FiberKilled&) {
  } catch (...) {
    std::exception_ptr& kept = self == &impl.main ? impl.main_exception : impl.failure;
    if (!kept) kept = std::current_exception();
  }
  self->body = nullptr;
  if (self == &impl.main) impl.unwind_all();
}

void Scheduler::Impl::entry(transfer_t from) {
  Fiber* left = static_cast<Fiber*>(from.data);
  Impl& impl = *left->scheduler->impl_;
  Fiber* self = impl.scheduler.current_;
  const void* bottom = nullptr;
  size_t size = 0;
  after_switch(nullptr, &bottom, &size);
  if (left == &impl.host) {
    impl.host.stack.base = static_cast<char*>(const_cast<void*>(bottom));
    impl.host.stack.size = size;
  }
  impl.arrive(from);
  self->state = Fiber::State::running;
  run_body(self);
  if (self == &impl.main) {
    self->state = Fiber::State::done;
    impl.jump(self, &impl.host, true);
  } else {
    impl.ended(self);
    Fiber* next = impl.next_ready();
    impl.jump(self, next, true);
  }
  __builtin_unreachable();
}

// On the main fiber, after its body: kills the others and lets them unwind.
void Scheduler::Impl::unwind_all() {
  ending = true;
  while (scheduler.live_ > 0) {
    for (Fiber* f = all_first; f; f = f->next_of_all) {
      f->killed = true;
      scheduler.make_ready(f, Wake::interrupted);
    }
    main.state = Fiber::State::ready;
    append(ready, &main);
    Fiber* next = next_ready();
    if (next != &main) switch_to(next);
    main.state = Fiber::State::running;
  }
}

// --- the face ------------------------------------------------------------

Scheduler::Scheduler(limits::Meter& meter, limits::Clock& clock, StackSizes sizes)
    : clock_(clock), impl_(std::make_unique<Impl>(*this, meter, sizes)) {}

Scheduler::~Scheduler() {
  assert(!running());
  while (impl_->all_first) impl_->forget(impl_->all_first);
}

void Scheduler::run(const std::function<void()>& body) {
  assert(!running());
  Impl& impl = *impl_;
  impl.main.stack = impl.main_stacks.acquire();
  if (!impl.main.stack) impl.meter.exceeded(LimitName::max_memory_bytes);
  impl.main.context =
      make_fcontext(impl.main.stack.top(), impl.main.stack.size, &Impl::entry);
  impl.main.exceptions = {};
  impl.main.killed = impl.main.interrupted = false;
  impl.main.started = true;
  impl.main.tsan = tsan_create();
  impl.host.tsan = tsan_current();
  impl.host.state = Fiber::State::running;
  impl.main_body = &body;
  impl.ending = false;
  impl.exception_globals = abi::__cxa_get_globals();

  current_ = &impl.host;
  impl.switch_to(&impl.main);
  current_ = nullptr;

  tsan_destroy(std::exchange(impl.main.tsan, nullptr));
  impl.clear_lazy();
  impl.stacks.trim(kIdleStacks);
  impl.main_stacks.trim(1);
  std::exception_ptr thrown = std::exchange(impl.main_exception, nullptr);
  std::exception_ptr failure = std::exchange(impl.failure, nullptr);
  if (!thrown) thrown = std::move(failure);
  if (thrown) std::rethrow_exception(std::move(thrown));
}

Fiber* Scheduler::spawn(std::function<void()> body) {
  Impl& impl = *impl_;
  if (live_ >= impl.meter.limits().max_jobs) impl.meter.exceeded(LimitName::max_jobs);
  auto fiber = std::make_unique<Fiber>();
  fiber->scheduler = this;
  fiber->body = std::move(body);
  impl.meter.add_memory(impl.stack_charge);
  ++live_;
  Fiber* f = fiber.release();
  impl.add(f);
  if (impl.ending) impl.drop(f);  // a fiber that unwinds starts nothing
  else append(impl.ready, f);
  return f;
}

void Scheduler::release(Fiber* fiber) {
  if (!fiber) return;
  if (done(fiber) && !fiber->stack) impl_->forget(fiber);
  else fiber->released = true;
}

bool Scheduler::done(const Fiber* fiber) { return fiber->state == Fiber::State::done; }

void Scheduler::yield() {
  Fiber* self = current_;
  impl_->throw_if_doomed(self);
  self->state = Fiber::State::ready;
  self->wake = Wake::notified;
  if (impl_->ready.empty()) impl_->wake_lazy();
  append(impl_->ready, self);
  impl_->block(self);
}

Wake Scheduler::wait(WaitQueue& queue, int64_t deadline) {
  Fiber* self = current_;
  impl_->throw_if_doomed(self);
  if (std::exchange(self->interrupted, false)) return Wake::interrupted;
  if (deadline != INT64_MAX) impl_->add_timer(self, deadline);
  self->state = Fiber::State::blocked;
  append(queue, self);
  return impl_->block(self);
}

Wake Scheduler::sleep_until(int64_t deadline) {
  WaitQueue nobody;
  return wait(nobody, deadline);
}

void Scheduler::interrupt(Fiber* fiber) {
  if (fiber == current_ || !fiber->started) return;
  if (fiber->state == Fiber::State::ready) fiber->interrupted = true;
  else make_ready(fiber, Wake::interrupted);
}

void Scheduler::kill(Fiber* fiber) {
  if (done(fiber) || fiber->killed) return;
  fiber->killed = true;
  if (!fiber->started) {
    unlink(fiber);
    impl_->drop(fiber);
  } else {
    make_ready(fiber, Wake::interrupted);
  }
}

size_t Scheduler::stack_left() const {
  if (!current_) return 0;
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  const FiberStack& stack = current_->stack;
  return here > stack.base && here < stack.top() ? static_cast<size_t>(here - stack.base) : 0;
}

namespace {

// One call of run_on_new_stack().
struct Excursion {
  Fiber* fiber;
  const std::function<void()>* body;
  FiberStack outer, inner;
  fcontext_t back = nullptr;
  std::exception_ptr thrown;

  [[gnu::noinline]] void call() {
    try {
      (*body)();
    } catch (...) {
      thrown = std::current_exception();
    }
  }

  static void entry(transfer_t from) {
    auto* self = static_cast<Excursion*>(from.data);
    after_switch(nullptr);
    self->back = from.fctx;
    self->call();
    self->fiber->stack = self->outer;
    before_switch(nullptr, self->outer.base, self->outer.size);
    jump_fcontext(self->back, nullptr);
    __builtin_unreachable();
  }
};

}  // namespace

void Scheduler::run_on_new_stack(const std::function<void()>& body) {
  Impl& impl = *impl_;
  limits::MemoryCharge charge(impl.meter, impl.stack_charge);
  Excursion trip{current_, &body, current_->stack, impl.stacks.acquire(), nullptr, nullptr};
  if (!trip.inner) impl.meter.exceeded(LimitName::max_memory_bytes);
  current_->stack = trip.inner;
  fcontext_t context = make_fcontext(trip.inner.top(), trip.inner.size, &Excursion::entry);
  void* fake_stack = nullptr;
  before_switch(&fake_stack, trip.inner.base, trip.inner.size);
  jump_fcontext(context, &trip);
  after_switch(fake_stack);
  impl.stacks.release(trip.inner);
  if (trip.thrown) std::rethrow_exception(std::move(trip.thrown));
}

}  // namespace nacre::interp
