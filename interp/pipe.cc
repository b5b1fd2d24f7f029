// Bytes are copied once, into a list of chunks that never move, and read where
// they lie. Chunks start at 4 KiB and double to 64 KiB; in a stream that runs at
// full tilt two chunks of 64 KiB change places: one is filled while the reader
// still holds its lease on the other.
//
// Switching is kept rare: a writer goes on until the pipe is full, and is woken
// when half of it is free (or nothing else can run).
#include "interp/pipe.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace nacre::interp {

namespace {

constexpr size_t kFirstChunk = 4096;

}  // namespace

Pipe::Pipe(Scheduler& scheduler, limits::Meter& meter)
    : scheduler_(scheduler), meter_(meter), id_(scheduler.next_id()) {}

std::expected<std::string_view, std::errc> Pipe::peek(int64_t deadline) {
  while (size_ == 0) {
    if (writers_ == 0) return std::string_view();
    switch (scheduler_.wait(blocked_readers_, deadline)) {
      case Wake::notified: break;
      case Wake::timed_out:
        if (size_ == 0 && writers_ > 0) return std::unexpected(std::errc::timed_out);
        break;
      case Wake::interrupted:
        if (size_ == 0 && writers_ > 0) return std::unexpected(std::errc::interrupted);
        break;
    }
  }
  return head_->bytes();
}

void Pipe::consume(size_t n) {
  n = std::min(n, size_);
  size_ -= n;
  while (n > 0) {
    size_t step = std::min(n, head_->bytes().size());
    head_->take(step);
    n -= step;
    if (head_->empty()) pop_chunk();
  }
  if (blocked_writers_.empty()) return;
  if (size_ <= kCapacity / 2) blocked_writers_.notify_all();
  else blocked_writers_.notify_when_idle();
}

// Takes the head, which is empty, off the list; what is worth it is kept.
void Pipe::pop_chunk() {
  if (head_->room() > 0) {
    if (head_->unique()) head_->clear();
    return;
  }
  base::Ref<Chunk> old = std::exchange(head_, std::move(head_->next));
  if (!head_) tail_ = nullptr;
  if (!spare_ || old->capacity() >= spare_->capacity()) spare_ = std::move(old);
}

void Pipe::add_chunk(size_t need) {
  base::Ref<Chunk> chunk;
  if (spare_ && spare_->unique()) {
    chunk = std::exchange(spare_, nullptr);
    chunk->clear();
  } else {
    size_t capacity = std::max({kFirstChunk, std::bit_ceil(need), last_capacity_ * 2});
    last_capacity_ = std::min(capacity, kCapacity);
    chunk = base::make_ref<Chunk>(&meter_, last_capacity_);
  }
  Chunk* added = chunk.get();
  (tail_ ? tail_->next : head_) = std::move(chunk);
  tail_ = added;
}

void Pipe::put(std::string_view data) {
  while (!data.empty()) {
    if (!tail_ || tail_->room() == 0) add_chunk(data.size());
    size_t n = std::min(data.size(), tail_->room());
    tail_->append(data.substr(0, n));
    size_ += n;
    data.remove_prefix(n);
  }
}

std::expected<void, std::errc> Pipe::write(std::string_view data) {
  size_t least = data.size() <= kAtomic ? data.size() : 1;
  while (!data.empty()) {
    if (readers_ == 0) return std::unexpected(std::errc::broken_pipe);
    size_t room = kCapacity - size_;
    if (room < least) {
      scheduler_.wait(blocked_writers_);
      continue;
    }
    size_t n = std::min(room, data.size());
    put(data.substr(0, n));
    data.remove_prefix(n);
    blocked_readers_.notify_all();
  }
  return {};
}

void Pipe::add_end(bool reads, bool writes) {
  readers_ += reads;
  writers_ += writes;
}

void Pipe::remove_end(bool reads, bool writes) {
  readers_ -= reads;
  writers_ -= writes;
  if (writers_ == 0) blocked_readers_.notify_all();
  if (readers_ == 0) blocked_writers_.notify_all();
  if (has_ends()) return;
  while (head_) head_ = std::exchange(head_->next, nullptr);
  tail_ = nullptr;
  spare_.reset();
  size_ = last_capacity_ = 0;
}

class PipeEnd final : public OpenFile {
 public:
  PipeEnd(base::Ref<Pipe> pipe, bool reads, bool writes, base::Ref<vfs::File> file)
      : OpenFile(reads ? OpenKind::pipe_read : OpenKind::pipe_write, reads, writes),
        pipe_(std::move(pipe)),
        file_(std::move(file)) {
    pipe_->add_end(reads, writes);
  }
  ~PipeEnd() override { pipe_->remove_end(readable(), writable()); }

  // Blocking calls hold the pipe: this end may be closed meanwhile.
  std::expected<std::string_view, std::errc> peek() override { return peek_until(INT64_MAX); }
  std::expected<std::string_view, std::errc> peek_until(int64_t deadline) override {
    if (!readable()) return std::unexpected(std::errc::bad_file_descriptor);
    base::Ref<Pipe> pipe = pipe_;
    return pipe->peek(deadline);
  }
  std::expected<std::string_view, std::errc> peek_ready(bool& ended) override {
    ended = false;
    if (!readable()) return std::unexpected(std::errc::bad_file_descriptor);
    ended = pipe_->ended();
    return pipe_->available();
  }
  LeaseRef lease() override { return pipe_->lease(); }
  bool ready() override {
    return !readable() || !pipe_->available().empty() || pipe_->ended();
  }
  std::expected<void, std::errc> write(std::string_view data) override {
    if (!writable()) return std::unexpected(std::errc::bad_file_descriptor);
    base::Ref<Pipe> pipe = pipe_;
    return pipe->write(data);
  }

  std::expected<vfs::Stat, std::errc> stat() const override {
    if (file_) return file_->stat();
    std::expected<vfs::Stat, std::errc> st = OpenFile::stat();
    st->ino = pipe_->id();
    return st;
  }
  vfs::File* file() const override { return file_.get(); }
  std::expected<OpenFileRef, std::errc> reopen(vfs::OpenFlags flags) override {
    return make_pipe_end(pipe_, flags.read, flags.write, file_);
  }

 private:
  void advance(size_t n) override { pipe_->consume(n); }

  base::Ref<Pipe> pipe_;
  base::Ref<vfs::File> file_;
};

OpenFileRef make_pipe_end(base::Ref<Pipe> pipe, bool reads, bool writes,
                          base::Ref<vfs::File> file) {
  return base::make_ref<PipeEnd>(std::move(pipe), reads, writes, std::move(file));
}

PipeEnds make_pipe(Scheduler& scheduler, limits::Meter& meter) {
  auto pipe = base::make_ref<Pipe>(scheduler, meter);
  OpenFileRef read = make_pipe_end(pipe, true, false);
  return {std::move(read), make_pipe_end(std::move(pipe), false, true)};
}

}  // namespace nacre::interp
