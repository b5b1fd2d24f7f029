#include "vfs/mount_fs.h"

#include <algorithm>
#include <utility>

namespace nacre::vfs {

MountFs::MountFs(base::Ref<FileSystem> base)
    : FileSystem(base->path_limits()), next_device_(base->number_devices(device_number())) {
  Mount first;
  first.top = base->root();
  first.top.mount = outer_mount(first.top.mount, 0);
  first.fs = std::move(base);
  mounts_.push_back(std::move(first));
}

Status MountFs::mount(const Path& at, base::Ref<FileSystem> fs) {
  if (mounts_.size() > kMask) return std::unexpected(std::errc::no_space_on_device);
  Node dir = root();
  std::string_view rest = std::string_view(at.text()).substr(1);
  while (!rest.empty()) {
    size_t end = std::min(rest.find('/'), rest.size());
    Result<Node> next = lookup(dir, rest.substr(0, end));
    if (!next) return std::unexpected(next.error());
    if (!next->is_directory()) return std::unexpected(std::errc::not_a_directory);
    dir = *std::move(next);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  Mount mount;
  mount.covered = std::move(dir);
  mount.top = fs->root();
  mount.top.mount = outer_mount(mount.top.mount, mounts_.size());
  next_device_ = fs->number_devices(next_device_);
  mount.fs = std::move(fs);
  mounts_.push_back(std::move(mount));
  return {};
}

bool MountFs::is_covered(const Node& node) const {
  for (size_t i = 1; i < mounts_.size(); ++i)
    if (mounts_[i].covered.same_file(node)) return true;
  return false;
}

Node MountFs::seen(Node node) const {
  // A later mount may cover the top of an earlier one, never the other way round.
  for (size_t i = 1; i < mounts_.size(); ++i) {
    if (!mounts_[i].covered.same_file(node)) continue;
    node = mounts_[i].fs->root();
    node.mount = outer_mount(node.mount, i);
  }
  return node;
}

Result<Node> MountFs::outer(Result<Node> node, uint64_t index) const {
  if (!node) return node;
  node->mount = outer_mount(node->mount, index);
  if (node->is_directory() && is_covered(*node)) return seen(*std::move(node));
  return node;
}

const Node& MountFs::below(const Node& dir) const {
  const Node* at = &dir;
  for (size_t i = mounts_.size() - 1; i > 0; --i)
    if (mounts_[i].top.same_file(*at)) at = &mounts_[i].covered;
  return *at;
}

Node MountFs::root() {
  Node node = mounts_[0].fs->root();
  node.mount = outer_mount(node.mount, 0);
  return seen(std::move(node));
}

Result<Node> MountFs::reload(const Node& node) {
  Result<Node> now = fs_of(node).reload(Inner(node));
  if (now) now->mount = node.mount;
  return now;
}

Result<Node> MountFs::lookup(const Node& dir, std::string_view name) {
  return outer(fs_of(dir).lookup(Inner(dir), name), dir.mount & kMask);
}

Result<Node> MountFs::parent(const Node& dir) {
  const Node& at = below(dir);
  return outer(fs_of(at).parent(Inner(at)), at.mount & kMask);
}

Result<std::string> MountFs::name_of(const Node& dir) {
  const Node& at = below(dir);
  return fs_of(at).name_of(Inner(at));
}

Result<Stat> MountFs::stat(const Node& node) {
  return fs_of(node).stat(Inner(node));
}

Result<std::string> MountFs::readlink(const Node& node) {
  return fs_of(node).readlink(Inner(node));
}

Result<std::vector<DirEntry>> MountFs::list(const Node& dir) {
  return fs_of(dir).list(Inner(dir));
}

Result<base::Ref<File>> MountFs::open(const Node& node, OpenFlags flags, const Credentials& who) {
  return fs_of(node).open(Inner(node), flags, who);
}

Result<Node> MountFs::create(const Node& dir, std::string_view name, const NewNode& what) {
  return outer(fs_of(dir).create(Inner(dir), name, what), dir.mount & kMask);
}

Status MountFs::link(const Node& node, const Node& dir, std::string_view name) {
  return fs_of(dir).link(Inner(node), Inner(dir), name);
}

Status MountFs::refuse_covered(const Node& dir, std::string_view name) {
  Result<Node> node = fs_of(dir).lookup(Inner(dir), name);
  if (!node) return {};
  node->mount = outer_mount(node->mount, dir.mount & kMask);
  if (is_covered(*node)) return std::unexpected(std::errc::device_or_resource_busy);
  return {};
}

Status MountFs::unlink(const Node& dir, std::string_view name) {
  return fs_of(dir).unlink(Inner(dir), name);
}

Status MountFs::rmdir(const Node& dir, std::string_view name) {
  if (Status free = refuse_covered(dir, name); !free) return free;
  return fs_of(dir).rmdir(Inner(dir), name);
}

Status MountFs::rename(const Node& from_dir, std::string_view from, const Node& to_dir,
                       std::string_view to) {
  if (Status free = refuse_covered(from_dir, from); !free) return free;
  if (Status free = refuse_covered(to_dir, to); !free) return free;
  return fs_of(from_dir).rename(Inner(from_dir), from, Inner(to_dir), to);
}

Status MountFs::set_attributes(const Node& node, const Attributes& change) {
  return fs_of(node).set_attributes(Inner(node), change);
}

Status MountFs::truncate(const Node& node, uint64_t size, const Credentials& who) {
  return fs_of(node).truncate(Inner(node), size, who);
}

Usage MountFs::usage(const Node& node) {
  return fs_of(node).usage(Inner(node));
}

bool MountFs::read_only(const Node& node) {
  return fs_of(node).read_only(Inner(node));
}

uint64_t MountFs::number_devices(uint64_t first) {
  FileSystem::number_devices(first);
  for (const Mount& mount : mounts_) first = mount.fs->number_devices(first);
  next_device_ = first;
  return first;
}

QuotaHits MountFs::quota_hits() const {
  QuotaHits hits = FileSystem::quota_hits();
  for (const Mount& mount : mounts_) hits.add(mount.fs->quota_hits());
  return hits;
}

void MountFs::clear_quota_hits() {
  FileSystem::clear_quota_hits();
  for (const Mount& mount : mounts_) mount.fs->clear_quota_hits();
}

}  // namespace nacre::vfs
