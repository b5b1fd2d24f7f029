// ulimit: limits of resources, as numbers that a process remembers. Lowering
// and raising follow setrlimit(2) for a user without privileges.
#include <optional>
#include <span>
#include <vector>

#include "base/errno_text.h"
#include "base/numbers.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"

namespace nacre::builtins {

extern const interp::Command command_ulimit;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;
using interp::ResourceLimits;
using interp::SetOption;

namespace {

constexpr uint64_t kUnlimited = ResourceLimits::kUnlimited;

enum class Unit : uint16_t { one = 1, pipe_block = 512, kilobyte = 1024, block = 0 };

struct Resource {
  char letter;
  std::string_view description;
  std::string_view unit;   // "" when the number has none
  Unit scale;
  uint64_t soft, hard;     // in bytes, or plain
};
// In the order in which -a lists them.
constexpr Resource kResources[ResourceLimits::kCount] = {
    {'R', "real-time non-blocking time", "microseconds", Unit::one, kUnlimited, kUnlimited},
    {'c', "core file size", "blocks", Unit::block, 0, kUnlimited},
    {'d', "data seg size", "kbytes", Unit::kilobyte, kUnlimited, kUnlimited},
    {'e', "scheduling priority", "", Unit::one, 0, 0},
    {'f', "file size", "blocks", Unit::block, kUnlimited, kUnlimited},
    {'i', "pending signals", "", Unit::one, 63432, 63432},
    {'l', "max locked memory", "kbytes", Unit::kilobyte, 8192 * 1024, 8192 * 1024},
    {'m', "max memory size", "kbytes", Unit::kilobyte, kUnlimited, kUnlimited},
    {'n', "open files", "", Unit::one, 1024, 1024},
    {'p', "pipe size", "512 bytes", Unit::pipe_block, 4096, 4096},
    {'q', "POSIX message queues", "bytes", Unit::one, 819200, 819200},
    {'r', "real-time priority", "", Unit::one, 0, 0},
    {'s', "stack size", "kbytes", Unit::kilobyte, 8192 * 1024, kUnlimited},
    {'t', "cpu time", "seconds", Unit::one, kUnlimited, kUnlimited},
    {'u', "max user processes", "", Unit::one, 63432, 63432},
    {'v', "virtual memory", "kbytes", Unit::kilobyte, kUnlimited, kUnlimited},
    {'x', "file locks", "", Unit::one, kUnlimited, kUnlimited},
};

size_t index_of(char letter) {
  size_t i = 0;
  while (kResources[i].letter != letter) ++i;
  return i;
}

// Blocks are of 1,024 bytes, or of 512 in posix mode.
uint64_t scale_of(const Process& p, const Resource& r) {
  if (r.scale != Unit::block) return static_cast<uint64_t>(r.scale);
  return p.has(SetOption::posix) ? 512 : 1024;
}

ResourceLimits& writable_limits(Process& p) {
  if (!p.state.resource_limits) {
    p.state.resource_limits = base::make_ref<ResourceLimits>();
    for (size_t i = 0; i < ResourceLimits::kCount; ++i)
      p.state.resource_limits->pairs[i] = {kResources[i].soft, kResources[i].hard};
    // The descriptors that a shell may have open are really counted.
    auto open_files = static_cast<uint64_t>(p.meter().limits().max_open_files);
    p.state.resource_limits->pairs[index_of('n')] = {open_files, open_files};
  }
  return base::writable(p.state.resource_limits);
}

struct Mode {
  bool soft = false, hard = false;
  bool given() const { return soft || hard; }
};

void print_limit(Process& p, CommandContext& ctx, size_t index, bool soft, bool described) {
  constexpr size_t kColumn = 20;
  const Resource& r = kResources[index];
  std::string line;
  if (described) {
    std::string unit = "(";
    if (!r.unit.empty()) {
      unit += r.unit;
      unit += ", ";
    }
    unit += '-';
    unit += r.letter;
    unit += ") ";
    line = r.description;
    if (line.size() < kColumn) line.append(kColumn - line.size(), ' ');
    line += ' ';
    if (unit.size() < kColumn) line.append(kColumn - unit.size(), ' ');
    line += unit;
  }
  const ResourceLimits::Pair& pair = writable_limits(p).pairs[index];
  uint64_t value = soft ? pair.soft : pair.hard;
  if (value == kUnlimited) line += "unlimited";
  else base::append_uint(line, value / scale_of(p, r));
  ctx.out << line << "\n";
}

int cannot_modify(Process& p, const Resource& r, std::errc why) {
  std::string text = "cannot modify limit: ";
  text += base::errno_text(why);
  say(p, "ulimit", r.description, text);
  return 1;
}

int set_limit(Process& p, size_t index, std::string_view text, Mode mode) {
  const Resource& r = kResources[index];
  ResourceLimits::Pair& pair = writable_limits(p).pairs[index];
  uint64_t value = 0;
  if (text == "hard") {
    value = pair.hard;
  } else if (text == "soft") {
    value = pair.soft;
  } else if (text == "unlimited") {
    value = kUnlimited;
  } else if (text.empty() || base::all_digits(text)) {
    // Wraps as bash's reading of it does.
    uint64_t number = 0;
    for (char c : text) number = number * 10 + static_cast<uint64_t>(c - '0');
    value = number * scale_of(p, r);
    if (value / scale_of(p, r) != number) {
      say(p, "ulimit", text, "limit out of range");
      return 1;
    }
  } else {
    say_invalid_number(p, "ulimit", text);
    return 1;
  }
  if (r.letter == 'p') return cannot_modify(p, r, std::errc::invalid_argument);
  uint64_t soft = mode.soft ? value : pair.soft;
  uint64_t hard = mode.hard ? value : pair.hard;
  if (soft > hard) return cannot_modify(p, r, std::errc::invalid_argument);
  if (hard > pair.hard) return cannot_modify(p, r, std::errc::operation_not_permitted);
  pair = {soft, hard};
  return 0;
}

struct Request {
  size_t index;
  bool has_value;
  std::string_view value;
};

int run_requests(Process& p, CommandContext& ctx, std::span<const Request> requests, Mode mode) {
  for (const Request& r : requests) {
    if (!r.has_value) {
      print_limit(p, ctx, r.index, mode.soft || !mode.hard, requests.size() > 1);
    } else if (int status = set_limit(p, r.index, r.value, mode.given() ? mode : Mode{true, true})) {
      return status;
    }
  }
  return 0;
}

int ulimit_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_ulimit, "SHaR;c;d;e;f;i;l;m;n;p;q;r;s;t;u;v;x;");
  Mode mode;
  bool all = false;
  std::vector<Request> requests;
  while (char c = options.next()) switch (c) {
      case 'S': mode.soft = true; break;
      case 'H': mode.hard = true; break;
      case 'a': all = true; break;
      default: requests.push_back({index_of(c), options.has_value(), options.value()}); break;
    }
  if (options.failed()) return options.status();
  if (all) {
    for (size_t i = 0; i < ResourceLimits::kCount; ++i)
      print_limit(p, ctx, i, mode.soft || !mode.hard, true);
    return 0;
  }
  Args rest = options.rest();
  if (requests.empty())
    requests.push_back({index_of('f'), !rest.empty(), rest.empty() ? std::string_view() : rest[0]});
  return run_requests(p, ctx, requests, mode);
}

}  // namespace

