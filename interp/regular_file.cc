// Files and directories of the tree. A file that is only read is read in place,
// through view_at(); otherwise, or where the backend gives no views, through a
// buffer of our own.
//
// A vfs::File keeps one view true at a time. While somebody holds a lease on it
// (a reader that blocked elsewhere), the others who share the description read
// through the buffer.
#include <algorithm>
#include <utility>

#include "interp/chunk.h"
#include "interp/open_file.h"

namespace nacre::interp {

namespace {

constexpr size_t kReadBuffer = 64 * 1024;

class RegularFile final : public OpenFile {
 public:
  RegularFile(base::Ref<vfs::File> file, vfs::OpenFlags flags, limits::Meter* meter,
              bool directory, bool views)
      : OpenFile(directory ? OpenKind::directory : OpenKind::file, flags.read, flags.write),
        file_(std::move(file)),
        meter_(meter),
        append_(flags.append),
        // What is written through a File invalidates its view.
        views_(views && !flags.write) {}

  std::expected<std::string_view, std::errc> peek() override {
    if (!readable()) return std::unexpected(std::errc::bad_file_descriptor);
    if (kind() == OpenKind::directory) return std::unexpected(std::errc::is_a_directory);
    viewing_ = false;
    if (views_ && (!view_ || view_->unique())) {
      if (std::optional<std::string_view> view = file_->view_at(offset_)) {
        viewing_ = true;
        return *view;
      }
      views_ = false;
    }
    return peek_buffer();
  }

  LeaseRef lease() override {
    if (!viewing_) return buffer_;
    if (!view_) view_ = base::make_ref<ViewLease>();
    return view_;
  }

  std::expected<void, std::errc> write(std::string_view data) override {
    if (!writable()) return std::unexpected(std::errc::bad_file_descriptor);
    if (data.empty()) return {};
    drop_buffer();
    if (append_) {
      std::expected<uint64_t, std::errc> end = file_->append(data);
      if (!end) return std::unexpected(end.error());
      offset_ = *end;
      return {};
    }
    std::expected<size_t, std::errc> n = file_->write_at(offset_, data);
    if (!n) return std::unexpected(n.error());
    offset_ += data.size();
    return {};
  }

  bool seekable() const override { return kind() == OpenKind::file; }
  std::expected<uint64_t, std::errc> seek(int64_t offset, int whence) override {
    uint64_t base = whence == 0 ? 0 : whence == 1 ? offset_ : file_->size();
    int64_t target;
    if (whence < 0 || whence > 2 || base > INT64_MAX ||
        __builtin_add_overflow(static_cast<int64_t>(base), offset, &target) || target < 0)
      return std::unexpected(std::errc::invalid_argument);
    moved();
    drop_buffer();
    offset_ = static_cast<uint64_t>(target);
    return offset_;
  }
  std::expected<vfs::Stat, std::errc> stat() const override { return file_->stat(); }
  vfs::File* file() const override { return file_.get(); }

  // The new description shares the File, so it must not take the view away.
  std::expected<OpenFileRef, std::errc> reopen(vfs::OpenFlags flags) override {
    bool directory = kind() == OpenKind::directory;
    if (flags.write && directory) return std::unexpected(std::errc::is_a_directory);
    if ((flags.write && !writable()) || (flags.read && !readable()))
      return std::unexpected(std::errc::permission_denied);
    if (flags.truncate && flags.write) {
      vfs::Status status = file_->truncate(0);
      if (!status) return std::unexpected(status.error());
    }
    return base::make_ref<RegularFile>(file_, flags, meter_, directory, false);
  }

 private:
  // Stands for the File's view: while it is referred to, view_at() may not be
  // called again.
  struct ViewLease final : Lease {};

  std::expected<std::string_view, std::errc> peek_buffer() {
    if (!buffer_ || buffer_->empty()) {
      if (!buffer_ || !buffer_->unique()) buffer_ = base::make_ref<Chunk>(meter_, kReadBuffer);
      buffer_->clear();
      std::expected<size_t, std::errc> n =
          file_->read_at(offset_, buffer_->free_space(), buffer_->room());
      if (!n) return std::unexpected(n.error());
      buffer_->filled(*n);
    }
    return buffer_->bytes();
  }

  void advance(size_t n) override {
    offset_ += n;
    if (buffer_) buffer_->take(std::min(n, buffer_->bytes().size()));
  }

  // What was read ahead is no longer what is at the offset.
  void drop_buffer() {
    if (buffer_) buffer_->take(buffer_->bytes().size());
  }

  base::Ref<vfs::File> file_;
  limits::Meter* meter_;
  uint64_t offset_ = 0;
  base::Ref<Chunk> buffer_;  // its bytes begin at offset_
  base::Ref<ViewLease> view_;
  bool append_;
  bool views_;
  bool viewing_ = false;     // the last peek gave a view of the File's
};

}  // namespace

OpenFileRef open_regular(base::Ref<vfs::File> file, vfs::OpenFlags flags, limits::Meter* meter) {
  std::expected<vfs::Stat, std::errc> st = file->stat();
  bool directory = st && st->type == vfs::FileType::directory;
  return base::make_ref<RegularFile>(std::move(file), flags, meter, directory, true);
}

}  // namespace nacre::interp
