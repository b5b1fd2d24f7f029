#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "interp/command.h"
#include "interp/open_file.h"
#include "interp/scheduler.h"
#include "interp/streams.h"
#include "limits/clock.h"
#include "limits/meter.h"
#include "vfs/memory_fs.h"
#include "vfs/view.h"

namespace nacre::interp {
namespace {

using limits::LimitExceeded;

// A session's surroundings; memory must be back at zero when a test ends.
struct World {
  limits::VirtualClock clock{1'000'000'000};
  limits::Meter meter;
  Limits limits = Limits::standard();
  std::unique_ptr<Scheduler> scheduler;

  explicit World(Limits l = Limits::standard()) : limits(l) {
    meter.begin(limits, clock, nullptr);
    scheduler = std::make_unique<Scheduler>(meter, clock);
  }
  ~World() {
    scheduler.reset();
    CHECK(meter.counters().memory == 0);
  }
  Scheduler& s() { return *scheduler; }
  // Starts a fiber whose handle nobody keeps.
  void go(std::function<void()> body) { s().release(s().spawn(std::move(body))); }
};

// Counts that destructors run.
struct Guard {
  int& count;
  explicit Guard(int& c) : count(c) {}
  ~Guard() { ++count; }
  Guard(const Guard&) = delete;
};

constexpr int64_t kMs = 1'000'000;

// A file in memory; `views` tells whether it can show its contents.
class FakeFile final : public vfs::File {
 public:
  FakeFile(std::string text, bool views, vfs::FileType type = vfs::FileType::regular,
           vfs::Device device = vfs::Device::none, uint64_t ino = 7)
      : text_(std::move(text)), views_(views), type_(type), device_(device), ino_(ino) {}

  vfs::Result<size_t> read_at(uint64_t offset, char* buf, size_t size) override {
    ++reads;
    if (offset >= text_.size()) return 0;
    size_t n = std::min(size, text_.size() - static_cast<size_t>(offset));
    std::memcpy(buf, text_.data() + offset, n);
    return n;
  }
  vfs::Result<size_t> write_at(uint64_t offset, std::string_view data) override {
    if (text_.size() < offset + data.size()) text_.resize(offset + data.size());
    text_.replace(offset, data.size(), data);
    return data.size();
  }
  vfs::Result<uint64_t> append(std::string_view data) override {
    text_ += data;
    return text_.size();
  }
  vfs::Status truncate(uint64_t size) override {
    text_.resize(size);
    return {};
  }
  uint64_t size() const override { return text_.size(); }
  vfs::Result<vfs::Stat> stat() const override {
    vfs::Stat st;
    st.dev = 1;
    st.ino = ino_;
    st.type = type_;
    st.size = text_.size();
    return st;
  }
  vfs::Status set_times(std::optional<vfs::Timestamp>, std::optional<vfs::Timestamp>) override {
    return {};
  }
  vfs::Status chmod(uint32_t) override { return {}; }
  // As the contract has it: the view of before is gone.
  std::optional<std::string_view> view_at(uint64_t offset) override {
    if (!views_) return std::nullopt;
    shown_ = std::make_unique<std::string>(offset < text_.size() ? text_.substr(offset) : "");
    return *shown_;
  }
  vfs::Device device() const override { return device_; }

  std::string& text() { return text_; }
  int reads = 0;

