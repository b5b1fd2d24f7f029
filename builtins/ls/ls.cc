// ls: gathers the files of the operands, sorts them, and has them printed.
//
// Directories wait in a queue; with -R the subdirectories of a directory are
// put before those that wait, so that the walk needs no recursion. What is
// above a directory is kept with it, to notice a loop of links (-RL).
#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/quoting.h"
#include "builtins/ls/entry.h"
#include "builtins/ls/name_style.h"
#include "builtins/ls/printer.h"
#include "builtins/ls/settings.h"
#include "builtins/support/collate.h"
#include "builtins/support/path_text.h"

namespace nacre::builtins::ls {

namespace {

using interp::CommandContext;

struct Pending {
  std::string path;
  bool is_argument = false;
  int depth = 0;
  // Directories above, for loops: (dev, ino).
  std::shared_ptr<const Pending> parent;
  uint64_t dev = 0, ino = 0;
};

class Lister {
 public:
  Lister(CommandContext& ctx, const Settings& settings)
      : ctx_(ctx), set_(settings), printer_(ctx, settings), charge_(ctx.meter) {
    needs_stat_ = set_.sort == SortBy::time || set_.sort == SortBy::size ||
                  set_.format == Format::long_format || set_.blocks || set_.inode || set_.color;
    needs_type_ = set_.recursive || set_.indicator != Indicator::none || set_.directories_first;
  }

  int run(std::span<const std::string_view> operands) {
    constexpr std::string_view kHere[] = {"."};
    size_t given = operands.size();
    if (operands.empty()) operands = kHere;
    for (std::string_view name : operands) add_argument(name);
    sort();
    if (!set_.directories_themselves) queue_directories();
    bool files = !order_.empty();
    if (files) {
      printer_.print(order_, ".");
      first_ = false;
    }
    headings_ = set_.recursive || files || given > 1 || waiting_.size() != 1;
    while (!waiting_.empty() && !ctx_.out.has_error()) {
      auto next = std::make_shared<Pending>(std::move(waiting_.front()));
      waiting_.pop_front();
      list(std::move(next));
    }
    return status_;
  }

 private:
  void fail(bool argument, std::string_view what, std::string_view name, std::errc error) {
    ctx_.error(std::string(what) + base::gnu_quote(name), error);
    status_ = argument ? 2 : std::max(status_, 1);
  }

  void clear() {
    entries_.clear();
    order_.clear();
    charge_.set(0);
  }

  Entry& add(std::string name) {
    charge_.add(static_cast<int64_t>(sizeof(Entry) + 3 * name.size() + 64));
    Entry& e = entries_.emplace_back();
    e.name = std::move(name);
    return e;
  }

  void add_argument(std::string_view name) {
    ctx_.meter.charge_work();
    vfs::Result<vfs::Stat> st = std::unexpected(std::errc{});
    switch (set_.follow) {
      case Follow::always: case Follow::command_line:
        st = ctx_.fs.stat(name);
        if (!st && set_.follow == Follow::command_line) st = ctx_.fs.lstat(name);
        break;
      case Follow::command_line_directories:
        st = ctx_.fs.stat(name);
        if (st ? st->type != vfs::FileType::directory
               : st.error() == std::errc::no_such_file_or_directory ||
                     st.error() == std::errc::too_many_symbolic_link_levels)
          st = ctx_.fs.lstat(name);
        break;
      case Follow::never: st = ctx_.fs.lstat(name); break;
    }
    if (!st) {
      fail(true, "cannot access ", name, st.error());
      return;
    }
    Entry& e = add(std::string(name));
    e.is_argument = true;
    finish(e, name, &*st);
  }

  // Fills in what is wanted of an entry whose path is `path`.
  void finish(Entry& e, std::string_view path, const vfs::Stat* st) {
    if (st) {
      e.has_stat = true;
      e.stat = *st;
      e.type = st->type;
    }
    if (e.type == vfs::FileType::symlink &&
        (set_.format == Format::long_format || set_.color || set_.indicator != Indicator::none ||
         set_.directories_first)) {
      if (set_.format == Format::long_format || set_.color) {
        auto target = ctx_.fs.readlink(path);
        if (target) {
          e.target = std::move(*target);
        } else if (set_.format == Format::long_format) {
          fail(e.is_argument, "cannot read symbolic link ", path, target.error());
        }
      }
      if (auto there = ctx_.fs.stat(path)) {
        e.target_exists = true;
        e.target_type = there->type;
        e.target_mode = there->mode;
      }
    }
    e.shown = styled_name(e.name, set_, e.is_quoted);
    if (set_.format != Format::long_format && set_.format != Format::one_per_line)
      e.width = text_width(e.shown);
    else if (set_.sort == SortBy::width)
      e.width = text_width(e.shown);
  }

  static bool is_dot(std::string_view name) { return name == "." || name == ".."; }

  bool ignored(const std::string& name) const {
    if (set_.hidden != Hidden::all && name.starts_with('.') &&
        (set_.hidden == Hidden::skip || is_dot(name)))
      return true;
    if (set_.hidden == Hidden::skip)
      for (const regex::Pattern& p : set_.hide)
        if (p.matches(name, ctx_.meter)) return true;
    for (const regex::Pattern& p : set_.ignore)
      if (p.matches(name, ctx_.meter)) return true;
    return false;
  }

