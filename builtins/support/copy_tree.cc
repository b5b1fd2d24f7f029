#include "builtins/support/copy_tree.h"

#include "base/quoting.h"
#include "builtins/support/file_mode.h"
#include "builtins/support/path_text.h"
#include "builtins/support/prompt.h"

namespace nacre::builtins {

using base::gnu_quote;
using vfs::FileType;
using vfs::Follow;
using vfs::Walk;

namespace {

constexpr std::errc kMissing = std::errc::no_such_file_or_directory;

bool same_inode(const vfs::Stat& a, const vfs::Stat& b) { return a.ino == b.ino && a.dev == b.dev; }

bool dot_or_dots(std::string_view name) { return name == "." || name == ".."; }

}  // namespace

TreeCopier::TreeCopier(interp::CommandContext& ctx, const CopyOptions& options)
    : ctx_(ctx), options_(options), charge_(ctx.meter) {}

bool TreeCopier::fail(std::string text) {
  ctx_.error(text);
  ok_ = false;
  return false;
}

bool TreeCopier::fail(std::string text, std::errc error) {
  ctx_.error(text, error);
  ok_ = false;
  return false;
}

bool TreeCopier::copy(std::string_view from, std::string_view to) {
  ok_ = true;
  remains_ = options_.move;
  made_first_directory_ = false;
  from_ = from;
  to_ = to;
  open_.clear();
  Walk walk(ctx_.fs, ctx_.meter, {.links = options_.links, .one_device = options_.one_device});
  walk.start(from);
  while (const Walk::Entry* e = walk.next()) visit(walk, *e);
  if (!ok_) remains_ = false;
  return ok_;
}

void TreeCopier::visit(Walk& walk, const Walk::Entry& e) {
  if (e.event == Walk::Event::directory_end || e.event == Walk::Event::unreadable) {
    if (e.event == Walk::Event::unreadable)
      fail("cannot access " + gnu_quote(e.path), e.error);
    Open directory = std::move(open_.back());
    open_.pop_back();
    return end_directory(directory);
  }
  if (e.event == Walk::Event::error) {
    fail("cannot stat " + gnu_quote(e.path), e.error);
    return;
  }
  if (e.event == Walk::Event::cycle) {
    fail("cannot copy cyclic symbolic link " + gnu_quote(e.path));
    return;
  }
  Item item{e, e.path, {}};
  item.top = e.depth == 0;
  item.to = item.top ? std::string(to_) : join_path(to_, e.path.substr(from_.size()));
  if (item.top) root_device_ = e.stat.dev;
  bool goes_on = begin(item);
  if (goes_on && item.directory()) return copy_directory(walk, item);
  if (goes_on) copy_file(item);
  if (e.event == Walk::Event::directory) walk.prune();
}

bool TreeCopier::begin(Item& item) {
  bool follows = options_.links == Walk::Links::logical ||
                 (options_.links == Walk::Links::arguments && item.top);
  if (follows && item.symlink()) {
    auto st = ctx_.fs.stat(item.from);
    return fail("cannot stat " + gnu_quote(item.from), st ? kMissing : st.error());
  }
  if (options_.move) {
    item.tried_rename = true;
    if (ctx_.fs.lstat(item.to)) {
      item.rename_error = std::errc::file_exists;
    } else {
      auto renamed = ctx_.fs.rename(item.from, item.to);
      item.rename_error = renamed ? std::errc{} : renamed.error();
    }
    item.is_new = item.rename_error == std::errc{};
  }
  if (item.directory() && !options_.recursive)
    return fail("-r not specified; omitting directory " + gnu_quote(item.from));
  if (item.top && options_.remember && !options_.move) {
    auto id = std::pair(std::string(item.from), FileId(item.stat().dev, item.stat().ino));
    if (!item.directory() && !options_.backups.wanted() && sources_.contains(id)) {
      ctx_.error("warning: source file " + gnu_quote(item.from) + " specified more than once");
      return false;
    }
    charge_.add(static_cast<int64_t>(id.first.size() + 96));
    sources_.insert(std::move(id));
  }
  if (!item.is_new && !check_target(item)) return false;
  if (item.top && options_.remember && !options_.move && !options_.backups.wanted()) {
    auto st = ctx_.fs.lstat(item.to);
    if (st && st->type == FileType::symlink && made_.contains({item.to, {st->dev, st->ino}}))
      return fail("will not copy " + gnu_quote(item.from) + " through just-created symlink " +
                  gnu_quote(item.to));
  }
  if (options_.verbose && !options_.move && !item.directory()) say_copied(item, "");
  if (!(item.tried_rename && item.rename_error == std::errc{}) && !link_to_earlier(item))
    return false;
  return !options_.move || finish_move(item);
}

// Looks at what is there already, and whether it may be replaced.
bool TreeCopier::check_target(Item& item) {
  const vfs::Stat& from = item.stat();
  bool through_links = from.type == FileType::regular ||
                       ((!options_.recursive || options_.copy_contents) && !item.directory() &&
                        !item.symlink());
  bool itself = !through_links || options_.move || options_.symbolic_link || options_.hard_link ||
                options_.backups.wanted() || options_.remove_destination;
  auto there = itself ? ctx_.fs.lstat(item.to) : ctx_.fs.stat(item.to);
  if (!there) {
    bool loop = there.error() == std::errc::too_many_symbolic_link_levels;
    if (there.error() == kMissing) {
      item.is_new = true;
    } else if (!(loop && options_.force)) {
      return fail("cannot stat " + gnu_quote(item.to), there.error());
    }
    return true;
  }
  item.target = *there;
  if (item.tried_rename) item.rename_error = std::errc::file_exists;
  bool never = options_.overwrite == CopyOptions::Overwrite::never;
  bool done = false;
  if (!never && !same_file_ok(item, done))
    return fail(gnu_quote(item.from) + " and " + gnu_quote(item.to) + " are the same file");
  if (options_.update && !item.directory() && item.target->mtime >= from.mtime) {
    remains_ = remains_ && !item.top;
    if (options_.preserve_links) {
      if (auto earlier = remember(from, item.to)) hard_link(*earlier, item.to, true, Follow::no);
    }
    return false;
  }
  bool asks = options_.overwrite == CopyOptions::Overwrite::ask;
  if (options_.move || !item.directory()) {
    if (never || (asks && !overwrite_ok(item))) {
      remains_ = remains_ && !item.top;
      return false;
    }
  }
  if (done) {
    remains_ = remains_ && !item.top;
    return false;
  }
  bool target_directory = item.target->type == FileType::directory;
  bool sets_aside = options_.move && options_.backups.wanted();
  if (!target_directory) {
    if (item.directory() && !sets_aside)
      return fail("cannot overwrite non-directory " + gnu_quote(item.to) + " with directory " +
                  gnu_quote(item.from));
    if (item.top && !options_.backups.numbered() &&
        made_.contains({item.to, {item.target->dev, item.target->ino}}))
      return fail("will not overwrite just-created " + gnu_quote(item.to) + " with " +
                  gnu_quote(item.from));
  } else if (!item.directory() && !sets_aside) {
    return fail("cannot overwrite directory " + gnu_quote(item.to) + " with non-directory");
  }
  return make_way(item);
}

// Moves what is there aside, or removes it where it would be written through.
bool TreeCopier::make_way(Item& item) {
  bool target_directory = item.target->type == FileType::directory;
  std::string_view base = last_component(item.from);
  if (options_.backups.wanted() && !dot_or_dots(base) && (options_.move || !target_directory)) {
    // The source may itself be what the backup would overwrite.
    std::string simple = std::string(last_component(item.to)) + options_.backups.suffix();
    if (!options_.backups.numbered() && base == simple) {
      auto st = ctx_.fs.stat(std::string(without_trailing_slashes(item.to)) +
                             options_.backups.suffix());
      if (st && same_inode(*st, item.stat()))
        return fail("backing up " + gnu_quote(item.to) + " might destroy source;  " +
                    gnu_quote(item.from) + (options_.move ? " not moved" : " not copied"));
    }
    item.backup = options_.backups.name_for(ctx_, item.to);
    auto moved = ctx_.fs.rename(item.to, item.backup);
    if (!moved) {
      item.backup.clear();
      if (moved.error() != kMissing)
        return fail("cannot backup " + gnu_quote(item.to), moved.error());
    }
    item.is_new = true;
    return true;
  }
  bool never_follows = options_.links == Walk::Links::physical;
  if (target_directory || options_.move) return true;
  if (options_.remove_destination ||
      (!options_.attributes_only &&
       ((options_.preserve_links && item.target->nlink > 1) ||
        (never_follows && item.stat().type != FileType::regular)))) {
    auto gone = ctx_.fs.unlink(item.to);
    if (!gone && gone.error() != kMissing)
      return fail("cannot remove " + gnu_quote(item.to), gone.error());
    item.is_new = true;
    if (options_.verbose) ctx_.out << "removed " << gnu_quote(item.to) << "\n";
  }
  return true;
}

std::optional<std::string> TreeCopier::remember(const vfs::Stat& st, const std::string& to) {
  auto [it, fresh] = copied_.try_emplace(FileId(st.dev, st.ino), to);
  if (!fresh) return it->second;
  charge_.add(static_cast<int64_t>(to.size() + 96));
  return std::nullopt;
}

// Where the same source went before, if that matters.
std::optional<std::string> TreeCopier::earlier(const Item& item) {
  const vfs::Stat& st = item.stat();
  auto look_up = [&]() -> std::optional<std::string> {
    auto it = copied_.find(FileId(st.dev, st.ino));
    if (it == copied_.end()) return std::nullopt;
    return it->second;
  };
  if (options_.recursive && item.directory())
    return item.top ? remember(st, item.to) : look_up();
  if (options_.move && st.nlink == 1) return look_up();
  if (options_.preserve_links && !options_.hard_link &&
      (st.nlink > 1 || (item.top && options_.links == Walk::Links::arguments) ||
       options_.links == Walk::Links::logical))
    return remember(st, item.to);
  return std::nullopt;
}

bool TreeCopier::link_to_earlier(Item& item) {
  auto before = earlier(item);
  if (!before) return true;
  if (!item.directory()) {
    if (!hard_link(*before, item.to, true, Follow::no)) undo_backup(item);
    return false;
  }
  if (same_entry(item.from, *before)) {
    fail("cannot copy a directory, " + gnu_quote(from_) + ", into itself, " + gnu_quote(to_));
    return false;
  }
  if (same_entry(item.to, *before)) {
    ctx_.error("warning: source directory " + gnu_quote(from_) + " specified more than once");
    remains_ = remains_ && !item.top;
    return false;
  }
  if (options_.links == Walk::Links::logical ||
      (item.top && options_.links == Walk::Links::arguments))
    return true;
  fail("will not create hard link " + gnu_quote(item.to) + " to directory " + gnu_quote(*before));
  undo_backup(item);
  return false;
}

// True when the source must be copied: it is on another device.
bool TreeCopier::finish_move(Item& item) {
  if (item.rename_error == std::errc::file_exists) {
    auto renamed = ctx_.fs.rename(item.from, item.to);
    item.rename_error = renamed ? std::errc{} : renamed.error();
  }
  if (item.rename_error == std::errc{}) {
    if (options_.verbose) say_copied(item, "renamed ");
    if (item.top) {
      remains_ = false;
      if (options_.remember) {
        charge_.add(static_cast<int64_t>(item.to.size() + 96));
        made_.insert({item.to, {item.stat().dev, item.stat().ino}});
      }
    }
    return false;
  }
  if (item.rename_error == std::errc::invalid_argument)
    return fail("cannot move " + gnu_quote(from_) + " to a subdirectory of itself, " +
                gnu_quote(to_));
  if (item.rename_error != std::errc::cross_device_link) {
    fail("cannot move " + gnu_quote(item.from) + " to " + gnu_quote(item.to), item.rename_error);
    copied_.erase(FileId(item.stat().dev, item.stat().ino));
    undo_backup(item);
    return false;
  }
  // As rename() would have done.
  auto gone = item.directory() ? ctx_.fs.rmdir(item.to) : ctx_.fs.unlink(item.to);
  if (!gone && gone.error() != kMissing) {
    fail("inter-device move failed: " + gnu_quote(item.from) + " to " + gnu_quote(item.to) +
             "; unable to remove target",
         gone.error());
    copied_.erase(FileId(item.stat().dev, item.stat().ino));
    undo_backup(item);
    return false;
  }
  if (options_.verbose && !item.directory()) say_copied(item, "copied ");
  item.is_new = true;
  item.target.reset();
  return true;
}

void TreeCopier::say_copied(const Item& item, std::string_view verb) {
  ctx_.out << verb << gnu_quote(item.from) << " -> " << gnu_quote(item.to);
  if (!item.backup.empty()) ctx_.out << " (backup: " << gnu_quote(item.backup) << ")";
  ctx_.out << "\n";
}

void TreeCopier::undo_backup(Item& item) {
  if (item.backup.empty()) return;
  auto undone = ctx_.fs.rename(item.backup, item.to);
  if (!undone) fail("cannot un-backup " + gnu_quote(item.to), undone.error());
  else if (options_.verbose)
    ctx_.out << gnu_quote(item.backup) << " -> " << gnu_quote(item.to) << " (unbackup)\n";
}

bool TreeCopier::is_writable(const Item& item) const {
  return item.target->type == FileType::symlink || ctx_.fs.credentials().uid == 0 ||
         ctx_.fs.access(item.to, 2);
}

bool TreeCopier::overwrite_ok(const Item& item) {
  if (is_writable(item)) return ask(ctx_, "overwrite " + gnu_quote(item.to));
  std::string octal;
  for (int shift = 9; shift >= 0; shift -= 3)
    octal += static_cast<char>('0' + ((item.target->mode >> shift) & 7));
  std::string letters = mode_string(*item.target).substr(1);
  if (options_.move || options_.remove_destination || options_.force)
    return ask(ctx_, "replace " + gnu_quote(item.to) + ", overriding mode " + octal + " (" +
                         letters + ")");
  return ask(ctx_, "unwritable " + gnu_quote(item.to) + " (mode " + octal + ", " + letters +
                       "); try anyway");
}

void TreeCopier::copy_directory(Walk& walk, Item& item) {
  uint32_t mode = item.stat().mode;
  // Until the directory is complete others may not write in it.
  uint32_t omitted = mode & (options_.preserve_ownership ? 077 : 022);
  Open directory{item.to, item.stat(), false, std::nullopt};
  if (item.is_new || !item.target || item.target->type != FileType::directory) {
    auto made = ctx_.fs.mkdir(item.to, mode & ~omitted);
    vfs::Result<vfs::Stat> st = std::unexpected(kMissing);
    if (made) st = ctx_.fs.lstat(item.to);
    if (!made || !st) {
      if (!made) fail("cannot create directory " + gnu_quote(item.to), made.error());
      else fail("cannot stat " + gnu_quote(item.to), st.error());
      copied_.erase(FileId(item.stat().dev, item.stat().ino));
      undo_backup(item);
      return walk.prune();
    }
    directory.is_new = true;
    if ((st->mode & 0700) != 0700) {
      directory.mode = st->mode;
      if (auto set = ctx_.fs.chmod(item.to, st->mode | 0700); !set) {
        fail("setting permissions for " + gnu_quote(item.to), set.error());
        undo_backup(item);
        return walk.prune();
      }
    }
    omitted &= ~ctx_.fs.umask();
    if (omitted) directory.mode = directory.mode.value_or(st->mode) | omitted;
    if (!made_first_directory_) {
      remember(*st, item.to);
      made_first_directory_ = true;
    }
    if (options_.verbose) {
      if (options_.move) ctx_.out << "created directory " << gnu_quote(item.to) << "\n";
      else say_copied(item, "");
    }
  }
  if (item.top && options_.remember) {
    if (auto st = ctx_.fs.lstat(item.to)) {
      charge_.add(static_cast<int64_t>(item.to.size() + 96));
      made_.insert({item.to, {st->dev, st->ino}});
    }
  }
  // The walk does not enter other devices, and so does not come back.
  if (options_.one_device && item.stat().dev != root_device_) return end_directory(directory);
  charge_.add(static_cast<int64_t>(sizeof(Open) + item.to.size()));
  open_.push_back(std::move(directory));
}

void TreeCopier::end_directory(const Open& directory) {
  if (!keep_attributes(directory.source, directory.to, directory.is_new, false)) return;
  if (options_.preserve_mode || options_.move || options_.no_preserve_mode || !directory.mode)
    return;
  if (auto set = ctx_.fs.chmod(directory.to, *directory.mode); !set)
    fail("preserving permissions for " + gnu_quote(directory.to), set.error());
}

bool TreeCopier::keep_attributes(const vfs::Stat& from, const std::string& to, bool is_new,
                                 bool symlink) {
  uint32_t mode = from.mode;
  if (options_.preserve_times) {
    auto set = ctx_.fs.set_times(to, from.atime, from.mtime, symlink ? Follow::no : Follow::yes);
    if (!set) return fail("preserving times for " + gnu_quote(to), set.error());
  }
  if (options_.preserve_ownership) {
    auto now = ctx_.fs.lstat(to);
    if (is_new || !now || now->uid != from.uid || now->gid != from.gid) {
      Follow follow = symlink ? Follow::no : Follow::yes;
      auto set = ctx_.fs.chown(to, from.uid, from.gid, follow);
      if (!set) {
        // Who may not give files away may still give them to a group.
        if (set.error() == std::errc::operation_not_permitted ||
            set.error() == std::errc::invalid_argument)
          (void)ctx_.fs.chown(to, UINT32_MAX, from.gid, follow);
        else
          return fail("failed to preserve ownership for " + gnu_quote(to), set.error());
        mode &= ~07000u;
      }
    }
  }
  if (symlink) return true;
  uint32_t wanted;
  if (options_.preserve_mode || options_.move) {
    wanted = mode;
  } else if (options_.no_preserve_mode) {
    wanted = (from.type == FileType::directory ? 0777 : 0666) & ~ctx_.fs.umask();
  } else {
    return true;
  }
  if (auto set = ctx_.fs.chmod(to, wanted); !set)
    return fail("preserving permissions for " + gnu_quote(to), set.error());
  return true;
}

}  // namespace nacre::builtins
