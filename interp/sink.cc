#include <utility>

#include "interp/open_file.h"

namespace nacre::interp {

namespace {

class Sink final : public OpenFile {
 public:
  Sink(std::function<void(std::string_view)> deliver, limits::Meter& meter, bool* truncated)
      : OpenFile(OpenKind::sink, false, true),
        deliver_(std::move(deliver)),
        meter_(meter),
        truncated_(truncated) {}

  std::expected<void, std::errc> write(std::string_view data) override {
    int64_t left = meter_.output_left();
    bool fits = static_cast<int64_t>(data.size()) <= left;
    if (!fits) data = data.substr(0, left > 0 ? static_cast<size_t>(left) : 0);
    if (!data.empty()) {
      meter_.charge_output(static_cast<int64_t>(data.size()));
      deliver_(data);
    }
    if (!fits) {
      if (truncated_) *truncated_ = true;
      meter_.exceeded(LimitName::max_output_bytes);
    }
    return {};
  }

 private:
  std::function<void(std::string_view)> deliver_;
  limits::Meter& meter_;
  bool* truncated_;
};

}  // namespace

OpenFileRef open_sink(std::function<void(std::string_view)> deliver, limits::Meter& meter,
                      bool* truncated) {
  return base::make_ref<Sink>(std::move(deliver), meter, truncated);
}

}  // namespace nacre::interp
