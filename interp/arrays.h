// The two kinds of arrays. Values of variables, copied on write with them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.h"

namespace nacre::interp {

// Indexed array: sparse. The run of elements 0, 1, 2, ... is a plain vector, so
// that building by += and walking are linear; what lies beyond a hole is a map.
class IndexedArray : public base::RefCounted {
 public:
  const std::string* find(int64_t index) const {
    if (index >= 0 && static_cast<size_t>(index) < dense_.size()) {
      const Slot& s = dense_[index];
      return s.present ? &s.value : nullptr;
    }
    auto it = sparse_.find(index);
    return it == sparse_.end() ? nullptr : &it->second;
  }
  // Makes the element (empty) when it is not there.
  std::string& at(int64_t index);
  void erase(int64_t index);
  void clear();
  size_t size() const { return count_; }       // elements that are set
  // Highest set index, -1 when empty.
  int64_t max_index() const;
  // The index behind it, from which negative subscripts count; at most INT64_MAX.
  int64_t end_index() const {
    const int64_t last = max_index();
    return last == INT64_MAX ? last : last + 1;
  }
  // Calls f(index, value) in order; f returns false to stop.
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 0; i < dense_.size(); ++i)
      if (dense_[i].present && !f(static_cast<int64_t>(i), dense_[i].value)) return;
    for (const auto& [i, v] : sparse_)
      if (!f(i, v)) return;
  }
  // Like for_each, from the first set index >= start.
  template <class F>
  void for_each_from(int64_t start, F&& f) const {
    for (size_t i = start < 0 ? 0 : static_cast<size_t>(start); i < dense_.size(); ++i)
      if (dense_[i].present && !f(static_cast<int64_t>(i), dense_[i].value)) return;
    for (auto it = sparse_.lower_bound(start); it != sparse_.end(); ++it)
      if (!f(it->first, it->second)) return;
  }

 private:
  struct Slot {
    std::string value;
    bool present = true;
  };
  std::vector<Slot> dense_;
  std::map<int64_t, std::string> sparse_;  // indices > dense_.size()
  size_t count_ = 0;
};

// Associative array. Its order of iteration is bash's: buckets of a table of
// 1,024 (times four at each growth), newest first within a bucket, hashed with
// bash's own FNV variant, so that "${!a[@]}" lists keys as bash does.
class AssocArray : public base::RefCounted {
 public:
  AssocArray();
  const std::string* find(std::string_view key) const;
  std::string& at(std::string_view key);
  void erase(std::string_view key);
  void clear();
  size_t size() const { return count_; }
  template <class F>
  void for_each(F&& f) const {
    for (int32_t head : buckets_)
      for (int32_t i = head; i >= 0; i = entries_[i].next)
        if (!f(std::string_view(entries_[i].key), entries_[i].value)) return;
  }

 private:
  struct Entry {
    std::string key, value;
    uint32_t hash;
    int32_t next;
  };
  void grow();
  std::vector<int32_t> buckets_;
  std::vector<Entry> entries_;
  int32_t free_ = -1;   // list of erased entries
  size_t count_ = 0;
};

}  // namespace nacre::interp
