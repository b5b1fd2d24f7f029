// From the text of a path to a node: path_resolution(7), once, for all backends.
//
// A path is walked component by component from the root or from the working
// directory: search permission is checked on each directory before a name is
// looked up in it, links are followed (at most max_symlink_hops), ".." is the
// parent of the directory that was reached (not of the text). What the last
// component means is the caller's affair; here it is only found or not.
//
// The cost is one lookup a component; nothing is allocated unless a link is
// followed.
#pragma once

#include <string>
#include <string_view>

#include "vfs/filesystem.h"
#include "vfs/types.h"

namespace nacre::vfs {

// How the last component is treated.
enum class Last : uint8_t {
  follow,  // what it leads to, through links
  keep,    // itself; with a slash behind it, what it leads to, a directory
  name,    // itself, whatever stands behind it: to make, remove or move a name
  // open(2) with O_CREAT: as `follow` and `name`, but a slash behind the last
  // name is EISDIR, before anything is looked up.
  create,
  create_new,
};

// Where a path leads.
struct Place {
  enum class Kind : uint8_t { name, dot, dot_dot, root };

  Place() = default;
  Place(const Place&) = delete;  // `name` may point into `text`

  Node dir;               // the directory that holds the last component
  std::string_view name;  // the last component
  Kind kind = Kind::root;
  bool slash = false;  // the path ends with a slash
  bool found = false;
  Node node;         // when found
  std::string text;  // what was walked after a link
};

// `cwd` is where a relative path starts. Errors are those of the way to the last
// component, and with `follow` or `keep` ENOTDIR for "file/". That the last
// component itself is missing is no error: `found` tells.
Status resolve(FileSystem& fs, const Credentials& who, const Node& cwd, std::string_view path,
               Last last, Place& place);

}  // namespace nacre::vfs
