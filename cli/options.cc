#include "cli/options.h"

#include <charconv>
#include <string_view>

namespace nacre::cli {
namespace {

struct LongOption {
  std::string_view name, argument, help;
};
constexpr LongOption kLong[] = {
    {"limits", "PROFILE", "limits to start from: strict, standard, permissive"},
    {"limit", "NAME=VALUE", "one limit (durations in milliseconds; `unlimited' is a value)"},
    {"cwd", "PATH", "working directory, in the session's tree"},
    {"env", "NAME=VALUE", "an exported variable; nothing of the host's environment is passed in"},
    {"mount", "HOST:GUEST", "copy a directory of the host into the tree before the script starts"},
    {"seed", "N", "seed of RANDOM and the like: the same run each time"},
    {"virtual-clock", "", "a clock that stands still but for sleeps"},
    {"json", "", "print the result as one JSON object"},
    {"version", "", "print the version and exit"},
    {"help", "", "print this and exit"},
};

bool split(std::string_view text, char at, std::string& left, std::string& right) {
  size_t pos = text.find(at);
  if (pos == std::string_view::npos || pos == 0) return false;
  left = text.substr(0, pos);
  right = text.substr(pos + 1);
  return true;
}

std::string quoted(std::string_view s) {
  std::string out = "'";
  for (char c : s) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out + "'";
}

class CommandLine {
 public:
  CommandLine(int argc, char** argv, Options& out, std::string& error)
      : argc_(argc), argv_(argv), out_(out), error_(error) {}

  bool parse() {
    int i = 1;
    for (; i < argc_; ++i) {
      std::string_view a = argv_[i];
      if (a == "--" || a == "-") {
        ++i;
        break;
      }
      if (a.starts_with("--")) {
        if (!long_option(a.substr(2), i)) return false;
      } else if (a.size() > 1 && (a[0] == '-' || a[0] == '+')) {
        if (!letters(a, i)) return false;
      } else {
        break;
      }
    }
    return operands(i);
  }

 private:
  bool fail(std::string text) {
    error_ = std::move(text);
    return false;
  }

  bool value(int& i, std::string_view name, std::string_view& out) {
    if (i + 1 >= argc_) return fail(std::string(name) + ": option requires an argument");
    out = argv_[++i];
    return true;
  }

  bool long_option(std::string_view text, int& i) {
    std::string_view name = text.substr(0, text.find('='));
    for (const LongOption& o : kLong) {
      if (o.name != name) continue;
      std::string_view v;
      bool attached = name.size() != text.size();
      if (o.argument.empty()) {
        if (attached) return fail("--" + std::string(name) + ": takes no argument");
      } else if (attached) {
        v = text.substr(name.size() + 1);
      } else if (!value(i, "--" + std::string(name), v)) {
        return false;
      }
      return apply(name, v);
    }
    return fail("--" + std::string(name) + ": invalid option");
  }

  bool apply(std::string_view name, std::string_view v) {
    std::string left, right;
    if (name == "help") out_.help = true;
    else if (name == "version") out_.version = true;
    else if (name == "json") out_.json = true;
    else if (name == "virtual-clock") out_.virtual_clock = true;
    else if (name == "cwd") out_.cwd = v;
    else if (name == "limits") {
      if (v == "strict") out_.limits = Limits::strict();
      else if (v == "standard" || v == "default") out_.limits = Limits::standard();
      else if (v == "permissive") out_.limits = Limits::permissive();
      else return fail("--limits: " + std::string(v) + ": no such profile");
    } else if (name == "limit") {
      auto limit = split(v, '=', left, right) ? Limits::find(left) : std::nullopt;
      int64_t n = 0;
      auto r = std::from_chars(right.data(), right.data() + right.size(), n);
      bool number = r.ec == std::errc{} && r.ptr == right.data() + right.size() && n >= 0;
      if (right == "unlimited") n = Limits::kUnlimited, number = true;
      if (!limit || !number) return fail("--limit: " + std::string(v) + ": not NAME=VALUE of a limit");
      out_.limits.set(*limit, n);
    } else if (name == "env") {
      if (!split(v, '=', left, right)) return fail("--env: " + std::string(v) + ": not NAME=VALUE");
      out_.env.emplace_back(left, right);
    } else if (name == "mount") {
      if (!split(v, ':', left, right) || !right.starts_with('/'))
        return fail("--mount: " + std::string(v) + ": not HOST:GUEST with an absolute GUEST");
      out_.mounts.push_back({left, right});
    } else if (name == "seed") {
      auto r = std::from_chars(v.data(), v.data() + v.size(), out_.seed);
      if (r.ec != std::errc{}) return fail("--seed: " + std::string(v) + ": not a number");
      out_.seeded = true;
    }
    return true;
  }

  // -c, -s, -n, -o NAME, -O NAME and the letters of `set`.
  bool letters(std::string_view a, int& i) {
    const char sign = a[0];
    for (char c : a.substr(1)) {
      std::string_view v;
      if (c == 'c' && sign == '-') out_.has_command = true;
      else if (c == 's' && sign == '-') out_.from_stdin = true;
      else if (c == 'n' && sign == '-') out_.check_only = true;
      else if (c == 'o') {
        if (!value(i, "-o", v)) return false;
        out_.settings += std::string("set ") + sign + "o " + quoted(v) + "\n";
      } else if (c == 'O') {
        if (!value(i, "-O", v)) return false;
        out_.settings += std::string("shopt ") + (sign == '-' ? "-s " : "-u ") + quoted(v) + "\n";
      } else if (std::string_view("abefhkmptuvxBCEHPT").find(c) != std::string_view::npos) {
        out_.settings += std::string("set ") + sign + c + "\n";
      } else {
        return fail(std::string(1, sign) + c + ": invalid option");
      }
    }
    return true;
  }

  bool operands(int i) {
    if (out_.has_command) {
      if (i >= argc_) return fail("-c: option requires an argument");
      out_.command = argv_[i++];
      if (i < argc_) out_.arg0 = argv_[i++];
    } else if (!out_.from_stdin && i < argc_) {
      out_.file = argv_[i++];
    } else {
      out_.from_stdin = true;
    }
    for (; i < argc_; ++i) out_.args.emplace_back(argv_[i]);
    return true;
  }

  int argc_;
  char** argv_;
  Options& out_;
  std::string& error_;
};

}  // namespace

bool parse(int argc, char** argv, Options& out, std::string& error) {
  return CommandLine(argc, argv, out, error).parse();
}

std::string help_text() {
  std::string out =
      "Usage: nacre [OPTION]... [FILE [ARG]...]\n"
      "       nacre [OPTION]... -c SCRIPT [NAME [ARG]...]\n"
      "Run a bash script inside this process, over a tree in memory.\n\n"
      "With no FILE and no -c, the script is read from standard input.\n\n"
      "  -c SCRIPT             run SCRIPT; NAME is its $0\n"
      "  -s                    read the script from standard input\n"
      "  -n                    parse only, as bash -n\n"
      "  -e -u -x -v -f -C ... options of `set'; +x turns one off\n"
      "  -o NAME, -O NAME      options of `set -o' and `shopt'\n";
  for (const LongOption& o : kLong) {
    std::string left = "  --" + std::string(o.name);
    if (!o.argument.empty()) left += " " + std::string(o.argument);
    left.resize(std::max<size_t>(left.size() + 1, 24), ' ');
    out += left + std::string(o.help) + "\n";
  }
  out += "\nExit status is the script's.\n";
  return out;
}

}  // namespace nacre::cli
