// Descriptors of a command: redirections are applied before it, in order, and
// undone after it.
#pragma once

#include <span>
#include <vector>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

// Applies redirections; undo() or the destructor puts the descriptors back.
class RedirectScope {
 public:
  explicit RedirectScope(Process& p) : p_(p) {}
  ~RedirectScope() { undo(); }
  RedirectScope(const RedirectScope&) = delete;
  // False after a message; what was applied so far is undone.
  bool apply(std::span<const parser::Redirect> redirects);
  void undo();
  void keep() { saved_.clear(); }   // exec: they stay

 private:
  struct Saved {
    int fd;
    OpenFileRef old;   // null: it was closed
  };
  bool apply_one(const parser::Redirect& r);
  void save(int fd);
  bool put(int fd, OpenFileRef file);

  Process& p_;
  std::vector<Saved> saved_;
};

// Opens a path as this process would: devices, FIFOs, /dev/fd/N, /dev/stdin.
std::expected<OpenFileRef, std::errc> open_path(Process& p, std::string_view path,
                                                vfs::OpenFlags flags, uint32_t mode);

}  // namespace nacre::interp
