// The memory of fibers' stacks: mapped lazily committed, with a guard below, and
// kept for reuse. Knows nothing of fibers. Owned by one Scheduler; not shared
// between threads.
#pragma once

#include <cstddef>
#include <vector>

namespace nacre::interp {

// A stack's usable bytes [base, base + size); the guard lies below base.
struct FiberStack {
  char* base = nullptr;
  size_t size = 0;

  char* top() const { return base + size; }
  explicit operator bool() const { return base != nullptr; }
};

class StackPool {
 public:
  // `size` is rounded up to pages. At most `most_kept` stacks are kept.
  StackPool(size_t size, size_t most_kept);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // A null stack when the kernel gives no memory.
  FiberStack acquire();
  void release(FiberStack stack);
  // To be called when no stack is in use: unmaps all but `keep` of them and
  // gives the memory below the top of those back to the kernel.
  void trim(size_t keep);

  size_t stack_size() const { return size_; }

 private:
  struct Kept {
    FiberStack stack;
    bool used = true;  // since it was last trimmed
  };

  size_t size_;
  size_t most_kept_;
  std::vector<Kept> kept_;
};

}  // namespace nacre::interp
