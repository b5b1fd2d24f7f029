// /dev/null, zero, full, random and urandom. A description of a device reads
// and writes whatever it was opened for: the tree checked that.
#include <utility>

#include "interp/chunk.h"
#include "interp/open_file.h"

namespace nacre::interp {

namespace {

constexpr size_t kRandomBlock = 4096;
constexpr char kZeros[64 * 1024] = {};

class DeviceFile : public OpenFile {
 public:
  DeviceFile(OpenKind kind, base::Ref<vfs::File> file)
      : OpenFile(kind, true, true), file_(std::move(file)) {}

  std::expected<void, std::errc> write(std::string_view) override { return {}; }
  // lseek(2) succeeds on these devices and moves nothing.
  std::expected<uint64_t, std::errc> seek(int64_t, int) override { return 0; }
  std::expected<vfs::Stat, std::errc> stat() const override {
    return file_ ? file_->stat() : OpenFile::stat();
  }
  vfs::File* file() const override { return file_.get(); }

 private:
  base::Ref<vfs::File> file_;
};

class NullFile final : public DeviceFile {
 public:
  explicit NullFile(base::Ref<vfs::File> file) : DeviceFile(OpenKind::null, std::move(file)) {}
  std::expected<std::string_view, std::errc> peek() override { return std::string_view(); }
};

class ZeroFile : public DeviceFile {
 public:
  explicit ZeroFile(base::Ref<vfs::File> file) : DeviceFile(OpenKind::device, std::move(file)) {}
  std::expected<std::string_view, std::errc> peek() override {
    return std::string_view(kZeros, sizeof kZeros);
  }
};

class FullFile final : public ZeroFile {
 public:
  using ZeroFile::ZeroFile;
  std::expected<void, std::errc> write(std::string_view data) override {
    if (data.empty()) return {};
    return std::unexpected(std::errc::no_space_on_device);
  }
};

class RandomFile final : public DeviceFile {
 public:
  RandomFile(base::Ref<vfs::File> file, std::function<uint64_t()> random)
      : DeviceFile(OpenKind::device, std::move(file)), random_(std::move(random)) {}

  std::expected<std::string_view, std::errc> peek() override {
    if (!block_ || block_->empty()) fill();
    return block_->bytes();
  }
  LeaseRef lease() override { return block_; }

 private:
  void advance(size_t n) override { block_->take(n); }

  void fill() {
    if (!block_ || !block_->unique()) block_ = base::make_ref<Chunk>(nullptr, kRandomBlock);
    block_->clear();
    while (block_->room() > 0) {
      char bytes[8];
      uint64_t number = random_();
      for (char& c : bytes) {
        c = static_cast<char>(number);
        number >>= 8;
      }
      block_->append({bytes, sizeof bytes});
    }
  }

  std::function<uint64_t()> random_;
  base::Ref<Chunk> block_;
};

}  // namespace

OpenFileRef open_device(vfs::Device device, base::Ref<vfs::File> file,
                        std::function<uint64_t()> random) {
  switch (device) {
    case vfs::Device::null: return base::make_ref<NullFile>(std::move(file));
    case vfs::Device::zero: return base::make_ref<ZeroFile>(std::move(file));
    case vfs::Device::full: return base::make_ref<FullFile>(std::move(file));
    case vfs::Device::random:
    case vfs::Device::urandom:
      return base::make_ref<RandomFile>(std::move(file), std::move(random));
    default: return {};
  }
}

}  // namespace nacre::interp
