// Objects that trees share: reference counts that may be touched by several
// threads, unlike base::Ref. A snapshot of a tree can be taken in one session
// and forked into sessions on other threads, so what the trees of these have in
// common (inodes, directories, chunks of contents) is counted atomically and is
// constant while more than one tree holds it.
//
// The counts are touched when nodes are made, cloned or dropped, never when
// they are read.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace nacre::vfs {

class Shared {
 public:
  Shared() = default;
  Shared(const Shared&) {}  // A copy is a new object, held by nobody yet.
  Shared& operator=(const Shared&) = delete;
  virtual ~Shared() = default;

  void retain() const { refs_.fetch_add(1, std::memory_order_relaxed); }
  bool release() const {
    if (refs_.load(std::memory_order_acquire) == 1) return true;
    return refs_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  bool unique() const { return refs_.load(std::memory_order_acquire) == 1; }

 private:
  mutable std::atomic<uint32_t> refs_{0};
};

template <class T>
class SharedRef {
 public:
  SharedRef() = default;
  explicit SharedRef(T* p) : p_(p) {
    if (p_) p_->retain();
  }
  SharedRef(const SharedRef& o) : p_(o.p_) {
    if (p_) p_->retain();
  }
  SharedRef(SharedRef&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> SharedRef(SharedRef<U> o)
  noexcept : p_(o.detach()) {}
  SharedRef& operator=(SharedRef o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~SharedRef() {
    if (p_ && p_->release()) delete p_;
  }

  const T* get() const { return p_; }
  const T* operator->() const { return p_; }
  const T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  void reset() { *this = SharedRef(); }

  // The object for writing: cloned first when another tree holds it too. What
  // holds this reference must itself be writable in this way, up to the root.
  T& writable() {
    if (!p_->unique()) *this = SharedRef(new T(*p_));
    return *p_;
  }
  // For writing, where the caller knows that nobody else holds it.
  T& owned() { return *p_; }
  // Gives up the reference without dropping it.
  T* detach() { return std::exchange(p_, nullptr); }
  // As writable(), made when there is none.
  T& writable_or_new() {
    if (!p_) *this = SharedRef(new T());
    return writable();
  }

 private:
  T* p_ = nullptr;
};

template <class T, class... Args>
SharedRef<T> make_shared_ref(Args&&... args) {
  return SharedRef<T>(new T(std::forward<Args>(args)...));
}

}  // namespace nacre::vfs
