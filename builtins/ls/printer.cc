#include "builtins/ls/printer.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/quoting.h"
#include "base/time_format.h"
#include "builtins/ls/name_style.h"
#include "builtins/support/accounts.h"
#include "builtins/support/file_mode.h"

namespace nacre::builtins::ls {

namespace {

void pad_left(interp::Output& out, std::string_view s, size_t width) {
  for (size_t n = s.size(); n < width; ++n) out.put(' ');
  out.write(s);
}
void pad_right(interp::Output& out, std::string_view s, size_t width) {
  out.write(s);
  for (size_t n = s.size(); n < width; ++n) out.put(' ');
}

std::string id_text(uint32_t id, bool numeric) {
  return numeric ? base::int_text(id) : account_text(id);
}

// Numbers stand to the right, names to the left.
void put_id(interp::Output& out, uint32_t id, bool numeric, size_t width) {
  std::string text = id_text(id, numeric);
  if (numeric || !find_account(id)) pad_left(out, text, width);
  else pad_right(out, text, width);
}

constexpr std::string_view kNoContext = "?";

bool is_device(const Entry& e) {
  return e.type == vfs::FileType::char_device || e.type == vfs::FileType::block_device;
}

}  // namespace

size_t decimal_width(uint64_t n) {
  size_t width = 1;
  for (; n >= 10; n /= 10) ++width;
  return width;
}

vfs::Timestamp time_of(const Entry& e, TimeOf which) {
  switch (which) {
    case TimeOf::modification: return e.stat.mtime;
    case TimeOf::change: return e.stat.ctime;
    case TimeOf::access: return e.stat.atime;
    case TimeOf::birth: return e.stat.btime;
  }
  return {};
}

char indicator_of(vfs::FileType type, uint32_t mode, Indicator style) {
  using vfs::FileType;
  if (style == Indicator::none) return 0;
  if (type == FileType::directory) return '/';
  if (style == Indicator::slash) return 0;
  switch (type) {
    case FileType::regular: return style == Indicator::classify && (mode & 0111) ? '*' : 0;
    case FileType::symlink: return '@';
    case FileType::fifo: return '|';
    case FileType::socket: return '=';
    default: return 0;
  }
}

Printer::Printer(interp::CommandContext& ctx, const Settings& settings)
    : ctx_(ctx), set_(settings), out_(ctx.out) {
  if (set_.color) colors_ = std::make_unique<Colors>(ctx);
}

std::string Printer::blocks_text(const Entry& e) const {
  if (!e.has_stat) return "?";
  return size_text(e.stat.blocks, 512, set_.block_size);
}

std::string Printer::size_column(const Entry& e) const {
  if (!e.has_stat) return "?";
  return size_text(e.stat.size, 1, set_.file_size);
}

void Printer::measure(const std::vector<Entry*>& entries) {
  w_ = {};
  some_quoted_ = false;
  bool long_format = set_.format == Format::long_format;
  for (const Entry* e : entries) {
    ctx_.meter.charge_work();
    some_quoted_ |= e->is_quoted;
    if (set_.inode)
      w_.inode = std::max(w_.inode, e->has_stat ? decimal_width(e->stat.ino) : 1);
    if (set_.blocks) w_.blocks = std::max(w_.blocks, blocks_text(*e).size());
    if (!long_format) continue;
    if (!e->has_stat) continue;
    w_.links = std::max(w_.links, decimal_width(e->stat.nlink));
    w_.owner = std::max(w_.owner, id_text(e->stat.uid, set_.numeric_ids).size());
    w_.group = std::max(w_.group, id_text(e->stat.gid, set_.numeric_ids).size());
    if (is_device(*e)) {
      w_.major = std::max(w_.major, decimal_width(e->stat.rdev_major));
      w_.minor = std::max(w_.minor, decimal_width(e->stat.rdev_minor));
      w_.size = std::max(w_.size, w_.major + 2 + w_.minor);
    } else {
      w_.size = std::max(w_.size, size_column(*e).size());
    }
  }
  w_.author = w_.owner;
}

void Printer::print_total(const std::vector<Entry*>& entries) {
  uint64_t blocks = 0;
  for (const Entry* e : entries)
    if (e->has_stat) blocks += e->stat.blocks;
  out_ << "total " << size_text(blocks, 512, set_.block_size);
  out_.put(set_.end);
}

void Printer::print_heading(std::string_view name) {
  bool quoted;
  std::string text = styled_name(name, set_, quoted, true);
  if (set_.hyperlink) {
    Entry e;
    e.name = name;
    directory_ = ".";
    out_ << hyperlink(e) << text << "\033]8;;\a";
  } else {
    out_ << text;
  }
  out_ << ":\n";
}

void Printer::print(const std::vector<Entry*>& entries, std::string_view directory) {
  if (entries.empty()) return;
  directory_ = directory;
  measure(entries);
  switch (set_.format) {
    case Format::one_per_line:
      for (const Entry* e : entries) {
        print_entry(*e);
        out_.put(set_.end);
      }
      break;
    case Format::long_format:
      for (const Entry* e : entries) {
        print_long(*e);
        out_.put(set_.end);
      }
      break;
    case Format::columns: print_columns(entries, true); break;
    case Format::across: print_columns(entries, false); break;
    case Format::commas: print_commas(entries); break;
  }
}

std::string Printer::time_text(const Entry& e) const {
  vfs::Timestamp t = time_of(e, set_.time);
  int64_t now = ctx_.clock.wall_now();
  vfs::Timestamp current{now / 1'000'000'000, static_cast<int32_t>(now % 1'000'000'000)};
  // Half of a mean Gregorian year.
  constexpr int64_t kHalfYear = 31556952 / 2;
  vfs::Timestamp half{current.sec - kHalfYear, current.nsec};
  bool recent = half < t && t < current;
  std::string text;
  base::append_time(text, recent ? set_.recent_format : set_.old_format,
                    set_.zone.civil(t.sec, t.nsec), t.sec);
  return text;
}

