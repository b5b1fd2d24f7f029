// Runs commands without a shell: a CommandHost over a session's bare tree,
// strings in and strings out. For tests of single commands.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errno_text.h"
#include "builtins/registry.h"
#include "interp/command.h"
#include "interp/scheduler.h"
#include "limits/clock.h"
#include "limits/meter.h"
#include "vfs/bare_tree.h"

namespace nacre::testing {

class Harness final : public interp::CommandHost {
 public:
  struct Outcome {
    int status = 0;
    std::string out, err;
  };

  explicit Harness(const Limits& limits = Limits::standard(),
                   vfs::Credentials who = {}, int64_t wall = 1'700'000'000'000'000'000)
      : limits_(limits), clock(wall) {
    for (const interp::Command* c : builtins::command_table().all()) names_.push_back(c->name);
    meter.begin(limits_, clock, nullptr);
    tree = vfs::make_bare_tree({limits_, clock, names_, who});
    fs = vfs::View(tree.root, who, std::string(vfs::kHome));
    scheduler = std::make_unique<interp::Scheduler>(meter, clock);
    fifos = std::make_unique<interp::FifoTable>(*scheduler, meter);
  }

  // Runs one command with `input` as its stdin.
  Outcome run_command(std::vector<std::string_view> argv, std::string_view input = {}) {
    Outcome outcome;
    bool truncated = false;
    meter.begin(limits_, clock, nullptr);
    scheduler->run([&] {
      auto out = interp::open_sink(on_output ? on_output
                                             : [&](std::string_view s) { outcome.out += s; },
                                   meter, &truncated);
      auto err = interp::open_sink([&](std::string_view s) { outcome.err += s; }, meter,
                                   &truncated);
      (void)fds.set(0, stdin_file ? stdin_file : interp::open_text(std::string(input), meter),
                    meter);
      (void)fds.set(1, out, meter);
      (void)fds.set(2, err, meter);
      outcome.status = run(argv, {});
      for (int fd = 0; fd < 3; ++fd) fds.close(fd);
    });
    return outcome;
  }

  void write_file(std::string_view path, std::string_view text) {
    auto file = fs.open(path, {.write = true, .create = true, .truncate = true});
    if (file) (void)(*file)->write_at(0, text);
  }
  std::string read_file(std::string_view path) {
    std::string text;
    auto file = fs.open(path, {.read = true});
    if (!file) return "(no file)";
    text.resize((*file)->size());
    auto n = (*file)->read_at(0, text.data(), text.size());
    text.resize(n ? *n : 0);
    return text;
  }

  int run(interp::Args argv, const interp::RunOptions& options) override {
    std::string_view name = argv[0];
    if (auto slash = name.rfind('/'); slash != name.npos) name.remove_prefix(slash + 1);
    const interp::Command* command = builtins::command_table().find(name);
    if (!command || !command->main) return 127;
    auto pick = [&](const interp::OpenFileRef& file, int fd) { return file ? file : fds.ref(fd); };
    interp::Input in(pick(options.in, 0), meter);
    interp::Output out(pick(options.out, 1), meter, interp::Output::Buffering::full);
    interp::Output err(pick(options.err, 2), meter, interp::Output::Buffering::none);
    std::vector<std::string> saved = environment_;
    if (options.environment) environment_ = *options.environment;
    vfs::View saved_fs = fs;
    int status = 125;
    if (options.cwd.empty() || fs.chdir(options.cwd)) {
      interp::CommandContext ctx{argv, in, out, err, fs, meter, clock, *this};
      try {
        status = command->main(ctx);
        out.flush();
        if (out.has_error()) {
          ctx.error("write error", out.error());
          status = 1;
        }
      } catch (const interp::BrokenPipe&) {
        status = 141;
      }
    }
    environment_ = saved;
    fs = saved_fs;
    return status;
  }
  int start(interp::Args argv, const interp::RunOptions& options) override {
    last_status_ = run(argv, options);
    return ++last_pid_;
  }
  std::optional<int> poll(int) override { return last_status_; }
  int wait(int, int64_t) override { return last_status_; }
  bool signal(int pid, int) override { return pid == 1; }
  std::expected<interp::OpenFileRef, std::errc> open(std::string_view path, vfs::OpenFlags flags,
                                                     uint32_t mode) override {
    auto file = fs.open(path, flags, mode);
    if (!file) return std::unexpected(file.error());
    return interp::open_any(*file, flags, {fds, *fifos, meter, random_});
  }
  interp::OpenFileRef fd(int number) override { return fds.ref(number); }
  interp::PipeEnds pipe() override { return interp::make_pipe(*scheduler, meter); }
  std::optional<std::string_view> getenv(std::string_view name) const override {
    for (std::string_view e : environment_)
      if (e.starts_with(name) && e.size() > name.size() && e[name.size()] == '=')
        return e.substr(name.size() + 1);
    return std::nullopt;
  }
  std::vector<std::string> environment() const override { return environment_; }
  bool exists(std::string_view command) const override {
    if (auto slash = command.rfind('/'); slash != command.npos) command.remove_prefix(slash + 1);
    return builtins::command_table().find(command) != nullptr;
  }
  void unsupported(std::string_view command, std::string_view what) override {
    missing.push_back(std::string(command) + " " + std::string(what));
  }
  bool sleep_until(int64_t deadline) override {
    scheduler->sleep_until(deadline);
    return true;
  }
  uint64_t random() override { return random_(); }
  int pid() const override { return 100; }

 private:
  Limits limits_;

 public:
  limits::VirtualClock clock;
  limits::Meter meter;
  vfs::BareTree tree;
  vfs::View fs;
  std::unique_ptr<interp::Scheduler> scheduler;
  std::unique_ptr<interp::FifoTable> fifos;
  interp::FdTable fds;
  std::vector<std::string> environment_ = {"HOME=/home/user", "LANG=C.UTF-8",
                                           "PATH=/usr/bin:/bin"};
  interp::OpenFileRef stdin_file;                   // instead of the text
  std::function<void(std::string_view)> on_output;  // instead of Outcome::out
  std::vector<std::string> missing;  // what unsupported() was told

 private:
  std::vector<std::string_view> names_;
  uint64_t seed_ = 0x9e3779b97f4a7c15;
  std::function<uint64_t()> random_ = [this] {
    seed_ ^= seed_ << 13;
    seed_ ^= seed_ >> 7;
    seed_ ^= seed_ << 17;
    return seed_;
  };
  int last_status_ = 0;
  int last_pid_ = 1000;
};

}  // namespace nacre::testing
