#include "vfs/dev_fs.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/numbers.h"
#include "vfs/synthetic_file.h"

namespace nacre::vfs {

namespace {

struct DeviceRow {
  std::string_view name;
  FileType type;
  Device device;
  uint32_t major, minor;
  uint32_t mode;
  std::string_view target;
};

constexpr uint32_t kTtyGroup = 5;

// Sorted by name. A row's node id is its place plus kFirstId.
constexpr DeviceRow kDevices[] = {
    {"fd", FileType::directory, Device::none, 0, 0, 0755, {}},
    {"full", FileType::char_device, Device::full, 1, 7, 0666, {}},
    {"null", FileType::char_device, Device::null, 1, 3, 0666, {}},
    {"random", FileType::char_device, Device::random, 1, 8, 0666, {}},
    {"stderr", FileType::symlink, Device::none, 0, 0, 0777, "fd/2"},
    {"stdin", FileType::symlink, Device::none, 0, 0, 0777, "fd/0"},
    {"stdout", FileType::symlink, Device::none, 0, 0, 0777, "fd/1"},
    {"tty", FileType::char_device, Device::tty, 5, 0, 0666, {}},
    {"urandom", FileType::char_device, Device::urandom, 1, 9, 0666, {}},
    {"zero", FileType::char_device, Device::zero, 1, 5, 0666, {}},
};

constexpr uint64_t kFirstId = 2;
constexpr uint64_t kFdDirectory = kFirstId;  // the table's first row
constexpr uint64_t kFirstDescriptor = uint64_t{1} << 32;

const DeviceRow* row_of(const Node& node) {
  size_t at = node.id - kFirstId;
  return node.id >= kFirstId && at < std::size(kDevices) ? &kDevices[at] : nullptr;
}

Node node_of(size_t at) {
  const DeviceRow& row = kDevices[at];
  Node node;
  node.id = kFirstId + at;
  node.type = row.type;
  node.mode = row.mode;
  node.gid = row.device == Device::tty ? kTtyGroup : 0;
  return node;
}

class DeviceFile final : public SyntheticFile {
 public:
  DeviceFile(const Stat& stat, Device device, OpenFlags flags)
      : SyntheticFile(stat), device_(device), flags_(flags) {}

  Result<size_t> read_at(uint64_t offset, char* buf, size_t size) override {
    if (!flags_.read) return std::unexpected(std::errc::bad_file_descriptor);
    if (device_ == Device::null) return 0;
    if (device_ != Device::zero && device_ != Device::full)
      return SyntheticFile::read_at(offset, buf, size);
    std::memset(buf, 0, size);
    return size;
  }
  Result<size_t> write_at(uint64_t, std::string_view data) override {
    if (!flags_.write) return std::unexpected(std::errc::bad_file_descriptor);
    if (device_ == Device::null || device_ == Device::zero) return data.size();
    return std::unexpected(device_ == Device::full ? std::errc::no_space_on_device
                                                   : std::errc::invalid_argument);
  }
  Result<uint64_t> append(std::string_view data) override {
    Result<size_t> done = write_at(0, data);
    if (!done) return std::unexpected(done.error());
    return 0;
  }
  Device device() const override { return device_; }
  uint32_t device_number() const override { return device_ == Device::fd ? stat()->rdev_minor : 0; }

 private:
  Device device_;
  OpenFlags flags_;
};

}  // namespace

Node DevFs::root() {
  Node node;
  node.id = kRootId;
  node.mode = 0755;
  return node;
}

Result<Node> DevFs::lookup(const Node& dir, std::string_view name) {
  if (dir.id == kRootId) {
    for (size_t i = 0; i < std::size(kDevices); ++i)
      if (kDevices[i].name == name) return node_of(i);
  } else if (dir.id == kFdDirectory && base::all_digits(name) && (name[0] != '0' || name == "0")) {
    int32_t number;
    auto end = name.data() + name.size();
    if (auto r = std::from_chars(name.data(), end, number); r.ec == std::errc{} && r.ptr == end) {
      Node node;
      node.id = kFirstDescriptor + static_cast<uint64_t>(number);
      node.type = FileType::char_device;
      node.mode = 0666;
      return node;
    }
  }
  return std::unexpected(std::errc::no_such_file_or_directory);
}

Result<Node> DevFs::parent(const Node&) {
  return root();
}

Result<std::string> DevFs::name_of(const Node& dir) {
  const DeviceRow* row = row_of(dir);
  return row ? std::string(row->name) : std::string();
}

Result<Stat> DevFs::stat(const Node& node) {
  Stat st;
  st.dev = device_number();
  st.ino = node.id;
  st.type = node.type;
  st.mode = node.mode;
  st.uid = node.uid;
  st.gid = node.gid;
  st.atime = st.mtime = st.ctime = st.btime = created_;
  if (node.id == kRootId) st.nlink = 3;
  if (const DeviceRow* row = row_of(node)) {
    st.rdev_major = row->major;
    st.rdev_minor = row->minor;
    st.size = row->target.size();
    if (row->type == FileType::directory) st.nlink = 2;
  } else if (node.id >= kFirstDescriptor) {
    st.rdev_major = kDescriptorMajor;
    st.rdev_minor = static_cast<uint32_t>(node.id - kFirstDescriptor);
  }
  return st;
}

Result<std::string> DevFs::readlink(const Node& node) {
  const DeviceRow* row = row_of(node);
  if (!row || row->type != FileType::symlink) return std::unexpected(std::errc::invalid_argument);
  return std::string(row->target);
}

Result<std::vector<DirEntry>> DevFs::list(const Node& dir) {
  std::vector<DirEntry> list;
  if (dir.id == kRootId)
    for (size_t i = 0; i < std::size(kDevices); ++i)
      list.push_back({std::string(kDevices[i].name), kFirstId + i, kDevices[i].type});
  return list;
}

Result<base::Ref<File>> DevFs::open(const Node& node, OpenFlags flags, const Credentials&) {
  Stat st = *stat(node);
  const DeviceRow* row = row_of(node);
  Device device = row ? row->device : node.id >= kFirstDescriptor ? Device::fd : Device::none;
  if (device == Device::none) return base::make_ref<SyntheticFile>(st);
  return base::make_ref<DeviceFile>(st, device, flags);
}

Status DevFs::set_attributes(const Node&, const Attributes& change) {
  if (change.mode || change.uid || change.gid) return refuse();
  return {};
}

}  // namespace nacre::vfs
