#include "vfs/directory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace nacre::vfs {

class LongName {
 public:
  static const LongName* make(std::string_view text) {
    void* at = std::malloc(sizeof(LongName) + text.size());
    if (!at) throw std::bad_alloc();
    std::memcpy(static_cast<char*>(at) + sizeof(LongName), text.data(), text.size());
    return new (at) LongName(static_cast<uint32_t>(text.size()));
  }
  void retain() const { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    this->~LongName();
    std::free(const_cast<LongName*>(this));
  }
  std::string_view text() const { return {reinterpret_cast<const char*>(this + 1), size_}; }

 private:
  explicit LongName(uint32_t size) : size_(size) {}

  mutable std::atomic<uint32_t> refs_{1};
  uint32_t size_;
};

namespace {

constexpr size_t kPrefix = NamePrefix::kSize;

int compare(const DirectoryEntry& entry, const NameKey& key) {
  if (entry.prefix != key.prefix) return entry.prefix < key.prefix ? -1 : 1;
  if ((entry.prefix.low & 0xff) == 0) return 0;  // both are shorter than the prefix
  std::string_view a = entry.rest ? entry.rest->text().substr(kPrefix) : std::string_view();
  return a.compare(key.text.substr(kPrefix));
}

}  // namespace

NameKey::NameKey(std::string_view name) : text(name) {
  unsigned char bytes[kPrefix] = {};
  std::memcpy(bytes, name.data(), std::min(name.size(), kPrefix));
  std::memcpy(&prefix, bytes, kPrefix);
  prefix = {__builtin_bswap64(prefix.high), __builtin_bswap64(prefix.low)};
}

std::string DirectoryEntry::name() const {
  if (rest) return std::string(rest->text());
  NamePrefix bytes = {__builtin_bswap64(prefix.high), __builtin_bswap64(prefix.low)};
  char text[kPrefix];
  std::memcpy(text, &bytes, kPrefix);
  return std::string(text, strnlen(text, kPrefix));
}

DirectoryLeaf::DirectoryLeaf(const DirectoryLeaf& o) : Shared(o) {
  reserve(o.size_);
  size_ = o.size_;
  if (size_) std::memcpy(static_cast<void*>(entries_), o.entries_, size_ * sizeof *entries_);
  for (size_t i = 0; i < size_; ++i)
    if (entries_[i].rest) entries_[i].rest->retain();
}

DirectoryLeaf::~DirectoryLeaf() {
  for (size_t i = 0; i < size_; ++i)
    if (entries_[i].rest) entries_[i].rest->release();
  std::free(entries_);
}

void DirectoryLeaf::reserve(size_t n) {
  if (n <= capacity_) return;
  size_t capacity = std::min(std::max({n, size_t{capacity_} * 2, size_t{4}}), kMax);
  void* entries = std::realloc(entries_, capacity * sizeof *entries_);
  if (!entries) throw std::bad_alloc();
  entries_ = static_cast<DirectoryEntry*>(entries);
  capacity_ = static_cast<uint16_t>(capacity);
}

