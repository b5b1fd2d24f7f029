#include "builtins/support/canonical.h"

#include "vfs/filesystem.h"

namespace nacre::builtins {

namespace {

// Whether what follows a name (from its slash on) makes sense only behind a
// directory: "/", "/." at the end, "/.." anywhere in front.
bool needs_directory(std::string_view rest) {
  while (rest.starts_with('/')) {
    while (rest.starts_with('/')) rest.remove_prefix(1);
    if (rest.empty()) return true;
    if (rest[0] != '.') return false;
    rest.remove_prefix(1);
    if (rest.empty()) return true;
    if (rest[0] == '.' && (rest.size() == 1 || rest[1] == '/')) return true;
  }
  return false;
}

void drop_component(std::string& path) {
  size_t slash = path.rfind('/');
  path.resize(slash == 0 ? 1 : slash);
}

}  // namespace

vfs::Result<std::string> canonical_path(interp::CommandContext& ctx, std::string_view path,
                                        MayMiss may_miss, bool keep_links) {
  if (path.empty()) return std::unexpected(std::errc::no_such_file_or_directory);
  std::string result = "/";
  if (path[0] != '/') {
    auto here = ctx.fs.real_path(".");
    if (!here) return here;
    result = *std::move(here);
  }
  // What is still to be walked; replaced when a link is followed.
  std::string pending(path);
  size_t at = 0;
  int64_t hops = 0;
  while (true) {
    at = pending.find_first_not_of('/', at);
    if (at == pending.npos) return result;
    size_t end = pending.find('/', at);
    if (end == pending.npos) end = pending.size();
    std::string_view name = std::string_view(pending).substr(at, end - at);
    std::string_view rest = std::string_view(pending).substr(end);
    ctx.meter.charge_work();
    at = end;
    if (name == ".") continue;
    if (name == "..") {
      drop_component(result);
      continue;
    }
    if (result.back() != '/') result += '/';
    result += name;
    vfs::Result<std::string> target = std::unexpected(std::errc::invalid_argument);
    if (!keep_links) target = ctx.fs.readlink(result);
    if (target) {
      if (++hops > ctx.fs.root().path_limits().max_hops) {
        if (may_miss == MayMiss::all) continue;
        return std::unexpected(std::errc::too_many_symbolic_link_levels);
      }
      drop_component(result);
      if (target->starts_with('/')) result = "/";
      pending = target->append(rest);
      at = 0;
      continue;
    }
    if (may_miss == MayMiss::all) continue;
    std::errc error = target.error();
    bool fine = error == std::errc::invalid_argument;
    if (needs_directory(rest) || keep_links) {
      std::string probe = result;
      if (needs_directory(rest)) probe += '/';
      auto there = ctx.fs.stat(probe);
      fine = there.has_value();
      if (!fine) error = there.error();
    }
    if (fine) continue;
    if (may_miss == MayMiss::last && error == std::errc::no_such_file_or_directory &&
        rest.find_first_not_of('/') == rest.npos)
      continue;
    return std::unexpected(error);
  }
}

std::string relative_path(std::string_view path, std::string_view directory) {
  size_t common = 0;  // both agree up to here, which is the end of a component
  size_t i = 0;
  for (;; ++i) {
    bool end_a = i == path.size(), end_b = i == directory.size();
    if ((end_a || path[i] == '/') && (end_b || directory[i] == '/')) common = i;
    if (end_a || end_b || path[i] != directory[i]) break;
  }
  auto after = [&](std::string_view s) {
    s = s.substr(std::min(common, s.size()));
    if (s.starts_with('/')) s.remove_prefix(1);
    return s;
  };
  std::string_view down = after(path), up = after(directory);
  if (up.empty()) return std::string(down.empty() ? "." : down);
  std::string result = "..";
  for (char c : up)
    if (c == '/') result += "/..";
  if (!down.empty()) result.append("/").append(down);
  return result;
}

}  // namespace nacre::builtins
