// An absolute, normalised path of the virtual tree: "/" or "/a/b", without
// empty components, "." or "..".
//
// It is made only by resolving text against a working directory, by text alone:
// ".." removes the component before it, whatever that is in the tree (the
// resolver in resolve.h is the one that follows links). It is never a path of
// the host. What cannot be a path is refused: EINVAL for a NUL, ENOENT for the
// empty text, ENAMETOOLONG for a component over 255 bytes, a text of max_bytes
// or more, and more than max_depth components.
#pragma once

#include <string>
#include <string_view>

#include "vfs/quota.h"
#include "vfs/types.h"

namespace nacre::vfs {

class Path {
 public:
  Path() : text_("/") {}

  static Result<Path> resolve(std::string_view text, const Path& cwd = Path(),
                              const PathLimits& limits = {});

  const std::string& text() const { return text_; }
  bool is_root() const { return text_.size() == 1; }
  // The last component; empty for the root.
  std::string_view name() const { return std::string_view(text_).substr(text_.rfind('/') + 1); }
  // The root's parent is the root.
  Path parent() const;
  size_t depth() const;
  // True for the path itself and for everything below it.
  bool contains(const Path& other) const;

  bool operator==(const Path&) const = default;

 private:
  std::string text_;
};

// `text` against `cwd` (absolute and normalised), without any check: what
// `cd -L` makes of its operand.
std::string normalise(std::string_view text, std::string_view cwd);

}  // namespace nacre::vfs
