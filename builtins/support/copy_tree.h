// Copying and moving of files and trees with the rules of cp(1) and mv(1): what
// may be overwritten, what is kept of the source's attributes, which links stay
// links. What fails is reported and the rest goes on; a source is never changed
// by a copy, and by a move it goes only after all of it has arrived.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "builtins/support/backup.h"
#include "interp/command.h"
#include "vfs/walk.h"

namespace nacre::builtins {

struct CopyOptions {
  enum class Overwrite : uint8_t { unspecified, always, ask, never };

  vfs::Walk::Links links = vfs::Walk::Links::logical;
  Overwrite overwrite = Overwrite::unspecified;
  bool move = false;
  bool recursive = false;
  bool copy_contents = false;        // of devices and pipes, too, when recursive
  bool update = false;               // only what is newer
  bool force = false;                // remove what cannot be opened
  bool remove_destination = false;   // remove it in any case
  bool hard_link = false, symbolic_link = false;
  bool attributes_only = false;
  bool preserve_mode = false, preserve_ownership = false, preserve_times = false;
  bool preserve_links = false;
  bool no_preserve_mode = false;
  bool one_device = false;
  bool verbose = false;
  // Several sources: what one of them made is not to be overwritten by another.
  bool remember = false;
  Backups backups = {};
};

class TreeCopier {
 public:
  TreeCopier(interp::CommandContext& ctx, const CopyOptions& options);

  // False after an error.
  bool copy(std::string_view from, std::string_view to);
  // Of the last copy with `move`: the source is still there and must be
  // removed, for all of it was copied.
  bool source_remains() const { return remains_; }

 private:
  using FileId = std::pair<uint64_t, uint64_t>;  // device, inode

  // A file that is being copied.
  struct Item {
    const vfs::Walk::Entry& entry;
    std::string_view from;
    std::string to;
    bool top = false;
    bool is_new = false;             // nothing is there to be replaced
    bool tried_rename = false;
    std::errc rename_error{};
    std::optional<vfs::Stat> target = {};  // what is there, if it is not new
    std::string backup = {};
    bool finished = false;           // all is done (or need not be)
    const vfs::Stat& stat() const { return entry.stat; }
    bool directory() const { return entry.stat.type == vfs::FileType::directory; }
    bool symlink() const { return entry.stat.type == vfs::FileType::symlink; }
  };
  // A directory whose contents are being copied.
  struct Open {
    std::string to;
    vfs::Stat source;
    bool is_new = false;
    std::optional<uint32_t> mode;    // to be set at the end
  };

  void visit(vfs::Walk& walk, const vfs::Walk::Entry& e);
  // Each is false when the item is over, with or without an error.
  bool begin(Item& item);
  bool check_target(Item& item);
  bool make_way(Item& item);
  bool link_to_earlier(Item& item);
  bool finish_move(Item& item);
  void copy_directory(vfs::Walk& walk, Item& item);
  void copy_file(Item& item);
  bool copy_regular(Item& item);
  void end_directory(const Open& directory);
  // What a file keeps of its source, once it is complete.
  bool keep_attributes(const vfs::Stat& from, const std::string& to, bool is_new, bool symlink);

  bool same_file_ok(const Item& item, bool& done) const;
  bool same_entry(std::string_view a, std::string_view b) const;
  bool overwrite_ok(const Item& item);
  bool is_writable(const Item& item) const;
  bool hard_link(std::string_view from, const std::string& to, bool replace, vfs::Follow follow);
  vfs::Status put_symlink(std::string_view target, const std::string& to, bool replace);
  std::optional<std::string> earlier(const Item& item);
  std::optional<std::string> remember(const vfs::Stat& st, const std::string& to);
  void say_copied(const Item& item, std::string_view verb);
  // After a failure: what was moved aside comes back.
  void undo_backup(Item& item);
  bool fail(std::string text);
  bool fail(std::string text, std::errc error);

  interp::CommandContext& ctx_;
  const CopyOptions& options_;
  limits::MemoryCharge charge_;
  std::map<FileId, std::string> copied_;                    // where a source went
  std::set<std::pair<std::string, FileId>> sources_, made_;  // of the operands
  std::vector<Open> open_;
  std::string_view from_, to_;
  bool made_first_directory_ = false;
  uint64_t root_device_ = 0;
  bool ok_ = true;
  bool remains_ = false;
};

}  // namespace nacre::builtins
