// The filesystem as one process sees it: a root, a working directory, a user
// and a umask over a FileSystem. Every path that a script writes is resolved
// here, once (path_resolution(7)): relative to cwd, through symbolic links
// (max_symlink_hops), with search permission checked on each directory.
//
// A View is cheap to copy (a subshell has its own cwd and umask). The tree
// behind it is shared.
//
// Errors are those of Linux' system calls of the same names, in the same order
// of precedence. A default View has no tree: nothing but assignment may be done
// with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "vfs/file.h"
#include "vfs/filesystem.h"
#include "vfs/types.h"

namespace nacre::vfs {

struct Place;
enum class Last : uint8_t;

enum class Follow : uint8_t { no, yes };

class View {
 public:
  View() = default;
  // Starts in the root when `cwd` is no directory that `who` may enter.
  explicit View(base::Ref<FileSystem> root, Credentials who = {}, std::string cwd = "/");

  // The logical working directory: absolute, normalised text.
  const std::string& cwd() const { return cwd_; }
  // cd(1): resolves, checks for a directory with search permission. `logical`
  // is the text that cwd() shall be (already absolute); "" means the physical path.
  Status chdir(std::string_view path, std::string_view logical = {});
  // This View with another working directory, whose text is not kept: for
  // walking a tree without resolving from the root (walk.h).
  View in(Node directory) const;

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
  Status chown(std::string_view path, uint32_t uid, uint32_t gid,
               Follow follow = Follow::yes) const;
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
  // The node that a path names, for what works on nodes. ENOENT when missing.
  Result<Node> find(std::string_view path, Follow follow = Follow::yes) const;

 private:
  Status resolve_into(std::string_view path, Last last, Place& place) const;
  // Makes a name: the checks of mkdir(2), symlink(2) and the like, then create().
  Result<Node> make(std::string_view path, NewNode what) const;
  Result<Node> make_in(const Node& dir, std::string_view name, NewNode what) const;
  Result<base::Ref<File>> open_new(const Place& place, OpenFlags flags, uint32_t mode) const;
  // May a name of `dir` be made; may the name of `node` be taken away?
  Status may_add(const Node& dir) const;
  Status may_remove(const Node& dir, const Node& node) const;
  bool is_inside(Node dir, const Node& ancestor) const;
  Result<std::string> path_of(Node dir) const;

  base::Ref<FileSystem> root_;
  Credentials who_;
  std::string cwd_ = "/";
  uint32_t umask_ = 022;
  Node cwd_node_;
  base::Ref<File> cwd_file_;  // keeps the directory alive after rmdir
};

}  // namespace nacre::vfs
