// What ls was asked for.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/time_zone.h"
#include "builtins/support/human.h"
#include "builtins/support/options.h"
#include "regex/pattern.h"

namespace nacre::builtins::ls {

enum class Format : uint8_t { one_per_line, long_format, columns, across, commas };
enum class SortBy : uint8_t { name, none, time, size, extension, version, width };
enum class TimeOf : uint8_t { modification, change, access, birth };
enum class Hidden : uint8_t { skip, all_but_dots, all };
enum class Follow : uint8_t { never, command_line, command_line_directories, always };
enum class Indicator : uint8_t { none, slash, file_type, classify };
enum class Quoting : uint8_t {
  literal, shell, shell_always, shell_escape, shell_escape_always, c, escape, locale
};

struct Settings {
  Format format = Format::one_per_line;
  SortBy sort = SortBy::name;
  TimeOf time = TimeOf::modification;
  Hidden hidden = Hidden::skip;
  Follow follow = Follow::never;
  Indicator indicator = Indicator::none;
  Quoting quoting = Quoting::literal;
  bool hide_control = false;         // -q
  bool reverse = false, directories_first = false;
  bool recursive = false, directories_themselves = false;
  bool inode = false, blocks = false, context = false;
  bool owner = true, group = true, author = false, numeric_ids = false;
  bool color = false, hyperlink = false;
  char end = '\n';
  size_t width = 80;                 // of a line; 0: no end
  size_t tab = 8;
  SizeFormat block_size;             // of -s and totals
  SizeFormat file_size;              // of the size column
  std::string recent_format, old_format;
  base::TimeZone zone;
  std::deque<regex::Pattern> ignore; // -I, -B
  std::deque<regex::Pattern> hide;   // --hide
};

extern const OptionSpec kSpec;

// Fills `settings` from options and environment; false when the command ends
// with options.status().
bool read_settings(interp::CommandContext& ctx, OptionReader& options, Settings& settings,
                   Format default_format, bool default_escape);

// The main of ls, dir (-C -b) and vdir (-l -b).
int run(interp::CommandContext& ctx, Format default_format, bool default_escape);

}  // namespace nacre::builtins::ls
