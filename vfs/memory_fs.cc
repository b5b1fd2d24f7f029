#include "vfs/memory_fs.h"

#include <algorithm>
#include <cerrno>

#include "vfs/memory_file.h"
#include "vfs/permissions.h"

namespace nacre::vfs {

namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 24 * 60 * 60;

std::unexpected<std::errc> fail(std::errc error) {
  return std::unexpected(error);
}

uint64_t quota(int64_t limit) {
  return limit < 0 ? 0 : static_cast<uint64_t>(limit);
}

// In use beyond what is exempt. What was exempt may have been removed since.
uint64_t beyond(uint64_t used, uint64_t exempt) {
  return used > exempt ? used - exempt : 0;
}

void drop_privileges(Inode& inode) {
  if (inode.mode & 010) inode.mode &= ~kSetGid;
  inode.mode &= ~kSetUid;
}

}  // namespace

MemoryFs::MemoryFs(const Limits& limits, limits::Clock& clock, Quotas quotas)
    : FileSystem(PathLimits::from(limits)),
      clock_(clock),
      max_bytes_(quota(limits.max_fs_bytes)),
      max_file_bytes_(std::min(quota(limits.max_file_bytes), Contents::kMaxSize)),
      max_files_(quota(limits.max_files)),
      enforced_(quotas == Quotas::now) {
  auto root = make_shared_ref<Inode>();
  Inode& inode = root.owned();
  inode.ino = inode.parent = kRootIno;
  inode.type = FileType::directory;
  inode.mode = 0755;
  inode.nlink = 2;
  inode.atime = inode.mtime = inode.ctime = inode.btime = now();
  tree_.inodes.insert(std::move(root));
}

MemoryFs::MemoryFs(const Snapshot& snapshot, const Limits& limits, limits::Clock& clock)
    : FileSystem(PathLimits::from(limits)),
      clock_(clock),
      max_bytes_(quota(limits.max_fs_bytes)),
      max_file_bytes_(std::min(quota(limits.max_file_bytes), Contents::kMaxSize)),
      max_files_(quota(limits.max_files)),
      tree_(snapshot.tree_) {
  drop_orphans_that_are_closed();
}

void MemoryFs::restore(const Snapshot& snapshot) {
  // Numbers that were given out stay used, so that a File on what is undone
  // cannot meet another file.
  uint64_t next_ino = std::max(tree_.next_ino, snapshot.tree_.next_ino);
  tree_ = snapshot.tree_;
  tree_.next_ino = next_ino;
  drop_orphans_that_are_closed();
}

void MemoryFs::exempt_present() {
  tree_.free_bytes = tree_.bytes;
  tree_.free_files = tree_.files;
  enforced_ = true;
}

Timestamp MemoryFs::now() const {
  int64_t ns = clock_.wall_now();
  int64_t sec = ns / kSecond;
  int64_t rest = ns % kSecond;
  if (rest < 0) {
    --sec;
    rest += kSecond;
  }
  return {sec, static_cast<int32_t>(rest)};
}

Node MemoryFs::node_of(const Inode& inode) {
  Node node;
  node.id = inode.ino;
  node.type = inode.type;
  node.mode = inode.mode;
  node.uid = inode.uid;
  node.gid = inode.gid;
  return node;
}

Node MemoryFs::root() {
  return node_of(*find(kRootIno));
}

Result<Node> MemoryFs::reload(const Node& node) {
  const Inode* inode = find(node.id);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  return node_of(*inode);
}

Result<Node> MemoryFs::lookup(const Node& dir, std::string_view name) {
  const Inode* inode = find(dir.id);
  if (!inode || !inode->entries) return fail(std::errc::no_such_file_or_directory);
  const DirectoryEntry* entry = inode->entries->find(name);
  if (!entry) return fail(std::errc::no_such_file_or_directory);
  return node_of(*find(entry->ino));
}

Result<Node> MemoryFs::parent(const Node& dir) {
  const Inode* inode = find(dir.id);
  if (inode) inode = find(inode->parent);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  return node_of(*inode);
}

