#include "interp/text_buffer.h"

namespace nacre::interp {

void TextBuffer::grow(size_t more) {
  if (holds_ == Holds::one) meter_.check_string(static_cast<int64_t>(size_ + more));
  size_t capacity = capacity_ * 2;
  if (capacity < size_ + more) capacity = size_ + more;
  // Both texts live while one is copied to the other.
  meter_.add_memory(static_cast<int64_t>(capacity));
  auto bigger = std::make_unique_for_overwrite<char[]>(capacity);
  std::memcpy(bigger.get(), data_, size_);
  meter_.sub_memory(charged_);
  charged_ = static_cast<int64_t>(capacity);
  heap_ = std::move(bigger);
  data_ = heap_.get();
  capacity_ = capacity;
}

void ValueList::grow() {
  auto bigger = std::make_unique_for_overwrite<size_t[]>(capacity_ * 2);
  std::memcpy(bigger.get(), ends_, count_ * sizeof(size_t));
  heap_ = std::move(bigger);
  ends_ = heap_.get();
  capacity_ *= 2;
}

}  // namespace nacre::interp
