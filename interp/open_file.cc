#include "interp/open_file.h"

#include <utility>

namespace nacre::interp {

std::expected<std::string_view, std::errc> OpenFile::peek() {
  return std::unexpected(std::errc::bad_file_descriptor);
}

std::expected<std::string_view, std::errc> OpenFile::peek_ready(bool& ended) {
  std::expected<std::string_view, std::errc> bytes = peek();
  ended = bytes && bytes->empty();
  return bytes;
}

std::expected<void, std::errc> OpenFile::write(std::string_view) {
  return std::unexpected(std::errc::bad_file_descriptor);
}

std::expected<uint64_t, std::errc> OpenFile::seek(int64_t, int) {
  return std::unexpected(std::errc::invalid_seek);
}

// What is not of the tree looks like a pipe, which it would be outside.
std::expected<vfs::Stat, std::errc> OpenFile::stat() const {
  vfs::Stat st;
  st.type = vfs::FileType::fifo;
  st.mode = 0600;
  st.uid = vfs::Credentials{}.uid;
  st.gid = vfs::Credentials{}.gid;
  return st;
}

std::expected<OpenFileRef, std::errc> OpenFile::reopen(vfs::OpenFlags) {
  return OpenFileRef(this);
}

namespace {

std::expected<OpenFileRef, std::errc> open_descriptor(uint32_t number, vfs::OpenFlags flags,
                                                      const FdTable& fds) {
  OpenFileRef target = number < FdTable::kMaxFd ? fds.ref(static_cast<int>(number)) : nullptr;
  if (!target) return std::unexpected(std::errc::no_such_file_or_directory);
  return target->reopen(flags);
}

}  // namespace

std::expected<OpenFileRef, std::errc> open_any(base::Ref<vfs::File> file, vfs::OpenFlags flags,
                                               const OpenEnvironment& environment) {
  switch (vfs::Device device = file->device()) {
    case vfs::Device::none: return open_regular(std::move(file), flags, &environment.meter);
    case vfs::Device::fifo: return environment.fifos.open(std::move(file), flags);
    case vfs::Device::stdin_: return open_descriptor(0, flags, environment.fds);
    case vfs::Device::stdout_: return open_descriptor(1, flags, environment.fds);
    case vfs::Device::stderr_: return open_descriptor(2, flags, environment.fds);
    case vfs::Device::fd:
      return open_descriptor(file->device_number(), flags, environment.fds);
    case vfs::Device::tty: return std::unexpected(std::errc::no_such_device_or_address);
    case vfs::Device::null:
    case vfs::Device::zero:
    case vfs::Device::full:
    case vfs::Device::random:
    case vfs::Device::urandom: return open_device(device, std::move(file), environment.random);
  }
  return std::unexpected(std::errc::no_such_device_or_address);
}

}  // namespace nacre::interp