void Printer::print_long(const Entry& e) {
  if (set_.inode) {
    pad_left(out_, e.has_stat ? base::int_text(static_cast<int64_t>(e.stat.ino)) : "?", w_.inode);
    out_.put(' ');
  }
  if (set_.blocks) {
    pad_left(out_, blocks_text(e), w_.blocks);
    out_.put(' ');
  }
  if (e.has_stat) {
    out_ << mode_string(e.stat) << " ";
    pad_left(out_, base::int_text(e.stat.nlink), w_.links);
    out_.put(' ');
    auto id = [&](bool wanted, uint32_t value, size_t width) {
      if (!wanted) return;
      put_id(out_, value, set_.numeric_ids, width);
      out_.put(' ');
    };
    id(set_.owner, e.stat.uid, w_.owner);
    id(set_.group, e.stat.gid, w_.group);
    id(set_.author, e.stat.uid, w_.author);
    if (set_.context) out_ << kNoContext << " ";
    if (is_device(e)) {
      size_t blanks = w_.size - (w_.major + 2 + w_.minor);
      pad_left(out_, base::int_text(e.stat.rdev_major), w_.major + blanks);
      out_ << ", ";
      pad_left(out_, base::int_text(e.stat.rdev_minor), w_.minor);
    } else {
      pad_left(out_, size_column(e), w_.size);
    }
    out_ << " " << time_text(e) << " ";
  } else {
    // Nothing is known of it.
    char type = "-dlpcbs"[static_cast<size_t>(e.type)];
    out_.put(e.type_known ? type : '?');
    out_ << "????????? ";
    pad_left(out_, "?", w_.links);
    out_.put(' ');
    auto id = [&](bool wanted, size_t width) {
      if (!wanted) return;
      pad_right(out_, "?", width);
      out_.put(' ');
    };
    id(set_.owner, w_.owner);
    id(set_.group, w_.group);
    id(set_.author, w_.author);
    if (set_.context) out_ << kNoContext << " ";
    pad_left(out_, "?", w_.size);
    std::string sample;
    base::append_time(sample, set_.old_format, set_.zone.civil(0), 0);
    out_.put(' ');
    pad_left(out_, "?", text_width(sample));
    out_.put(' ');
  }
  print_name(e, true);
  if (e.type == vfs::FileType::symlink) {
    if (!e.target.empty()) {
      out_ << " -> ";
      print_target(e);
      if (set_.indicator != Indicator::none && e.target_exists)
        print_indicator(true, e.target_type, e.target_mode);
    }
  } else {
    print_indicator(e.type_known || e.has_stat, e.type, e.stat.mode);
  }
}

void Printer::print_indicator(bool known, vfs::FileType type, uint32_t mode) {
  if (!known) return;
  if (char c = indicator_of(type, mode, set_.indicator)) out_.put(c);
}

std::string Printer::hyperlink(const Entry& e) const {
  std::string path;
  if (e.name.starts_with('/')) path = e.name;
  else path = ctx_.fs.absolute(std::string(directory_) + "/" + e.name);
  std::string url = "\033]8;;file://localhost";
  constexpr std::string_view kHex = "0123456789abcdef";
  for (char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '/' || c == '~' || c == '-' || c == '.' || c == '_';
    if (plain) {
      url += c;
    } else {
      unsigned char b = static_cast<unsigned char>(c);
      url += '%';
      url += kHex[b >> 4];
      url += kHex[b & 15];
    }
  }
  return url += '\a';
}

void Printer::print_name(const Entry& e, bool pad_for_quotes) {
  // Names that others stand in quotes beside are moved by one.
  bool shell = set_.quoting == Quoting::shell || set_.quoting == Quoting::shell_escape;
  if (pad_for_quotes && shell && some_quoted_ && !e.is_quoted) out_.put(' ');
  std::string_view color = colors_ ? colors_->of(e) : std::string_view();
  if (!color.empty()) colors_->begin(out_, color);
  if (set_.hyperlink) out_ << hyperlink(e) << e.shown << "\033]8;;\a";
  else out_ << e.shown;
  if (!color.empty()) colors_->end(out_);
}

