// What the sanitizers must be told about stacks. All of it is nothing in an
// ordinary build.
//
// AddressSanitizer keeps the bounds of the stack that runs (and a fake stack
// for use-after-return), ThreadSanitizer a whole context for each fiber.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NACRE_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define NACRE_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define NACRE_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define NACRE_TSAN 1
#endif

#ifdef NACRE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef NACRE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace nacre::interp {

#ifdef NACRE_ASAN
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

inline void unpoison_memory(const void* p, size_t size) {
#ifdef NACRE_ASAN
  __asan_unpoison_memory_region(p, size);
#else
  (void)p, (void)size;
#endif
}

// Before a jump to the stack [bottom, bottom + size). `save` receives the fake
// stack of the context that is left; null when it will never run again.
inline void before_switch(void** save, const void* bottom, size_t size) {
#ifdef NACRE_ASAN
  __sanitizer_start_switch_fiber(save, bottom, size);
#else
  (void)save, (void)bottom, (void)size;
#endif
}

// After a jump, in the context that runs now. `saved` is what its own
// before_switch gave (null at its start); the bounds of the stack that was left
// go to `bottom` and `size` unless they are null.
inline void after_switch(void* saved, const void** bottom = nullptr, size_t* size = nullptr) {
#ifdef NACRE_ASAN
  __sanitizer_finish_switch_fiber(saved, bottom, size);
#else
  (void)saved, (void)bottom, (void)size;
#endif
}

inline void* tsan_create() {
#ifdef NACRE_TSAN
  return __tsan_create_fiber(0);
#else
  return nullptr;
#endif
}
inline void* tsan_current() {
#ifdef NACRE_TSAN
  return __tsan_get_current_fiber();
#else
  return nullptr;
#endif
}
inline void tsan_destroy(void* context) {
#ifdef NACRE_TSAN
  if (context) __tsan_destroy_fiber(context);
#else
  (void)context;
#endif
}
inline void tsan_switch(void* context) {
#ifdef NACRE_TSAN
  __tsan_switch_to_fiber(context, 0);
#else
  (void)context;
#endif
}

}  // namespace nacre::interp