  // The files of one directory.
  void list(std::shared_ptr<Pending> dir) {
    ctx_.meter.charge_work();
    if (dir->depth > ctx_.meter.limits().max_path_depth)
      ctx_.meter.exceeded(LimitName::max_path_depth);
    auto names = ctx_.fs.list(dir->path);
    if (!names) {
      fail(dir->is_argument, "cannot open directory ", dir->path, names.error());
      return;
    }
    if (set_.recursive) {
      if (auto st = ctx_.fs.stat(dir->path)) {
        dir->dev = st->dev;
        dir->ino = st->ino;
        for (const Pending* p = dir->parent.get(); p; p = p->parent.get()) {
          if (p->dev != st->dev || p->ino != st->ino) continue;
          ctx_.error(base::gnu_quote_if_needed(dir->path) + ": not listing already-listed directory");
          status_ = 2;
          return;
        }
      }
    }
    if (headings_) {
      if (!first_) ctx_.out.put('\n');
      printer_.print_heading(dir->path);
    }
    first_ = false;
    clear();
    std::vector<std::string_view> dots;
    if (set_.hidden == Hidden::all) dots = {".", ".."};
    for (std::string_view dot : dots) gather(*dir, std::string(dot), vfs::FileType::directory);
    for (vfs::DirEntry& entry : *names) gather(*dir, std::move(entry.name), entry.type);
    sort();
    if (set_.format == Format::long_format || set_.blocks) printer_.print_total(order_);
    printer_.print(order_, dir->path);
    if (set_.recursive) queue_subdirectories(dir);
    clear();
  }

  void gather(const Pending& dir, std::string name, vfs::FileType type) {
    ctx_.meter.charge_work();
    if (ignored(name)) return;
    Entry& e = add(std::move(name));
    e.type = type;
    bool link = type == vfs::FileType::symlink;
    bool wants_stat =
        needs_stat_ || (set_.follow == Follow::always && link && needs_type_) ||
        (set_.indicator == Indicator::classify && type == vfs::FileType::regular);
    std::string path = join_path(dir.path, e.name);
    if (!wants_stat) return finish(e, path, nullptr);
    vfs::Result<vfs::Stat> st =
        set_.follow == Follow::always ? ctx_.fs.stat(path) : ctx_.fs.lstat(path);
    if (!st) {
      fail(false, "cannot access ", path, st.error());
      // Named all the same; of a link that leads nowhere not even the type is shown.
      e.type_known = !(link && set_.follow == Follow::always);
      return finish(e, path, nullptr);
    }
    finish(e, path, &*st);
  }

  bool leads_to_directory(const Entry& e) const {
    return e.type == vfs::FileType::directory ||
           (e.type == vfs::FileType::symlink && e.target_exists &&
            e.target_type == vfs::FileType::directory);
  }

  int compare(const Entry& a, const Entry& b) const {
    switch (set_.sort) {
      case SortBy::none: return 0;
      case SortBy::time: {
        vfs::Timestamp x = time_of(a, set_.time), y = time_of(b, set_.time);
        if (x != y) return x > y ? -1 : 1;
        break;
      }
      case SortBy::size:
        if (a.stat.size != b.stat.size) return a.stat.size > b.stat.size ? -1 : 1;
        break;
      case SortBy::extension: {
        auto extension = [](std::string_view s) {
          size_t dot = s.rfind('.');
          return dot == s.npos ? std::string_view() : s.substr(dot);
        };
        if (int d = compare_bytes(extension(a.name), extension(b.name))) return d;
        break;
      }
      case SortBy::version:
        if (int d = compare_versions(a.name, b.name)) return d;
        break;
      case SortBy::width:
        if (a.width != b.width) return a.width < b.width ? -1 : 1;
        break;
      case SortBy::name: break;
    }
    return compare_bytes(a.name, b.name);
  }

  void sort() {
    order_.clear();
    order_.reserve(entries_.size());
    for (Entry& e : entries_) order_.push_back(&e);
    if (set_.sort == SortBy::none) return;
    uint32_t calls = 0;
    std::stable_sort(order_.begin(), order_.end(), [&](const Entry* a, const Entry* b) {
      if ((++calls & 0x3f) == 0) ctx_.meter.charge_work();
      if (set_.directories_first) {
        bool x = leads_to_directory(*a), y = leads_to_directory(*b);
        if (x != y) return x;
      }
      int d = compare(*a, *b);
      return set_.reverse ? d > 0 : d < 0;
    });
  }

  // Directories among the operands are listed after the files.
  void queue_directories() {
    std::vector<Entry*> files;
    for (Entry* e : order_) {
      if (e->type == vfs::FileType::directory) {
        Pending p;
        p.path = e->name;
        p.is_argument = true;
        waiting_.push_back(std::move(p));
      } else {
        files.push_back(e);
      }
    }
    order_ = std::move(files);
    if (order_.empty()) entries_.clear();
  }

  void queue_subdirectories(const std::shared_ptr<Pending>& parent) {
    std::vector<Pending> below;
    for (const Entry* e : order_) {
      if (e->type != vfs::FileType::directory || is_dot(e->name)) continue;
      Pending p;
      p.path = join_path(parent->path, e->name);
      p.depth = parent->depth + 1;
      p.parent = parent;
      below.push_back(std::move(p));
    }
    waiting_.insert(waiting_.begin(), std::make_move_iterator(below.begin()),
                    std::make_move_iterator(below.end()));
  }

  CommandContext& ctx_;
  const Settings& set_;
  Printer printer_;
  limits::MemoryCharge charge_;
  std::deque<Entry> entries_;
  std::vector<Entry*> order_;
  std::deque<Pending> waiting_;
  bool needs_stat_ = false, needs_type_ = false;
  bool headings_ = true, first_ = true;
  int status_ = 0;
};

}  // namespace

int run(CommandContext& ctx, Format default_format, bool default_escape) {
  Settings settings;
  OptionReader options(ctx, kSpec);
  if (!read_settings(ctx, options, settings, default_format, default_escape))
    return options.status();
  return Lister(ctx, settings).run(options.operands());
}

}  // namespace nacre::builtins::ls
