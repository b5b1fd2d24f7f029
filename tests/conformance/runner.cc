// Runs the conformance cases in nacre and compares with what bash answered.
//
//     nacre_conform DIR [-q] [-l] [AREA | AREA/NAME | AREA/NAME:CASE]...
//
// Each case runs in a child process, so that a crash is one failed case. -q
// leaves out the differences, -l lists the names of failed cases only. The last
// line is `N passed, N failed`.
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "nacre/nacre.h"
#include "tests/support/sha256.h"

namespace {

using nacre::Files;

struct Answer {
  std::string status, out, err, tree;
  bool operator==(const Answer&) const = default;
};

struct Case {
  std::string name, title, script;
  bool no_stderr = false;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> list_dir(const std::string& path) {
  std::vector<std::string> names;
  if (DIR* d = opendir(path.c_str())) {
    while (dirent* e = readdir(d))
      if (e->d_name[0] != '.') names.emplace_back(e->d_name);
    closedir(d);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// "=== name [flags]: title" opens a case.
std::vector<Case> parse_cases(const std::string& text) {
  std::vector<Case> cases;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end + 1;
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end;
    if (line.starts_with("=== ")) {
      Case c;
      line.remove_prefix(4);
      size_t stop = line.find_first_of(" :");
      c.name = line.substr(0, stop);
      size_t colon = line.find(": ");
      std::string_view flags = line.substr(stop, colon - stop);
      c.no_stderr = flags.find("nostderr") != std::string_view::npos;
      cases.push_back(std::move(c));
    } else if (!cases.empty()) {
      cases.back().script += line;
    }
  }
  return cases;
}

std::map<std::string, Answer> parse_expected(const std::string& text) {
  std::map<std::string, Answer> out;
  size_t at = 0;
  auto line = [&] {
    size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string s = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    return s;
  };
  Answer* current = nullptr;
  while (at < text.size()) {
    std::string l = line();
    if (l.starts_with("=== ")) {
      current = &out[l.substr(4)];
    } else if (l.starts_with("status ")) {
      current->status = l.substr(7);
    } else if (size_t blank = l.find(' '); blank != std::string::npos && current) {
      size_t n = std::stoul(l.substr(blank + 1));
      std::string body = text.substr(at, n);
      at = std::min(at + n + 1, text.size());
      std::string key = l.substr(0, blank);
      (key == "stdout" ? current->out : key == "stderr" ? current->err : current->tree) = body;
    }
  }
  return out;
}

// "- AREA/NAME:CASE: text" lines: DIFFERENCES.md has those that are meant,
// OPEN.md those that are still to be mended.
std::vector<std::string> parse_list(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("- ")) continue;
    size_t stop = line.find(": ");
    if (stop != std::string::npos) out.push_back(line.substr(2, stop - 2));
  }
  return out;
}

std::string escaped(std::string_view s) {
  std::string out;
  char buffer[8];
  for (unsigned char c : s) {
    if (c >= 0x20 && c < 0x7f) {
      out += static_cast<char>(c);
    } else {
      std::snprintf(buffer, sizeof buffer, "\\x%02x", c);
      out += buffer;
    }
  }
  return out;
}

void describe_tree(Files& files, const std::string& dir, const std::string& prefix,
                   std::vector<std::pair<std::string, std::string>>& out) {
  for (const Files::Entry& e : files.list(dir).first) {
    std::string path = prefix + e.name;
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", e.mode);
    std::string size = "-", digest = "-", shown = escaped(path);
    if (e.type == 'f') {
      std::string contents = files.read(dir + "/" + e.name).first;
      size = std::to_string(contents.size());
      digest = nacre::tests::sha256_hex(contents).substr(0, 16);
    }
    if (e.type == 'l') shown += " -> " + escaped(e.target);
    out.emplace_back(path, std::string(1, e.type) + " " + mode + " " + size + " " + digest + " " + shown + "\n");
    if (e.type == 'd') describe_tree(files, dir + "/" + e.name, path + "/", out);
  }
}

Answer run(const Case& c) {
  nacre::ShellOptions options;
  options.default_environment = false;
  options.limits.timeout = 10'000;
  nacre::Shell shell(options);
  nacre::ExecOptions exec;
  for (const char* name : {"HOME", "TMPDIR", "PWD"}) exec.env.emplace_back(name, "/home/user");
  exec.env.emplace_back("LANG", "C.UTF-8");
  exec.env.emplace_back("PATH", "/usr/bin:/bin");
  exec.env.emplace_back("SHLVL", "1");
  nacre::Result r = shell.exec(c.script, exec);
  Answer a;
  a.status = std::to_string(r.status);
  a.out = std::move(r.out);
  a.err = c.no_stderr ? std::string() : std::move(r.err);
  std::vector<std::pair<std::string, std::string>> rows;
  describe_tree(shell.files(), "/home/user", "", rows);
  std::sort(rows.begin(), rows.end());
  for (auto& [path, row] : rows) a.tree += row;
  return a;
}

void put(std::string& out, const std::string& s) {
  uint64_t n = s.size();
  out.append(reinterpret_cast<const char*>(&n), sizeof n);
  out += s;
}

std::string take(std::string_view& in) {
  uint64_t n = 0;
  if (in.size() < sizeof n) return {};
  std::memcpy(&n, in.data(), sizeof n);
  std::string s(in.substr(sizeof n, n));
  in.remove_prefix(std::min<size_t>(in.size(), sizeof n + n));
  return s;
}

Answer run_in_child(const Case& c) {
  int fds[2];
  if (pipe(fds) != 0) return {};
  std::fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    close(fds[0]);
    alarm(60);
    Answer a = run(c);
    std::string packed;
    put(packed, a.status);
    put(packed, a.out);
    put(packed, a.err);
    put(packed, a.tree);
    for (size_t at = 0; at < packed.size();) {
      ssize_t n = write(fds[1], packed.data() + at, packed.size() - at);
      if (n <= 0) break;
      at += static_cast<size_t>(n);
    }
    close(fds[1]);
    // Leaks are looked for at exit by LeakSanitizer.
    std::exit(0);
  }
  close(fds[1]);
  std::string packed;
  char buffer[65536];
  for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;)
    packed.append(buffer, static_cast<size_t>(n));
  close(fds[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  std::string_view rest = packed;
  Answer a;
  a.status = take(rest);
  a.out = take(rest);
  a.err = take(rest);
  a.tree = take(rest);
  if (WIFSIGNALED(status)) a.status = "CRASH " + std::string(strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) != 0) a.status = "CRASH exit " + std::to_string(WEXITSTATUS(status));
  return a;
}

