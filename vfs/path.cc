#include "vfs/path.h"

#include <algorithm>

namespace nacre::vfs {

std::string normalise(std::string_view text, std::string_view cwd) {
  std::string out;
  if (text.empty() || text[0] != '/') out = cwd;
  if (out == "/") out.clear();
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.find('/', at), text.size());
    std::string_view part = text.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      out.resize(out.empty() ? 0 : out.rfind('/'));
      continue;
    }
    out += '/';
    out += part;
  }
  if (out.empty()) out = "/";
  return out;
}

Result<Path> Path::resolve(std::string_view text, const Path& cwd, const PathLimits& limits) {
  if (text.empty()) return std::unexpected(std::errc::no_such_file_or_directory);
  if (text.find('\0') != text.npos) return std::unexpected(std::errc::invalid_argument);
  if (static_cast<int64_t>(text.size()) >= limits.max_bytes)
    return std::unexpected(std::errc::filename_too_long);
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('/', at), text.size());
    if (end - at > PathLimits::kMaxName) return std::unexpected(std::errc::filename_too_long);
    at = end + 1;
  }
  Path path;
  path.text_ = normalise(text, cwd.text_);
  if (static_cast<int64_t>(path.text_.size()) >= limits.max_bytes ||
      static_cast<int64_t>(path.depth()) > limits.max_depth)
    return std::unexpected(std::errc::filename_too_long);
  return path;
}

Path Path::parent() const {
  Path path;
  size_t slash = text_.rfind('/');
  if (slash > 0) path.text_ = text_.substr(0, slash);
  return path;
}

size_t Path::depth() const {
  return is_root() ? 0 : static_cast<size_t>(std::count(text_.begin(), text_.end(), '/'));
}

bool Path::contains(const Path& other) const {
  if (is_root()) return true;
  std::string_view theirs = other.text_;
  return theirs.starts_with(text_) &&
         (theirs.size() == text_.size() || theirs[text_.size()] == '/');
}

}  // namespace nacre::vfs
