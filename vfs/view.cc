// View: finding, asking, opening. What changes names and attributes is in
// view_change.cc.
#include "vfs/view.h"

#include <algorithm>

#include "vfs/path.h"
#include "vfs/permissions.h"
#include "vfs/resolve.h"

namespace nacre::vfs {

namespace {

std::unexpected<std::errc> fail(std::errc error) {
  return std::unexpected(error);
}

constexpr std::errc kMissing = std::errc::no_such_file_or_directory;

}  // namespace

View::View(base::Ref<FileSystem> root, Credentials who, std::string cwd)
    : root_(std::move(root)), who_(who), cwd_node_(root_->root()) {
  if (cwd != "/") (void)chdir(cwd, cwd);
}

Status View::resolve_into(std::string_view path, Last last, Place& place) const {
  return resolve(*root_, who_, cwd_node_, path, last, place);
}

Result<Node> View::find(std::string_view path, Follow follow) const {
  Place place;
  Last last = follow == Follow::yes ? Last::follow : Last::keep;
  if (Status done = resolve_into(path, last, place); !done) return fail(done.error());
  if (!place.found) return fail(kMissing);
  return std::move(place.node);
}

Status View::chdir(std::string_view path, std::string_view logical) {
  Result<Node> node = find(path);
  if (!node) return fail(node.error());
  if (!node->is_directory()) return fail(std::errc::not_a_directory);
  if (!may(*node, who_, kMayExecute)) return fail(std::errc::permission_denied);
  std::string text(logical);
  if (text.empty()) {
    Result<std::string> physical = path_of(*node);
    if (!physical) return fail(physical.error());
    text = *std::move(physical);
  }
  Result<base::Ref<File>> file = root_->open(*node, OpenFlags{.directory = true}, who_);
  if (!file) return fail(file.error());
  cwd_ = std::move(text);
  cwd_node_ = *std::move(node);
  cwd_file_ = *std::move(file);
  return {};
}

View View::in(Node directory) const {
  View view;
  view.root_ = root_;
  view.who_ = who_;
  view.umask_ = umask_;
  view.cwd_node_ = std::move(directory);
  return view;
}

Result<Stat> View::stat(std::string_view path) const {
  Result<Node> node = find(path);
  if (!node) return fail(node.error());
  return root_->stat(*node);
}

Result<Stat> View::lstat(std::string_view path) const {
  Result<Node> node = find(path, Follow::no);
  if (!node) return fail(node.error());
  return root_->stat(*node);
}

Result<base::Ref<File>> View::open(std::string_view path, OpenFlags flags, uint32_t mode) const {
  if (flags.append) flags.write = true;
  bool keep = flags.no_follow || (flags.create && flags.exclusive);
  Last last =
      flags.create ? (keep ? Last::create_new : Last::create) : (keep ? Last::keep : Last::follow);
  Place place;
  if (Status done = resolve_into(path, last, place); !done) return fail(done.error());
  if (!place.found) {
    if (!flags.create) return fail(kMissing);
    return open_new(place, flags, mode);
  }
  const Node& node = place.node;
  if (flags.create && flags.exclusive) return fail(std::errc::file_exists);
  if (node.is_symlink())
    return fail(flags.directory ? std::errc::not_a_directory
                                : std::errc::too_many_symbolic_link_levels);
  if (flags.directory && !node.is_directory()) return fail(std::errc::not_a_directory);
  if (node.is_directory() && (flags.write || flags.create || flags.truncate))
    return fail(std::errc::is_a_directory);
  unsigned bits = (flags.read ? kMayRead : 0) | (flags.write || flags.truncate ? kMayWrite : 0);
  bool has_contents = node.type == FileType::regular;
  if ((bits & kMayWrite) && has_contents && root_->read_only(node))
    return fail(std::errc::read_only_file_system);
  if (!may(node, who_, bits)) return fail(std::errc::permission_denied);
  return root_->open(node, flags, who_);
}

Result<base::Ref<File>> View::open_new(const Place& place, OpenFlags flags, uint32_t mode) const {
  if (flags.directory) return fail(std::errc::invalid_argument);
  if (root_->read_only(place.dir)) return fail(std::errc::read_only_file_system);
  NewNode what;
  what.mode = mode & ~umask_ & 07777;
  Result<Node> node = make_in(place.dir, place.name, what);
  if (!node) return fail(node.error());
  flags.truncate = false;
  return root_->open(*node, flags, who_);
}

Result<std::vector<DirEntry>> View::list(std::string_view path) const {
  Result<Node> node = find(path);
  if (!node) return fail(node.error());
  if (!node->is_directory()) return fail(std::errc::not_a_directory);
  if (!may(*node, who_, kMayRead)) return fail(std::errc::permission_denied);
  return root_->list(*node);
}

Result<std::string> View::readlink(std::string_view path) const {
  Result<Node> node = find(path, Follow::no);
  if (!node) return fail(node.error());
  if (!node->is_symlink()) return fail(std::errc::invalid_argument);
  return root_->readlink(*node);
}

Status View::access(std::string_view path, int mode) const {
  Result<Node> node = find(path);
  if (!node) return fail(node.error());
  unsigned bits = static_cast<unsigned>(mode) & 7;
  bool may_be_read_only = node->type == FileType::regular || node->is_directory();
  if ((bits & kMayWrite) && may_be_read_only && root_->read_only(*node))
    return fail(std::errc::read_only_file_system);
  if (!may(*node, who_, bits)) return fail(std::errc::permission_denied);
  return {};
}

Result<std::string> View::path_of(Node dir) const {
  // From the bottom up; a tree that a host's backend made bottomless ends at
  // the longest path.
  std::string path;
  Node root = root_->root();
  while (!dir.same_file(root)) {
    Result<std::string> name = root_->name_of(dir);
    if (!name) return fail(name.error());
    path.insert(0, *name);
    path.insert(0, 1, '/');
    if (static_cast<int64_t>(path.size()) >= root_->path_limits().max_bytes) {
      root_->note_quota(LimitName::max_path_bytes);
      return fail(std::errc::filename_too_long);
    }
    Result<Node> parent = root_->parent(dir);
    if (!parent) return fail(parent.error());
    dir = *std::move(parent);
  }
  if (path.empty()) path = "/";
  return path;
}

Result<std::string> View::real_path(std::string_view path) const {
  Place place;
  if (Status done = resolve_into(path, Last::follow, place); !done) return fail(done.error());
  if (!place.found) return fail(kMissing);
  if (place.node.is_directory()) return path_of(place.node);
  Result<std::string> dir = path_of(place.dir);
  if (!dir) return fail(dir.error());
  if (*dir != "/") *dir += '/';
  *dir += place.name;
  if (static_cast<int64_t>(dir->size()) >= root_->path_limits().max_bytes)
    return fail(std::errc::filename_too_long);
  return dir;
}

Result<Usage> View::usage(std::string_view path) const {
  Result<Node> node = find(path);
  if (!node) return fail(node.error());
  return root_->usage(*node);
}

std::string View::absolute(std::string_view path) const {
  return normalise(path, cwd_);
}

}  // namespace nacre::vfs
