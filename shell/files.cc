#include "shell/files.h"

namespace nacre {
namespace {

char type_letter(vfs::FileType t) {
  switch (t) {
    case vfs::FileType::regular: return 'f';
    case vfs::FileType::directory: return 'd';
    case vfs::FileType::symlink: return 'l';
    case vfs::FileType::fifo: return 'p';
    default: return 'c';
  }
}

std::errc code(const vfs::Status& s) { return s ? std::errc{} : s.error(); }

}  // namespace

std::errc TreeFiles::make_parents(std::string_view path) {
  for (size_t slash = path.find('/', 1); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    std::string_view parent = path.substr(0, slash);
    if (view_.stat(parent)) continue;
    if (std::errc e = make_directory(parent, 0755); e != std::errc{}) return e;
  }
  return {};
}

std::errc TreeFiles::make_directory(std::string_view path, uint32_t mode) {
  if (view_.stat(path)) return {};
  if (std::errc e = make_parents(path); e != std::errc{}) return e;
  if (auto made = view_.mkdir(path, mode); !made) return made.error();
  if (auto owned = view_.chown(path, uid_, gid_); !owned) return owned.error();
  return code(view_.chmod(path, mode));
}

std::errc TreeFiles::write(std::string_view path, std::string_view contents, uint32_t mode) {
  if (std::errc e = make_parents(path); e != std::errc{}) return e;
  auto file = view_.open(path, {.write = true, .create = true, .truncate = true}, mode);
  if (!file) return file.error();
  if (auto written = (*file)->write_at(0, contents); !written) return written.error();
  if (auto owned = view_.chown(path, uid_, gid_); !owned) return owned.error();
  return code(view_.chmod(path, mode));
}

std::errc TreeFiles::make_symlink(std::string_view target, std::string_view path) {
  if (std::errc e = make_parents(path); e != std::errc{}) return e;
  if (auto made = view_.symlink(target, path); !made) return made.error();
  return code(view_.chown(path, uid_, gid_, vfs::Follow::no));
}

Files::Expected<std::string> TreeFiles::read(std::string_view path) const {
  auto file = view_.open(path, {.read = true});
  if (!file) return {{}, file.error()};
  if ((*file)->device() != vfs::Device::none) return {{}, std::errc::invalid_argument};
  std::string out((*file)->size(), '\0');
  auto n = (*file)->read_at(0, out.data(), out.size());
  if (!n) return {{}, n.error()};
  out.resize(*n);
  while (out.size() < (*file)->size()) {
    size_t at = out.size();
    out.resize((*file)->size());
    auto more = (*file)->read_at(at, out.data() + at, out.size() - at);
    if (!more || *more == 0) {
      out.resize(at);
      break;
    }
    out.resize(at + *more);
  }
  return {std::move(out), {}};
}

Files::Expected<std::vector<Files::Entry>> TreeFiles::list(std::string_view path) const {
  auto names = view_.list(path);
  if (!names) return {{}, names.error()};
  std::vector<Entry> out;
  for (const vfs::DirEntry& e : *names) {
    std::string full(path);
    if (full.empty() || full.back() != '/') full += '/';
    full += e.name;
    auto st = view_.lstat(full);
    if (!st) continue;
    Entry entry{e.name, type_letter(st->type), st->mode, st->size, {}};
    if (st->type == vfs::FileType::symlink) entry.target = view_.readlink(full).value_or("");
    out.push_back(std::move(entry));
  }
  return {std::move(out), {}};
}

}  // namespace nacre