Result<std::string> MemoryFs::name_of(const Node& dir) {
  if (dir.id == kRootIno) return std::string();
  const Inode* inode = find(dir.id);
  const Inode* parent = inode && inode->nlink > 0 ? find(inode->parent) : nullptr;
  std::string name;
  if (parent && parent->entries)
    parent->entries->for_each([&](const DirectoryEntry& entry) {
      if (entry.ino == dir.id) name = entry.name();
    });
  if (name.empty()) return fail(std::errc::no_such_file_or_directory);
  return name;
}

Result<Stat> MemoryFs::stat(const Node& node) {
  const Inode* inode = find(node.id);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  return stat_of(*inode);
}

Stat MemoryFs::stat_of(const Inode& inode) const {
  Stat st = inode.stat();
  st.dev = device_number();
  return st;
}

void MemoryFs::update_atime(const Inode& inode, AtimeRule rule) {
  bool newest = inode.atime > inode.mtime && inode.atime > inode.ctime;
  if (newest && rule == AtimeRule::if_not_newest) return;
  Timestamp when = now();
  if (newest && when.sec - inode.atime.sec < kDay) return;
  if (when != inode.atime) tree_.inodes.writable(inode.ino)->atime = when;
}

Result<std::string> MemoryFs::readlink(const Node& node) {
  const Inode* inode = find(node.id);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  if (inode->type != FileType::symlink) return fail(std::errc::invalid_argument);
  std::string target = inode->target;
  update_atime(*inode, AtimeRule::if_not_newest);
  return target;
}

Result<std::vector<DirEntry>> MemoryFs::list(const Node& dir) {
  const Inode* inode = find(dir.id);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  if (!inode->is_directory()) return fail(std::errc::not_a_directory);
  std::vector<DirEntry> list;
  if (inode->entries) {
    list.reserve(inode->entries->size());
    inode->entries->for_each([&](const DirectoryEntry& entry) {
      list.push_back({entry.name(), entry.ino, entry.file_type()});
    });
  }
  update_atime(*inode, AtimeRule::if_not_newest_or_old);
  return list;
}

Result<base::Ref<File>> MemoryFs::open(const Node& node, OpenFlags flags, const Credentials& who) {
  const Inode* inode = find(node.id);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  if (inode->is_directory() && flags.write) return fail(std::errc::is_a_directory);
  bool keep_privileges = who.uid == 0;
  if (flags.truncate && inode->type == FileType::regular)
    if (Status done = resize(node.id, 0, keep_privileges); !done) return fail(done.error());
  open_.add(node.id);
  return base::make_ref<MemoryFile>(base::Ref<MemoryFs>(this), *find(node.id), flags,
                                    keep_privileges);
}

uint64_t MemoryFs::depth_of(const Inode& dir) const {
  uint64_t depth = 0;
  for (const Inode* at = &dir; at && at->ino != kRootIno; at = find(at->parent)) ++depth;
  return depth;
}

Status MemoryFs::room_for_name(uint64_t dir) {
  const Inode* inode = find(dir);
  if (!inode || inode->nlink == 0) return fail(std::errc::no_such_file_or_directory);
  if (enforced_ && static_cast<int64_t>(depth_of(*inode)) >= path_limits().max_depth)
    return quota_error(LimitName::max_path_depth, std::errc::filename_too_long);
  return {};
}

Status MemoryFs::room_for_file() {
  if (enforced_ && beyond(tree_.files, tree_.free_files) >= max_files_)
    return quota_error(LimitName::max_files, std::errc::no_space_on_device);
  return {};
}

Status MemoryFs::room_for_bytes(uint64_t before, uint64_t after) {
  if (enforced_ && after > before &&
      beyond(tree_.bytes - before + after, tree_.free_bytes) > max_bytes_)
    return quota_error(LimitName::max_fs_bytes, std::errc::no_space_on_device);
  return {};
}

void MemoryFs::touch(Inode& dir, Timestamp when) {
  dir.mtime = dir.ctime = when;
}

