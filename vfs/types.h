// The plain types of the filesystem.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <system_error>

namespace nacre::vfs {

template <class T>
using Result = std::expected<T, std::errc>;
using Status = std::expected<void, std::errc>;

enum class FileType : uint8_t {
  regular, directory, symlink, fifo, char_device, block_device, socket
};

struct Timestamp {
  int64_t sec = 0;
  int32_t nsec = 0;
  auto operator<=>(const Timestamp&) const = default;
};

// Where a time is set: "the moment of the call" (UTIME_NOW). Who may write a
// file may set its times to this; any other time only its owner may set.
inline constexpr Timestamp kNow{0, INT32_MAX};

struct Stat {
  uint64_t dev = 0, ino = 0;
  FileType type = FileType::regular;
  uint32_t mode = 0;         // permission bits, 07777
  uint32_t nlink = 1, uid = 0, gid = 0;
  uint64_t size = 0;         // bytes
  uint64_t blocks = 0;       // of 512 bytes
  Timestamp atime, mtime, ctime, btime;
  uint32_t rdev_major = 0, rdev_minor = 0;
};

// /dev/fd/N is a character device with this major number and N as its minor:
// what it stands for is known only to the descriptor layer.
inline constexpr uint32_t kDescriptorMajor = 0xfd0;
inline std::optional<uint32_t> descriptor_of(const Stat& st) {
  if (st.type != FileType::char_device || st.rdev_major != kDescriptorMajor) return std::nullopt;
  return st.rdev_minor;
}

struct DirEntry {
  std::string name;
  uint64_t ino = 0;
  FileType type = FileType::regular;
};

// Bytes and files that a tree holds, and what it may hold at most.
struct Usage {
  uint64_t bytes = 0, files = 0;
  uint64_t max_bytes = 0, max_files = 0;
};

struct OpenFlags {
  bool read = false;
  bool write = false;
  bool append = false;
  bool create = false;
  bool exclusive = false;    // with create: the path must not exist
  bool truncate = false;
  bool directory = false;    // fail with ENOTDIR when it is no directory
  bool no_follow = false;    // ELOOP when the last component is a link
};

// Who asks: permission checks are made for these.
struct Credentials {
  uint32_t uid = 1000, gid = 1000;
};

}  // namespace nacre::vfs
