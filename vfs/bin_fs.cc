#include "vfs/bin_fs.h"

#include <algorithm>
#include <cstring>

#include "vfs/synthetic_file.h"

namespace nacre::vfs {

namespace {

constexpr std::string_view kStub = "#!nacre builtin ";

std::string stub_of(std::string_view name) {
  return std::string(kStub).append(name).append("\n");
}

Node command_node(uint64_t id) {
  Node node;
  node.id = id;
  node.type = FileType::regular;
  node.mode = 0755;
  return node;
}

class StubFile final : public SyntheticFile {
 public:
  StubFile(const Stat& stat, std::string text) : SyntheticFile(stat), text_(std::move(text)) {}

  Result<size_t> read_at(uint64_t offset, char* buf, size_t size) override {
    std::string_view piece = tail(offset).substr(0, size);
    std::memcpy(buf, piece.data(), piece.size());
    return piece.size();
  }
  std::optional<std::string_view> view_at(uint64_t offset) override { return tail(offset); }

 private:
  std::string_view tail(uint64_t offset) const {
    return std::string_view(text_).substr(std::min<uint64_t>(offset, text_.size()));
  }

  std::string text_;
};

}  // namespace

void BinFs::add(std::string_view name) {
  if (std::binary_search(names_.begin(), names_.end(), name)) return;
  auto at = std::lower_bound(added_.begin(), added_.end(), name,
                             [](const Added& a, std::string_view n) { return a.name < n; });
  if (at != added_.end() && at->name == name) return;
  added_.insert(at, {std::string(name), next_added_++});
}

void BinFs::remove(std::string_view name) {
  std::erase_if(added_, [name](const Added& a) { return a.name == name; });
}

std::string_view BinFs::command_of(const Node& node) const {
  if (node.id < kFirstAdded) {
    size_t at = node.id - kFirstId;
    return node.id >= kFirstId && at < names_.size() ? names_[at] : std::string_view();
  }
  for (const Added& added : added_)
    if (added.id == node.id) return added.name;
  return {};
}

Node BinFs::root() {
  Node node;
  node.id = kRootId;
  node.mode = 0755;
  return node;
}

Result<Node> BinFs::reload(const Node& node) {
  if (node.id != kRootId && command_of(node).empty())
    return std::unexpected(std::errc::no_such_file_or_directory);
  return node;
}

Result<Node> BinFs::lookup(const Node&, std::string_view name) {
  auto at = std::lower_bound(names_.begin(), names_.end(), name);
  if (at != names_.end() && *at == name)
    return command_node(kFirstId + static_cast<uint64_t>(at - names_.begin()));
  for (const Added& added : added_)
    if (added.name == name) return command_node(added.id);
  return std::unexpected(std::errc::no_such_file_or_directory);
}

Result<Stat> BinFs::stat(const Node& node) {
  Stat st;
  st.dev = device_number();
  st.ino = node.id;
  st.type = node.type;
  st.mode = 0755;
  st.atime = st.mtime = st.ctime = st.btime = created_;
  if (node.id == kRootId) {
    st.nlink = 2;
    st.size = 4096;
    st.blocks = 8;
    return st;
  }
  std::string_view name = command_of(node);
  if (name.empty()) return std::unexpected(std::errc::no_such_file_or_directory);
  st.size = kStub.size() + name.size() + 1;
  st.blocks = 8;
  return st;
}

Result<std::vector<DirEntry>> BinFs::list(const Node&) {
  std::vector<DirEntry> list;
  list.reserve(names_.size() + added_.size());
  uint64_t id = kFirstId;
  for (std::string_view name : names_) list.push_back({std::string(name), id++, FileType::regular});
  auto middle = static_cast<ptrdiff_t>(list.size());
  for (const Added& added : added_) list.push_back({added.name, added.id, FileType::regular});
  std::inplace_merge(list.begin(), list.begin() + middle, list.end(),
                     [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; });
  return list;
}

Result<base::Ref<File>> BinFs::open(const Node& node, OpenFlags flags, const Credentials&) {
  Result<Stat> st = stat(node);
  if (!st) return std::unexpected(st.error());
  if (flags.write || flags.truncate) return refuse();
  if (node.id == kRootId) return base::make_ref<SyntheticFile>(*st);
  return base::make_ref<StubFile>(*st, stub_of(command_of(node)));
}

}  // namespace nacre::vfs
