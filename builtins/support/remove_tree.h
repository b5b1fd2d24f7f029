// Removal of files and trees with the rules of rm(1): prompts, refusals, what
// is kept because something below it could not go.
#pragma once

#include <string_view>
#include <vector>

#include "interp/command.h"
#include "vfs/walk.h"

namespace nacre::builtins {

struct RemoveOptions {
  bool ignore_missing = false;      // -f
  bool interactive = false;         // -i
  bool recursive = false;           // -r
  bool empty_directories = false;   // -d
  bool verbose = false;
  bool one_device = false;
  bool preserve_root = true;
};

class TreeRemover {
 public:
  TreeRemover(interp::CommandContext& ctx, const RemoveOptions& options);

  // False when something stayed because of an error (reported), true also when
  // the user declined.
  bool remove(std::string_view path);

 private:
  void visit(const vfs::Walk::Entry& e);
  void enter_directory(const vfs::Walk::Entry& e);
  bool confirm(const vfs::Walk::Entry& e, bool descend, bool empty);
  void take(const vfs::Walk::Entry& e, bool directory);
  void fail(const vfs::Walk::Entry& e, std::errc error);
  // What is above e stays.
  void keep_above(const vfs::Walk::Entry& e);
  bool is_empty(const vfs::Walk::Entry& e) const;

  interp::CommandContext& ctx_;
  const RemoveOptions& options_;
  vfs::Walk walk_;
  std::vector<bool> keep_;  // by depth: the directory open there must stay
  bool ok_ = true;
};

}  // namespace nacre::builtins
