// The rules of POSIX's cd, steps 7 to 10, as bash applies them: the new text is
// cwd/DIR with . and .. removed, each .. only behind something that is a
// directory; where that fails, DIR is tried as it stands.
#include "builtins/shell/directory.h"

#include "interp/assign.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::AssignFlags;
using interp::Process;
using interp::SetOption;
using interp::Variable;
using vfs::FileType;

namespace {

bool is_directory(const vfs::View& view, std::string_view path) {
  auto st = view.stat(path);
  return st && st->type == FileType::directory;
}

// Removes . and .. and doubled slashes. Two leading slashes stay two, as POSIX
// allows and bash does. With `view`, each .. must follow a directory and the
// result must exist; empty when not.
std::string canonical(const std::string& path, const vfs::View* view, std::errc& error) {
  size_t root = path.starts_with("//") && !path.starts_with("///") ? 2 : 1;
  std::string out(path, 0, root);
  size_t pos = root;
  while (pos <= path.size()) {
    size_t end = path.find('/', pos);
    if (end == std::string::npos) end = path.size();
    std::string_view part = std::string_view(path).substr(pos, end - pos);
    pos = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (view) {
        auto st = view->stat(out);
        if (!st || st->type != FileType::directory) {
          error = st ? std::errc::not_a_directory : st.error();
          return {};
        }
      }
      size_t slash = out.rfind('/');
      if (out.size() > root) out.resize(slash < root ? root : slash);
      continue;
    }
    if (out.size() > root) out += '/';
    out += part;
  }
  if (view) {
    if (auto st = view->stat(out); !st) {
      error = st.error();
      return {};
    }
  }
  return out;
}

}  // namespace

std::string absolute_path(const Process& p, std::string_view path) {
  if (path.starts_with('/')) return std::string(path);
  std::string out = p.state.view.cwd();
  if (!out.ends_with('/')) out += '/';
  out += path;
  return out;
}

bool change_directory(Process& p, std::string_view dir, Links links, std::errc& error) {
  vfs::View& view = p.state.view;
  // chdir("") fails, but cd "" is cd to where one is.
  std::string absolute = absolute_path(p, dir);
  if (links == Links::physical) {
    auto done = view.chdir(dir.empty() ? std::string_view(view.cwd()) : dir);
    if (!done) error = done.error();
    return done.has_value();
  }
  std::errc why = std::errc::no_such_file_or_directory;
  std::string text = canonical(absolute, &view, why);
  if (text.empty() && p.has(SetOption::posix)) {
    error = why == std::errc::no_such_file_or_directory ? why : std::errc::not_a_directory;
    return false;
  }
  auto done = text.empty() ? view.chdir(absolute) : view.chdir(text, text);
  if (done) return true;
  error = done.error();
  if (p.has(SetOption::posix)) return false;
  if (view.chdir(dir)) return true;
  // A directory that was removed keeps its .. (in a kernel, by its inode).
  if (!dir.starts_with('/') && !is_directory(view, view.cwd())) {
    std::errc ignored{};
    if (dir == "." || dir.empty()) {
      p.write_stderr("cd: error retrieving current directory: getcwd: cannot access parent "
                     "directories: No such file or directory\n");
      return true;
    }
    text = canonical(absolute, nullptr, ignored);
    if (dir.starts_with("..") && view.chdir(text, text)) return true;
  }
  return false;
}

int update_pwd(Process& p, Links links) {
  interp::WellKnown& names = p.session.names;
  std::string here = p.state.view.cwd();
  if (links == Links::physical)
    if (auto real = p.state.view.real_path(here)) here = *real;
  int status = 0;
  if (auto old = interp::variable_text(p, "PWD")) {
    if (!interp::assign_variable(p, names.oldpwd, *old)) status = 1;
  } else if (Variable* v = p.state.vars.find_writable(names.oldpwd)) {
    v->drop_value();
  }
  if (!interp::assign_variable(p, names.pwd, here)) status = 1;
  // A readonly PWD is this builtin's failure, not the line's.
  if (status) p.failure = {};
  return status;
}

std::string polite_directory(Process& p, std::string_view path) {
  std::string home = interp::variable_or(p, p.session.names.home, "");
  if (home.size() > 1 && path.starts_with(home) &&
      (path.size() == home.size() || path[home.size()] == '/')) {
    std::string out = "~";
    out += path.substr(home.size());
    return out;
  }
  return std::string(path);
}

}  // namespace nacre::builtins
