// A FileSystem that fails on demand: one chosen call gives one chosen errno,
// all others go through to the tree behind it. For tests that what stands above
// says so clearly and leaves nothing half done.
//
//     auto faults = std::make_shared<FaultPlan>();
//     View view(base::make_ref<FaultFs>(tree, faults), ...);
//     for_each_fault(*faults, kAllErrors, [&](std::errc error) { ...run it... });
#pragma once

#include <cerrno>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "vfs/filesystem.h"

namespace nacre::test {

// Counts the calls, and says which of them fails.
struct FaultPlan {
  // As `only`, calls whose name is another do not count.
  std::string only;
  size_t fail_at = SIZE_MAX;  // the number of the call, from 0
  std::errc error{};
  size_t calls = 0;
  std::string failed;  // the name of the call that failed; empty when none did

  bool strikes(std::string_view call) {
    if (!only.empty() && only != call) return false;
    if (calls++ != fail_at) return false;
    failed = call;
    return true;
  }
};

inline constexpr std::errc kAllErrors[] = {
    static_cast<std::errc>(EIO),    static_cast<std::errc>(EACCES), static_cast<std::errc>(ENOSPC),
    static_cast<std::errc>(EFBIG),  static_cast<std::errc>(ENOENT), static_cast<std::errc>(EROFS),
    static_cast<std::errc>(EPERM),  static_cast<std::errc>(EMFILE), static_cast<std::errc>(ESTALE),
    static_cast<std::errc>(EISDIR), static_cast<std::errc>(ENOTDIR)};

// Runs `run(error)` once for each error and each call that `run` makes, with
// that call failing, and at the end without a failure. `run` starts from the
// same tree each time: it makes it.
template <class Errors, class Run>
void for_each_fault(FaultPlan& plan, const Errors& errors, Run&& run) {
  for (std::errc error : errors) {
    for (size_t at = 0;; ++at) {
      plan = {plan.only, at, error, 0, {}};
      run(error);
      if (plan.failed.empty()) break;
    }
  }
}

class FaultFile final : public vfs::File {
 public:
  FaultFile(base::Ref<vfs::File> file, std::shared_ptr<FaultPlan> plan)
      : file_(std::move(file)), plan_(std::move(plan)) {}

  vfs::Result<size_t> read_at(uint64_t offset, char* buf, size_t size) override {
    if (plan_->strikes("read")) return std::unexpected(plan_->error);
    return file_->read_at(offset, buf, size);
  }
  vfs::Result<size_t> write_at(uint64_t offset, std::string_view data) override {
    if (plan_->strikes("write")) return std::unexpected(plan_->error);
    return file_->write_at(offset, data);
  }
  vfs::Result<uint64_t> append(std::string_view data) override {
    if (plan_->strikes("write")) return std::unexpected(plan_->error);
    return file_->append(data);
  }
  vfs::Status truncate(uint64_t size) override {
    if (plan_->strikes("truncate")) return std::unexpected(plan_->error);
    return file_->truncate(size);
  }
  uint64_t size() const override { return file_->size(); }
  vfs::Result<vfs::Stat> stat() const override {
    if (plan_->strikes("stat")) return std::unexpected(plan_->error);
    return file_->stat();
  }
  vfs::Status set_times(std::optional<vfs::Timestamp> atime,
                        std::optional<vfs::Timestamp> mtime) override {
    if (plan_->strikes("set_attributes")) return std::unexpected(plan_->error);
    return file_->set_times(atime, mtime);
  }
  vfs::Status chmod(uint32_t mode) override {
    if (plan_->strikes("set_attributes")) return std::unexpected(plan_->error);
    return file_->chmod(mode);
  }
  // No views: whoever reads must read, where a call can fail.
  vfs::Device device() const override { return file_->device(); }
  uint32_t device_number() const override { return file_->device_number(); }

