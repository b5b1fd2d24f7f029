#include "cli/mount.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace nacre::cli {

namespace fs = std::filesystem;

bool copy_into(Files& files, const std::string& host, const std::string& guest,
               std::string& skipped, std::string& error) {
  std::error_code ec;
  auto check = [&](std::errc e, const std::string& path) {
    if (e == std::errc{}) return true;
    error = path + ": " + std::make_error_code(e).message();
    return false;
  };
  if (!fs::is_directory(host, ec)) {
    error = host + ": not a directory";
    return false;
  }
  if (!check(files.make_directory(guest), guest)) return false;
  for (auto it = fs::recursive_directory_iterator(host, ec); it != fs::recursive_directory_iterator();
       it.increment(ec)) {
    if (ec) break;
    const fs::path& path = it->path();
    std::string target = guest + "/" + path.lexically_relative(host).string();
    fs::file_status st = it->symlink_status(ec);
    auto mode = static_cast<uint32_t>(st.permissions()) & 07777;
    if (fs::is_symlink(st)) {
      if (!check(files.make_symlink(fs::read_symlink(path, ec).string(), target), target)) return false;
    } else if (fs::is_directory(st)) {
      if (!check(files.make_directory(target, mode), target)) return false;
    } else if (fs::is_regular_file(st)) {
      std::ifstream in(path, std::ios::binary);
      std::string contents((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      if (!in && !in.eof()) return check(std::errc::permission_denied, path.string());
      if (!check(files.write(target, contents, mode), target)) return false;
    } else {
      skipped += path.string() + "\n";
    }
  }
  if (!ec) return true;
  error = host + ": " + ec.message();
  return false;
}

}  // namespace nacre::cli
