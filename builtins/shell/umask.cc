// umask: the permissions that new files do not get.
#include <optional>

#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"

namespace nacre::builtins {

extern const interp::Command command_umask;

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Process;

namespace {

constexpr uint32_t kAll = 0777;

std::optional<uint32_t> read_octal(std::string_view text) {
  constexpr uint32_t kMost = 07777;
  uint32_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + static_cast<uint32_t>(c - '0');
    if (value > kMost) return std::nullopt;
  }
  return value;
}

std::nullopt_t invalid(Process& p, char c, std::string_view what) {
  // At the end of the text this is a NUL byte, as bash prints it.
  std::string text = "`";
  text += c;
  text += "': invalid symbolic mode ";
  text += what;
  say(p, "umask", text);
  return std::nullopt;
}

uint32_t who_bits(char c) {
  switch (c) {
    case 'u': return 0700;
    case 'g': return 0070;
    case 'o': return 0007;
    case 'a': return kAll;
    default: return 0;
  }
}
uint32_t permission_bits(char c) {
  switch (c) {
    case 'r': return 0444;
    case 'w': return 0222;
    case 'x': return 0111;
    default: return 0;
  }
}

// u=rwx,g+w,o-: applied to the permissions that are allowed, not to the mask.
// Simpler than chmod's modes: one operator a clause, only r, w and x.
std::optional<uint32_t> apply_symbolic(Process& p, std::string_view text, uint32_t bits) {
  size_t at = 0;
  auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
  for (;;) {
    uint32_t who = 0, permissions = 0;
    while (who_bits(peek())) who |= who_bits(text[at++]);
    char op = peek();
    if (op != '+' && op != '-' && op != '=') return invalid(p, op, "operator");
    ++at;
    while (permission_bits(peek())) permissions |= permission_bits(text[at++]);
    if (at < text.size() && text[at] != ',') return invalid(p, text[at], "character");
    if (who) permissions &= who;
    switch (op) {
      case '+': bits |= permissions; break;
      case '-': bits &= ~permissions; break;
      default: bits = (bits & ~(who ? who : kAll)) | permissions; break;
    }
    if (at == text.size()) return bits;
    ++at;
  }
}

void print_symbolic(CommandContext& ctx, uint32_t mask) {
  struct Class {
    char name;
    int shift;
  };
  constexpr Class kClasses[] = {{'u', 6}, {'g', 3}, {'o', 0}};
  std::string line;
  for (const Class& c : kClasses) {
    uint32_t allowed = ~mask >> c.shift & 7;
    if (!line.empty()) line += ',';
    line += c.name;
    line += '=';
    if (allowed & 4) line += 'r';
    if (allowed & 2) line += 'w';
    if (allowed & 1) line += 'x';
  }
  ctx.out << line << "\n";
}

void print_octal(CommandContext& ctx, uint32_t mask) {
  const char digits[] = {'0', static_cast<char>('0' + (mask >> 6 & 7)),
                         static_cast<char>('0' + (mask >> 3 & 7)),
                         static_cast<char>('0' + (mask & 7)), '\n'};
  ctx.out.write({digits, sizeof digits});
}

int umask_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_umask, "Sp");
  bool symbolic = false, reusable = false;
  while (char c = options.next()) (c == 'S' ? symbolic : reusable) = true;
  if (options.failed()) return options.status();
  Args operands = options.rest();
  vfs::View& view = p.state.view;
  if (operands.empty()) {
    if (reusable) ctx.out << (symbolic ? "umask -S " : "umask ");
    if (symbolic) print_symbolic(ctx, view.umask());
    else print_octal(ctx, view.umask());
    return 0;
  }
  std::string_view mode = operands[0];
  uint32_t mask = 0;
  if (!mode.empty() && mode[0] >= '0' && mode[0] <= '9') {
    auto value = read_octal(mode);
    if (!value) {
      say(p, "umask", mode, "octal number out of range");
      return 1;
    }
    mask = *value;
  } else {
    auto allowed = apply_symbolic(p, mode, ~view.umask() & kAll);
    if (!allowed) return 1;
    mask = ~*allowed;
  }
  view.set_umask(mask & kAll);
  if (symbolic) print_symbolic(ctx, view.umask());
  return 0;
}

}  // namespace

const Command command_umask = {
    "umask", "umask [-p] [-S] [mode]",
    "umask: umask [-p] [-S] [mode]\n"
    "    Show or set the mask for the modes of new files.\n"
    "    \n"
    "    The mask holds the permissions that a new file does not get.  A MODE that\n"
    "    begins with a digit is the mask in octal; any other is a symbolic mode as\n"
    "    chmod takes it, and says what is allowed.  Without MODE, print the mask.\n"
    "    \n"
    "    Options:\n"
    "      -p\tprint the mask as a command that sets it\n"
    "      -S\tprint what is allowed, in symbols\n"
    "    \n"
    "    Exit Status:\n"
    "    0 unless MODE or an option is invalid.\n",
    CommandKind::builtin, nullptr, umask_builtin};

}  // namespace nacre::builtins
