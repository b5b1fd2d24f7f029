// Pathname expansion (bash manual, 3.5.8).
//
// A pattern is cut at its slashes into components. A set of path prefixes is
// carried from one component to the next: plain text is appended to each, a
// pattern replaces each by the entries of that directory that match, `**` (with
// globstar) by all directories below. One list() a directory, no recursion.
//
// Quirks of bash that are kept: slashes before the first pattern stay as
// written (a//*), those behind it become one; `a/**` gives "a/" itself but
// `*/**` gives "a"; a component without active characters must only exist
// (lstat), so that dangling links are found.
#include <algorithm>

#include "interp/expand.h"
#include "interp/text_buffer.h"
#include "interp/variables.h"
#include "regex/pattern.h"

namespace nacre::interp {

namespace {

struct Component {
  std::string_view text;    // without slashes, \ quotes
  std::string_view slashes; // behind it, as written
  bool active = false;
  bool deep = false;        // ** under globstar
};

bool opens_group(std::string_view s, size_t from, size_t paren) {
  return paren > from && std::string_view("@?*+!").find(s[paren - 1]) != std::string_view::npos;
}

// The end of the component that starts at `from`. A slash inside (..) of an
// extended pattern does not end it.
size_t component_end(std::string_view s, size_t from, bool extglob) {
  int depth = 0;
  for (size_t i = from; i < s.size(); ++i) {
    char c = s[i];
    if (c == '\\' && i + 1 < s.size()) {
      if (s[i + 1] == '/' && depth == 0) return i;
      ++i;
    } else if (c == '(' && extglob && (depth > 0 || opens_group(s, from, i))) {
      ++depth;
    } else if (c == ')' && depth > 0) {
      --depth;
    } else if (c == '/' && depth == 0) {
      return i;
    }
  }
  // An open group that never closes is plain text: its slashes count.
  return depth > 0 ? component_end(s, from, false) : s.size();
}

class Glob {
 public:
  Glob(Process& p, std::string_view pattern, FieldList& out)
      : p_(p), out_(out), pattern_(pattern), extglob_(p.has(Shopt::extglob)) {}
  bool run();

 private:
  void cut();
  void set_up_ignores();
  bool ignored(std::string_view path);
  bool hides_dots() const { return !p_.has(Shopt::dotglob) && ignores_.empty(); }
  bool is_directory(std::string_view path, const vfs::DirEntry& entry) const;
  std::vector<vfs::DirEntry> entries(std::string_view prefix) const;

  void match_component(const Component& c, const ValueList& from, ValueList& to);
  void match_deep(const Component& c, bool last, bool literal_prefix, const ValueList& from,
                  ValueList& to);
  void append_literal(const Component& c, bool last, bool literal_prefix, const ValueList& from,
                      ValueList& to);
  void add(ValueList& to, std::string_view prefix, std::string_view name,
           std::string_view slashes);
  bool deliver(const ValueList& found);

