// What a new Shell costs: time, and bytes taken from the heap.
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "nacre/nacre.h"

int main() {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 2000;
  auto time = [](auto&& body) {
    auto start = Clock::now();
    for (int i = 0; i < kRounds; ++i) body();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kRounds;
  };
  { nacre::Shell warm; }
  std::printf("%-22s %8.2f us\n", "new Shell", time([] { nacre::Shell s; }));
  nacre::Shell shell;
  std::printf("%-22s %8.2f us\n", "exec(\":\")", time([&] { shell.exec(":"); }));
  std::printf("%-22s %8.2f us\n", "exec(\"echo hi\")", time([&] { shell.exec("echo hi"); }));
  std::printf("%-22s %8.2f us\n", "new Shell and exec", time([] {
                nacre::Shell s;
                s.exec("echo hi");
              }));
  std::vector<nacre::Shell> many;
  many.reserve(1000);
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i) many.emplace_back();
  std::printf("%-22s %8.1f KiB\n", "heap of a Shell", (mallinfo2().uordblks - before) / 1000.0 / 1024);
}
