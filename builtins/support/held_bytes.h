// A queue of bytes in one piece: added behind, dropped in front. What is held
// is charged to the meter. Dropping moves the rest down only when the dead part
// outweighs the live one, so each byte is moved a constant number of times.
#pragma once

#include <string>
#include <string_view>

#include "limits/meter.h"

namespace nacre::builtins {

class HeldBytes {
 public:
  explicit HeldBytes(limits::Meter& meter) : charge_(meter) {}

  std::string_view view() const { return std::string_view(bytes_).substr(start_); }
  size_t size() const { return bytes_.size() - start_; }

  void append(std::string_view s) {
    size_t need = bytes_.size() + s.size();
    if (need > bytes_.capacity()) {
      compact();
      need = bytes_.size() + s.size();
      if (need > bytes_.capacity()) {
        size_t capacity = need + need / 2;
        charge_.set(static_cast<int64_t>(capacity));
        bytes_.reserve(capacity);
      }
    }
    bytes_.append(s);
  }
  void drop_front(size_t n) {
    start_ += n;
    if (start_ > bytes_.size() / 2) compact();
  }
  void clear() {
    bytes_.clear();
    start_ = 0;
  }

 private:
  void compact() {
    bytes_.erase(0, start_);
    start_ = 0;
  }

  std::string bytes_;
  size_t start_ = 0;
  limits::MemoryCharge charge_;
};

}  // namespace nacre::builtins