void print_block(const char* mark, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::printf("    %s %.*s\n", mark, static_cast<int>(end - at), text.data() + at);
    at = end + 1;
  }
  if (!text.empty() && text.back() != '\n') std::printf("    %s \\ no newline at the end\n", mark);
}

void print_difference(const Case& c, const Answer& want, const Answer& got) {
  std::printf("%s", c.script.c_str());
  auto part = [](const char* name, const std::string& w, const std::string& g) {
    if (w == g) return;
    std::printf("  %s (- bash, + nacre)\n", name);
    print_block("-", w);
    print_block("+", g);
  };
  part("status", want.status, got.status);
  part("stdout", want.out, got.out);
  part("stderr", want.err, got.err);
  part("tree", want.tree, got.tree);
}

}  // namespace

int main(int argc, char** argv) {
  bool quiet = false, names_only = false;
  std::string root;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "-q") quiet = true;
    else if (a == "-l") names_only = true;
    else if (root.empty()) root = a;
    else wanted.push_back(a);
  }
  struct Row {
    int passed = 0, cases = 0;
  };
  std::map<std::string, Row> table;
  int passed = 0, failed = 0, meant = 0, open = 0;
  const std::vector<std::string> differences = parse_list(read_file(root + "/DIFFERENCES.md"));
  const std::vector<std::string> unsolved = parse_list(read_file(root + "/OPEN.md"));
  auto listed = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const std::string& area : list_dir(root)) {
    for (const std::string& file : list_dir(root + "/" + area)) {
      if (!file.ends_with(".cases")) continue;
      std::string stem = area + "/" + file.substr(0, file.size() - 6);
      auto is_wanted = [&](const std::string& name) {
        return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& w) {
                 return w == area || w == stem || w == stem + ":" + name;
               });
      };
      auto expected = parse_expected(read_file(root + "/" + stem + ".expected"));
      for (const Case& c : parse_cases(read_file(root + "/" + stem + ".cases"))) {
        if (!is_wanted(c.name)) continue;
        const std::string full_name = stem + ":" + c.name;
        if (listed(differences, full_name)) {
          ++meant;
          continue;
        }
        Row& row = table[area];
        ++row.cases;
        auto want = expected.find(c.name);
        Answer got;
        bool ok = want != expected.end();
        if (ok) {
          got = run_in_child(c);
          ok = got == want->second;
        }
        if (listed(unsolved, full_name)) {
          // A crash is never acceptable, and what works must leave the list.
          ++open;
          if (!ok && !got.status.starts_with("CRASH")) continue;
          --open;
          if (ok) std::printf("--- %s works now: take it off OPEN.md\n", full_name.c_str());
          ok = false;
        }
        if (ok) {
          ++row.passed;
          ++passed;
          continue;
        }
        ++failed;
        if (!quiet) std::printf("%s%s:%s\n", names_only ? "" : "--- ", stem.c_str(), c.name.c_str());
        if (quiet || names_only) continue;
        if (want == expected.end()) std::printf("  no recorded answer: run scripts/record\n");
        else print_difference(c, want->second, got);
      }
    }
  }
  std::printf("%-14s %6s %7s\n", "area", "cases", "passed");
  for (const auto& [area, row] : table)
    std::printf("%-14s %6d %7d\n", area.c_str(), row.cases, row.passed);
  if (open) std::printf("%d cases are open: OPEN.md\n", open);
  if (meant) std::printf("%d cases differ by intent: DIFFERENCES.md\n", meant);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