 private:
  std::string text_;
  bool views_;
  vfs::FileType type_;
  vfs::Device device_;
  uint64_t ino_;
  std::unique_ptr<std::string> shown_;
};

constexpr vfs::OpenFlags kRead{.read = true};
constexpr vfs::OpenFlags kWrite{.write = true};
constexpr vfs::OpenFlags kReadWrite{.read = true, .write = true};

std::string read_to_end(OpenFile& file) {
  std::string all;
  for (;;) {
    auto bytes = file.peek();
    REQUIRE(bytes.has_value());
    if (bytes->empty()) return all;
    all += *bytes;
    file.consume(bytes->size());
  }
}

}  // namespace

TEST_SUITE("scheduler") {
  TEST_CASE("fibers run in the order of the queue") {
    World w;
    std::string order;
    w.s().run([&] {
      for (char c : {'a', 'b', 'c'})
        w.go([&, c] {
          for (int i = 0; i < 3; ++i) {
            order += c;
            w.s().yield();
          }
        });
      for (int i = 0; i < 4; ++i) {
        order += 'm';
        w.s().yield();
      }
    });
    CHECK(order == "mabcmabcmabcm");
    CHECK(w.s().live() == 0);
    CHECK_FALSE(w.s().running());
  }

  TEST_CASE("yield alone returns at once, and run can be called again") {
    World w;
    int runs = 0;
    for (int i = 0; i < 3; ++i)
      w.s().run([&] {
        w.s().yield();
        CHECK(w.s().current() != nullptr);
        ++runs;
      });
    CHECK(runs == 3);
  }

  TEST_CASE("timers strike by deadline, then in the order they were set") {
    World w;
    std::string order;
    w.s().run([&] {
      int64_t base = w.clock.now();
      auto sleeper = [&](char c, int64_t ms) {
        w.go([&, c, ms] {
          CHECK(w.s().sleep_until(base + ms * kMs) == Wake::timed_out);
          order += c;
        });
      };
      sleeper('d', 30);
      sleeper('b', 20);
      sleeper('a', 10);
      sleeper('c', 20);
      w.s().sleep_until(base + 25 * kMs);
      order += 'm';
      CHECK(w.clock.now() == base + 25 * kMs);
      w.s().sleep_until(base + 40 * kMs);
    });
    CHECK(order == "abcmd");
  }

  TEST_CASE("a deadline that has passed lets the others run") {
    World w;
    std::string order;
    w.s().run([&] {
      w.go([&] { order += 'a'; });
      w.s().sleep_until(w.clock.now());
      order += 'm';
    });
    CHECK(order == "am");
  }

  TEST_CASE("waiting: notified in the order of arrival, timed out, interrupted") {
    World w;
    WaitQueue queue;
    std::string order;
    w.s().run([&] {
      for (char c : {'a', 'b', 'c'})
        w.go([&, c] {
          CHECK(w.s().wait(queue) == Wake::notified);
          order += c;
        });
      w.s().yield();
      CHECK_FALSE(queue.empty());
      queue.notify_one();
      w.s().yield();
      CHECK(order == "a");
      queue.notify_all();
      CHECK(queue.empty());
      w.s().yield();
      CHECK(order == "abc");

      int64_t until = w.clock.now() + 5 * kMs;
      CHECK(w.s().wait(queue, until) == Wake::timed_out);
      CHECK(w.clock.now() == until);
      CHECK(queue.empty());

      Fiber* f = w.s().spawn([&] {
        CHECK(w.s().wait(queue) == Wake::interrupted);
        order += 'i';
      });
      w.s().yield();
      w.s().interrupt(f);
      w.s().yield();
      CHECK(Scheduler::done(f));
      w.s().release(f);
      CHECK(order == "abci");
    });
  }

  TEST_CASE("an interrupt between wake-up and run is not lost") {
    World w;
    WaitQueue queue;
    std::string seen;
    w.s().run([&] {
      Fiber* f = w.s().spawn([&] {
        for (int i = 0; i < 2; ++i) seen += w.s().wait(queue) == Wake::interrupted ? 'i' : 'n';
      });
      w.s().interrupt(f);  // has not started: sees its signals by itself
      w.s().yield();
      queue.notify_all();
      w.s().interrupt(f);
      w.s().yield();
      CHECK(Scheduler::done(f));
      w.s().release(f);
    });
    CHECK(seen == "ni");
  }

  TEST_CASE("kill unwinds a blocked fiber, now or at its next blocking call") {
    World w;
    int gone = 0;
    bool reached = false;
    w.s().run([&] {
      WaitQueue queue;
      Fiber* blocked = w.s().spawn([&] {
        Guard guard(gone);
        w.s().wait(queue);
        reached = true;
      });
      Fiber* sleeping = w.s().spawn([&] {
        Guard guard(gone);
        w.s().sleep_until(w.clock.now() + 1000 * kMs);
        reached = true;
      });
      Fiber* suicidal = w.s().spawn([&] {
        Guard guard(gone);
        w.s().kill(w.s().current());
        w.s().yield();
        reached = true;
      });
      w.s().yield();
      CHECK(gone == 1);
      w.s().kill(blocked);
      w.s().kill(sleeping);
      w.s().kill(blocked);
      CHECK(gone == 1);
      w.s().yield();
      CHECK(gone == 3);
      for (Fiber* f : {blocked, sleeping, suicidal}) {
        CHECK(Scheduler::done(f));
        w.s().kill(f);
        w.s().interrupt(f);
        w.s().release(f);
      }
      CHECK(w.s().live() == 0);
    });
    CHECK_FALSE(reached);
  }

  TEST_CASE("a fiber that never ran is dropped, and what it holds with it") {
    World w;
    auto held = std::make_shared<int>(1);
    w.s().run([&] {
      Fiber* f = w.s().spawn([held] { FAIL("ran"); });
      CHECK(held.use_count() == 2);
      w.s().kill(f);
      CHECK(Scheduler::done(f));
      CHECK(held.use_count() == 1);
      CHECK(w.s().live() == 0);
      w.s().release(f);
      w.go([held] { FAIL("ran"); });  // dropped at the end of the run
      CHECK(held.use_count() == 2);
    });
    CHECK(held.use_count() == 1);
  }

  TEST_CASE("the end of main kills what is alive") {
    World w;
    int gone = 0;
    w.s().run([&] {
      for (int i = 0; i < 10; ++i)
        w.go([&] {
          Guard guard(gone);
          WaitQueue never;
          try {
            w.s().wait(never);
          } catch (const FiberKilled&) {
            // What is started while unwinding does not run.
            w.go([] { FAIL("ran"); });
            throw;
          }
        });
      w.s().yield();
    });
    CHECK(gone == 10);
    CHECK(w.s().live() == 0);
  }

  TEST_CASE("an exception of a fiber ends the run at main's blocking point") {
    World w;
    int gone = 0;
    bool after = false, caught = false;
    WaitQueue never;
    try {
      w.s().run([&] {
        Guard main_guard(gone);
        w.go([&] {
          Guard guard(gone);
          w.s().wait(never);
        });
        w.go([&] {
          Guard guard(gone);
          w.s().yield();
          w.meter.exceeded(LimitName::max_commands);
        });
        w.go([&] { for (;;) w.s().yield(); });
        try {
          w.s().wait(never);
        } catch (const LimitExceeded&) {
          caught = true;
          throw;
        }
        after = true;
      });
      FAIL("nothing was thrown");
    } catch (const LimitExceeded& e) {
      CHECK(e.name == LimitName::max_commands);
      CHECK(e.limit == w.limits.max_commands);
    }
    CHECK(caught);
    CHECK_FALSE(after);
    CHECK(gone == 3);
  }

  TEST_CASE("main that only yields gets the exception too") {
    World w;
    CHECK_THROWS_AS(w.s().run([&] {
      w.go([] { throw limits::Cancelled{}; });
      for (;;) w.s().yield();
    }),
                    limits::Cancelled);
  }

  TEST_CASE("main that never blocks again still ends with the exception of unwinding") {
    World w;
    CHECK_THROWS_AS(w.s().run([&] {
      w.go([&] {
        WaitQueue never;
        try {
          w.s().wait(never);
        } catch (const FiberKilled&) {
          w.meter.exceeded(LimitName::max_output_bytes);
        }
      });
      w.s().yield();
    }),
                    LimitExceeded);
    w.s().run([] {});
  }

  TEST_CASE("what main throws comes out, foreign exceptions too") {
    World w;
    CHECK_THROWS_AS(w.s().run([] { throw std::runtime_error("x"); }), std::runtime_error);
    CHECK_THROWS_AS(w.s().run([&] {
      w.go([] { throw std::runtime_error("y"); });
      WaitQueue never;
      w.s().wait(never);
    }),
                    std::runtime_error);
  }

  TEST_CASE("a fiber may block inside a catch block") {
    World w;
    std::string order;
    w.s().run([&] {
      for (int id : {1, 2, 3})
        w.go([&, id] {
          try {
            throw id;
          } catch (int caught) {
            CHECK(std::uncaught_exceptions() == 0);
            w.s().yield();
            try {
              throw id * 10;
            } catch (int inner) {
              w.s().yield();
              CHECK(inner == id * 10);
            }
            w.s().yield();
            try {
              throw;  // the one that this fiber handles, not another's
            } catch (int again) {
              CHECK(again == id);
              order += std::to_string(again);
            }
          }
        });
      for (int i = 0; i < 6; ++i) w.s().yield();
    });
    CHECK(order == "123");
  }

  TEST_CASE("a deadlock is thrown on main") {
    World w;
    int gone = 0;
    CHECK_THROWS_AS(w.s().run([&] {
      WaitQueue never, never_too;
      w.go([&] {
        Guard guard(gone);
        w.s().wait(never_too);
      });
      w.s().wait(never);
    }),
                    Deadlock);
    CHECK(gone == 1);
    // Main alone is a deadlock as well; main may go on after it.
    bool went_on = false;
    w.s().run([&] {
      WaitQueue never;
      CHECK_THROWS_AS(w.s().wait(never), Deadlock);
      w.s().yield();
      went_on = true;
    });
    CHECK(went_on);
  }

  TEST_CASE("the timeout ends a sleep and a wait without a timer") {
    World w;
    int64_t start = w.clock.now();
    CHECK_THROWS_AS(w.s().run([&] {
      w.go([&] { w.s().sleep_until(start + 100'000'000 * kMs); });
      WaitQueue never;
      w.s().wait(never);
    }),
                    LimitExceeded);
    CHECK(w.clock.now() == start + w.limits.timeout * kMs);
  }

  TEST_CASE("cancellation from another thread ends a sleep") {
    limits::RealClock clock;
    limits::Meter meter;
    std::atomic<bool> cancel = false;
    meter.begin(Limits::standard(), clock, &cancel);
    Scheduler s(meter, clock);
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      cancel = true;
    });
    int64_t start = clock.now();
    CHECK_THROWS_AS(s.run([&] { s.sleep_until(start + 20'000 * kMs); }), limits::Cancelled);
    CHECK(clock.now() - start < 10'000 * kMs);
    canceller.join();
  }

  TEST_CASE("a real clock's timer strikes although others are busy") {
    limits::RealClock clock;
    limits::Meter meter;
    meter.begin(Limits::standard(), clock, nullptr);
    Scheduler s(meter, clock);
    bool struck = false;
    s.run([&] {
      s.release(s.spawn([&] {
        for (;;) s.yield();
      }));
      s.sleep_until(clock.now() + 2 * kMs);
      struck = true;
    });
    CHECK(struck);
  }

  TEST_CASE("max_jobs counts live fibers") {
    Limits limits = Limits::standard();
    limits.max_jobs = 4;
    World w(limits);
    w.s().run([&] {
      for (int i = 0; i < 4; ++i) w.go([] {});
      CHECK_THROWS_AS(w.go([] {}), LimitExceeded);
      w.s().yield();
      for (int i = 0; i < 4; ++i) w.go([] {});
    });
  }

  TEST_CASE("stacks are charged") {
    Limits limits = Limits::standard();
    limits.max_memory_bytes = 1 << 20;
    World w(limits);
    CHECK_THROWS_AS(w.s().run([&] {
      for (int i = 0; i < 100; ++i) w.go([] {});
    }),
                    LimitExceeded);
  }

  TEST_CASE("thousands of fibers one after the other, 256 at once") {
    World w;
    int ran = 0;
    w.s().run([&] {
      for (int i = 0; i < 5000; ++i) {
        w.go([&] { ++ran; });
        w.s().yield();
      }
      CHECK(ran == 5000);
      WaitQueue queue;
      for (int i = 0; i < 256; ++i)
        w.go([&] {
          char page[4096];
          std::memset(page, 1, sizeof page);
          w.s().wait(queue);
          ran += page[17];
        });
      w.s().yield();
      CHECK(w.s().live() == 256);
      queue.notify_all();
      w.s().yield();
      CHECK(ran == 5256);
      CHECK(w.s().live() == 0);
    });
    w.s().run([&] { w.go([&] { ++ran; }), w.s().yield(); });
    CHECK(ran == 5257);
  }

  TEST_CASE("a scheduler runs inside a fiber of another") {
    World outer, inner;
    std::string order;
    outer.s().run([&] {
      outer.go([&] { order += 'o'; });
      CHECK_THROWS_AS(inner.s().run([&] {
        inner.go([&] {
          order += 'i';
          throw limits::Cancelled{};
        });
        inner.s().yield();
      }),
                      limits::Cancelled);
      outer.s().yield();
    });
    CHECK(order == "io");
  }

  TEST_CASE("late wake-ups come when nothing else can run") {
    World w;
    WaitQueue queue;
    std::string order;
    w.s().run([&] {
      w.go([&] {
        w.s().wait(queue);
        order += 'l';
      });
      w.go([&] {
        for (int i = 0; i < 3; ++i) {
          w.s().yield();
          order += 'y';
        }
      });
      w.s().yield();
      queue.notify_when_idle();
      WaitQueue never;
      w.s().wait(never, w.clock.now() + kMs);
      CHECK(w.clock.now() == kMs);
    });
    CHECK(order == "ylyy");
    // A queue that ends with a wake-up due leaves nothing behind.
    w.s().run([&] {
      auto brief = std::make_unique<WaitQueue>();
      bool woken = false;
      w.go([&] {
        w.s().wait(*brief);
        woken = true;
      });
      w.s().yield();
      brief->notify_when_idle();
      brief.reset();
      w.s().yield();
      CHECK(woken);
    });
  }
}

namespace {

// Recurses until little of the stack is left; frames of a known least size
// (ThreadSanitizer has room for 65536 calls inside each other).
[[gnu::noinline]] int dive(Scheduler& s, size_t reserve) {
  volatile char frame[4096];
  frame[0] = 1;
  frame[4095] = 2;
  if (s.stack_left() < reserve) return 1;
  return dive(s, reserve) + frame[0];
}

[[gnu::noinline]] int dive_on_new_stacks(Scheduler& s, int depth) {
  if (depth == 0) {
    s.yield();
    return 0;
  }
  int below = 0;
  if (s.stack_left() < 64 * 1024)
    s.run_on_new_stack([&] { below = dive_on_new_stacks(s, depth - 1); });
  else
    below = dive_on_new_stacks(s, depth - 1);
  return below + 1;
}

}  // namespace

TEST_SUITE("stacks") {
  TEST_CASE("recursion down to the end of main's stack, and of a fiber's") {
    World w;
    CHECK(w.s().stack_left() == 0);
    w.s().run([&] {
      size_t whole = w.s().stack_left();
      CHECK(whole > size_t{63} << 20);
      CHECK(dive(w.s(), 32 * 1024) > 5'000);
      // Sideways as well: an exception from the depths.
      w.go([&] {
        size_t all = w.s().stack_left();
        CHECK(all > 200 * 1024);
        CHECK(all <= StackSizes::standard().fiber);
        CHECK(dive(w.s(), 32 * 1024) > 20);
      });
      w.s().yield();
    });
    CHECK(w.s().stack_left() == 0);
  }

  TEST_CASE("further stacks carry a fiber on, with its exceptions and its death") {
    World w;
    int gone = 0;
    w.s().run([&] {
      int depth = 0;
      w.go([&] { depth = dive_on_new_stacks(w.s(), 20'000); });
      w.s().yield();
      w.s().yield();
      CHECK(depth == 20'000);
      w.s().run_on_new_stack([&] {
        CHECK(w.s().stack_left() <= StackSizes::standard().fiber);
        CHECK_THROWS_AS(w.s().run_on_new_stack([] { throw limits::Cancelled{}; }),
                        limits::Cancelled);
      });
      Fiber* f = w.s().spawn([&] {
        Guard outer(gone);
        w.s().run_on_new_stack([&] {
          Guard inner(gone);
          WaitQueue never;
          w.s().wait(never);
        });
      });
      w.s().yield();
      w.s().kill(f);
      w.s().yield();
      CHECK(gone == 2);
      CHECK(Scheduler::done(f));
      w.s().release(f);
    });
  }
}

TEST_SUITE("pipes") {
  TEST_CASE("bytes pass in order, whoever starts and however they are cut") {
    for (size_t write_size : {size_t{1}, size_t{100}, size_t{4096}, size_t{5000}, size_t{32768},
                              size_t{70000}, size_t{300000}}) {
      for (size_t read_size : {size_t{1}, size_t{777}, size_t{65536}}) {
        for (bool reader_first : {false, true}) {
          World w;
          std::string sent, got;
          size_t total = std::max<size_t>(write_size * 3, std::min<size_t>(read_size * 300, 200'000));
          w.s().run([&] {
            PipeEnds ends = make_pipe(w.s(), w.meter);
            auto reader = [&, end = std::move(ends.read)]() {
              for (;;) {
                auto bytes = end->peek();
                REQUIRE(bytes.has_value());
                if (bytes->empty()) break;
                size_t n = std::min(read_size, bytes->size());
                got.append(*bytes, 0, n);
                end->consume(n);
              }
            };
            auto writer = [&, end = std::move(ends.write)]() {
              std::string block;
              for (size_t at = 0; at < total; at += write_size) {
                block.clear();
                for (size_t i = 0; i < write_size; ++i)
                  block += static_cast<char>((at + i) * 31 >> 3);
                sent += block;
                REQUIRE(end->write(block).has_value());
              }
            };
            if (reader_first) w.go(std::move(reader)), w.go(std::move(writer));
            else w.go(std::move(writer)), w.go(std::move(reader));
            while (w.s().live() > 0) w.s().yield();
          });
          CHECK(got == sent);
        }
      }
    }
  }

  TEST_CASE("a pipe holds 64 KiB, then its writer blocks") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      size_t written = 0;
      w.go([&, end = ends.write] {
        std::string block(1024, 'x');
        for (int i = 0; i < 100; ++i) {
          if (!end->write(block)) return;
          written += block.size();
        }
      });
      ends.write.reset();
      w.s().yield();
      CHECK(written == 64 * 1024);
      CHECK(w.meter.counters().memory >= 64 * 1024);
      // A little room wakes the writer only when nothing else can run.
      ends.read->consume(ends.read->peek()->size() > 2048 ? 2048 : 0);
      w.s().yield();
      w.s().yield();
      CHECK(written == 66 * 1024);
      CHECK(read_to_end(*ends.read).size() == 100 * 1024 - 2048);
    });
  }

  TEST_CASE("a writer with a little room is not forgotten") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      WaitQueue done;
      w.go([&, end = ends.write] {
        CHECK(end->write(std::string(64 * 1024 + 10, 'x')).has_value());
        done.notify_all();
      });
      w.s().yield();
      ends.read->consume(100);
      // No deadlock: what the writer waits for has happened.
      CHECK(w.s().wait(done) == Wake::notified);
    });
  }

  TEST_CASE("a writer whose readers are gone gets a broken pipe") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      ends.read.reset();
      CHECK(ends.write->write("x").error() == std::errc::broken_pipe);
      CHECK(ends.write->write("").has_value());

      ends = make_pipe(w.s(), w.meter);
      bool broken = false;
      w.go([&, end = std::move(ends.write)] {
        auto status = end->write(std::string(200'000, 'x'));
        broken = !status && status.error() == std::errc::broken_pipe;
      });
      w.s().yield();
      CHECK_FALSE(broken);
      ends.read.reset();
      w.s().yield();
      CHECK(broken);
    });
  }

  TEST_CASE("the last writer's end is the end of the file") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      std::string got = "-";
      w.go([&, end = ends.read] { got = read_to_end(*end); });
      w.s().yield();
      OpenFileRef second = ends.write;
      ends.write.reset();
      w.s().yield();
      CHECK(got == "-");
      CHECK(second->write("abc").has_value());
      second.reset();
      w.s().yield();
      CHECK(got == "abc");
    });
  }

  TEST_CASE("short writes stay whole") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      for (char c : {'a', 'b', 'c'})
        w.go([&, c, end = ends.write] {
          for (int i = 0; i < 40; ++i)
            REQUIRE(end->write(std::string(1500, c)).has_value());
        });
      ends.write.reset();
      std::string all;
      for (;;) {
        auto bytes = ends.read->peek();
        REQUIRE(bytes.has_value());
        if (bytes->empty()) break;
        size_t n = std::min<size_t>(bytes->size(), 999);
        all.append(*bytes, 0, n);
        ends.read->consume(n);
      }
      REQUIRE(all.size() == 3 * 40 * 1500);
      for (size_t at = 0; at < all.size(); at += 1500)
        CHECK(all.find_first_not_of(all[at], at) >= at + 1500);
    });
  }

  TEST_CASE("reading without blocking, with a deadline, and interrupted") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      bool ended = true;
      CHECK(ends.read->peek_ready(ended)->empty());
      CHECK_FALSE(ended);
      CHECK_FALSE(ends.read->ready());
      CHECK(ends.read->peek_until(w.clock.now() + kMs).error() == std::errc::timed_out);
      Fiber* reader = w.s().spawn([&, end = ends.read] {
        CHECK(end->peek().error() == std::errc::interrupted);
        CHECK(*end->peek() == "xy");
      });
      w.s().yield();
      w.s().interrupt(reader);
      w.s().yield();
      CHECK(ends.write->write("xy").has_value());
      w.s().yield();
      CHECK(Scheduler::done(reader));
      w.s().release(reader);
      CHECK(ends.read->ready());
      CHECK(*ends.read->peek_ready(ended) == "xy");
      CHECK(ends.read->write("x").error() == std::errc::bad_file_descriptor);
      CHECK(ends.write->peek().error() == std::errc::bad_file_descriptor);
      CHECK(ends.read->seek(0, 0).error() == std::errc::invalid_seek);
      CHECK(ends.read->stat()->type == vfs::FileType::fifo);
      CHECK(ends.read->stat()->ino == ends.write->stat()->ino);
      PipeEnds other = make_pipe(w.s(), w.meter);
      CHECK(other.read->stat()->ino != ends.read->stat()->ino);
      ends.write.reset();
      ends.read->consume(2);
      CHECK(ends.read->peek_ready(ended)->empty());
      CHECK(ended);
      CHECK(ends.read->ready());
    });
  }

  TEST_CASE("a lease keeps what was taken while the writer goes on") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      w.go([end = std::move(ends.write)] {
        for (int i = 0; i < 300; ++i)
          if (!end->write(std::string(1000, static_cast<char>('a' + i % 26)))) return;
      });
      Input in(ends.read, w.meter);
      size_t got = 0;
      for (;;) {
        std::string_view chunk = in.read_chunk(10'000);
        if (chunk.empty()) break;
        std::string before(chunk);
        for (int i = 0; i < 3; ++i) w.s().yield();
        REQUIRE(chunk == before);
        for (char c : chunk) REQUIRE(c == static_cast<char>('a' + got++ / 1000 % 26));
      }
      CHECK(got == 300'000);
    });
  }

  TEST_CASE("two readers of one description share the bytes out") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      std::vector<std::string> lines;
      for (int i = 0; i < 2; ++i)
        w.go([&, end = ends.read] {
          Input in(end, w.meter);
          std::string_view line;
          while (in.read_line(line)) {
            w.s().yield();
            lines.emplace_back(line);
          }
        });
      ends.read.reset();
      for (int i = 0; i < 1000; ++i) REQUIRE(ends.write->write(std::to_string(i) + "\n"));
      ends.write.reset();
      while (w.s().live() > 0) w.s().yield();
      REQUIRE(lines.size() == 1000);
      std::sort(lines.begin(), lines.end());
      CHECK(std::adjacent_find(lines.begin(), lines.end()) == lines.end());
    });
  }

  TEST_CASE("killing either side releases the pipe") {
    World w;
    w.s().run([&] {
      for (int who = 0; who < 2; ++who) {
        PipeEnds ends = make_pipe(w.s(), w.meter);
        Fiber* f = w.s().spawn([&, end = who ? ends.write : ends.read] {
          if (who) (void)end->write(std::string(100'000, 'x'));
          else (void)end->peek();
        });
        if (who) ends.write.reset();
        else ends.read.reset();
        w.s().yield();
        w.s().kill(f);
        w.s().yield();
        CHECK(Scheduler::done(f));
        w.s().release(f);
        if (who) CHECK(read_to_end(*ends.read).size() == 65536);
        else CHECK(ends.write->write("x").error() == std::errc::broken_pipe);
      }
    });
  }

  TEST_CASE("the memory of a pipe is charged") {
    Limits limits = Limits::standard();
    limits.max_memory_bytes = 30'000;
    World w(limits);
    CHECK_THROWS_AS(w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      (void)ends.write->write(std::string(60'000, 'x'));
    }),
                    LimitExceeded);
  }
}

TEST_SUITE("fifos") {
  base::Ref<vfs::File> fifo(uint64_t ino = 7) {
    return base::make_ref<FakeFile>("", false, vfs::FileType::fifo, vfs::Device::fifo, ino);
  }

  TEST_CASE("opening waits for the other end") {
    World w;
    FifoTable table(w.s(), w.meter);
    std::string order, got;
    w.s().run([&] {
      w.go([&] {
        order += "r";
        OpenFileRef end = *table.open(fifo(), kRead);
        order += "R";
        got = read_to_end(*end);
      });
      w.s().yield();
      CHECK(order == "r");
      {
        OpenFileRef end = *table.open(fifo(), kWrite);
        order += "W";
        CHECK(end->file() != nullptr);
        CHECK(end->stat()->ino == 7);
        CHECK(end->write("hello").has_value());
      }
      w.s().yield();
      CHECK(order == "rWR");
      CHECK(got == "hello");
    });
  }

  TEST_CASE("a writer that has come and gone still lets a reader in") {
    World w;
    FifoTable table(w.s(), w.meter);
    w.s().run([&] {
      bool read = false;
      w.go([&] {
        OpenFileRef end = *table.open(fifo(), kRead);
        CHECK(read_to_end(*end) == "");
        read = true;
      });
      w.s().yield();
      table.open(fifo(), kWrite)->reset();
      w.s().yield();
      CHECK(read);
    });
  }

  TEST_CASE("read-write does not block, and bytes stay while an end is open") {
    World w;
    FifoTable table(w.s(), w.meter);
    w.s().run([&] {
      OpenFileRef both = *table.open(fifo(), kReadWrite);
      CHECK(both->write("abc").has_value());
      {
        OpenFileRef reader = *table.open(fifo(), kRead);
        CHECK(*reader->peek() == "abc");
        reader->consume(1);
      }
      CHECK(*both->peek() == "bc");
      // Another inode is another FIFO.
      OpenFileRef other = *table.open(fifo(8), kReadWrite);
      CHECK(other->write("z").has_value());
      CHECK(*both->peek() == "bc");
      both.reset();
      both = *table.open(fifo(), kReadWrite);
      bool ended;
      CHECK(both->peek_ready(ended)->empty());
      CHECK_FALSE(ended);
    });
  }

  TEST_CASE("an opening can be interrupted or killed, and leaves no end behind") {
    World w;
    FifoTable table(w.s(), w.meter);
    w.s().run([&] {
      bool interrupted = false;
      Fiber* f = w.s().spawn([&] {
        auto end = table.open(fifo(), kWrite);
        interrupted = !end && end.error() == std::errc::interrupted;
        (void)table.open(fifo(), kWrite);
      });
      w.s().yield();
      w.s().interrupt(f);
      w.s().yield();
      CHECK(interrupted);
      w.s().kill(f);
      w.s().yield();
      CHECK(Scheduler::done(f));
      w.s().release(f);
      // Nobody is at the other end now.
      CHECK_THROWS_AS((void)table.open(fifo(), kRead), Deadlock);
    });
  }
}

TEST_SUITE("captures and sinks") {
  TEST_CASE("a capture collects and waits for the last writer") {
    World w;
    w.s().run([&] {
      Capture capture(w.s(), w.meter);
      OpenFileRef writer = capture.writer();
      CHECK(capture.writer() == writer);
      CHECK(writer->write("one and some more ").has_value());
      w.go([&, copy = writer] {
        w.s().sleep_until(w.clock.now() + kMs);
        (void)copy->write("two");
      });
      writer.reset();
      CHECK(capture.wait_closed());
      CHECK(capture.text() == "one and some more two");
      CHECK(w.clock.now() == kMs);
      CHECK(capture.wait_closed());
      CHECK(w.meter.counters().memory > 0);
      CHECK(capture.writer()->write("!").has_value());
      CHECK(capture.text() == "one and some more two!");
    });
  }

  TEST_CASE("a capture that ends first breaks its writers") {
    World w;
    w.s().run([&] {
      OpenFileRef writer;
      {
        Capture capture(w.s(), w.meter);
        writer = capture.writer();
      }
      CHECK(writer->write("x").error() == std::errc::broken_pipe);
      CHECK(writer->peek().error() == std::errc::bad_file_descriptor);
    });
  }

  TEST_CASE("waiting for a capture can be interrupted") {
    World w;
    w.s().run([&] {
      Capture capture(w.s(), w.meter);
      OpenFileRef writer = capture.writer();
      Fiber* main = w.s().current();
      w.go([&, writer = std::move(writer)] {
        w.s().interrupt(main);
        w.s().yield();
      });
      CHECK_FALSE(capture.wait_closed());
      CHECK(capture.wait_closed());
    });
  }

  TEST_CASE("max_string_bytes bounds a capture") {
    Limits limits = Limits::standard();
    limits.max_string_bytes = 10;
    World w(limits);
    w.s().run([&] {
      Capture capture(w.s(), w.meter);
      OpenFileRef writer = capture.writer();
      CHECK(writer->write("0123456789").has_value());
      CHECK_THROWS_AS((void)writer->write("x"), LimitExceeded);
      CHECK(capture.text() == "0123456789");
    });
  }

  TEST_CASE("a sink keeps the bytes up to the limit, then raises") {
    Limits limits = Limits::standard();
    limits.max_output_bytes = 10;
    World w(limits);
    std::string out, err;
    bool out_cut = false, err_cut = false;
    OpenFileRef a = open_sink([&](std::string_view s) { out += s; }, w.meter, &out_cut);
    OpenFileRef b = open_sink([&](std::string_view s) { err += s; }, w.meter, &err_cut);
    CHECK(a->write("12345").has_value());
    CHECK(b->write("123").has_value());
    CHECK_FALSE(out_cut);
    CHECK_THROWS_AS((void)a->write("678"), LimitExceeded);
    CHECK(out == "1234567");
    CHECK(out_cut);
    CHECK_FALSE(err_cut);
    CHECK_THROWS_AS((void)b->write("4"), LimitExceeded);
    CHECK(b->write("").has_value());
    CHECK(err == "123");
  }
}

TEST_SUITE("descriptions") {
  TEST_CASE("a file is read in place or through a buffer, with one offset") {
    for (bool views : {false, true}) {
      World w;
      auto file = base::make_ref<FakeFile>("hello world", views);
      OpenFileRef f = open_regular(file, kRead, &w.meter);
      CHECK(f->kind() == OpenKind::file);
      CHECK(*f->peek() == "hello world");
      f->consume(6);
      CHECK(*f->peek() == "world");
      CHECK(*f->seek(-3, 2) == 8);
      CHECK(*f->peek() == "rld");
      CHECK(*f->seek(1, 1) == 9);
      CHECK(*f->peek() == "ld");
      CHECK(*f->seek(4, 0) == 4);
      CHECK(*f->peek() == "o world");
      CHECK(f->seek(-1, 0).error() == std::errc::invalid_argument);
      CHECK(f->seek(0, 3).error() == std::errc::invalid_argument);
      CHECK(*f->seek(100, 0) == 100);
      CHECK(f->peek()->empty());
      file->text() += std::string(200, 'x');
      CHECK(f->peek()->size() == 111);
      CHECK(f->write("x").error() == std::errc::bad_file_descriptor);
      bool ended;
      CHECK(f->peek_ready(ended).has_value());
      CHECK_FALSE(ended);
      CHECK((file->reads == 0) == views);
    }
  }

  TEST_CASE("writing: at the offset, at the end, and both through one description") {
    World w;
    auto file = base::make_ref<FakeFile>("hello world", true);
    OpenFileRef f = open_regular(file, kWrite);
    CHECK(f->write("HE").has_value());
    CHECK(f->write("LLO").has_value());
    CHECK(file->text() == "HELLO world");
    CHECK(f->peek().error() == std::errc::bad_file_descriptor);

    OpenFileRef a = open_regular(file, {.write = true, .append = true});
    CHECK(a->write("!").has_value());
    CHECK(*a->seek(0, 1) == 12);
    CHECK(*a->seek(0, 0) == 0);
    CHECK(a->write("?").has_value());
    CHECK(file->text() == "HELLO world!?");

    OpenFileRef both = open_regular(file, kReadWrite);
    CHECK(both->peek()->substr(0, 5) == "HELLO");
    both->consume(6);
    CHECK(both->write("W").has_value());
    CHECK(*both->peek() == "orld!?");
    CHECK(file->text() == "HELLO World!?");
  }

  TEST_CASE("a directory can be opened, not read") {
    auto dir = base::make_ref<FakeFile>("", false, vfs::FileType::directory);
    OpenFileRef f = open_regular(dir, kRead);
    CHECK(f->kind() == OpenKind::directory);
    CHECK(f->peek().error() == std::errc::is_a_directory);
    CHECK_FALSE(f->seekable());
  }

  TEST_CASE("a view on lease is not taken away by another reader") {
    World w;
    auto file = base::make_ref<FakeFile>("line1\nline2\nline3\n", true);
    OpenFileRef f = open_regular(file, kRead, &w.meter);
    Input a(f, w.meter), b(f, w.meter);
    std::string_view first, second, third;
    REQUIRE(a.read_line(first));
    REQUIRE(b.read_line(second));
    CHECK(file->reads == 1);
    file->text() = "gone";
    CHECK(first == "line1");
    CHECK(second == "line2");
    // b took a line: a goes on behind it.
    file->text() = "line1\nline2\nline3\n";
    REQUIRE(a.read_line(third));
    CHECK(third == "line3");
    CHECK_FALSE(b.read_line(third));
  }

  TEST_CASE("readers of the tree keep their view while the file is cut and written") {
    World w;
    vfs::View fs(base::make_ref<vfs::MemoryFs>(w.limits, w.clock), {.uid = 0, .gid = 0});
    constexpr vfs::OpenFlags kMake{.write = true, .create = true, .truncate = true};
    w.s().run([&] {
      std::string text;
      for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + "\n";
      REQUIRE(open_regular(*fs.open("/f", kMake), kMake)->write(text).has_value());
      OpenFileRef shared = open_regular(*fs.open("/f", kRead), kRead, &w.meter);
      int lines = 0;
      for (int reader = 0; reader < 2; ++reader)
        w.go([&] {
          Input in(shared, w.meter);
          std::string_view line;
          while (in.read_line(line)) {
            std::string copy(line);
            w.s().yield();
            CHECK(line == copy);
            ++lines;
          }
        });
      w.s().yield();
      w.s().yield();
      REQUIRE(open_regular(*fs.open("/f", kMake), kMake)->write("short").has_value());
      while (w.s().live() > 0) w.s().yield();
      // Nothing is behind their offset any more but what they hold.
      CHECK(lines >= 3);
      CHECK(shared->peek()->empty());
    });
  }

  TEST_CASE("devices") {
    World w;
    uint64_t counter = 0;
    std::function<uint64_t()> random = [&] { return 0x0102030405060708 + counter++; };
    auto open = [&](vfs::Device d) { return open_device(d, nullptr, random); };
    OpenFileRef null = open(vfs::Device::null);
    CHECK(null->kind() == OpenKind::null);
    CHECK(null->peek()->empty());
    CHECK(null->write("x").has_value());
    OpenFileRef zero = open(vfs::Device::zero);
    CHECK(zero->peek()->size() == 65536);
    CHECK(zero->peek()->find_first_not_of('\0') == std::string_view::npos);
    zero->consume(65536);
    CHECK(zero->write("x").has_value());
    OpenFileRef full = open(vfs::Device::full);
    CHECK(full->write("x").error() == std::errc::no_space_on_device);
    CHECK(full->write("").has_value());
    CHECK((*full->peek())[0] == '\0');
    for (vfs::Device d : {vfs::Device::random, vfs::Device::urandom}) {
      counter = 0;
      OpenFileRef f = open(d);
      CHECK(f->peek()->substr(0, 9) == std::string_view("\x08\x07\x06\x05\x04\x03\x02\x01\x09", 9));
      size_t block = f->peek()->size();
      f->consume(block);
      CHECK(f->peek()->size() == block);
      CHECK(counter == 2 * block / 8);
      CHECK(f->write("seed").has_value());
    }
    CHECK(*zero->seek(5, 0) == 0);
    CHECK_FALSE(open(vfs::Device::tty));
  }

  TEST_CASE("texts") {
    World w;
    OpenFileRef f = open_text(std::string("a\0b\n", 4), w.meter);
    CHECK(w.meter.counters().memory == 4);
    CHECK(f->peek()->size() == 4);
    f->consume(2);
    CHECK(*f->peek() == "b\n");
    CHECK(*f->seek(-1, 2) == 3);
    CHECK(*f->peek() == "\n");
    CHECK(*f->seek(9, 0) == 9);
    CHECK(f->peek()->empty());
    CHECK(f->write("x").error() == std::errc::bad_file_descriptor);
  }

  TEST_CASE("tables of descriptors") {
    Limits limits = Limits::standard();
    limits.max_open_files = 3;
    World w(limits);
    FdTable table;
    OpenFileRef null = open_device(vfs::Device::null, nullptr, {});
    CHECK(table.get(0) == nullptr);
    CHECK(table.get(-1) == nullptr);
    CHECK(table.lowest_free(0) == 0);
    CHECK(table.set(0, null, w.meter).has_value());
    CHECK(table.set(10, null, w.meter).has_value());
    CHECK(table.lowest_free(0) == 1);
    CHECK(table.lowest_free(10) == 11);
    CHECK(table.set(11, null, w.meter).has_value());
    CHECK(table.open_count() == 3);
    CHECK(table.set(11, null, w.meter).has_value());
    CHECK_THROWS_AS((void)table.set(12, null, w.meter), LimitExceeded);
    CHECK(table.set(-1, null, w.meter).error() == std::errc::bad_file_descriptor);
    CHECK(table.set(5000, null, w.meter).error() == std::errc::bad_file_descriptor);
    FdTable copy = table;
    CHECK(null->ref_count() == 7);
    copy.close(11);
    copy.close(11);
    CHECK(copy.size() == 11);
    CHECK(copy.open_count() == 2);
    CHECK(table.ref(11) == null);
    CHECK(table.set(10, nullptr, w.meter).has_value());
    CHECK(table.get(10) == nullptr);
    CHECK(table.open_count() == 2);
  }

  TEST_CASE("open_any resolves devices and descriptors") {
    World w;
    FifoTable fifos(w.s(), w.meter);
    FdTable fds;
    std::function<uint64_t()> random = [] { return uint64_t{0}; };
    OpenEnvironment env{fds, fifos, w.meter, random};
    auto device = [](vfs::Device d) {
      return base::make_ref<FakeFile>("", false, vfs::FileType::char_device, d);
    };
    CHECK(open_any(device(vfs::Device::tty), kRead, env).error() ==
          std::errc::no_such_device_or_address);
    CHECK((*open_any(device(vfs::Device::null), kWrite, env))->kind() == OpenKind::null);
    CHECK(open_any(device(vfs::Device::stdin_), kRead, env).error() ==
          std::errc::no_such_file_or_directory);
    auto file = base::make_ref<FakeFile>("text", true);
    CHECK(fds.set(0, open_regular(file, kRead), w.meter).has_value());
    fds.get(0)->consume(2);
    OpenFileRef again = *open_any(device(vfs::Device::stdin_), kRead, env);
    CHECK(*again->peek() == "text");
    CHECK(*fds.get(0)->peek() == "xt");
    CHECK(open_any(device(vfs::Device::stdin_), kWrite, env).error() ==
          std::errc::permission_denied);
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      CHECK(fds.set(0, ends.read, w.meter).has_value());
      OpenFileRef writer = *open_any(device(vfs::Device::stdin_), kWrite, env);
      CHECK(writer->write("via /dev/stdin").has_value());
      CHECK(*ends.read->peek() == "via /dev/stdin");
      fds.close(0);
    });
  }
}

