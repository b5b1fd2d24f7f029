// Opening a FIFO blocks until the other end has been opened since, or is open
// already: counting the openings (not looking at who is open) lets a reader in
// although the writer that came has gone again before the reader ran.
#include <utility>
#include <vector>

#include "interp/open_file.h"
#include "interp/pipe.h"

namespace nacre::interp {

namespace {

struct Fifo {
  uint64_t dev, ino;
  base::Ref<Pipe> pipe;
  uint64_t read_openings = 0, write_openings = 0;
  WaitQueue opened = {};
};

}  // namespace

struct FifoTable::Impl {
  Scheduler& scheduler;
  limits::Meter& meter;
  std::vector<std::unique_ptr<Fifo>> fifos;

  // The FIFO of that inode; the others that nobody has open are forgotten.
  Fifo& find(uint64_t dev, uint64_t ino) {
    Fifo* found = nullptr;
    std::erase_if(fifos, [&](const std::unique_ptr<Fifo>& f) {
      if (f->dev == dev && f->ino == ino) found = f.get();
      return f.get() != found && !f->pipe->has_ends();
    });
    if (!found) {
      fifos.push_back(
          std::make_unique<Fifo>(dev, ino, base::make_ref<Pipe>(scheduler, meter)));
      found = fifos.back().get();
    }
    return *found;
  }
};

FifoTable::FifoTable(Scheduler& scheduler, limits::Meter& meter)
    : impl_(new Impl{scheduler, meter, {}}) {}

FifoTable::~FifoTable() = default;

std::expected<OpenFileRef, std::errc> FifoTable::open(base::Ref<vfs::File> file,
                                                      vfs::OpenFlags flags) {
  std::expected<vfs::Stat, std::errc> st = file->stat();
  if (!st) return std::unexpected(st.error());
  Fifo& fifo = impl_->find(st->dev, st->ino);
  // From here on the end counts; it is closed again if the wait fails.
  OpenFileRef end = make_pipe_end(fifo.pipe, flags.read, flags.write, std::move(file));
  fifo.read_openings += flags.read;
  fifo.write_openings += flags.write;
  fifo.opened.notify_all();
  if (flags.read == flags.write) return end;
  const uint64_t& partner = flags.read ? fifo.write_openings : fifo.read_openings;
  const uint64_t before = partner;
  if ((flags.read ? fifo.pipe->writers() : fifo.pipe->readers()) > 0) return end;
  while (partner == before) {
    if (impl_->scheduler.wait(fifo.opened) == Wake::interrupted && partner == before)
      return std::unexpected(std::errc::interrupted);
  }
  return end;
}

}  // namespace nacre::interp