Result<Node> MemoryFs::create(const Node& dir, std::string_view name, const NewNode& what) {
  if (Status room = room_for_name(dir.id); !room) return fail(room.error());
  const Inode* parent = find(dir.id);
  if (parent->entries && parent->entries->find(name)) return fail(std::errc::file_exists);
  if (Status room = room_for_file(); !room) return fail(room.error());
  if (Status room = room_for_bytes(0, what.target.size()); !room) return fail(room.error());

  auto made = make_shared_ref<Inode>();
  Inode& inode = made.owned();
  inode.ino = tree_.next_ino;
  inode.type = what.type;
  inode.mode = what.mode & 07777;
  inode.uid = what.uid;
  inode.gid = what.gid;
  inode.nlink = 1;
  inode.device = what.type == FileType::fifo ? Device::fifo : what.device;
  inode.rdev_major = what.rdev_major;
  inode.rdev_minor = what.rdev_minor;
  inode.target = what.target;
  Timestamp when = now();
  inode.atime = inode.mtime = inode.ctime = inode.btime = when;
  if (inode.is_directory()) {
    inode.nlink = 2;
    inode.parent = dir.id;
  }
  Node node = node_of(inode);

  tree_.inodes.insert(std::move(made));
  Inode* writable = tree_.inodes.writable(dir.id);
  writable->entries.writable_or_new().set(name, node.id, what.type);
  if (what.type == FileType::directory) ++writable->nlink;
  touch(*writable, when);
  ++tree_.next_ino;
  ++tree_.files;
  tree_.bytes += what.target.size();
  return node;
}

Status MemoryFs::link(const Node& node, const Node& dir, std::string_view name) {
  const Inode* inode = find(node.id);
  if (!inode || inode->nlink == 0) return fail(std::errc::no_such_file_or_directory);
  if (inode->is_directory()) return fail(std::errc::operation_not_permitted);
  if (Status room = room_for_name(dir.id); !room) return room;
  const Inode* parent = find(dir.id);
  if (parent->entries && parent->entries->find(name)) return fail(std::errc::file_exists);
  if (Status room = room_for_file(); !room) return room;
  Timestamp when = now();
  Inode* writable = tree_.inodes.writable(dir.id);
  writable->entries.writable_or_new().set(name, node.id, inode->type);
  touch(*writable, when);
  Inode* linked = tree_.inodes.writable(node.id);
  ++linked->nlink;
  linked->ctime = when;
  ++tree_.files;
  return {};
}

void MemoryFs::drop_inode(uint64_t ino) {
  tree_.bytes -= find(ino)->charge();
  --tree_.files;
  tree_.inodes.erase(ino);
}

void MemoryFs::drop_link(uint64_t ino, Timestamp when) {
  if (find(ino)->nlink == 1 && !open_.is_open(ino)) return drop_inode(ino);
  Inode* inode = tree_.inodes.writable(ino);
  inode->ctime = when;
  if (--inode->nlink == 0) {
    tree_.orphans.push_back(ino);
  } else {
    --tree_.files;
  }
}

void MemoryFs::drop_directory(uint64_t ino) {
  if (!open_.is_open(ino)) return drop_inode(ino);
  tree_.inodes.writable(ino)->nlink = 0;
  tree_.orphans.push_back(ino);
}

void MemoryFs::closed(uint64_t ino) {
  if (!open_.remove(ino)) return;
  const Inode* inode = find(ino);
  if (!inode || inode->nlink > 0) return;
  std::erase(tree_.orphans, ino);
  drop_inode(ino);
}

void MemoryFs::drop_orphans_that_are_closed() {
  std::erase_if(tree_.orphans, [this](uint64_t ino) {
    if (open_.is_open(ino)) return false;
    drop_inode(ino);
    return true;
  });
}

Status MemoryFs::unlink(const Node& dir, std::string_view name) {
  Result<Node> node = lookup(dir, name);
  if (!node) return fail(node.error());
  if (node->is_directory()) return fail(std::errc::is_a_directory);
  Timestamp when = now();
  Inode* parent = tree_.inodes.writable(dir.id);
  parent->entries.writable().erase(name);
  touch(*parent, when);
  drop_link(node->id, when);
  return {};
}

Status MemoryFs::rmdir(const Node& dir, std::string_view name) {
  Result<Node> node = lookup(dir, name);
  if (!node) return fail(node.error());
  if (!node->is_directory()) return fail(std::errc::not_a_directory);
  const Inode* inode = find(node->id);
  if (inode->entries && !inode->entries->empty()) return fail(std::errc::directory_not_empty);
  Inode* parent = tree_.inodes.writable(dir.id);
  parent->entries.writable().erase(name);
  --parent->nlink;
  touch(*parent, now());
  drop_directory(node->id);
  return {};
}

