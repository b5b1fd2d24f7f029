// Prints a list of entries in one of the formats.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "builtins/ls/colors.h"
#include "builtins/ls/entry.h"
#include "builtins/ls/settings.h"
#include "interp/command.h"

namespace nacre::builtins::ls {

class Printer {
 public:
  Printer(interp::CommandContext& ctx, const Settings& settings);

  // `directory` is where relative names are found (for hyperlinks).
  void print(const std::vector<Entry*>& entries, std::string_view directory);
  // "total N" before the files of a directory.
  void print_total(const std::vector<Entry*>& entries);
  // "dir:" before a directory.
  void print_heading(std::string_view name);

 private:
  struct Widths {
    size_t inode = 0, blocks = 0, links = 0, owner = 0, group = 0, author = 0, size = 0;
    size_t major = 0, minor = 0, context = 0;
  };

  void measure(const std::vector<Entry*>& entries);
  void print_long(const Entry& e);
  void print_columns(const std::vector<Entry*>& entries, bool by_columns);
  void print_commas(const std::vector<Entry*>& entries);
  void print_entry(const Entry& e);        // with inode, blocks, context, indicator
  size_t entry_width(const Entry& e) const;
  void print_name(const Entry& e, bool pad_for_quotes);
  void print_target(const Entry& e);
  void print_indicator(bool known, vfs::FileType type, uint32_t mode);
  void indent(size_t from, size_t to);
  std::string time_text(const Entry& e) const;
  std::string size_column(const Entry& e) const;
  std::string blocks_text(const Entry& e) const;
  std::string hyperlink(const Entry& e) const;

  interp::CommandContext& ctx_;
  const Settings& set_;
  interp::Output& out_;
  std::unique_ptr<Colors> colors_;
  Widths w_;
  bool some_quoted_ = false;
  std::string_view directory_;
};

char indicator_of(vfs::FileType type, uint32_t mode, Indicator style);
vfs::Timestamp time_of(const Entry& e, TimeOf which);
size_t decimal_width(uint64_t n);

}  // namespace nacre::builtins::ls
