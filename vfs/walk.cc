#include "vfs/walk.h"

#include <utility>

#include "vfs/permissions.h"

namespace nacre::vfs {

namespace {

// What a level keeps for its names.
int64_t memory_of(const std::vector<DirEntry>& entries) {
  int64_t bytes = static_cast<int64_t>(entries.capacity() * sizeof(DirEntry));
  for (const DirEntry& entry : entries)
    if (entry.name.capacity() > sizeof(std::string) / 2)
      bytes += static_cast<int64_t>(entry.name.capacity());
  return bytes;
}

}  // namespace

void Walk::start(std::string_view path) {
  levels_.clear();
  path_ = path;
  charge_path();
  enter_ = false;
  at_root_ = true;
}

void Walk::charge_path() {
  auto bytes = static_cast<int64_t>(path_.capacity());
  if (bytes == path_charged_) return;
  path_charge_.set(bytes);
  path_charged_ = bytes;
}

void Walk::set_path(size_t name_at) {
  name_at_ = name_at;
  entry_.path = path_;
  entry_.name = std::string_view(path_).substr(name_at);
}

void Walk::look(const View& view, std::string_view name, bool follow) {
  entry_.through_link = false;
  Result<Node> node = view.find(name, follow ? Follow::yes : Follow::no);
  if (follow) {
    Result<Node> itself = view.find(name, Follow::no);
    entry_.through_link = itself && itself->is_symlink();
    if (!node && entry_.through_link) node = std::move(itself);  // it dangles
  }
  Result<Stat> stat = node ? view.root().stat(*node) : std::unexpected(node.error());
  if (!stat) {
    entry_.event = Event::error;
    entry_.error = stat.error();
    return;
  }
  node_ = *std::move(node);
  entry_.stat = *stat;
  entry_.error = {};
  entry_.event = node_.is_directory() ? Event::directory : Event::file;
  if (!node_.is_directory()) return;
  if (options_.links == Links::logical && enters_cycle()) {
    entry_.event = Event::cycle;
    return;
  }
  enter_ = !options_.one_device || entry_.depth == 0 || stat->dev == root_device_;
}

bool Walk::enters_cycle() const {
  for (const Level& level : levels_)
    if (level.dir.same_file(node_)) return true;
  return false;
}

bool Walk::enter() {
  if (static_cast<int64_t>(levels_.size()) >= meter_.limits().max_path_depth)
    meter_.exceeded(LimitName::max_path_depth);
  Result<std::vector<DirEntry>> list = std::unexpected(std::errc::permission_denied);
  if (may(node_, view_.credentials(), kMayRead)) list = view_.root().list(node_);
  if (!list) {
    entry_.event = Event::unreadable;
    entry_.error = list.error();
    return false;
  }
  limits::MemoryCharge charge(meter_, memory_of(*list));
  levels_.push_back(
      {node_, *std::move(list), 0, path_.size(), name_at_, entry_.stat, std::move(charge)});
  here_ = view_.in(node_);
  return true;
}

const Walk::Entry* Walk::leave() {
  Level level = std::move(levels_.back());
  levels_.pop_back();
  path_.resize(level.path_size);
  set_path(level.name_at);
  entry_.event = Event::directory_end;
  entry_.error = {};
  entry_.depth = static_cast<int>(levels_.size());
  entry_.stat = level.stat;
  entry_.through_link = false;
  here_ = levels_.empty() ? view_ : view_.in(levels_.back().dir);
  return &entry_;
}

const Walk::Entry* Walk::next() {
  meter_.charge_work();
  if (at_root_) {
    at_root_ = false;
    here_ = view_;
    set_path(0);
    entry_.depth = 0;
    look(view_, path_, options_.links != Links::physical);
    if (entry_.event != Event::error) root_device_ = entry_.stat.dev;
    return &entry_;
  }
  if (std::exchange(enter_, false) && !enter()) return &entry_;
  if (levels_.empty()) return nullptr;
  Level& level = levels_.back();
  if (level.next == level.entries.size()) return leave();
  const std::string& name = level.entries[level.next++].name;
  path_.resize(level.path_size);
  if (!path_.ends_with('/')) path_ += '/';
  size_t name_at = path_.size();
  path_ += name;
  charge_path();
  set_path(name_at);
  entry_.depth = static_cast<int>(levels_.size());
  look(here_, entry_.name, options_.links == Links::logical);
  return &entry_;
}

}  // namespace nacre::vfs
