// The inside of pipes and FIFOs: the bytes between their ends. Descriptions of
// the ends (PipeEnd) hold references to it; it counts readers and writers.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>
#include <system_error>

#include "base/ref.h"
#include "interp/chunk.h"
#include "interp/open_file.h"
#include "interp/scheduler.h"

namespace nacre::interp {

class Pipe final : public base::RefCounted {
 public:
  static constexpr size_t kCapacity = 64 * 1024;
  static constexpr size_t kAtomic = 4096;  // PIPE_BUF

  Pipe(Scheduler& scheduler, limits::Meter& meter);

  int readers() const { return readers_; }
  int writers() const { return writers_; }
  bool has_ends() const { return readers_ + writers_ > 0; }
  uint64_t id() const { return id_; }

  std::expected<std::string_view, std::errc> peek(int64_t deadline);
  std::string_view available() const { return size_ ? head_->bytes() : std::string_view(); }
  bool ended() const { return size_ == 0 && writers_ == 0; }
  void consume(size_t n);
  LeaseRef lease() const { return head_; }
  std::expected<void, std::errc> write(std::string_view data);

 private:
  friend class PipeEnd;
  void add_end(bool reads, bool writes);
  void remove_end(bool reads, bool writes);
  void put(std::string_view data);
  void add_chunk(size_t need);
  void pop_chunk();

  Scheduler& scheduler_;
  limits::Meter& meter_;
  uint64_t id_;
  int readers_ = 0, writers_ = 0;
  size_t size_ = 0;              // bytes unread
  size_t last_capacity_ = 0;
  base::Ref<Chunk> head_;        // the oldest; chunks link to the next
  Chunk* tail_ = nullptr;
  base::Ref<Chunk> spare_;       // an empty one, perhaps still on lease
  WaitQueue blocked_readers_, blocked_writers_;
};

// One end of a pipe; a FIFO opened for both is both ends. `file` is the FIFO's.
OpenFileRef make_pipe_end(base::Ref<Pipe> pipe, bool reads, bool writes,
                          base::Ref<vfs::File> file = {});

}  // namespace nacre::interp
