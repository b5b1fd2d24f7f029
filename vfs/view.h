// The filesystem as one process sees it: a root, a working directory, a user
// and a umask over a FileSystem. Every path that a script writes is resolved
// here, once (path_resolution(7)): relative to cwd, through symbolic links
// (max_symlink_hops), with search permission checked on each directory.
//
// A View is cheap to copy (a subshell has its own cwd and umask). The tree
// behind it is shared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vfs/file.h"
#include "vfs/types.h"

namespace nacre::vfs {

class FileSystem;

enum class Follow : uint8_t { no, yes };

class View {
 public:
  View() = default;
  explicit View(base::Ref<FileSystem> root, Credentials who = {}, std::string cwd = "/");

  // The logical working directory: absolute, normalised text.
  const std::string& cwd() const { return cwd_; }
  // cd(1): resolves, checks for a directory with search permission. `logical`
  // is the text that cwd() shall be (already absolute); "" means the physical path.
  Status chdir(std::string_view path, std::string_view logical = {});

  uint32_t umask() const { return umask_; }
  void set_umask(uint32_t mask) { umask_ = mask & 0777; }
  const Credentials& credentials() const { return who_; }

  Result<Stat> stat(std::string_view path) const;
  Result<Stat> lstat(std::string_view path) const;
  // `mode` is applied through the umask when the file is created.
  Result<base::Ref<File>> open(std::string_view path, OpenFlags flags, uint32_t mode = 0666) const;
  // Entries without . and .., sorted by bytes.
  Result<std::vector<DirEntry>> list(std::string_view path) const;
  Status mkdir(std::string_view path, uint32_t mode = 0777) const;
  Status unlink(std::string_view path) const;
  Status rmdir(std::string_view path) const;
  // rename(2); exchange and no-replace are not needed.
  Status rename(std::string_view from, std::string_view to) const;
  Status link(std::string_view from, std::string_view to, Follow follow = Follow::no) const;
  Status symlink(std::string_view target, std::string_view path) const;
  Result<std::string> readlink(std::string_view path) const;
  Status mkfifo(std::string_view path, uint32_t mode = 0666) const;
  Status chmod(std::string_view path, uint32_t mode, Follow follow = Follow::yes) const;
  // -1 (UINT32_MAX) leaves the owner or group as it is.
  Status chown(std::string_view path, uint32_t uid, uint32_t gid, Follow follow = Follow::yes) const;
  // nullopt leaves a time as it is.
  Status set_times(std::string_view path, std::optional<Timestamp> atime,
                   std::optional<Timestamp> mtime, Follow follow = Follow::yes) const;
  Status truncate(std::string_view path, uint64_t size) const;
  // access(2): bits 4 read, 2 write, 1 execute, 0 existence.
  Status access(std::string_view path, int mode) const;
  // The path without links, . and ..; every component must exist.
  Result<std::string> real_path(std::string_view path) const;
  Result<Usage> usage(std::string_view path) const;

  // Absolute, normalised text for `path` without looking at the tree.
  std::string absolute(std::string_view path) const;

  FileSystem& root() const { return *root_; }

 private:
  base::Ref<FileSystem> root_;
  Credentials who_;
  std::string cwd_ = "/";
  uint32_t umask_ = 022;
};

}  // namespace nacre::vfs