void Printer::print_target(const Entry& e) {
  bool quoted;
  std::string text = styled_name(e.target, set_, quoted);
  std::string_view color = colors_ ? colors_->of_target(e) : std::string_view();
  if (!color.empty()) colors_->begin(out_, color);
  out_ << text;
  if (!color.empty()) colors_->end(out_);
}

size_t Printer::entry_width(const Entry& e) const {
  size_t width = e.width;
  bool commas = set_.format == Format::commas;
  if (set_.inode)
    width += 1 + (commas ? decimal_width(e.stat.ino) : w_.inode);
  if (set_.blocks) width += 1 + (commas ? blocks_text(e).size() : w_.blocks);
  if (set_.context) width += 1 + kNoContext.size();
  bool known = e.type_known || e.has_stat;
  if (known && indicator_of(e.type, e.stat.mode, set_.indicator)) ++width;
  return width;
}

void Printer::print_entry(const Entry& e) {
  bool commas = set_.format == Format::commas;
  if (set_.inode) {
    pad_left(out_, e.has_stat ? base::int_text(static_cast<int64_t>(e.stat.ino)) : "?",
             commas ? 0 : w_.inode);
    out_.put(' ');
  }
  if (set_.blocks) {
    pad_left(out_, blocks_text(e), commas ? 0 : w_.blocks);
    out_.put(' ');
  }
  if (set_.context) out_ << kNoContext << " ";
  print_name(e, !commas && set_.format != Format::one_per_line);
  print_indicator(e.type_known || e.has_stat, e.type, e.stat.mode);
}

void Printer::indent(size_t from, size_t to) {
  while (from < to) {
    if (set_.tab != 0 && to / set_.tab > (from + 1) / set_.tab) {
      out_.put('\t');
      from += set_.tab - from % set_.tab;
    } else {
      out_.put(' ');
      ++from;
    }
  }
}

// The largest number of columns whose widths fit into a line.
void Printer::print_columns(const std::vector<Entry*>& entries, bool by_columns) {
  constexpr size_t kMinimum = 3;  // a character and two blanks
  size_t n = entries.size();
  bool shell = set_.quoting == Quoting::shell || set_.quoting == Quoting::shell_escape;
  std::vector<size_t> widths(n);
  for (size_t i = 0; i < n; ++i)
    widths[i] = entry_width(*entries[i]) + (shell && some_quoted_ && !entries[i]->is_quoted);

  std::vector<size_t> column_widths;
  size_t columns = 1;
  if (set_.width == 0) {
    // No end: one line, each name as wide as it is, and two blanks between.
    columns = n;
    for (size_t i = 0; i < n; ++i) column_widths.push_back(widths[i] + 2);
  } else {
    size_t most = std::max<size_t>(
        1, std::min(n, set_.width / kMinimum + (set_.width % kMinimum != 0)));
    for (columns = most; columns >= 1; --columns) {
      ctx_.meter.charge_work(static_cast<int64_t>(1 + n / 64));
      size_t rows = (n + columns - 1) / columns;
      column_widths.assign(columns, kMinimum);
      size_t line = columns * kMinimum;
      bool fits = true;
      for (size_t i = 0; i < n && fits; ++i) {
        size_t column = by_columns ? i / rows : i % columns;
        size_t width = widths[i] + (column == columns - 1 ? 0 : 2);
        if (width > column_widths[column]) {
          line += width - column_widths[column];
          column_widths[column] = width;
          fits = line < set_.width;
        }
      }
      if (line < set_.width || columns == 1) break;
    }
    columns = std::max<size_t>(columns, 1);
  }

  size_t rows = (n + columns - 1) / columns;
  if (by_columns) {
    for (size_t row = 0; row < rows; ++row) {
      size_t at = 0;
      for (size_t i = row, column = 0;; ++column) {
        print_entry(*entries[i]);
        size_t next = i + rows;
        if (next >= n) break;
        indent(at + widths[i], at + column_widths[column]);
        at += column_widths[column];
        i = next;
      }
      out_.put(set_.end);
    }
    return;
  }
  size_t at = 0;
  for (size_t i = 0; i < n; ++i) {
    size_t column = i % columns;
    if (i > 0) {
      if (column == 0) {
        out_.put(set_.end);
        at = 0;
      } else {
        indent(at + widths[i - 1], at + column_widths[column - 1]);
        at += column_widths[column - 1];
      }
    }
    print_entry(*entries[i]);
  }
  out_.put(set_.end);
}

void Printer::print_commas(const std::vector<Entry*>& entries) {
  size_t at = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    size_t width = set_.width ? entry_width(*entries[i]) : 0;
    if (i > 0) {
      bool fits = set_.width == 0 || at + width + 2 < set_.width;
      out_.put(',');
      out_.put(fits ? ' ' : '\n');
      at = fits ? at + 2 : 0;
    }
    print_entry(*entries[i]);
    at += width;
  }
  out_.put('\n');
}

}  // namespace nacre::builtins::ls
