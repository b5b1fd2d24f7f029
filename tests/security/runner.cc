// Tries the threats of a folder against the public API.
//
//     nacre_security DIR [-v] [-t SECONDS] [-s SOUPS] [-x] [FILE | FILE:CASE | generated]...
//
// Each case runs in a child process. -v names each case and the time it took,
// -t is the time that a case may take (30), -s how many random scripts of each
// kind are tried (2000), -x prints the script of the case that is named and
// runs nothing. The last line is `N passed, N failed`.
#include <dirent.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/security/child.h"
#include "tests/security/generated.h"
#include "tests/security/threats.h"

namespace {

using namespace nacre::tests;
using Clock = std::chrono::steady_clock;

int64_t milliseconds_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

struct Settings {
  std::string root;
  bool verbose = false, print_only = false;
  int seconds = 30;
  int soups = 2'000;
  std::vector<std::string> wanted;

  bool wants(const std::string& file, const std::string& name) const {
    if (wanted.empty()) return true;
    return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& w) {
      return w == file || w == file + ":" + name || w == name;
    });
  }
};

struct Tally {
  int passed = 0, failed = 0;
};

// Cancels a run from another thread and remembers when.
class Canceller {
 public:
  Canceller(nacre::CancellationToken& token, int64_t after_ms) {
    thread_ = std::thread([this, &token, after_ms] {
      std::this_thread::sleep_for(std::chrono::milliseconds(after_ms));
      at_ = Clock::now();
      token.cancel();
    });
  }
  // The time from the cancellation to now.
  int64_t join() {
    Clock::time_point ended = Clock::now();
    thread_.join();
    return std::chrono::duration_cast<std::chrono::milliseconds>(ended - at_).count();
  }

 private:
  Clock::time_point at_;
  std::thread thread_;
};

std::string try_run(const Threat& t, const Run& run, nacre::Shell& shell) {
  nacre::ExecOptions exec;
  exec.stdin_text = t.stdin_text;
  exec.atomic = run.atomic;
  if (t.endless_stdin)
    exec.stdin_source = [](char* buffer, size_t size) {
      std::memset(buffer, 'x', size);
      return size;
    };
  nacre::CancellationToken token;
  std::optional<Canceller> canceller;
  if (t.cancel_after_ms) {
    exec.cancel = &token;
    canceller.emplace(token, *t.cancel_after_ms);
  }
  Clock::time_point start = Clock::now();
  nacre::Result result = shell.exec(run.script, exec);
  int64_t took = milliseconds_since(start);
  std::string broken = broken_promises(run.expect, result);
  // The promise is 50 ms; a busy machine may hold the thread back for longer.
  constexpr int64_t kCancelWithinMs = 500;
  if (canceller)
    if (int64_t late = canceller->join(); late > kCancelWithinMs)
      broken += "  cancelled " + std::to_string(late) + " ms late\n";
  if (run.expect.within_ms && took > *run.expect.within_ms)
    broken += "  took " + std::to_string(took) + " ms\n";
  return broken;
}

std::string try_threat(const Threat& t) {
  nacre::ShellOptions options;
  options.limits = t.limits;
  options.clock = t.clock;
  options.seed = 1;
  nacre::Shell shells[2] = {nacre::Shell(options), nacre::Shell(options)};
  for (const auto& [path, contents] : t.files)
    if (shells[0].files().write(path, contents) != std::errc{}) return "  cannot write " + path + "\n";
  std::string broken;
  for (size_t i = 0; i < t.runs.size(); ++i)
    if (std::string b = try_run(t, t.runs[i], shells[t.runs[i].shell]); !b.empty())
      broken += "  run " + std::to_string(i + 1) + ":\n" + b;
  return broken;
}

// Twice what the limits of the case allow, and room for the program itself.
int64_t resident_allowance(const Threat& t) {
  int64_t sum = 0;
  for (int64_t n : {t.limits.max_memory_bytes, t.limits.max_fs_bytes, t.limits.max_output_bytes})
    sum += std::min(n, int64_t{4} << 30);
  return 2 * sum + (int64_t{96} << 20);
}

void judge(const Settings& settings, Tally& tally, const std::string& name,
           const std::string& tries, const std::string& broken, int64_t took) {
  if (settings.verbose)
    std::printf("%s %s (%lld ms)\n", broken.empty() ? "held" : "BROKEN", name.c_str(),
                static_cast<long long>(took));
  if (broken.empty()) {
    ++tally.passed;
    return;
  }
  ++tally.failed;
  std::printf("DID NOT HOLD %s: %s\n%s", name.c_str(), tries.c_str(), broken.c_str());
}

