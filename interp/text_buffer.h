// Text that is being built: short texts stay inside the object (on the stack),
// long ones are charged to the meter while they live. Not a value to keep:
// what is finished is copied to where it belongs.
//
// Growing past max_string_bytes throws before memory is taken.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/numbers.h"
#include "limits/meter.h"

namespace nacre::interp {

class TextBuffer {
 public:
  // What max_string_bytes speaks of: this is one text, or holds many.
  enum class Holds : uint8_t { one, many };
  explicit TextBuffer(limits::Meter& meter, Holds holds = Holds::one)
      : meter_(meter), holds_(holds) {}
  ~TextBuffer() {
    if (charged_) meter_.sub_memory(charged_);
  }
  TextBuffer(const TextBuffer&) = delete;

  void append(std::string_view s) {
    if (s.empty()) return;
    if (s.size() > capacity_ - size_) grow(s.size());
    std::memcpy(data_ + size_, s.data(), s.size());
    size_ += s.size();
  }
  void push(char c) {
    if (size_ == capacity_) grow(1);
    data_[size_++] = c;
  }
  void append_int(int64_t v) {
    char digits[24];
    auto r = std::to_chars(digits, digits + sizeof digits, v);
    append({digits, static_cast<size_t>(r.ptr - digits)});
  }
  void clear() { size_ = 0; }
  void resize_down(size_t n) { size_ = n; }
  std::string_view view() const { return {data_, size_}; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  static constexpr size_t kInline = 128;
  void grow(size_t more);

  limits::Meter& meter_;
  Holds holds_;
  char* data_ = inline_;
  size_t size_ = 0;
  size_t capacity_ = kInline;
  int64_t charged_ = 0;
  std::unique_ptr<char[]> heap_;
  char inline_[kInline];
};

// A list of texts of its own, apart from the Scratch (whose marks must nest):
// the elements of $@ or of an array while an operator is mapped over them.
class ValueList {
 public:
  explicit ValueList(limits::Meter& meter) : bytes_(meter, TextBuffer::Holds::many) {}
  void add(std::string_view s) {
    bytes_.append(s);
    close();
  }
  // The text that was appended to buffer() since the last element becomes one.
  TextBuffer& buffer() { return bytes_; }
  void close() {
    if (count_ == capacity_) grow();
    ends_[count_++] = bytes_.size();
  }
  void clear() {
    bytes_.clear();
    count_ = 0;
  }
  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::string_view operator[](size_t i) const {
    size_t from = i == 0 ? 0 : ends_[i - 1];
    return bytes_.view().substr(from, ends_[i] - from);
  }

 private:
  static constexpr size_t kInline = 8;
  void grow();

  TextBuffer bytes_;
  size_t count_ = 0;
  size_t capacity_ = kInline;
  size_t* ends_ = inline_;
  std::unique_ptr<size_t[]> heap_;
  size_t inline_[kInline];
};

}  // namespace nacre::interp