const Command command_ulimit = {
    "ulimit", "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]",
    "ulimit: ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]\n"
    "    Show or set limits of resources.\n"
    "    \n"
    "    Options:\n"
    "      -S\tthe soft limit\n"
    "      -H\tthe hard limit\n"
    "      -a\tall limits\n"
    "      -c\tsize of core files\n"
    "      -d\tsize of a process's data\n"
    "      -e\tscheduling priority\n"
    "      -f\tsize of files written\n"
    "      -i\tpending signals\n"
    "      -l\tlocked memory\n"
    "      -m\tresident memory\n"
    "      -n\topen descriptors\n"
    "      -p\tbuffer of a pipe\n"
    "      -q\tbytes in POSIX message queues\n"
    "      -r\treal-time priority\n"
    "      -s\tsize of the stack\n"
    "      -t\tprocessor time, in seconds\n"
    "      -u\tprocesses of the user\n"
    "      -v\tvirtual memory\n"
    "      -x\tfile locks\n"
    "      -R\ttime that a real-time process may run without blocking\n"
    "    \n"
    "    LIMIT is a number, `soft' or `hard' for what stands now, or `unlimited'.\n"
    "    Without it, print the limit.  Without an option, this is -f; without -S\n"
    "    and -H, setting means both, and printing the soft one.\n"
    "    \n"
    "    Numbers count units of 1,024 bytes, but seconds for -t, 512 bytes for -p,\n"
    "    and single things for -e, -i, -n, -q, -r, -u and -x.\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless an option is invalid or a limit cannot be set.\n",
    CommandKind::builtin, nullptr, ulimit_builtin};

}  // namespace nacre::builtins
