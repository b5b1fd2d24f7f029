#include "tests/security/generated.h"

#include <random>
#include <thread>
#include <vector>

#include "nacre/nacre.h"
#include "tests/security/threats.h"

namespace nacre::tests {
namespace {

constexpr std::string_view kTokens[] = {
    "if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until", "case", "esac",
    "select", "function", "time", "coproc", "{", "}", "(", ")", "((", "))", "[[", "]]", "!", ";",
    ";;", ";&", ";;&", "&", "&&", "||", "|", "|&", "\n", "<", ">", ">>", "<<E\n", "<<-E\n", "E\n",
    "<<<", "<&", ">&", "&>", "<>", ">|", "2>&1", "3<&0", "{fd}>f", "<(", ">(", "$(", "`", "$((",
    "${", "$[", "$'", "'", "\"", "\\", "$", "#", "*", "?", "[a-z]", "+(", "@(a|b)", "!(x)", "*(",
    "~", "=", "+=", "==", "=~", "-eq", "-lt", "-f", "-z", "a", "b", "x=1", "y=", "a=(1 2)", "a[1]=2",
    "declare -A m", "m[k]=v", "${a[@]}", "${#x}", "${x:1:2}", "${x/a/b}", "${x//*/&}", "${x^^}",
    "${!x}", "${x@Q}", "${x:-y}", "${x%%*}", "$x", "$@", "$*", "$#", "$?", "$$", "$!", "$RANDOM",
    "{1..9}", "{a,b{c,d}}", "{1..999999999}", "1", "0x7f", "9223372036854775807", "-1", "x++", "++x",
    "x**2", "1/0", "x?1:2", ",", "echo", "printf", "read", "eval", "set", "unset", "local",
    "declare", "export", "readonly", "trap", "exit", "return", "break", "continue", "shift", "exec",
    "cd", "test", "[", "]", "true", "false", ":", "source", "/dev/stdin", "wait", "kill", "jobs",
    "alias q='q q'", "q", "shopt -s", "extglob", "getopts", "mapfile", "cat", "head", "tail", "sort",
    "tr", "seq", "wc", "yes", "tee", "sleep", "mkdir", "rm", "-n", "-r", "-e", "-p", "-u", "-x", "-v",
    "-E", "-c", "--", "%s\\n", "%d", "%q", "EXIT", "ERR", "DEBUG", "RETURN", "INT", "-9", "f()",
    "f", "\xff", "\xc3\xa9", "history", "bash", "env", "command", "builtin", "type", "let", "PS4=",
    "IFS=", "set -o", "posix", "-u", "nameref", "declare -n", "declare -i", "r=r", "s=(\"${s[@]}\" 1)",
};

template <class Generator>
size_t below(Generator& random, size_t n) {
  return static_cast<size_t>(random() % n);
}

ShellOptions strict_options() {
  ShellOptions options;
  options.limits = Limits::strict();
  options.limits.timeout = 2'000;
  options.clock = ClockKind::virtual_;
  options.seed = 1;
  return options;
}

}  // namespace

std::string token_soup(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string script;
  for (size_t n = 1 + below(random, 60); n > 0; --n) {
    script += kTokens[below(random, std::size(kTokens))];
    if (below(random, 4) != 0) script += ' ';
    if (below(random, 12) == 0) script += '\n';
  }
  return script;
}

std::string byte_soup(uint64_t seed) {
  // Bytes that mean something to a shell come more often than chance has them.
  constexpr std::string_view kBytes = "$${}()[]<>|&;\"'`\\!#*?~=+-@%^/:., \t\n\nabx019";
  std::mt19937_64 random(seed);
  std::string script;
  for (size_t n = 1 + below(random, 200); n > 0; --n)
    script += below(random, 8) == 0 ? static_cast<char>(below(random, 256))
                                    : kBytes[below(random, kBytes.size())];
  return script;
}

std::string survive(const std::string& script) {
  Shell shell(strict_options());
  ExecOptions exec;
  exec.stdin_text = "one two\nthree\n";
  Result r = shell.exec(script, exec);
  Expectation any;
  return broken_promises(any, r);
}

std::string shells_on_threads() {
  constexpr int kThreads = 4, kShells = 8, kRounds = 20;
  std::vector<std::string> reports(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t, &reports] {
      std::vector<Shell> shells;
      for (int s = 0; s < kShells / kThreads; ++s) shells.emplace_back(ShellOptions{});
      for (int round = 1; round <= kRounds; ++round) {
        for (size_t s = 0; s < shells.size(); ++s) {
          std::string id = std::to_string(t) + "." + std::to_string(s);
          Result r = shells[s].exec(
              "n=$((n+1)); echo " + id + " >> log; f() { echo $(cat log | wc -l) " + id +
              "; }; [[ $n =~ ^[0-9]+$ ]] && f; x=$(echo $n & wait); trap : EXIT");
          std::string want = std::to_string(round) + " " + id + "\n";
          if (r.out != want || r.status != 0)
            reports[t] += "  shell " + id + ": " + printable(r.out) + " " + printable(r.err) + "\n";
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  std::string all;
  for (const std::string& r : reports) all += r;
  return all;
}

std::string shell_across_threads() {
  Shell shell{ShellOptions{}};
  std::string report;
  for (int round = 1; round <= 8; ++round) {
    std::thread([&shell, &report, round] {
      Result r = shell.exec("n=$((n+1)); echo $n | cat; coproc cat <<< x; { sleep 0.01 & }");
      if (r.out != std::to_string(round) + "\n") report += "  " + printable(r.out + r.err) + "\n";
    }).join();
    Shell moved = std::move(shell);
    shell = std::move(moved);
  }
  return report;
}

}  // namespace nacre::tests
