// A tree, a clock and views of two users and of root, for tests of what lies
// above the filesystem.
#pragma once

#include <string>
#include <string_view>

#include "vfs/bare_tree.h"
#include "vfs/view.h"

namespace nacre::test {

inline constexpr int64_t kEpoch = 1'700'000'000LL * 1'000'000'000;
inline constexpr std::string_view kCommands[] = {"cat", "ls", "sed"};

struct TreeFixture {
  explicit TreeFixture(const Limits& with = Limits::standard()) : limits(with) {}

  void tick(int64_t seconds = 1) { clock.wait_until(clock.now() + seconds * 1'000'000'000); }
  int64_t now() { return clock.wall_now() / 1'000'000'000; }

  Limits limits;
  limits::VirtualClock clock{kEpoch};
  vfs::BareTree tree = vfs::make_bare_tree({limits, clock, kCommands, {}});
  vfs::View user{tree.root, {}, "/home/user"};
  vfs::View other{tree.root, {1001, 1001}, "/tmp"};
  vfs::View root{tree.root, {0, 0}, "/"};
};

inline vfs::Status write_file(const vfs::View& view, std::string_view path, std::string_view text,
                              uint32_t mode = 0666) {
  auto file = view.open(path, {.write = true, .create = true, .truncate = true}, mode);
  if (!file) return std::unexpected(file.error());
  auto done = (*file)->append(text);
  if (!done) return std::unexpected(done.error());
  return {};
}

inline std::string read_file(const vfs::View& view, std::string_view path) {
  auto file = view.open(path, {.read = true});
  if (!file) return "(" + std::to_string(static_cast<int>(file.error())) + ")";
  std::string text((*file)->size(), '\0');
  auto n = (*file)->read_at(0, text.data(), text.size());
  text.resize(n.value_or(0));
  return text;
}

inline std::string names(const vfs::View& view, std::string_view path) {
  auto list = view.list(path);
  if (!list) return "(" + std::to_string(static_cast<int>(list.error())) + ")";
  std::string text;
  for (const auto& entry : *list) text.append(text.empty() ? "" : " ").append(entry.name);
  return text;
}

}  // namespace nacre::test