  Process& p_;
  FieldList& out_;
  std::string_view pattern_;
  bool extglob_;
  std::string_view root_;   // leading slashes
  std::vector<Component> components_;
  std::vector<std::string> ignores_;
};

void Glob::cut() {
  size_t at = std::min(pattern_.find_first_not_of('/'), pattern_.size());
  root_ = pattern_.substr(0, at);
  while (at < pattern_.size()) {
    size_t end = component_end(pattern_, at, extglob_);
    Component c;
    c.text = pattern_.substr(at, end - at);
    if (end < pattern_.size() && pattern_[end] == '\\') ++end;  // \/ is a slash
    size_t next = std::min(pattern_.find_first_not_of('/', end), pattern_.size());
    c.slashes = pattern_.substr(end, next - end);
    c.active = regex::has_active_pattern(c.text, extglob_);
    c.deep = c.text == "**" && p_.has(Shopt::globstar);
    // ** behind ** adds nothing.
    if (c.deep && !components_.empty() && components_.back().deep)
      components_.back().slashes = c.slashes;
    else
      components_.push_back(c);
    at = next;
  }
}

// GLOBIGNORE's patterns, cut at colons outside brackets and groups.
void Glob::set_up_ignores() {
  std::string buffer;
  std::string_view text;
  if (!read_variable(p_, p_.session.names.globignore, text, buffer) || text.empty()) return;
  size_t from = 0;
  int groups = 0;
  bool bracket = false;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ':';
    if (i < text.size()) {
      if (c == '\\') {
        ++i;
        continue;
      }
      if (c == '[') bracket = text.find(']', i) != std::string_view::npos;
      else if (c == ']') bracket = false;
      else if (c == '(' && extglob_) ++groups;
      else if (c == ')' && groups > 0) --groups;
      if (bracket || groups > 0) continue;
    }
    if (c != ':') continue;
    if (i > from) ignores_.emplace_back(text.substr(from, i - from));
    from = i + 1;
  }
}

bool Glob::ignored(std::string_view path) {
  size_t slash = path.rfind('/');
  std::string_view last = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (last == "." || last == "..") return true;
  regex::PatternOptions options;
  options.extglob = true;
  options.pathname = true;
  options.ignore_case = p_.has(Shopt::nocaseglob);
  for (const std::string& pattern : ignores_)
    if (p_.session.patterns.pattern(pattern, options, p_.meter()).matches(path, p_.meter()))
      return true;
  return false;
}

std::vector<vfs::DirEntry> Glob::entries(std::string_view prefix) const {
  auto list = p_.state.view.list(prefix.empty() ? std::string_view(".") : prefix);
  if (!list) return {};
  p_.meter().charge_work(1 + static_cast<int64_t>(list->size()));
  return std::move(*list);
}

bool Glob::is_directory(std::string_view path, const vfs::DirEntry& entry) const {
  if (entry.type == vfs::FileType::directory) return true;
  if (entry.type != vfs::FileType::symlink) return false;
  auto stat = p_.state.view.stat(path);
  return stat && stat->type == vfs::FileType::directory;
}

void Glob::add(ValueList& to, std::string_view prefix, std::string_view name,
               std::string_view slashes) {
  if (static_cast<int64_t>(to.size()) >= p_.meter().limits().max_glob_matches)
    p_.meter().exceeded(LimitName::max_glob_matches);
  TextBuffer& text = to.buffer();
  text.append(prefix);
  text.append(name);
  if (!slashes.empty()) text.push('/');
  to.close();
}

void Glob::match_component(const Component& c, const ValueList& from, ValueList& to) {
  regex::PatternOptions options;
  options.extglob = extglob_;
  options.ignore_case = p_.has(Shopt::nocaseglob);
  options.period = hides_dots();
  options.pathname = true;
  const regex::Pattern pattern(c.text, options, p_.meter());
  const bool dot_first = c.text[0] == '.' || c.text.starts_with("\\.");
  const bool dot_entries =
      dot_first && !p_.has(Shopt::globskipdots) && ignores_.empty();
  std::string path;
  for (size_t i = 0; i < from.size(); ++i) {
    std::string_view prefix = from[i];
    auto consider = [&](const vfs::DirEntry& entry) {
      if (!pattern.matches(entry.name, p_.meter())) return;
      if (!c.slashes.empty()) {
        path.assign(prefix);
        path += entry.name;
        if (!is_directory(path, entry)) return;
      }
      add(to, prefix, entry.name, c.slashes);
    };
    std::vector<vfs::DirEntry> list = entries(prefix);
    if (dot_entries && p_.state.view.list(prefix.empty() ? "." : prefix)) {
      consider({".", 0, vfs::FileType::directory});
      consider({"..", 0, vfs::FileType::directory});
    }
    for (const vfs::DirEntry& entry : list) consider(entry);
  }
}

// ** : the prefix itself and every directory below it, links not followed; as
// the last component every file too.
void Glob::match_deep(const Component& c, bool last, bool literal_prefix, const ValueList& from,
                      ValueList& to) {
  const bool files = last && c.slashes.empty();
  const bool hide = hides_dots();
  const int64_t most_depth = p_.meter().limits().max_path_depth;
  struct Level {
    std::string path;
    int64_t depth;
  };
  std::vector<Level> stack;
  std::string path;
  for (size_t i = 0; i < from.size(); ++i) {
    std::string_view prefix = from[i];
    auto stat = p_.state.view.stat(prefix.empty() ? std::string_view(".") : prefix);
    if (!stat || stat->type != vfs::FileType::directory) continue;
    if (!last) {
      add(to, prefix, "", {});
    } else if (!prefix.empty()) {
      std::string_view self = prefix;
      if (files && !literal_prefix && self.size() > 1) self.remove_suffix(1);
      add(to, self, "", {});
    }
    stack.push_back({std::string(prefix), 1});
    while (!stack.empty()) {
      Level level = std::move(stack.back());
      stack.pop_back();
      if (level.depth > most_depth) p_.meter().exceeded(LimitName::max_path_depth);
      for (const vfs::DirEntry& entry : entries(level.path)) {
        if (hide && entry.name.starts_with('.')) continue;
        const bool directory = entry.type == vfs::FileType::directory;
        if (files) {
          add(to, level.path, entry.name, {});
        } else if (directory) {
          add(to, level.path, entry.name, "/");
        } else if (last) {
          path = level.path + entry.name;
          if (is_directory(path, entry)) add(to, level.path, entry.name, "/");
        }
        if (directory) stack.push_back({level.path + entry.name + "/", level.depth + 1});
      }
    }
  }
}

void Glob::append_literal(const Component& c, bool last, bool literal_prefix,
                          const ValueList& from, ValueList& to) {
  std::string name = regex::unescape(c.text);
  std::string_view slashes = c.slashes;
  for (size_t i = 0; i < from.size(); ++i) {
    TextBuffer& text = to.buffer();
    size_t start = text.size();
    text.append(from[i]);
    text.append(name);
    if (literal_prefix) text.append(slashes);
    else if (!slashes.empty()) text.push('/');
    std::string_view whole = text.view().substr(start);
    bool keep = true;
    if (last) {
      p_.meter().charge_work();
      if (slashes.empty()) {
        keep = p_.state.view.lstat(whole).has_value();
      } else {
        auto stat = p_.state.view.stat(whole);
        keep = stat && stat->type == vfs::FileType::directory;
      }
    }
    if (keep) to.close();
    else text.resize_down(start);
  }
}

bool Glob::deliver(const ValueList& found) {
  std::vector<std::string_view> paths;
  paths.reserve(found.size());
  limits::MemoryCharge charge(p_.meter(), static_cast<int64_t>(found.size() * sizeof(paths[0])));
  for (size_t i = 0; i < found.size(); ++i)
    if (ignores_.empty() || !ignored(found[i])) paths.push_back(found[i]);
  std::sort(paths.begin(), paths.end());
  for (std::string_view path : paths) out_.add(path);
  return !paths.empty();
}

bool Glob::run() {
  cut();
  if (components_.empty()) return false;
  set_up_ignores();
  ValueList lists[2] = {ValueList(p_.meter()), ValueList(p_.meter())};
  int now = 0;
  lists[0].add(root_);
  bool literal_prefix = true;
  for (size_t i = 0; i < components_.size() && !lists[now].empty(); ++i) {
    const Component& c = components_[i];
    const bool last = i + 1 == components_.size();
    ValueList& to = lists[1 - now];
    to.clear();
    if (c.deep) match_deep(c, last, literal_prefix, lists[now], to);
    else if (c.active) match_component(c, lists[now], to);
    else append_literal(c, last, literal_prefix, lists[now], to);
    if (c.active) literal_prefix = false;
    now = 1 - now;
  }
  return deliver(lists[now]);
}

}  // namespace

bool glob_paths(Process& p, std::string_view pattern, FieldList& out) {
  return Glob(p, pattern, out).run();
}

}  // namespace nacre::interp
