// A piece of memory that descriptions keep bytes in: bytes are added behind and
// taken in front, and never move, so that a lease on it keeps views true.
// Charged to the meter while it lives.
#pragma once

#include <cstddef>
#include <new>
#include <string_view>

#include "base/copy.h"
#include "interp/open_file.h"
#include "limits/meter.h"

namespace nacre::interp {

class Chunk final : public Lease {
 public:
  // `meter` may be null.
  Chunk(limits::Meter* meter, size_t capacity) : meter_(meter), capacity_(capacity) {
    if (meter_) meter_->add_memory(static_cast<int64_t>(capacity));
    bytes_ = static_cast<char*>(::operator new(capacity, kAlignment, std::nothrow));
    if (!bytes_) {
      if (meter_) meter_->sub_memory(static_cast<int64_t>(capacity));
      throw std::bad_alloc();
    }
  }
  ~Chunk() override {
    ::operator delete(bytes_, kAlignment);
    if (meter_) meter_->sub_memory(static_cast<int64_t>(capacity_));
  }

  size_t capacity() const { return capacity_; }
  size_t room() const { return capacity_ - end_; }
  bool empty() const { return begin_ == end_; }
  std::string_view bytes() const { return {bytes_ + begin_, end_ - begin_}; }
  void append(std::string_view data) {
    base::copy_bytes(bytes_ + end_, data.data(), data.size());
    end_ += data.size();
  }
  void take(size_t n) { begin_ += n; }
  // For who fills it by itself: the free memory, and how much of it was filled.
  char* free_space() { return bytes_ + end_; }
  void filled(size_t n) { end_ += n; }
  // Only when no lease is out.
  void clear() { begin_ = end_ = 0; }

  base::Ref<Chunk> next;  // in a pipe

 private:
  static constexpr std::align_val_t kAlignment{64};

  limits::Meter* meter_;
  size_t capacity_;
  char* bytes_ = nullptr;
  size_t begin_ = 0, end_ = 0;
};

}  // namespace nacre::interp
