// View: what makes, moves and removes names, and what changes attributes. The
// order of the checks is that of Linux' namei.c, since it decides which of
// several errors a command prints.
#include <algorithm>

#include "vfs/permissions.h"
#include "vfs/resolve.h"
#include "vfs/view.h"

namespace nacre::vfs {

namespace {

std::unexpected<std::errc> fail(std::errc error) {
  return std::unexpected(error);
}

constexpr std::errc kMissing = std::errc::no_such_file_or_directory;
constexpr std::errc kReadOnly = std::errc::read_only_file_system;

// Linux' protected_hardlinks: who does not own a file may link to it only where
// that gives nothing away.
bool safe_to_link(const Node& node, const Credentials& who) {
  if (owns(node, who)) return true;
  if (node.type != FileType::regular || (node.mode & kSetUid)) return false;
  if ((node.mode & kSetGid) && (node.mode & 010)) return false;
  return may(node, who, kMayRead | kMayWrite);
}

}  // namespace

Status View::may_add(const Node& dir) const {
  if (!may(dir, who_, kMayWrite | kMayExecute)) return fail(std::errc::permission_denied);
  return {};
}

Status View::may_remove(const Node& dir, const Node& node) const {
  if (!may(dir, who_, kMayWrite | kMayExecute)) return fail(std::errc::permission_denied);
  if (!sticky_allows(dir, node, who_)) return fail(std::errc::operation_not_permitted);
  return {};
}

Result<Node> View::make_in(const Node& dir, std::string_view name, NewNode what) const {
  if (Status allowed = may_add(dir); !allowed) return fail(allowed.error());
  what.uid = who_.uid;
  what.gid = who_.gid;
  if (dir.mode & kSetGid) {
    // A set-group-id directory hands down its group, and itself to directories.
    what.gid = dir.gid;
    if (what.type == FileType::directory) what.mode |= kSetGid;
  }
  return root_->create(dir, name, what);
}

Result<Node> View::make(std::string_view path, NewNode what) const {
  Place place;
  if (Status done = resolve_into(path, Last::name, place); !done) return fail(done.error());
  if (place.found) return fail(std::errc::file_exists);
  if (place.kind != Place::Kind::name) return fail(kMissing);
  if (place.slash && what.type != FileType::directory) return fail(kMissing);
  if (root_->read_only(place.dir)) return fail(kReadOnly);
  return make_in(place.dir, place.name, what);
}

Status View::mkdir(std::string_view path, uint32_t mode) const {
  NewNode what;
  what.type = FileType::directory;
  what.mode = mode & ~umask_ & 01777;
  Result<Node> node = make(path, what);
  if (!node) return fail(node.error());
  return {};
}

Status View::mkfifo(std::string_view path, uint32_t mode) const {
  NewNode what;
  what.type = FileType::fifo;
  what.mode = mode & ~umask_ & 07777;
  Result<Node> node = make(path, what);
  if (!node) return fail(node.error());
  return {};
}

Status View::symlink(std::string_view target, std::string_view path) const {
  if (target.empty()) return fail(kMissing);
  if (target.find('\0') != target.npos) return fail(std::errc::invalid_argument);
  if (static_cast<int64_t>(target.size()) >= root_->path_limits().max_bytes) {
    root_->note_quota(LimitName::max_path_bytes);
    return fail(std::errc::filename_too_long);
  }
  NewNode what;
  what.type = FileType::symlink;
  what.mode = 0777;
  what.target = target;
  Result<Node> node = make(path, what);
  if (!node) return fail(node.error());
  return {};
}

Status View::link(std::string_view from, std::string_view to, Follow follow) const {
  Result<Node> node = find(from, follow);
  if (!node) return fail(node.error());
  Place place;
  if (Status done = resolve_into(to, Last::name, place); !done) return done;
  if (place.found) return fail(std::errc::file_exists);
  if (place.kind != Place::Kind::name || place.slash) return fail(kMissing);
  if (root_->read_only(place.dir)) return fail(kReadOnly);
  if (node->mount != place.dir.mount) return fail(std::errc::cross_device_link);
  if (!safe_to_link(*node, who_)) return fail(std::errc::operation_not_permitted);
  if (Status allowed = may_add(place.dir); !allowed) return allowed;
  if (node->is_directory()) return fail(std::errc::operation_not_permitted);
  return root_->link(*node, place.dir, place.name);
}

Status View::unlink(std::string_view path) const {
  Place place;
  if (Status done = resolve_into(path, Last::name, place); !done) return done;
  if (place.kind != Place::Kind::name) return fail(std::errc::is_a_directory);
  if (root_->read_only(place.dir)) return fail(kReadOnly);
  if (!place.found) return fail(kMissing);
  if (place.slash)
    return fail(place.node.is_directory() ? std::errc::is_a_directory : std::errc::not_a_directory);
  if (Status allowed = may_remove(place.dir, place.node); !allowed) return allowed;
  if (place.node.is_directory()) return fail(std::errc::is_a_directory);
  return root_->unlink(place.dir, place.name);
}

Status View::rmdir(std::string_view path) const {
  Place place;
  if (Status done = resolve_into(path, Last::name, place); !done) return done;
  switch (place.kind) {
    case Place::Kind::dot:
      return fail(std::errc::invalid_argument);
    case Place::Kind::dot_dot:
      return fail(std::errc::directory_not_empty);
    case Place::Kind::root:
      return fail(std::errc::device_or_resource_busy);
    case Place::Kind::name:
      break;
  }
  if (root_->read_only(place.dir)) return fail(kReadOnly);
  if (!place.found) return fail(kMissing);
  if (Status allowed = may_remove(place.dir, place.node); !allowed) return allowed;
  if (!place.node.is_directory()) return fail(std::errc::not_a_directory);
  return root_->rmdir(place.dir, place.name);
}

bool View::is_inside(Node dir, const Node& ancestor) const {
  Node root = root_->root();
  for (;;) {
    if (dir.same_file(ancestor)) return true;
    if (dir.same_file(root)) return false;
    Result<Node> parent = root_->parent(dir);
    if (!parent) return false;
    dir = *std::move(parent);
  }
}

Status View::rename(std::string_view from, std::string_view to) const {
  Place source, target;
  if (Status done = resolve_into(from, Last::name, source); !done) return done;
  if (Status done = resolve_into(to, Last::name, target); !done) return done;
  if (source.dir.mount != target.dir.mount) return fail(std::errc::cross_device_link);
  if (source.kind != Place::Kind::name || target.kind != Place::Kind::name)
    return fail(std::errc::device_or_resource_busy);
  if (root_->read_only(source.dir)) return fail(kReadOnly);
  if (!source.found) return fail(kMissing);
  bool is_dir = source.node.is_directory();
  if (!is_dir && (source.slash || target.slash)) return fail(std::errc::not_a_directory);
  if (is_dir && is_inside(target.dir, source.node)) return fail(std::errc::invalid_argument);
  if (target.found && target.node.is_directory() && is_inside(source.dir, target.node))
    return fail(std::errc::directory_not_empty);
  if (target.found && target.node.same_file(source.node)) return {};

  if (Status allowed = may_remove(source.dir, source.node); !allowed) return allowed;
  if (!target.found) {
    if (Status allowed = may_add(target.dir); !allowed) return allowed;
  } else {
    if (Status allowed = may_remove(target.dir, target.node); !allowed) return allowed;
    if (is_dir && !target.node.is_directory()) return fail(std::errc::not_a_directory);
    if (!is_dir && target.node.is_directory()) return fail(std::errc::is_a_directory);
  }
  // A directory that gets another parent is itself changed ("..").
  if (is_dir && !source.dir.same_file(target.dir) && !may(source.node, who_, kMayWrite))
    return fail(std::errc::permission_denied);
  return root_->rename(source.dir, source.name, target.dir, target.name);
}

Status View::chmod(std::string_view path, uint32_t mode, Follow follow) const {
  Result<Node> node = find(path, follow);
  if (!node) return fail(node.error());
  if (root_->read_only(*node)) return fail(kReadOnly);
  if (node->is_symlink()) return fail(std::errc::operation_not_supported);
  if (!owns(*node, who_)) return fail(std::errc::operation_not_permitted);
  // Set-group-id is for members of the group only.
  if (who_.uid != 0 && node->gid != who_.gid) mode &= ~kSetGid;
  Attributes change;
  change.mode = mode & 07777;
  return root_->set_attributes(*node, change);
}

Status View::chown(std::string_view path, uint32_t uid, uint32_t gid, Follow follow) const {
  Result<Node> node = find(path, follow);
  if (!node) return fail(node.error());
  if (root_->read_only(*node)) return fail(kReadOnly);
  Attributes change;
  if (uid != UINT32_MAX) change.uid = uid;
  if (gid != UINT32_MAX) change.gid = gid;
  if (who_.uid != 0) {
    bool mine = who_.uid == node->uid;
    if (change.uid && !(mine && uid == node->uid)) return fail(std::errc::operation_not_permitted);
    if (change.gid && !(mine && (gid == who_.gid || gid == node->gid)))
      return fail(std::errc::operation_not_permitted);
  }
  // A file that changes hands loses its privileges, as in Linux also for root.
  if (!node->is_directory() && !node->is_symlink() && (node->mode & (kSetUid | kSetGid))) {
    uint32_t mode = node->mode & ~kSetUid;
    if (mode & 010) mode &= ~kSetGid;
    if (mode != node->mode) {
      if (!owns(*node, who_)) return fail(std::errc::operation_not_permitted);
      change.mode = mode;
    }
  }
  return root_->set_attributes(*node, change);
}

Status View::set_times(std::string_view path, std::optional<Timestamp> atime,
                       std::optional<Timestamp> mtime, Follow follow) const {
  Result<Node> node = find(path, follow);
  if (!node) return fail(node.error());
  if (!atime && !mtime) return {};
  if (root_->read_only(*node)) return fail(kReadOnly);
  if (!owns(*node, who_)) {
    bool now = atime == kNow && mtime == kNow;
    if (!now) return fail(std::errc::operation_not_permitted);
    if (!may(*node, who_, kMayWrite)) return fail(std::errc::permission_denied);
  }
  Attributes change;
  change.atime = atime;
  change.mtime = mtime;
  return root_->set_attributes(*node, change);
}

Status View::truncate(std::string_view path, uint64_t size) const {
  Result<Node> node = find(path);
  if (!node) return fail(node.error());
  if (node->is_directory()) return fail(std::errc::is_a_directory);
  if (node->type != FileType::regular) return fail(std::errc::invalid_argument);
  if (root_->read_only(*node)) return fail(kReadOnly);
  if (!may(*node, who_, kMayWrite)) return fail(std::errc::permission_denied);
  return root_->truncate(*node, size, who_);
}

}  // namespace nacre::vfs
