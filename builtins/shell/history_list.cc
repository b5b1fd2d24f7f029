#include "builtins/shell/history_list.h"

#include <algorithm>

#include "base/numbers.h"
#include "interp/redirect.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::HistoryList;
using interp::Process;

namespace {

int64_t now_in_seconds(Process& p) { return p.session.clock->wall_now() / 1'000'000'000; }

// HISTSIZE as a number; -1 when there is no bound.
int64_t wanted_size(Process& p) {
  auto text = interp::variable_text(p, "HISTSIZE");
  if (!text) return -1;
  auto n = base::parse_legal_number(*text);
  return n && *n >= 0 ? *n : -1;
}

void drop_first(HistoryList& list, size_t n) {
  list.entries.erase(list.entries.begin(), list.entries.begin() + static_cast<std::ptrdiff_t>(n));
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    size_t colon = list.find(':');
    if (list.substr(0, colon) == word) return true;
    if (colon == std::string_view::npos) break;
    list.remove_prefix(colon + 1);
  }
  return false;
}

// HISTIGNORE: patterns for whole lines; & stands for the line before.
bool is_ignored(Process& p, const HistoryList& list, std::string_view line) {
  std::string patterns = interp::variable_text(p, "HISTIGNORE").value_or("");
  regex::PatternOptions options;
  options.extglob = p.has(interp::Shopt::extglob);
  for (size_t pos = 0; pos < patterns.size();) {
    size_t end = std::min(patterns.find(':', pos), patterns.size());
    std::string pattern;
    for (size_t i = pos; i < end; ++i) {
      if (patterns[i] == '\\' && i + 1 < end && patterns[i + 1] == '&') pattern += patterns[++i];
      else if (patterns[i] == '&' && !list.entries.empty()) regex::append_escaped(pattern, list.entries.back().text);
      else pattern += patterns[i];
    }
    pos = end + 1;
    if (!pattern.empty() &&
        p.session.patterns.pattern(pattern, options, p.meter()).matches(line, p.meter()))
      return true;
  }
  return false;
}

void append_entry(Process& p, HistoryList& list, std::string_view line, int64_t time) {
  if (list.most == 0) return;
  p.meter().check_elements(static_cast<int64_t>(list.entries.size()) + 1);
  if (list.most > 0 && static_cast<int64_t>(list.entries.size()) >= list.most) {
    drop_first(list, 1);
    ++list.base;
  }
  list.entries.push_back({std::string(line), time, false});
}

// "#1700000000" before an entry tells when it was made.
bool is_time_line(std::string_view line) {
  return line.size() > 1 && line[0] == '#' && line[1] >= '0' && line[1] <= '9';
}

}  // namespace

HistoryList& history_of(Process& p) {
  if (!p.state.history) p.state.history = base::make_ref<HistoryList>();
  HistoryList& list = base::writable(p.state.history);
  int64_t most = wanted_size(p);
  if (most != list.most) {
    list.most = most;
    if (most >= 0 && static_cast<int64_t>(list.entries.size()) > most) {
      auto extra = static_cast<int64_t>(list.entries.size()) - most;
      drop_first(list, static_cast<size_t>(extra));
      list.base = extra;
    }
  }
  return list;
}

void add_history(Process& p, std::string_view line) {
  HistoryList& list = history_of(p);
  std::string control = interp::variable_text(p, "HISTCONTROL").value_or("");
  bool both = has_word(control, "ignoreboth");
  if ((both || has_word(control, "ignorespace")) && line.starts_with(' ')) return;
  if ((both || has_word(control, "ignoredups")) && !list.entries.empty() &&
      list.entries.back().text == line)
    return;
  if (is_ignored(p, list, line)) return;
  if (has_word(control, "erasedups"))
    std::erase_if(list.entries, [&](const HistoryList::Entry& e) { return e.text == line; });
  append_entry(p, list, line, now_in_seconds(p));
  ++list.new_entries;
}

void clear_history(Process& p) {
  HistoryList& list = history_of(p);
  list.entries.clear();
  list.base = 1;
  list.new_entries = 0;
}

bool read_history(Process& p, const std::string& path, int64_t skip) {
  auto file = interp::open_path(p, path, {.read = true}, 0);
  if (!file) return false;
  HistoryList& list = history_of(p);
  interp::Input in(*file, p.meter());
  std::string_view line;
  bool first = true, timed = false;
  int64_t time = now_in_seconds(p), lines = 0;
  while (in.read_line(line)) {
    if (first) timed = is_time_line(line);
    first = false;
    if (++lines <= skip) continue;
    if (timed && is_time_line(line)) {
      time = base::parse_legal_number(line.substr(1)).value_or(time);
      continue;
    }
    if (!line.empty()) append_entry(p, list, line, time);
  }
  list.lines_in_file = lines;
  return !in.has_error();
}

bool write_history(Process& p, const std::string& path, size_t count, bool append) {
  HistoryList& list = history_of(p);
  bool times = interp::variable_text(p, "HISTTIMEFORMAT").has_value();
  vfs::OpenFlags flags;
  flags.write = flags.create = true;
  flags.append = append;
  flags.truncate = !append;
  auto file = interp::open_path(p, path, flags, 0600);
  if (!file) return false;
  interp::Output out(*file, p.meter(), interp::Output::Buffering::full);
  count = std::min(count, list.entries.size());
  for (size_t i = list.entries.size() - count; i < list.entries.size(); ++i) {
    if (times) {
      out.put('#');
      out.write_int(list.entries[i].time);
      out.put('\n');
    }
    out << list.entries[i].text << "\n";
  }
  out.flush();
  list.new_entries = 0;
  list.lines_in_file = append ? list.lines_in_file + static_cast<int64_t>(count)
                              : static_cast<int64_t>(list.entries.size());
  return !out.has_error();
}

}  // namespace nacre::builtins
