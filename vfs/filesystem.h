// What a backend of the tree is: nodes, found one name at a time.
//
// The contract between the resolver (above) and the backends (below). A backend
// knows neither paths nor users: links, mounts, permission, trailing slashes
// and "." and ".." are dealt with once, in View. It answers for one name in one
// directory, keeps its own quotas, and never recurses over the depth of a tree.
//
// What a caller (View) has made sure of before it calls: `dir` is a directory;
// a name is not empty, ".", ".." or over 255 bytes and holds no "/" or NUL; the
// user may do it; a directory is not moved below itself. Everything else (does
// it exist, is it empty, is there room) is the backend's to say, as an errc.
// Nothing throws but std::bad_alloc.
//
// A FileSystem belongs to one session and is used by one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "vfs/file.h"
#include "vfs/quota.h"
#include "vfs/types.h"

namespace nacre::vfs {

// What a backend may hang on its nodes when a number is not enough.
class NodeState : public base::RefCounted {
 public:
  virtual ~NodeState() = default;
};

// Names a file of one FileSystem, with what the resolver needs to know of it.
// Two nodes of a FileSystem are the same file exactly when id and mount agree.
// Holding a Node does not keep the file alive (an open File does): a Node whose
// file is gone gives ENOENT.
struct Node {
  uint64_t id = 0;
  uint64_t mount = 0;  // which of the mounted trees (MountFs); 0 in a tree of its own
  FileType type = FileType::directory;
  uint32_t mode = 0;  // these three as they were at the lookup
  uint32_t uid = 0, gid = 0;
  base::Ref<NodeState> state;

  bool same_file(const Node& o) const { return id == o.id && mount == o.mount; }
  bool is_directory() const { return type == FileType::directory; }
  bool is_symlink() const { return type == FileType::symlink; }
};

// What create() makes.
struct NewNode {
  FileType type = FileType::regular;
  uint32_t mode = 0;  // final: the umask is applied
  uint32_t uid = 0, gid = 0;
  std::string_view target;       // of a symlink
  Device device = Device::none;  // of a device node, with its numbers
  uint32_t rdev_major = 0, rdev_minor = 0;
};

// What set_attributes() changes; nullopt leaves it. Changing any sets ctime.
struct Attributes {
  std::optional<uint32_t> mode, uid, gid;
  std::optional<Timestamp> atime, mtime;  // kNow for the moment of the call
};

class FileSystem : public base::RefCounted {
 public:
  explicit FileSystem(const PathLimits& limits = {}) : path_limits_(limits) {}
  virtual ~FileSystem() = default;

  virtual Node root() = 0;
  // The node as it is now: ENOENT when the file is gone.
  virtual Result<Node> reload(const Node& node) = 0;
  virtual Result<Node> lookup(const Node& dir, std::string_view name) = 0;
  // The directory that holds `dir`; the root's is the root.
  virtual Result<Node> parent(const Node& dir) = 0;
  // Under which name parent(dir) holds it; empty for the root, ENOENT for a
  // directory that was removed.
  virtual Result<std::string> name_of(const Node& dir) = 0;
  virtual Result<Stat> stat(const Node& node) = 0;
  virtual Result<std::string> readlink(const Node& node) = 0;
  // Without "." and "..", sorted by bytes.
  virtual Result<std::vector<DirEntry>> list(const Node& dir) = 0;

  // Of the flags, `read`, `write`, `append` and `truncate` matter here. `who`
  // matters for what a write does to set-user-id bits.
  virtual Result<base::Ref<File>> open(const Node& node, OpenFlags flags,
                                       const Credentials& who) = 0;
  virtual Result<Node> create(const Node& dir, std::string_view name, const NewNode& what) = 0;
  virtual Status link(const Node& node, const Node& dir, std::string_view name) = 0;
  virtual Status unlink(const Node& dir, std::string_view name) = 0;
  virtual Status rmdir(const Node& dir, std::string_view name) = 0;
  virtual Status rename(const Node& from_dir, std::string_view from, const Node& to_dir,
                        std::string_view to) = 0;
  virtual Status set_attributes(const Node& node, const Attributes& change) = 0;
  virtual Status truncate(const Node& node, uint64_t size, const Credentials& who) = 0;

  virtual Usage usage(const Node& node) = 0;
  // True where nothing can be changed (EROFS).
  virtual bool read_only(const Node& node) { return false; }

  // Stat::dev of what lies here. A table of mounts numbers its trees, so that
  // they differ; gives the next free number.
  virtual uint64_t number_devices(uint64_t first) {
    device_number_ = first;
    return first + 1;
  }
  uint64_t device_number() const { return device_number_; }

  const PathLimits& path_limits() const { return path_limits_; }
  virtual QuotaHits quota_hits() const { return quota_hits_; }
  virtual void clear_quota_hits() { quota_hits_.clear(); }
  void note_quota(LimitName name) { quota_hits_.add(name); }

 protected:
  // Notes the quota and gives its errno.
  std::unexpected<std::errc> quota_error(LimitName name, std::errc error) {
    note_quota(name);
    return std::unexpected(error);
  }

 private:
  static constexpr uint64_t kFirstDevice = 0x801;

  PathLimits path_limits_;
  uint64_t device_number_ = kFirstDevice;
  QuotaHits quota_hits_;
};

}  // namespace nacre::vfs
