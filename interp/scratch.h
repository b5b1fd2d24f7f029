// Stack-like memory for what lives as long as one command: expanded words.
// One Scratch a fiber; marks nest as calls do.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "limits/meter.h"

namespace nacre::interp {

class Scratch {
 public:
  explicit Scratch(limits::Meter& meter) : meter_(meter) {}
  ~Scratch() {
    for (Block& b : blocks_) meter_.sub_memory(static_cast<int64_t>(b.size));
  }
  Scratch(const Scratch&) = delete;
  limits::Meter& meter() { return meter_; }

  struct Mark {
    size_t block, used;
  };
  Mark mark() const { return {block_, used_}; }
  void release(Mark m) {
    block_ = m.block;
    used_ = m.used;
    if (blocks_.size() > block_ + 2) trim();
  }
  char* allocate(size_t n) {
    if (block_ < blocks_.size() && blocks_[block_].size - used_ >= n) {
      char* p = blocks_[block_].data.get() + used_;
      used_ += n;
      return p;
    }
    return allocate_slow(n);
  }
  std::string_view copy(std::string_view s) {
    char* p = allocate(s.size());
    if (!s.empty()) std::memcpy(p, s.data(), s.size());
    return {p, s.size()};
  }

 private:
  struct Block {
    std::unique_ptr<char[]> data;
    size_t size;
  };
  char* allocate_slow(size_t n);
  void trim();

  limits::Meter& meter_;
  std::vector<Block> blocks_;
  size_t block_ = 0, used_ = 0;
};

// The fields that words expand to. Text lives in the Scratch until this list
// is destroyed (lists nest as calls do).
class FieldList {
 public:
  explicit FieldList(Scratch& scratch) : scratch_(scratch), mark_(scratch.mark()) {}
  ~FieldList() {
    if (overflow_.capacity()) scratch_.meter().sub_memory(charge_of(overflow_.capacity()));
    scratch_.release(mark_);
  }
  FieldList(const FieldList&) = delete;

  void add(std::string_view text) { add_stable(scratch_.copy(text)); }
  // Text that lives at least as long as the list (the syntax tree's).
  void add_stable(std::string_view text) {
    if (!overflow_.empty()) {
      if (overflow_.size() == overflow_.capacity()) grow();
      overflow_.push_back(text);
    } else if (count_ < few_.size()) {
      few_[count_++] = text;
    } else {
      spill(text);
    }
  }
  size_t size() const { return overflow_.empty() ? count_ : overflow_.size(); }
  bool empty() const { return size() == 0; }
  std::string_view operator[](size_t i) const { return data()[i]; }
  std::span<const std::string_view> view() const { return {data(), size()}; }
  Scratch& scratch() { return scratch_; }
  // Drops the fields from `n` on (their text stays until the end).
  void shrink(size_t n) {
    if (overflow_.empty()) count_ = n;
    else if (n) overflow_.resize(n);
    else overflow_.clear(), count_ = 0;
  }

 private:
  const std::string_view* data() const {
    return overflow_.empty() ? few_.data() : overflow_.data();
  }
  static int64_t charge_of(size_t fields) {
    return static_cast<int64_t>(fields * sizeof(std::string_view));
  }
  void spill(std::string_view text);
  // Doubles overflow_, charged: fields may be many and have no text at all.
  void grow();

  Scratch& scratch_;
  Scratch::Mark mark_;
  size_t count_ = 0;
  std::array<std::string_view, 10> few_;
  std::vector<std::string_view> overflow_;
};

}  // namespace nacre::interp
