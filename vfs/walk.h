// Walks a tree, one entry at a time: what rm -r, cp -r, du, find, ls -R and
// chmod -R stand on.
//
// It never recurses (the levels are a vector) and never resolves from the root
// (each level knows its directory's node). Every entry costs the meter a unit of
// work, the names of the open levels are charged as memory, and a level deeper
// than max_path_depth raises LimitExceeded: a host's own backend may be
// bottomless.
//
//     Walk walk(view, meter, {.links = Walk::Links::physical});
//     walk.start("dir");
//     while (const Walk::Entry* e = walk.next()) {
//       if (e->event == Walk::Event::directory_end) walk.here().rmdir(e->name);
//     }
//
// A directory comes twice, before and after what is in it, unless it was pruned
// or could not be read. Names come in byte order. A directory is listed when the
// walk enters it; what is made in it later is not seen, and what is removed by
// others comes as `error` with ENOENT. Errors are events, not ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "limits/meter.h"
#include "vfs/view.h"

namespace nacre::vfs {

class Walk {
 public:
  enum class Links : uint8_t {
    physical,   // links are entries (-P)
    arguments,  // only what start() names is followed (-H)
    logical,    // all are followed (-L); a dangling one is an entry of its own
  };
  enum class Event : uint8_t {
    file,           // anything but a directory
    directory,      // before its entries
    directory_end,  // after them
    unreadable,     // a directory that cannot be listed: after `directory`, see error
    cycle,          // -L: a directory that is one of those above it; not entered
    error,          // could not be looked at, see error; stat is not set
  };
  struct Options {
    Links links = Links::physical;
    bool one_device = false;  // do not enter directories of other devices
  };
  struct Entry {
    Event event = Event::file;
    std::errc error{};
    std::string_view path;  // as start() was given it, and the names below
    std::string_view name;  // the last component; start()'s text for the root
    int depth = 0;          // 0 for what start() named
    Stat stat;
    // A symbolic link that was followed, or that dangles under -L.
    bool through_link = false;
  };

  // The View must outlive the walk.
  Walk(const View& view, limits::Meter& meter, Options options)
      : view_(view), meter_(meter), options_(options), path_charge_(meter) {}

  // Begins at `path`; ends any walk before.
  void start(std::string_view path);
  // The next entry, valid until the next call; null at the end.
  const Entry* next();
  // Right after a `directory` event: it is not entered, and does not come again.
  void prune() { enter_ = false; }

  // Works on the current entry without resolving its path: `here()` is a View
  // whose working directory is the one that holds entry->name (for the root of
  // the walk, the one that start() resolved from). Valid until the next call.
  const View& here() const { return here_; }

 private:
  struct Level {
    Node dir;
    std::vector<DirEntry> entries;
    size_t next = 0;
    size_t path_size = 0;  // of the directory's own path
    size_t name_at = 0;    // where its name begins in that
    Stat stat;
    limits::MemoryCharge charge;
  };

  // Fills entry_ and node_ for `name` in `view`.
  void look(const View& view, std::string_view name, bool follow);
  bool enters_cycle() const;
  // Lists node_ and makes it a level, or says why not.
  bool enter();
  const Entry* leave();
  void set_path(size_t name_at);
  void charge_path();

  const View& view_;
  limits::Meter& meter_;
  Options options_;
  std::string path_;
  limits::MemoryCharge path_charge_;
  int64_t path_charged_ = 0;
  std::vector<Level> levels_;
  Entry entry_;
  Node node_;  // of entry_
  View here_;
  size_t name_at_ = 0;
  bool at_root_ = false;
  bool enter_ = false;  // entry_ is a directory that next() shall enter
  uint64_t root_device_ = 0;
};

}  // namespace nacre::vfs