 private:
  base::Ref<vfs::File> file_;
  std::shared_ptr<FaultPlan> plan_;
};

class FaultFs final : public vfs::FileSystem {
 public:
  FaultFs(base::Ref<vfs::FileSystem> fs, std::shared_ptr<FaultPlan> plan)
      : FileSystem(fs->path_limits()), fs_(std::move(fs)), plan_(std::move(plan)) {}

  vfs::Node root() override { return fs_->root(); }
  vfs::Result<vfs::Node> reload(const vfs::Node& node) override { return fs_->reload(node); }
  vfs::Result<vfs::Node> lookup(const vfs::Node& dir, std::string_view name) override {
    if (plan_->strikes("lookup")) return std::unexpected(plan_->error);
    return fs_->lookup(dir, name);
  }
  vfs::Result<vfs::Node> parent(const vfs::Node& dir) override {
    if (plan_->strikes("parent")) return std::unexpected(plan_->error);
    return fs_->parent(dir);
  }
  vfs::Result<std::string> name_of(const vfs::Node& dir) override {
    if (plan_->strikes("name_of")) return std::unexpected(plan_->error);
    return fs_->name_of(dir);
  }
  vfs::Result<vfs::Stat> stat(const vfs::Node& node) override {
    if (plan_->strikes("stat")) return std::unexpected(plan_->error);
    return fs_->stat(node);
  }
  vfs::Result<std::string> readlink(const vfs::Node& node) override {
    if (plan_->strikes("readlink")) return std::unexpected(plan_->error);
    return fs_->readlink(node);
  }
  vfs::Result<std::vector<vfs::DirEntry>> list(const vfs::Node& dir) override {
    if (plan_->strikes("list")) return std::unexpected(plan_->error);
    return fs_->list(dir);
  }
  vfs::Result<base::Ref<vfs::File>> open(const vfs::Node& node, vfs::OpenFlags flags,
                                         const vfs::Credentials& who) override {
    if (plan_->strikes("open")) return std::unexpected(plan_->error);
    auto file = fs_->open(node, flags, who);
    if (!file) return file;
    return base::make_ref<FaultFile>(*std::move(file), plan_);
  }
  vfs::Result<vfs::Node> create(const vfs::Node& dir, std::string_view name,
                                const vfs::NewNode& what) override {
    if (plan_->strikes("create")) return std::unexpected(plan_->error);
    return fs_->create(dir, name, what);
  }
  vfs::Status link(const vfs::Node& node, const vfs::Node& dir, std::string_view name) override {
    if (plan_->strikes("link")) return std::unexpected(plan_->error);
    return fs_->link(node, dir, name);
  }
  vfs::Status unlink(const vfs::Node& dir, std::string_view name) override {
    if (plan_->strikes("unlink")) return std::unexpected(plan_->error);
    return fs_->unlink(dir, name);
  }
  vfs::Status rmdir(const vfs::Node& dir, std::string_view name) override {
    if (plan_->strikes("rmdir")) return std::unexpected(plan_->error);
    return fs_->rmdir(dir, name);
  }
  vfs::Status rename(const vfs::Node& from_dir, std::string_view from, const vfs::Node& to_dir,
                     std::string_view to) override {
    if (plan_->strikes("rename")) return std::unexpected(plan_->error);
    return fs_->rename(from_dir, from, to_dir, to);
  }
  vfs::Status set_attributes(const vfs::Node& node, const vfs::Attributes& change) override {
    if (plan_->strikes("set_attributes")) return std::unexpected(plan_->error);
    return fs_->set_attributes(node, change);
  }
  vfs::Status truncate(const vfs::Node& node, uint64_t size, const vfs::Credentials& who) override {
    if (plan_->strikes("truncate")) return std::unexpected(plan_->error);
    return fs_->truncate(node, size, who);
  }
  vfs::Usage usage(const vfs::Node& node) override { return fs_->usage(node); }
  bool read_only(const vfs::Node& node) override { return fs_->read_only(node); }

 private:
  base::Ref<vfs::FileSystem> fs_;
  std::shared_ptr<FaultPlan> plan_;
};

}  // namespace nacre::test
