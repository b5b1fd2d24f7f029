// A text that is read like a file: here-documents, here-strings, exec's stdin.
#include <utility>

#include "interp/open_file.h"

namespace nacre::interp {

namespace {

class TextFile final : public OpenFile {
 public:
  TextFile(std::string text, limits::Meter& meter)
      : OpenFile(OpenKind::text, true, false),
        charge_(meter, static_cast<int64_t>(text.size())),
        text_(std::move(text)) {}

  std::expected<std::string_view, std::errc> peek() override {
    std::string_view text = text_;
    return offset_ < text.size() ? text.substr(offset_) : std::string_view();
  }
  bool seekable() const override { return true; }
  std::expected<uint64_t, std::errc> seek(int64_t offset, int whence) override {
    uint64_t base = whence == 0 ? 0 : whence == 1 ? offset_ : text_.size();
    int64_t target;
    if (whence < 0 || whence > 2 ||
        __builtin_add_overflow(static_cast<int64_t>(base), offset, &target) || target < 0)
      return std::unexpected(std::errc::invalid_argument);
    moved();
    offset_ = static_cast<uint64_t>(target);
    return offset_;
  }

 private:
  void advance(size_t n) override { offset_ += n; }

  limits::MemoryCharge charge_;
  std::string text_;
  uint64_t offset_ = 0;
};

}  // namespace

OpenFileRef open_text(std::string text, limits::Meter& meter) {
  return base::make_ref<TextFile>(std::move(text), meter);
}

}  // namespace nacre::interp
