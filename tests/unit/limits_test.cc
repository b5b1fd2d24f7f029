#include <doctest/doctest.h>

#include <atomic>

#include "limits/clock.h"
#include "limits/meter.h"

namespace {

using namespace nacre;
using limits::Meter;

// The limit that `f` runs into; fails the test when it meets none.
template <class F>
limits::LimitExceeded limit_of(F&& f) {
  try {
    f();
  } catch (const limits::LimitExceeded& e) {
    return e;
  }
  FAIL("no limit was met");
  return {};
}

struct Run {
  Limits limits = Limits::standard();
  limits::VirtualClock clock{0};
  std::atomic<bool> cancel{false};
  Meter meter;
  void begin() { meter.begin(limits, clock, &cancel); }
};

}  // namespace

TEST_CASE("profiles and names") {
  CHECK(Limits::strict().max_commands == 1'000);
  CHECK(Limits::standard().max_commands == 1'000'000);
  CHECK(Limits::permissive().max_work_units == Limits::kUnlimited);
  CHECK(Limits::standard().timeout == 30'000);
  Limits l;
  for (int i = 0; i <= static_cast<int>(LimitName::max_symlink_hops); ++i) {
    auto name = static_cast<LimitName>(i);
    CHECK(Limits::find(limit_text(name)) == name);
    l.set(name, 1000 + i);
    CHECK(l.get(name) == 1000 + i);
  }
  CHECK_FALSE(Limits::find("max_nothing"));
}

TEST_CASE("texts") {
  CHECK(limits::limit_message(LimitName::max_loop_iterations, 1000) ==
        "resource limit exceeded: max_loop_iterations (limit: 1000)");
  CHECK(limits::limit_message(LimitName::timeout, 5000) ==
        "resource limit exceeded: timeout (limit: 5s)");
  CHECK(limits::limit_message(LimitName::parse_timeout, 1250) ==
        "resource limit exceeded: parse_timeout (limit: 1.25s)");
  CHECK(limits::limit_message(LimitName::timeout, 50) ==
        "resource limit exceeded: timeout (limit: 0.05s)");
}

TEST_CASE("N passes and N + 1 raises") {
  Run run;
  run.limits.max_commands = 3;
  run.limits.max_loop_iterations = 2;
  run.limits.max_total_loop_iterations = 3;
  run.limits.max_work_units = 10;
  run.limits.max_parser_fuel = 4;
  run.limits.max_memory_bytes = 100;
  run.limits.max_string_bytes = 8;
  run.limits.max_array_elements = 0;
  run.begin();
  Meter& m = run.meter;
  for (int i = 0; i < 3; ++i) m.charge_command();
  CHECK(limit_of([&] { m.charge_command(); }).name == LimitName::max_commands);
  int64_t loop = 0, other = 0;
  m.charge_iteration(loop);
  m.charge_iteration(loop);
  CHECK(limit_of([&] { m.charge_iteration(loop); }).name == LimitName::max_loop_iterations);
  m.charge_iteration(other);
  CHECK(limit_of([&] { m.charge_iteration(other); }).name ==
        LimitName::max_total_loop_iterations);
  m.charge_work(10);
  CHECK(limit_of([&] { m.charge_work(); }).limit == 10);
  m.charge_fuel(4);
  CHECK(limit_of([&] { m.charge_fuel(); }).name == LimitName::max_parser_fuel);
  m.check_string(8);
  CHECK(limit_of([&] { m.check_string(9); }).name == LimitName::max_string_bytes);
  m.check_elements(0);
  CHECK(limit_of([&] { m.check_elements(1); }).name == LimitName::max_array_elements);
}

TEST_CASE("memory is charged before it is counted, and refunded") {
  Run run;
  run.limits.max_memory_bytes = 100;
  run.begin();
  {
    limits::MemoryCharge charge(run.meter, 60);
    CHECK(limit_of([&] { charge.add(41); }).name == LimitName::max_memory_bytes);
    CHECK(run.meter.counters().memory == 60);
    charge.set(100);
    limits::MemoryCharge moved(std::move(charge));
    moved.set(10);
    CHECK(run.meter.counters().memory == 10);
  }
  CHECK(run.meter.counters().memory == 0);
  CHECK(run.meter.counters().peak_memory == 100);
}

TEST_CASE("depth") {
  Run run;
  run.begin();
  int depth = 0;
  {
    limits::DepthGuard a(run.meter, depth, 2, LimitName::max_nesting_depth);
    limits::DepthGuard b(run.meter, depth, 2, LimitName::max_nesting_depth);
    CHECK(limit_of([&] {
            limits::DepthGuard c(run.meter, depth, 2, LimitName::max_nesting_depth);
          }).name == LimitName::max_nesting_depth);
  }
  CHECK(depth == 0);
}

TEST_CASE("time and cancellation are looked at as work is done") {
  Run run;
  run.limits.timeout = 1'000;
  run.begin();
  run.clock.wait_until(999'999'999);
  run.meter.charge_work(1'000);
  run.clock.wait_until(1'000'000'000);
  limits::LimitExceeded e = limit_of([&] { run.meter.charge_work(1'000); });
  CHECK(e.name == LimitName::timeout);
  CHECK(e.limit == 1'000);
  run.begin();
  run.cancel = true;
  CHECK_THROWS_AS(
      [&] {
        for (int i = 0; i < 1'000; ++i) run.meter.charge_command();
      }(),
      limits::Cancelled);
}

TEST_CASE("parsing has its own clock") {
  Run run;
  run.limits.parse_timeout = 1'000;
  run.begin();
  run.meter.begin_parse();
  run.meter.begin_parse();
  run.meter.end_parse();
  run.clock.wait_until(2'000'000'000);
  CHECK(limit_of([&] { run.meter.charge_fuel(300); }).name == LimitName::parse_timeout);
  run.meter.end_parse();
  run.meter.charge_fuel(300);
}

TEST_CASE("clocks") {
  limits::VirtualClock v(7);
  v.wait_until(100);
  v.wait_until(50);
  CHECK(v.now() == 100);
  CHECK(v.wall_now() == 107);
  limits::RealClock r;
  int64_t start = r.now();
  r.wait_until(start + 1'000'000'000);
  CHECK(r.now() - start < 500'000'000);
  CHECK(r.wall_now() > 1'600'000'000'000'000'000);
}
