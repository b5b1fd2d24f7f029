// Paths as text, without a look at the tree.
#pragma once

#include <string>
#include <string_view>

namespace nacre::builtins {

// basename(1): "b" of "a/b//"; "/" of "///"; "" of "".
constexpr std::string_view last_component(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  if (path == "/") return path;
  size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

// dirname(1): "a" of "a/b//"; "." of "b"; "/" of "/b".
constexpr std::string_view directory_part(std::string_view path) {
  std::string_view p = path;
  while (p.size() > 1 && p.back() == '/') p.remove_suffix(1);
  size_t slash = p.rfind('/');
  if (slash == p.npos) return ".";
  p = p.substr(0, slash + 1);
  while (p.size() > 1 && p.back() == '/') p.remove_suffix(1);
  return p;
}

// "a/b" of "a" and "b", with one slash between them.
inline std::string join_path(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && path.back() != '/') path += '/';
  while (name.starts_with('/')) name.remove_prefix(1);
  return path += name;
}

constexpr std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

}  // namespace nacre::builtins
