#include "interp/fiber_stack.h"

#include <sys/mman.h>
#include <unistd.h>

#include "interp/sanitizers.h"

namespace nacre::interp {

namespace {

// Wide enough that no single frame of ours steps over it.
constexpr size_t kGuard = 64 * 1024;
// What a trimmed stack may keep committed.
constexpr size_t kKeptCommitted = 32 * 1024;
constexpr size_t kPage = 4096;

void unmap(FiberStack stack) { munmap(stack.base - kGuard, stack.size + kGuard); }

}  // namespace

StackPool::StackPool(size_t size, size_t most_kept)
    : size_((size + kGuard - 1) / kGuard * kGuard), most_kept_(most_kept) {
  static_assert(kGuard % kPage == 0 && kKeptCommitted % kPage == 0);
}

StackPool::~StackPool() {
  for (Kept& kept : kept_) unmap(kept.stack);
}

FiberStack StackPool::acquire() {
  if (!kept_.empty()) {
    FiberStack stack = kept_.back().stack;
    kept_.pop_back();
    return stack;
  }
  // Room in kept_ is made here, so that release() cannot fail.
  if (kept_.capacity() < most_kept_) kept_.reserve(kept_.capacity() == 0 ? 1 : most_kept_);
  void* memory = mmap(nullptr, size_ + kGuard, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return {};
  FiberStack stack{static_cast<char*>(memory) + kGuard, size_};
  if (mprotect(stack.base, stack.size, PROT_READ | PROT_WRITE) != 0) {
    unmap(stack);
    return {};
  }
  return stack;
}

void StackPool::release(FiberStack stack) {
  // Frames that were left without returning (the last jump away) are poisoned.
  unpoison_memory(stack.base, stack.size);
  if (kept_.size() < most_kept_) kept_.push_back({stack});
  else unmap(stack);
}

void StackPool::trim(size_t keep) {
  while (kept_.size() > keep) {
    unmap(kept_.front().stack);
    kept_.erase(kept_.begin());
  }
  for (Kept& kept : kept_) {
    if (!kept.used) continue;
    kept.used = false;
    if (kept.stack.size > kKeptCommitted)
      madvise(kept.stack.base, kept.stack.size - kKeptCommitted, MADV_DONTNEED);
  }
}

}  // namespace nacre::interp
