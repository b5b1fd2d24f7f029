// Intrusive, non-atomic reference counting.
//
// A session runs on one thread at a time, so counts need no atomics. What is
// shared between sessions on different threads must be a constant, never a Ref.
#pragma once

#include <cstdint>
#include <utility>

namespace nacre::base {

class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) {}  // A copy is a new object, held by nobody yet.
  RefCounted& operator=(const RefCounted&) { return *this; }

  void retain() const { ++refs_; }
  // True when the caller held the last reference and must delete the object.
  bool release() const { return --refs_ == 0; }
  bool unique() const { return refs_ == 1; }
  uint32_t ref_count() const { return refs_; }

 private:
  mutable uint32_t refs_ = 0;
};

template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* p) : p_(p) {
    if (p_) p_->retain();
  }
  Ref(const Ref& o) : p_(o.p_) {
    if (p_) p_->retain();
  }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(const Ref<U>& o) : p_(o.get()) {
    if (p_) p_->retain();
  }
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() {
    if (p_ && p_->release()) delete p_;
  }

  T* get() const { return p_; }
  T& operator*() const { return *p_; }
  T* operator->() const { return p_; }
  explicit operator bool() const { return p_ != nullptr; }
  bool operator==(const Ref& o) const { return p_ == o.p_; }
  void reset() { *this = Ref(); }

 private:
  T* p_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

// Copy on write: gives a reference to an object that only `ref` holds, cloning
// it first when it is shared.
template <class T>
T& writable(Ref<T>& ref) {
  if (!ref->unique()) ref = Ref<T>(new T(*ref));
  return *ref;
}

}  // namespace nacre::base
