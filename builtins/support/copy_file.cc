// TreeCopier: the copying of one file that is no directory, and the question
// whether source and destination are the same.
#include "base/quoting.h"
#include "builtins/support/canonical.h"
#include "builtins/support/copy_tree.h"
#include "builtins/support/path_text.h"
#include "builtins/support/temp_name.h"

namespace nacre::builtins {

using base::gnu_quote;
using vfs::FileType;
using vfs::Follow;
using vfs::Walk;

namespace {

constexpr size_t kCopyChunk = 1 << 20;

bool same_inode(const vfs::Stat& a, const vfs::Stat& b) { return a.ino == b.ino && a.dev == b.dev; }

// Makes something under a name that nobody has, in the directory of `to`, and
// puts it into the place of what is there.
template <class Make>
vfs::Status replace_by(interp::CommandContext& ctx, const std::string& to, Make make) {
  std::string temp = join_path(directory_part(to), "CuXXXXXX");
  vfs::Status done;
  for (int i = 0; i < kNameAttempts; ++i) {
    randomise(ctx.host, temp, temp.size() - 6, 6);
    done = make(temp);
    if (done || done.error() != std::errc::file_exists) break;
  }
  if (!done) return done;
  done = ctx.fs.rename(temp, to);
  // Still there when both were links to the same file, or after an error.
  (void)ctx.fs.unlink(temp);
  return done;
}

}  // namespace

// Whether both paths are the same name in the same directory.
bool TreeCopier::same_entry(std::string_view a, std::string_view b) const {
  if (last_component(a) != last_component(b)) return false;
  auto in_a = ctx_.fs.stat(directory_part(a)), in_b = ctx_.fs.stat(directory_part(b));
  return in_a && in_b && same_inode(*in_a, *in_b);
}

// May the item be copied although something is there? `done`: nothing is to do.
bool TreeCopier::same_file_ok(const Item& item, bool& done) const {
  const vfs::Stat& from = item.stat();
  const vfs::Stat& to = *item.target;
  bool same = same_inode(from, to);
  if (same && options_.hard_link) return done = true;
  bool never_follows = options_.links == Walk::Links::physical;
  vfs::Stat from_link = from, to_link = to;
  bool same_link = same;
  if (never_follows) {
    if (from.type == FileType::symlink && to.type == FileType::symlink) {
      bool same_name = same_entry(item.from, item.to);
      if (same_name) return false;
      if (options_.backups.wanted()) return true;
      if (same_link) {
        // Renaming one name of a file to another of it would do nothing.
        done = true;
        return !options_.move;
      }
      return true;
    }
  } else {
    if (!same) return true;
    auto link_a = ctx_.fs.lstat(item.from), link_b = ctx_.fs.lstat(item.to);
    if (!link_a || !link_b) return true;
    from_link = *link_a;
    to_link = *link_b;
    same_link = same_inode(from_link, to_link);
    if (from_link.type == FileType::symlink && to_link.type == FileType::symlink &&
        options_.remove_destination)
      return true;
  }
  bool from_is_link = from_link.type == FileType::symlink;
  bool to_is_link = to_link.type == FileType::symlink;
  if (options_.backups.wanted()) {
    // A backup leaves a copy, unless it would move the source itself.
    if (!same_link) return options_.move || never_follows || !from_is_link || to_is_link;
    return !same_entry(item.from, item.to);
  }
  if (options_.move || options_.remove_destination) {
    if (to_is_link) return true;
    if (same_link && to_link.nlink > 1 && !same_entry(item.from, item.to)) return !options_.move;
  }
  if (!from_is_link && !to_is_link) {
    if (!same_link) return true;
    if (options_.hard_link) return done = true;
  }
  if (options_.move && from.type == FileType::symlink && to_link.nlink > 1) {
    // A link onto its referent, which has another name.
    auto real = ctx_.fs.real_path(item.from);
    if (real) return !same_entry(*real, item.to);
  }
  if (options_.symbolic_link && to_is_link) return true;
  if (never_follows) {
    auto real_from = from_is_link ? ctx_.fs.stat(item.from) : vfs::Result<vfs::Stat>(from_link);
    auto real_to = to_is_link ? ctx_.fs.stat(item.to) : vfs::Result<vfs::Stat>(to_link);
    if (!real_from || !real_to || !same_inode(*real_from, *real_to)) return true;
    if (options_.hard_link) {
      done = !to_is_link;
      return true;
    }
  }
  return false;
}

bool TreeCopier::hard_link(std::string_view from, const std::string& to, bool replace,
                           Follow follow) {
  auto done = ctx_.fs.link(from, to, follow);
  if (!done && done.error() == std::errc::file_exists && replace) {
    done = replace_by(ctx_, to,
                      [&](const std::string& temp) { return ctx_.fs.link(from, temp, follow); });
    if (done && options_.verbose) ctx_.out << "removed " << gnu_quote(to) << "\n";
  }
  if (done) return true;
  return fail("cannot create hard link " + gnu_quote(to) + " to " + gnu_quote(from), done.error());
}

vfs::Status TreeCopier::put_symlink(std::string_view target, const std::string& to,
                                    bool replace) {
  auto done = ctx_.fs.symlink(target, to);
  if (!done && done.error() == std::errc::file_exists && replace)
    done = replace_by(ctx_, to,
                      [&](const std::string& temp) { return ctx_.fs.symlink(target, temp); });
  return done;
}

void TreeCopier::copy_file(Item& item) {
  const vfs::Stat& from = item.stat();
  bool ok = true, symlink = false, linked = false;
  bool as_regular = !item.symlink() && (from.type == FileType::regular || !options_.recursive ||
                                        options_.copy_contents);
  if (options_.symbolic_link) {
    symlink = true;
    bool here = item.to.find('/') == std::string::npos;
    if (!here) {
      auto parent = ctx_.fs.stat(directory_part(item.to)), dot = ctx_.fs.stat(".");
      here = parent && dot && same_inode(*parent, *dot);
    }
    if (!item.from.starts_with('/') && !here) {
      ok = fail(base::gnu_quote_if_needed(item.to) +
                ": can make relative symbolic links only in current directory");
    } else if (auto done = put_symlink(item.from, item.to, options_.force); !done) {
      ok = fail("cannot create symbolic link " + gnu_quote(item.to) + " to " +
                    gnu_quote(item.from),
                done.error());
    }
  } else if (options_.hard_link) {
    linked = true;
    bool follows = options_.links == Walk::Links::logical ||
                   (options_.links == Walk::Links::arguments && item.top);
    ok = hard_link(item.from, item.to,
                   options_.force || options_.overwrite == CopyOptions::Overwrite::ask,
                   follows ? Follow::yes : Follow::no);
  } else if (as_regular) {
    ok = copy_regular(item);
  } else if (item.symlink()) {
    symlink = true;
    auto target = ctx_.fs.readlink(item.from);
    if (!target) {
      ok = fail("cannot read symbolic link " + gnu_quote(item.from), target.error());
    } else if (auto done = put_symlink(*target, item.to, options_.force); !done) {
      auto there = options_.update ? ctx_.fs.readlink(item.to) : target;
      if (!options_.update || !there || *there != *target)
        ok = fail("cannot create symbolic link " + gnu_quote(item.to), done.error());
    }
  } else if (from.type == FileType::fifo) {
    if (auto done = ctx_.fs.mkfifo(item.to, from.mode); !done)
      ok = fail("cannot create fifo " + gnu_quote(item.to), done.error());
  } else {
    ok = fail("cannot create special file " + gnu_quote(item.to),
              std::errc::operation_not_permitted);
  }
  if (!ok) {
    copied_.erase({from.dev, from.ino});
    return undo_backup(item);
  }
  if (item.top && options_.remember) {
    if (auto st = ctx_.fs.lstat(item.to)) {
      charge_.add(static_cast<int64_t>(item.to.size() + 96));
      made_.insert({item.to, {st->dev, st->ino}});
    }
  }
  if (!linked) keep_attributes(from, item.to, item.is_new, symlink);
}

bool TreeCopier::copy_regular(Item& item) {
  auto source = ctx_.host.open(item.from, {.read = true}, 0);
  if (!source) return fail("cannot open " + gnu_quote(item.from) + " for reading", source.error());
  uint32_t mode = item.stat().mode & 0777;
  // Whoever the file is going to belong to, nobody else may read it before.
  uint32_t omitted = options_.preserve_ownership ? mode & 077 : 0;
  std::expected<interp::OpenFileRef, std::errc> target = std::unexpected(std::errc{});
  if (!item.is_new) {
    target = ctx_.host.open(item.to, {.write = true, .truncate = !options_.attributes_only}, 0);
    if (!target && options_.force) {
      auto gone = ctx_.fs.unlink(item.to);
      if (!gone && gone.error() != std::errc::no_such_file_or_directory)
        return fail("cannot remove " + gnu_quote(item.to), gone.error());
      if (options_.verbose) ctx_.out << "removed " << gnu_quote(item.to) << "\n";
      item.is_new = true;
    }
  }
  if (item.is_new) {
    target = ctx_.host.open(item.to, {.write = true, .create = true, .exclusive = true},
                            mode & ~omitted);
    if (!target && target.error() == std::errc::file_exists && !options_.move) {
      auto st = ctx_.fs.lstat(item.to);
      if (st && st->type == FileType::symlink)
        return fail("not writing through dangling symlink " + gnu_quote(item.to));
    }
  }
  if (!target) {
    std::errc error = target.error();
    if (error == std::errc::is_a_directory && item.to.ends_with('/'))
      error = std::errc::not_a_directory;
    return fail("cannot create regular file " + gnu_quote(item.to), error);
  }
  if (!options_.attributes_only) {
    interp::Input in(*source, ctx_.meter);
    while (true) {
      std::string_view chunk = in.peek().substr(0, kCopyChunk);
      if (chunk.empty()) break;
      if (auto done = (*target)->write(chunk); !done)
        return fail("error writing " + gnu_quote(item.to), done.error());
      in.consume(chunk.size());
    }
    if (in.has_error()) return fail("error reading " + gnu_quote(item.from), in.error());
  }
  omitted &= ~ctx_.fs.umask();
  if (omitted && !options_.preserve_mode && !options_.move && !options_.no_preserve_mode) {
    if (auto st = ctx_.fs.stat(item.to)) (void)ctx_.fs.chmod(item.to, st->mode | omitted);
  }
  return true;
}

}  // namespace nacre::builtins
