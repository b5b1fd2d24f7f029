#include "vfs/contents.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace nacre::vfs {

namespace {

constexpr size_t kPage = Chunk::kPage;
// What a hole looks like. A view of a hole is at most this long.
constexpr char kZeros[kPage] = {};

}  // namespace

Chunk::Chunk(const Chunk& o) : Shared(o), begin_(o.begin_) {
  // It is cloned to be written, so leave room to append.
  reserve(o.size_, false);
  if (o.size_) std::memcpy(data_, o.data_, o.size_);
  size_ = o.size_;
}

Chunk::~Chunk() {
  std::free(data_);
}

size_t Chunk::size_after(const Chunk* chunk, size_t at, size_t to) {
  if (!chunk || chunk->size_ == 0) return to - (at & ~(kPage - 1));
  size_t begin = at < chunk->begin_ ? at & ~(kPage - 1) : chunk->begin_;
  return std::max(chunk->end(), to) - begin;
}

void Chunk::reserve(size_t need, bool whole) {
  if (need <= capacity_) return;
  size_t capacity = whole ? kSize : std::max({need, size_t{capacity_} * 2, size_t{64}});
  capacity = std::min(capacity, kSize);
  void* data = std::realloc(data_, capacity);
  if (!data) throw std::bad_alloc();
  data_ = static_cast<char*>(data);
  capacity_ = static_cast<uint32_t>(capacity);
}

void Chunk::write(size_t at, std::string_view bytes, bool whole) {
  size_t page = at & ~(kPage - 1);
  if (size_ == 0) {
    begin_ = static_cast<uint32_t>(page);
  } else if (at < begin_) {
    size_t shift = begin_ - page;
    reserve(size_ + shift, whole);
    std::memmove(data_ + shift, data_, size_);
    std::memset(data_, 0, shift);
    begin_ = static_cast<uint32_t>(page);
    size_ += static_cast<uint32_t>(shift);
  }
  size_t from = at - begin_;
  size_t to = from + bytes.size();
  reserve(to, whole);
  if (from > size_) std::memset(data_ + size_, 0, from - size_);
  std::memcpy(data_ + from, bytes.data(), bytes.size());
  if (to > size_) size_ = static_cast<uint32_t>(to);
}

void Chunk::cut(size_t end) {
  if (end < begin_ + size_) size_ = end > begin_ ? static_cast<uint32_t>(end - begin_) : 0;
}

uint64_t Contents::charge_after_write(uint64_t offset, uint64_t bytes) const {
  uint64_t charge = charge_;
  uint64_t end = offset + bytes;
  size_t first = offset / Chunk::kSize, last = (end - 1) / Chunk::kSize;
  if (first > chunks_.size()) charge += (first - chunks_.size()) * kSlotCharge;
  for (size_t i = first; i <= last; ++i) {
    uint64_t base = uint64_t{i} * Chunk::kSize;
    size_t at = i == first ? offset - base : 0;
    size_t to = std::min<uint64_t>(end - base, Chunk::kSize);
    const Chunk* chunk = nullptr;
    if (i < chunks_.size()) {
      chunk = chunks_[i].get();
      charge -= chunk ? chunk->size() : kSlotCharge;
    }
    charge += Chunk::size_after(chunk, at, to);
  }
  return charge;
}

size_t Contents::read(uint64_t offset, char* buf, size_t size) const {
  if (offset >= size_) return 0;
  size = std::min<uint64_t>(size, size_ - offset);
  size_t done = 0;
  while (done < size) {
    std::string_view piece = view(offset + done).substr(0, size - done);
    std::memcpy(buf + done, piece.data(), piece.size());
    done += piece.size();
  }
  return done;
}

std::string_view Contents::view(uint64_t offset) const {
  if (offset >= size_) return {};
  size_t index = offset / Chunk::kSize, at = offset % Chunk::kSize;
  uint64_t left = size_ - offset;
  size_t hole = Chunk::kSize - at;
  if (index < chunks_.size() && chunks_[index]) {
    const Chunk& chunk = *chunks_[index];
    if (at >= chunk.begin() && at < chunk.end())
      return {chunk.data() + (at - chunk.begin()), std::min<uint64_t>(chunk.end() - at, left)};
    if (at < chunk.begin()) hole = chunk.begin() - at;
  }
  return {kZeros, std::min({static_cast<uint64_t>(hole), uint64_t{kPage}, left})};
}

SharedRef<Chunk> Contents::chunk_at(uint64_t offset) const {
  size_t index = offset / Chunk::kSize;
  return index < chunks_.size() ? chunks_[index] : SharedRef<Chunk>();
}

void Contents::write(uint64_t offset, std::string_view bytes) {
  uint64_t end = offset + bytes.size();
  charge_ = charge_after_write(offset, bytes.size());
  size_t last = (end - 1) / Chunk::kSize;
  if (last >= chunks_.size()) chunks_.resize(last + 1);
  while (!bytes.empty()) {
    size_t index = offset / Chunk::kSize, at = offset % Chunk::kSize;
    size_t n = std::min(bytes.size(), Chunk::kSize - at);
    // A file that has filled a chunk will likely fill the next.
    Chunk& chunk = chunks_[index].writable_or_new();
    pages_ -= chunk.pages();
    chunk.write(at, bytes.substr(0, n), index > 0 && at == 0);
    pages_ += chunk.pages();
    bytes.remove_prefix(n);
    offset += n;
  }
  size_ = std::max(size_, end);
}

void Contents::truncate(uint64_t size) {
  if (size < size_) {
    size_t keep = (size + Chunk::kSize - 1) / Chunk::kSize;
    while (chunks_.size() > keep) {
      const Chunk* chunk = chunks_.back().get();
      charge_ -= chunk ? chunk->size() : kSlotCharge;
      if (chunk) pages_ -= chunk->pages();
      chunks_.pop_back();
    }
    size_t tail = size % Chunk::kSize;
    if (tail && chunks_.size() == keep && chunks_.back() && chunks_.back()->end() > tail) {
      Chunk& chunk = chunks_.back().writable();
      charge_ -= chunk.size();
      pages_ -= chunk.pages();
      chunk.cut(tail);
      charge_ += chunk.size();
      pages_ += chunk.pages();
    }
  }
  size_ = size;
}

}  // namespace nacre::vfs