size_t DirectoryLeaf::lower_bound(const NameKey& key, bool& equal) const {
  size_t low = 0, high = size_;
  while (low < high) {
    size_t mid = (low + high) / 2;
    int c = compare(entries_[mid], key);
    if (c == 0) {
      equal = true;
      return mid;
    }
    if (c < 0) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  equal = false;
  return low;
}

void DirectoryLeaf::insert(size_t at, const NameKey& key, uint64_t ino, FileType type) {
  reserve(size_ + size_t{1});
  const LongName* rest = key.text.size() > kPrefix ? LongName::make(key.text) : nullptr;
  std::memmove(static_cast<void*>(entries_ + at + 1), entries_ + at,
               (size_ - at) * sizeof *entries_);
  new (entries_ + at) DirectoryEntry{key.prefix, rest, ino, static_cast<uint64_t>(type)};
  ++size_;
}

void DirectoryLeaf::erase(size_t at) {
  if (entries_[at].rest) entries_[at].rest->release();
  --size_;
  std::memmove(static_cast<void*>(entries_ + at), entries_ + at + 1,
               (size_ - at) * sizeof *entries_);
}

void DirectoryLeaf::move_tail(size_t at, DirectoryLeaf& to) {
  size_t n = size_ - at;
  if (n == 0) return;
  to.reserve(to.size_ + n);
  std::memcpy(static_cast<void*>(to.entries_ + to.size_), entries_ + at, n * sizeof *entries_);
  to.size_ += static_cast<uint16_t>(n);
  size_ = static_cast<uint16_t>(at);
}

size_t Directory::leaf_for(const NameKey& key) const {
  // The last leaf whose first entry is not greater than the key.
  size_t low = 0, high = leaves_.size();
  while (high - low > 1) {
    size_t mid = (low + high) / 2;
    const Slot& slot = leaves_[mid];
    bool greater = slot.first_prefix != key.prefix ? slot.first_prefix > key.prefix
                                                   : compare((*slot.leaf)[0], key) > 0;
    if (greater) {
      high = mid;
    } else {
      low = mid;
    }
  }
  return low;
}

const DirectoryEntry* Directory::find(std::string_view name) const {
  if (leaves_.empty()) return nullptr;
  NameKey key(name);
  const DirectoryLeaf& leaf = *leaves_[leaf_for(key)].leaf;
  bool equal;
  size_t at = leaf.lower_bound(key, equal);
  return equal ? &leaf[at] : nullptr;
}

void Directory::set(std::string_view name, uint64_t ino, FileType type) {
  NameKey key(name);
  if (leaves_.empty()) leaves_.push_back({key.prefix, make_shared_ref<DirectoryLeaf>()});
  size_t index = leaf_for(key);
  DirectoryLeaf* leaf = &leaves_[index].leaf.writable();
  bool equal;
  size_t at = leaf->lower_bound(key, equal);
  if (equal) {
    (*leaf)[at].ino = ino;
    (*leaf)[at].type = static_cast<uint64_t>(type);
    return;
  }
  if (leaf->size() == DirectoryLeaf::kMax) {
    // Names often come in order: then the full leaf stays full and a new one
    // begins. Otherwise it is split in the middle.
    bool at_end = index + 1 == leaves_.size() && at == leaf->size();
    auto next = make_shared_ref<DirectoryLeaf>();
    DirectoryLeaf& right = next.writable();
    size_t keep = at_end ? leaf->size() : leaf->size() / 2;
    leaves_.insert(leaves_.begin() + index + 1, {NamePrefix(), std::move(next)});
    leaf->move_tail(keep, right);
    leaves_[index + 1].first_prefix = at_end ? key.prefix : right[0].prefix;
    if (at >= keep && (at_end || at > keep)) {
      ++index;
      at -= keep;
      leaf = &right;
    }
  }
  leaf->insert(at, key, ino, type);
  leaves_[index].first_prefix = (*leaf)[0].prefix;
  ++size_;
}

void Directory::erase(std::string_view name) {
  if (leaves_.empty()) return;
  NameKey key(name);
  size_t index = leaf_for(key);
  bool equal;
  size_t at = leaves_[index].leaf->lower_bound(key, equal);
  if (!equal) return;
  DirectoryLeaf& leaf = leaves_[index].leaf.writable();
  leaf.erase(at);
  --size_;
  if (leaf.size() == 0) {
    leaves_.erase(leaves_.begin() + index);
    return;
  }
  leaves_[index].first_prefix = leaf[0].prefix;
  if (leaf.size() <= DirectoryLeaf::kMax / 4) merge_small(index);
}

void Directory::merge_small(size_t index) {
  // With the right neighbour, or for the last leaf with the left one, when both
  // together leave room.
  if (leaves_.size() < 2) return;
  size_t left = index + 1 < leaves_.size() ? index : index - 1;
  if (leaves_[left].leaf->size() + leaves_[left + 1].leaf->size() > DirectoryLeaf::kMax / 2) return;
  DirectoryLeaf& to = leaves_[left].leaf.writable();
  leaves_[left + 1].leaf.writable().move_tail(0, to);
  leaves_.erase(leaves_.begin() + left + 1);
}

}  // namespace nacre::vfs
