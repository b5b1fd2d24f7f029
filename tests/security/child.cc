#include "tests/security/child.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace nacre::tests {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

[[noreturn]] void run_child(const std::function<std::string()>& body, int fd, int seconds) {
  alarm(static_cast<unsigned>(seconds));
  if (!kSanitized) {
    // The machine of whoever runs this is not to be the last limit.
    rlimit address_space{8ULL << 30, 8ULL << 30};
    setrlimit(RLIMIT_AS, &address_space);
  }
  std::string report = body();
  for (size_t at = 0; at < report.size();) {
    ssize_t n = write(fd, report.data() + at, report.size() - at);
    if (n <= 0) break;
    at += static_cast<size_t>(n);
  }
  close(fd);
  std::exit(0);  // LeakSanitizer looks at exit
}

}  // namespace

std::string run_in_child(const std::function<std::string()>& body, int seconds,
                         int64_t max_resident) {
  int fds[2];
  if (pipe(fds) != 0) return "  no pipe\n";
  std::fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    close(fds[0]);
    run_child(body, fds[1], seconds);
  }
  close(fds[1]);
  std::string report;
  char buffer[65536];
  for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;)
    report.append(buffer, static_cast<size_t>(n));
  close(fds[0]);
  int status = 0;
  rusage used{};
  wait4(pid, &status, 0, &used);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    report += "  HANG: not ended within " + std::to_string(seconds) + " s\n";
  else if (WIFSIGNALED(status))
    report += "  CRASH: " + std::string(strsignal(WTERMSIG(status))) + "\n";
  else if (WEXITSTATUS(status) != 0)
    report += "  CRASH: exit " + std::to_string(WEXITSTATUS(status)) + "\n";
  if (int64_t resident = static_cast<int64_t>(used.ru_maxrss) << 10;
      !kSanitized && max_resident != 0 && resident > max_resident)
    report += "  MEMORY: " + std::to_string(resident >> 20) + " MiB resident\n";
  return report;
}

}  // namespace nacre::tests
