#include <algorithm>

#include "base/copy.h"
#include "interp/open_file.h"

namespace nacre::interp {

// The description that a Capture hands out. Whichever of the two ends first
// takes leave of the other.
class CaptureWriter final : public OpenFile {
 public:
  explicit CaptureWriter(Capture& owner)
      : OpenFile(OpenKind::capture, false, true), owner_(&owner) {}
  ~CaptureWriter() override {
    if (!owner_) return;
    owner_->writer_ = nullptr;
    owner_->closed_.notify_all();
  }

  std::expected<void, std::errc> write(std::string_view data) override {
    if (!owner_) return std::unexpected(std::errc::broken_pipe);
    return owner_->write(data);
  }

 private:
  friend class Capture;
  Capture* owner_;
};

Capture::Capture(Scheduler& scheduler, limits::Meter& meter)
    : scheduler_(scheduler), meter_(meter) {}

Capture::~Capture() {
  if (writer_) writer_->owner_ = nullptr;
  meter_.sub_memory(charged_);
}

OpenFileRef Capture::writer() {
  if (!writer_) {
    auto made = base::make_ref<CaptureWriter>(*this);
    writer_ = made.get();
    return made;
  }
  return OpenFileRef(writer_);
}

bool Capture::wait_closed() {
  while (writer_) {
    if (scheduler_.wait(closed_) == Wake::interrupted && writer_) return false;
  }
  return true;
}

std::expected<void, std::errc> Capture::write(std::string_view data) {
  size_t need = text_.size() + data.size();
  meter_.check_string(static_cast<int64_t>(need));
  if (need > text_.capacity()) {
    size_t capacity = std::max(need, 2 * text_.capacity());
    int64_t more = static_cast<int64_t>(capacity) - charged_;
    if (more > 0) {
      meter_.add_memory(more);
      charged_ += more;
    }
    text_.reserve(capacity);
  }
  base::append_bytes(text_, data);
  return {};
}

}  // namespace nacre::interp
