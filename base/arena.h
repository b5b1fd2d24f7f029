// A bump allocator for objects that live and die together and need no
// destructor (AST nodes, words, text). Not thread-safe.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nacre::base {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  void* allocate(size_t bytes, size_t align = alignof(std::max_align_t)) {
    uintptr_t at = (cur_ + align - 1) & ~(uintptr_t(align) - 1);
    if (at + bytes > end_) return allocate_slow(bytes, align);
    cur_ = at + bytes;
    return reinterpret_cast<void*>(at);
  }

  // The object's destructor never runs, so it must be trivial.
  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  std::string_view copy(std::string_view s) {
    if (s.empty()) return {};
    char* p = static_cast<char*>(allocate(s.size(), 1));
    std::memcpy(p, s.data(), s.size());
    return {p, s.size()};
  }

  template <class T>
  std::span<T> copy(const std::vector<T>& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (v.empty()) return {};
    T* p = static_cast<T*>(allocate(v.size() * sizeof(T), alignof(T)));
    std::memcpy(static_cast<void*>(p), v.data(), v.size() * sizeof(T));
    return {p, v.size()};
  }

  size_t bytes_reserved() const { return reserved_; }

 private:
  void* allocate_slow(size_t bytes, size_t align) {
    size_t size = next_size_;
    if (size < bytes + align) size = bytes + align;
    if (next_size_ < 64 * 1024) next_size_ *= 2;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    reserved_ += size;
    cur_ = reinterpret_cast<uintptr_t>(blocks_.back().get());
    end_ = cur_ + size;
    return allocate(bytes, align);
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  uintptr_t cur_ = 0;
  uintptr_t end_ = 0;
  size_t next_size_ = 1024;
  size_t reserved_ = 0;
};

}  // namespace nacre::base
