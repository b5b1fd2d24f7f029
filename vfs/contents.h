// The bytes of one regular file: chunks of 256 KiB that snapshots share.
//
// What it is: a table of chunks with holes. A write after a snapshot copies the
// chunks it touches, never the whole file; an append grows the last chunk by
// doubling, so it is amortised constant; a view is as long as a chunk, so a
// reader moves whole chunks at the speed of memcpy. A hole (a chunk that was
// never written, or the part of it before the first write) takes no memory.
//
// What it is not: it knows no quota. charge_after_write() says beforehand what
// a write would cost, so that the owner can refuse it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "vfs/shared.h"

namespace nacre::vfs {

class Chunk final : public Shared {
 public:
  static constexpr size_t kSize = 256 * 1024;
  static constexpr size_t kPage = 4096;

  Chunk() = default;
  Chunk(const Chunk& o);
  ~Chunk() override;

  // The written part is [begin, end); before and after it are zeros.
  size_t begin() const { return begin_; }
  size_t end() const { return begin_ + size_; }
  size_t size() const { return size_; }
  size_t pages() const { return (size_ + kPage - 1) / kPage; }
  const char* data() const { return data_; }

  // What size() would be after a write of [at, to); `chunk` may be null.
  static size_t size_after(const Chunk* chunk, size_t at, size_t to);
  // `whole` is a hint: take room for a whole chunk at once. `bytes` may not lie
  // in this chunk.
  void write(size_t at, std::string_view bytes, bool whole);
  // Forgets what lies at or after `end`.
  void cut(size_t end);

 private:
  void reserve(size_t need, bool whole);

  char* data_ = nullptr;
  uint32_t begin_ = 0;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

class Contents final : public Shared {
 public:
  // No file is longer than this, whatever the limits say: the table of chunks
  // of a sparse file has to stay small.
  static constexpr uint64_t kMaxSize = uint64_t{1} << 40;

  uint64_t size() const { return size_; }
  // What the file costs its tree: the bytes written, and the table of holes.
  uint64_t charge() const { return charge_; }
  // charge() as it would be after that write (bytes > 0).
  uint64_t charge_after_write(uint64_t offset, uint64_t bytes) const;
  // Blocks of 512 bytes, in multiples of 4 KiB.
  uint64_t blocks() const { return pages_ * (Chunk::kPage / 512); }

  size_t read(uint64_t offset, char* buf, size_t size) const;
  // As long as possible; empty at the end. It points into chunk_at(offset) or,
  // where that has a hole, at constant zeros.
  std::string_view view(uint64_t offset) const;
  // Null for a hole and behind the end.
  SharedRef<Chunk> chunk_at(uint64_t offset) const;
  void write(uint64_t offset, std::string_view bytes);
  void truncate(uint64_t size);

 private:
  static constexpr uint64_t kSlotCharge = sizeof(void*);

  uint64_t size_ = 0;
  uint64_t charge_ = 0;
  uint64_t pages_ = 0;  // written, of Chunk::kPage
  std::vector<SharedRef<Chunk>> chunks_;
};

}  // namespace nacre::vfs