Status MemoryFs::rename(const Node& from_dir, std::string_view from, const Node& to_dir,
                        std::string_view to) {
  Result<Node> source = lookup(from_dir, from);
  if (!source) return fail(source.error());
  if (Status room = room_for_name(to_dir.id); !room) return room;
  Timestamp when = now();
  Result<Node> target = lookup(to_dir, to);
  if (target) {
    if (target->id == source->id) return {};
    if (source->is_directory() && !target->is_directory()) return fail(std::errc::not_a_directory);
    if (!source->is_directory() && target->is_directory()) return fail(std::errc::is_a_directory);
    const Inode* inode = find(target->id);
    if (inode->entries && !inode->entries->empty()) return fail(std::errc::directory_not_empty);
    if (target->is_directory()) {
      --tree_.inodes.writable(to_dir.id)->nlink;
      drop_directory(target->id);
    } else {
      drop_link(target->id, when);
    }
  }
  Inode* old_parent = tree_.inodes.writable(from_dir.id);
  Inode* new_parent = tree_.inodes.writable(to_dir.id);
  new_parent->entries.writable_or_new().set(to, source->id, source->type);
  old_parent->entries.writable().erase(from);
  Inode* moved = tree_.inodes.writable(source->id);
  moved->ctime = when;
  if (source->is_directory() && old_parent != new_parent) {
    --old_parent->nlink;
    ++new_parent->nlink;
    moved->parent = to_dir.id;
  }
  touch(*old_parent, when);
  touch(*new_parent, when);
  return {};
}

Status MemoryFs::set_attributes(const Node& node, const Attributes& change) {
  Inode* inode = tree_.inodes.writable(node.id);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  Timestamp when = now();
  auto moment = [when](const Timestamp& t) { return t == kNow ? when : t; };
  if (change.mode) inode->mode = *change.mode & 07777;
  if (change.uid) inode->uid = *change.uid;
  if (change.gid) inode->gid = *change.gid;
  if (change.atime) inode->atime = moment(*change.atime);
  if (change.mtime) inode->mtime = moment(*change.mtime);
  inode->ctime = when;
  return {};
}

Status MemoryFs::truncate(const Node& node, uint64_t size, const Credentials& who) {
  const Inode* inode = find(node.id);
  if (!inode) return fail(std::errc::no_such_file_or_directory);
  if (inode->is_directory()) return fail(std::errc::is_a_directory);
  if (inode->type != FileType::regular) return fail(std::errc::invalid_argument);
  return resize(node.id, size, who.uid == 0);
}

Usage MemoryFs::usage(const Node&) {
  return {beyond(tree_.bytes, tree_.free_bytes), beyond(tree_.files, tree_.free_files), max_bytes_,
          max_files_};
}

Status MemoryFs::write(uint64_t ino, uint64_t offset, std::string_view data, bool keep_privileges) {
  if (data.empty()) return {};
  if (offset > max_file_bytes_ || data.size() > max_file_bytes_ - offset)
    return quota_error(LimitName::max_file_bytes, std::errc::file_too_large);
  const Inode* inode = find(ino);
  uint64_t before = inode->charge();
  uint64_t after = inode->contents ? inode->contents->charge_after_write(offset, data.size())
                                   : Contents().charge_after_write(offset, data.size());
  if (Status room = room_for_bytes(before, after); !room) return room;
  Inode* writable = tree_.inodes.writable(ino);
  writable->contents.writable_or_new().write(offset, data);
  tree_.bytes += after - before;
  touch(*writable, now());
  if (!keep_privileges && (writable->mode & (kSetUid | kSetGid))) drop_privileges(*writable);
  return {};
}

Status MemoryFs::resize(uint64_t ino, uint64_t size, bool keep_privileges) {
  if (size > max_file_bytes_ && size > find(ino)->size())
    return quota_error(LimitName::max_file_bytes, std::errc::file_too_large);
  Inode* inode = tree_.inodes.writable(ino);
  uint64_t before = inode->charge();
  if (size == 0) {
    inode->contents.reset();
  } else {
    inode->contents.writable_or_new().truncate(size);
  }
  tree_.bytes += inode->charge() - before;
  touch(*inode, now());
  if (!keep_privileges && (inode->mode & (kSetUid | kSetGid))) drop_privileges(*inode);
  return {};
}

}  // namespace nacre::vfs