namespace {

// A description that fails, or records.
class Recorder final : public OpenFile {
 public:
  Recorder() : OpenFile(OpenKind::sink, false, true) {}
  std::expected<void, std::errc> write(std::string_view data) override {
    if (error != std::errc{}) return std::unexpected(error);
    writes.emplace_back(data);
    return {};
  }
  std::vector<std::string> writes;
  std::errc error{};
};

}  // namespace

TEST_SUITE("streams") {
  TEST_CASE("lines: in one chunk, over chunks, with NUL, without an end") {
    World w;
    Input in(open_text(std::string("one\n\ntw\0o\nlast", 14), w.meter), w.meter);
    std::string_view line;
    REQUIRE(in.read_line(line));
    CHECK(line == "one");
    CHECK(in.had_delimiter());
    REQUIRE(in.read_line(line));
    CHECK(line.empty());
    REQUIRE(in.read_line(line));
    CHECK(line == std::string_view("tw\0o", 4));
    REQUIRE(in.read_line(line));
    CHECK(line == "last");
    CHECK_FALSE(in.had_delimiter());
    CHECK_FALSE(in.read_line(line));
    CHECK_FALSE(in.has_error());
  }

  TEST_CASE("a line over many chunks of a pipe") {
    World w;
    w.s().run([&] {
      PipeEnds ends = make_pipe(w.s(), w.meter);
      w.go([&, end = std::move(ends.write)] {
        for (int i = 0; i < 50; ++i) REQUIRE(end->write(std::string(5000, 'a')));
        REQUIRE(end->write("\nnext"));
      });
      Input in(std::move(ends.read), w.meter);
      std::string_view line;
      REQUIRE(in.read_line(line));
      CHECK(line == std::string(250'000, 'a'));
      CHECK(in.had_delimiter());
      REQUIRE(in.read_line(line));
      CHECK(line == "next");
      CHECK_FALSE(in.had_delimiter());
    });
  }

  TEST_CASE("max_string_bytes bounds a line that has to be collected") {
    Limits limits = Limits::standard();
    limits.max_string_bytes = 1000;
    World w(limits);
    Input in(open_device(vfs::Device::zero, nullptr, {}), w.meter);
    std::string_view line;
    CHECK_THROWS_AS((void)in.read_line(line), LimitExceeded);
  }

  TEST_CASE("max_memory_bytes bounds read_all, max_work_units an endless reader") {
    Limits limits = Limits::standard();
    limits.max_memory_bytes = 1 << 20;
    limits.max_work_units = 10'000;
    World w(limits);
    Input in(open_device(vfs::Device::zero, nullptr, {}), w.meter);
    std::string all;
    CHECK_THROWS_AS((void)in.read_all(all), LimitExceeded);
    CHECK(all.size() <= 1 << 20);
    CHECK_THROWS_AS(
        [&] {
          while (!in.read_chunk().empty()) {
          }
        }(),
        LimitExceeded);
  }

  TEST_CASE("what one reader leaves, the next one gets") {
    World w;
    for (bool views : {false, true}) {
      auto file = base::make_ref<FakeFile>("a\nb\nc\nd\n", views);
      OpenFileRef f = open_regular(file, kRead, &w.meter);
      std::string_view line;
      {
        Input in(f, w.meter);
        REQUIRE(in.read_line(line));
        CHECK(line == "a");
        CHECK(in.peek() == "b\nc\nd\n");
        CHECK(in.read_chunk(1) == "b");
        in.consume(1);
      }
      Input in(f, w.meter);
      Input moved(std::move(in));
      REQUIRE(moved.read_line(line));
      CHECK(line == "c");
      std::string rest;
      CHECK(moved.read_all(rest));
      CHECK(rest == "d\n");
      CHECK(moved.peek().empty());
    }
  }

  TEST_CASE("reading errors") {
    World w;
    Input none;
    CHECK(none.peek().empty());
    CHECK(none.error() == std::errc::bad_file_descriptor);
    Input dir(open_regular(base::make_ref<FakeFile>("", false, vfs::FileType::directory), kRead),
              w.meter);
    std::string_view line;
    std::string all;
    CHECK_FALSE(dir.read_line(line));
    CHECK_FALSE(dir.read_all(all));
    CHECK(dir.error() == std::errc::is_a_directory);
  }

  TEST_CASE("buffering") {
    World w;
    auto file = base::make_ref<Recorder>();
    std::vector<std::string> expected;
    {
      Output out(file, w.meter, Output::Buffering::none);
      out << "a" << "b\n";
      CHECK(file->writes == std::vector<std::string>{"a", "b\n"});
    }
    file->writes.clear();
    {
      Output out(file, w.meter, Output::Buffering::line);
      out << "a" << "b\nc" << "d";
      CHECK(file->writes == std::vector<std::string>{"ab\n"});
      out.put('\n');
      CHECK(file->writes == std::vector<std::string>{"ab\n", "cd\n"});
      out << std::string(100'000, 'x');
      CHECK(file->writes.back().size() == 100'000);
    }
    file->writes.clear();
    {
      Output out(file, w.meter, Output::Buffering::full);
      out << "a\n";
      out.write_int(-42);
      CHECK(file->writes.empty());
      out.flush();
      out.flush();
      CHECK(file->writes == std::vector<std::string>{"a\n-42"});
      out << "x" << std::string(50'000, 'y');
      CHECK(file->writes.size() == 3);
      CHECK(file->writes[1] == "x");
      out << "dropped by the destructor";
    }
    CHECK(file->writes.size() == 3);
  }

  TEST_CASE("writing errors are kept, a broken pipe is thrown") {
    World w;
    auto file = base::make_ref<Recorder>();
    file->error = std::errc::no_space_on_device;
    Output out(file, w.meter, Output::Buffering::full);
    out << "x";
    CHECK_FALSE(out.has_error());
    out.flush();
    CHECK(out.error() == std::errc::no_space_on_device);
    file->error = {};
    out << "y";
    out.flush();
    CHECK(file->writes.empty());

    Output closed(nullptr, w.meter, Output::Buffering::none);
    closed << "";
    CHECK_FALSE(closed.has_error());
    closed << "x";
    CHECK(closed.error() == std::errc::bad_file_descriptor);

    Output nothing;
    nothing << "x";
    nothing.flush();
    CHECK(nothing.error() == std::errc::bad_file_descriptor);

    Output reading(open_text("", w.meter), w.meter, Output::Buffering::none);
    reading << "x";
    CHECK(reading.error() == std::errc::bad_file_descriptor);

    file->error = std::errc::broken_pipe;
    Output pipe(file, w.meter, Output::Buffering::full);
    pipe << "x";
    CHECK_THROWS_AS(pipe.flush(), BrokenPipe);
    file->error = {};
    pipe.flush();
    CHECK(file->writes.empty());

    file->error = std::errc::broken_pipe;
    Output ignoring(file, w.meter, Output::Buffering::full);
    ignoring.set_ignore_sigpipe(true);
    ignoring << "x";
    ignoring.flush();
    CHECK(ignoring.error() == std::errc::broken_pipe);
  }

  TEST_CASE("a pipeline of commands: yes | tr | head") {
    World w;
    w.s().run([&] {
      PipeEnds one = make_pipe(w.s(), w.meter), two = make_pipe(w.s(), w.meter);
      bool first_broken = false, second_broken = false;
      w.go([&, end = std::move(one.write)] {
        Output out(end, w.meter, Output::Buffering::full);
        try {
          for (;;) out << "y\n";
        } catch (const BrokenPipe&) {
          first_broken = true;
        }
      });
      w.go([&, from = std::move(one.read), to = std::move(two.write)] {
        Input in(from, w.meter);
        Output out(to, w.meter, Output::Buffering::full);
        std::string changed;
        try {
          for (;;) {
            std::string_view chunk = in.read_chunk();
            changed = chunk;
            for (char& c : changed)
              if (c == 'y') c = 'z';
            out << changed;
          }
        } catch (const BrokenPipe&) {
          second_broken = true;
        }
      });
      {
        Input in(std::move(two.read), w.meter);
        std::string_view line;
        for (int i = 0; i < 100'000; ++i) {
          REQUIRE(in.read_line(line));
          REQUIRE(line == "z");
        }
      }
      while (w.s().live() > 0) w.s().yield();
      CHECK(first_broken);
      CHECK(second_broken);
    });
  }
}

}  // namespace nacre::interp
