#include "interp/arrays.h"

namespace nacre::interp {

std::string& IndexedArray::at(int64_t index) {
  if (index >= 0 && static_cast<size_t>(index) < dense_.size()) {
    Slot& s = dense_[index];
    if (!s.present) {
      s.present = true;
      ++count_;
    }
    return s.value;
  }
  if (index == static_cast<int64_t>(dense_.size())) {
    dense_.emplace_back();
    ++count_;
    // The run may now reach elements that lay beyond a hole.
    while (!sparse_.empty() && sparse_.begin()->first == static_cast<int64_t>(dense_.size())) {
      dense_.push_back({std::move(sparse_.begin()->second), true});
      sparse_.erase(sparse_.begin());
    }
    return dense_[index].value;
  }
  auto [it, made] = sparse_.try_emplace(index);
  if (made) ++count_;
  return it->second;
}

void IndexedArray::erase(int64_t index) {
  if (index >= 0 && static_cast<size_t>(index) < dense_.size()) {
    Slot& s = dense_[index];
    if (s.present) {
      s.present = false;
      s.value = std::string();
      --count_;
    }
    while (!dense_.empty() && !dense_.back().present) dense_.pop_back();
    return;
  }
  count_ -= sparse_.erase(index);
}

void IndexedArray::clear() {
  dense_.clear();
  sparse_.clear();
  count_ = 0;
}

int64_t IndexedArray::max_index() const {
  if (!sparse_.empty()) return sparse_.rbegin()->first;
  return static_cast<int64_t>(dense_.size()) - 1;
}

namespace {

constexpr uint32_t kInitialBuckets = 1024;

uint32_t hash_key(std::string_view key) {
  uint32_t h = 2166136261u;
  for (unsigned char c : key) {
    h *= 16777619u;
    h ^= c;
  }
  return h;
}

}  // namespace

AssocArray::AssocArray() : buckets_(kInitialBuckets, -1) {}

const std::string* AssocArray::find(std::string_view key) const {
  uint32_t h = hash_key(key);
  for (int32_t i = buckets_[h & (buckets_.size() - 1)]; i >= 0; i = entries_[i].next)
    if (entries_[i].hash == h && entries_[i].key == key) return &entries_[i].value;
  return nullptr;
}

std::string& AssocArray::at(std::string_view key) {
  uint32_t h = hash_key(key);
  for (int32_t i = buckets_[h & (buckets_.size() - 1)]; i >= 0; i = entries_[i].next)
    if (entries_[i].hash == h && entries_[i].key == key) return entries_[i].value;
  // bash grows its table once it holds twice as many entries as buckets.
  if (count_ >= buckets_.size() * 2) grow();
  int32_t slot = free_;
  if (slot >= 0) {
    free_ = entries_[slot].next;
  } else {
    slot = static_cast<int32_t>(entries_.size());
    entries_.emplace_back();
  }
  Entry& e = entries_[slot];
  int32_t& head = buckets_[h & (buckets_.size() - 1)];
  e.key.assign(key);
  e.value.clear();
  e.hash = h;
  e.next = head;
  head = slot;
  ++count_;
  return e.value;
}

void AssocArray::erase(std::string_view key) {
  uint32_t h = hash_key(key);
  int32_t* link = &buckets_[h & (buckets_.size() - 1)];
  while (*link >= 0) {
    Entry& e = entries_[*link];
    if (e.hash == h && e.key == key) {
      int32_t slot = *link;
      *link = e.next;
      e.key = std::string();
      e.value = std::string();
      e.next = free_;
      free_ = slot;
      --count_;
      return;
    }
    link = &e.next;
  }
}

void AssocArray::clear() {
  buckets_.assign(kInitialBuckets, -1);
  entries_.clear();
  free_ = -1;
  count_ = 0;
}

void AssocArray::grow() {
  std::vector<int32_t> old = std::move(buckets_);
  buckets_.assign(old.size() * 4, -1);
  for (int32_t head : old) {
    for (int32_t i = head; i >= 0;) {
      int32_t next = entries_[i].next;
      int32_t& to = buckets_[entries_[i].hash & (buckets_.size() - 1)];
      entries_[i].next = to;
      to = i;
      i = next;
    }
  }
}

}  // namespace nacre::interp