void try_file(const Settings& settings, const std::string& file, Tally& tally) {
  std::ifstream in(settings.root + "/" + file + ".threats", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const Threat& t : parse_threats(text)) {
    if (!settings.wants(file, t.name)) continue;
    if (settings.print_only) {
      for (const Run& r : t.runs) std::fwrite(r.script.data(), 1, r.script.size(), stdout);
      continue;
    }
    Clock::time_point start = Clock::now();
    std::string broken = t.mistake;
    if (broken.empty())
      broken = run_in_child([&] { return try_threat(t); }, settings.seconds, resident_allowance(t));
    judge(settings, tally, file + ":" + t.name, t.tries, broken, milliseconds_since(start));
  }
}

// Scripts of a generator, a hundred to a child; where a child dies, each of its
// scripts alone in one, so that the report names the script.
void try_soups(const Settings& settings, const std::string& kind,
               std::string (*make)(uint64_t seed), Tally& tally) {
  constexpr int kBatch = 100;
  for (int first = 0; first < settings.soups; first += kBatch) {
    int last = std::min(first + kBatch, settings.soups);
    std::string report = run_in_child(
        [&] {
          std::string broken;
          for (int seed = first; seed < last; ++seed) broken += survive(make(seed));
          return broken;
        },
        settings.seconds * 4, 0);
    if (report.empty()) {
      tally.passed += last - first;
      continue;
    }
    for (int seed = first; seed < last; ++seed) {
      std::string script = make(seed);
      Clock::time_point start = Clock::now();
      std::string broken =
          run_in_child([&] { return survive(script); }, settings.seconds, int64_t{512} << 20);
      if (!broken.empty()) broken += "  script: " + printable(script) + "\n";
      judge(settings, tally, kind + " " + std::to_string(seed), "a random script", broken,
            milliseconds_since(start));
    }
  }
}

void try_generated(const Settings& settings, Tally& tally) {
  auto one = [&](const char* name, const char* tries, std::string (*body)()) {
    if (!settings.wants("generated", name)) return;
    Clock::time_point start = Clock::now();
    std::string broken = run_in_child(body, settings.seconds, 0);
    judge(settings, tally, std::string("generated:") + name, tries, broken,
          milliseconds_since(start));
  };
  one("threads", "eight Shells on four threads see each other", shells_on_threads);
  one("moved", "a Shell is moved and used on other threads", shell_across_threads);
  if (settings.wants("generated", "tokens")) try_soups(settings, "tokens", token_soup, tally);
  if (settings.wants("generated", "bytes")) try_soups(settings, "bytes", byte_soup, tally);
}

std::vector<std::string> threat_files(const std::string& root) {
  std::vector<std::string> names;
  if (DIR* d = opendir(root.c_str())) {
    while (dirent* e = readdir(d)) {
      std::string_view name = e->d_name;
      constexpr std::string_view kSuffix = ".threats";
      if (name.ends_with(kSuffix))
        names.emplace_back(name.substr(0, name.size() - kSuffix.size()));
    }
    closedir(d);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Settings read_arguments(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string_view a = argv[i];
    if (a == "-v") s.verbose = true;
    else if (a == "-x") s.print_only = true;
    else if (a == "-t" && i + 1 < argc) s.seconds = std::atoi(argv[++i]);
    else if (a == "-s" && i + 1 < argc) s.soups = std::atoi(argv[++i]);
    else if (s.root.empty()) s.root = a;
    else s.wanted.emplace_back(a);
  }
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings = read_arguments(argc, argv);
  std::vector<std::string> files = threat_files(settings.root);
  if (files.empty()) {
    std::fprintf(stderr, "usage: nacre_security DIR [-v] [-t SECONDS] [-s SOUPS] [-x] [FILE[:CASE]]...\n");
    return 2;
  }
  Tally total;
  for (const std::string& file : files) {
    Tally tally;
    try_file(settings, file, tally);
    if (tally.passed + tally.failed > 0)
      std::printf("%-16s %d tried, %d held\n", file.c_str(), tally.passed + tally.failed,
                  tally.passed);
    total.passed += tally.passed;
    total.failed += tally.failed;
  }
  if (!settings.print_only) {
    Tally tally;
    try_generated(settings, tally);
    if (tally.passed + tally.failed > 0)
      std::printf("%-16s %d tried, %d held\n", "generated", tally.passed + tally.failed,
                  tally.passed);
    total.passed += tally.passed;
    total.failed += tally.failed;
  }
  std::printf("%d passed, %d failed\n", total.passed, total.failed);
  return total.failed == 0 ? 0 : 1;
}
