// The outside of the shell as a utility sees it, over the process that runs it.
#pragma once

#include "interp/command.h"
#include "interp/process.h"

namespace nacre::interp {

class UtilityHost final : public CommandHost {
 public:
  UtilityHost(Process& p, std::string_view command) : p_(p), command_(command) {}
  int run(Args argv, const RunOptions& options) override;
  int start(Args argv, const RunOptions& options) override;
  std::optional<int> poll(int pid) override;
  int wait(int pid, int64_t deadline) override;
  bool signal(int pid, int signo) override;
  std::expected<OpenFileRef, std::errc> open(std::string_view path, vfs::OpenFlags flags,
                                             uint32_t mode) override;
  OpenFileRef fd(int number) override { return p_.state.fds->ref(number); }
  PipeEnds pipe() override;
  std::optional<std::string_view> getenv(std::string_view name) const override;
  std::vector<std::string> environment() const override;
  bool exists(std::string_view command) const override;
  void unsupported(std::string_view command, std::string_view what) override;
  bool sleep_until(int64_t deadline) override;
  uint64_t random() override { return p_.session.random(); }
  int pid() const override { return p_.pid; }
  Process& process() { return p_; }

 private:
  Process& p_;
  std::string_view command_;
};

}  // namespace nacre::interp
