#include "builtins/shell/completion.h"

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/messages.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandContext;
using interp::CompletionSpec;
using interp::Process;

namespace {

constexpr ActionInfo kActions[] = {
    {Action::alias, "alias", 'a'},         {Action::builtin, "builtin", 'b'},
    {Action::command, "command", 'c'},     {Action::directory, "directory", 'd'},
    {Action::exported, "export", 'e'},     {Action::file, "file", 'f'},
    {Action::group, "group", 'g'},         {Action::job, "job", 'j'},
    {Action::keyword, "keyword", 'k'},     {Action::service, "service", 's'},
    {Action::user, "user", 'u'},           {Action::variable, "variable", 'v'},
    {Action::arrayvar, "arrayvar", 0},     {Action::binding, "binding", 0},
    {Action::disabled, "disabled", 0},     {Action::enabled, "enabled", 0},
    {Action::function, "function", 0},     {Action::helptopic, "helptopic", 0},
    {Action::hostname, "hostname", 0},     {Action::running, "running", 0},
    {Action::setopt, "setopt", 0},         {Action::shopt, "shopt", 0},
    {Action::signal, "signal", 0},         {Action::stopped, "stopped", 0},
};

constexpr std::string_view kOptionNames[] = {
    "bashdefault", "default", "dirnames", "filenames", "noquote", "nosort", "nospace", "plusdirs",
};

void put_text(std::string& text, bool& given, std::string_view value) {
  text = value;
  given = true;
}

void append_quoted_option(std::string& out, char letter, bool given, std::string_view text) {
  if (!given) return;
  out += " -";
  out += letter;
  out += ' ';
  out += base::single_quote(text);
}

}  // namespace

std::span<const ActionInfo> completion_actions() { return kActions; }
std::span<const std::string_view> completion_option_names() { return kOptionNames; }

std::optional<CompletionRequest> parse_completion(Process& p, CommandContext& ctx,
                                                  const Command& command, int& status) {
  const bool storing = command.name == "complete";
  BuiltinOptions options(p, ctx, command,
                         storing ? "abcdefgjko:prsuvA:G:W:P:S:X:F:C:DEI"
                                 : "abcdefgjko:suvA:G:W:P:S:X:F:C:");
  CompletionRequest r;
  CompletionSpec& s = r.spec;
  auto fail = [&](std::string_view text, std::string_view what) {
    say(p, command.name, text, what);
    status = 2;
    return std::nullopt;
  };
  while (char c = options.next()) {
    std::string_view value = options.value();
    switch (c) {
      case 'p': r.print = true; continue;
      case 'r': r.remove = true; continue;
      case 'D': r.special = kDefaultCommand; continue;
      case 'E': if (r.special != kDefaultCommand) r.special = kEmptyCommand; continue;
      case 'I': if (r.special.empty()) r.special = kInitialWord; continue;
      default: break;
    }
    r.any = true;
    switch (c) {
      case 'o': {
        size_t i = 0;
        while (i < std::size(kOptionNames) && kOptionNames[i] != value) ++i;
        if (i == std::size(kOptionNames)) return fail(value, "invalid option name");
        s.options |= 1u << i;
        break;
      }
      case 'A': {
        const ActionInfo* found = nullptr;
        for (const ActionInfo& a : kActions)
          if (a.name == value) found = &a;
        if (!found) return fail(value, "invalid action name");
        s.actions |= 1u << static_cast<int>(found->action);
        break;
      }
      case 'G': put_text(s.glob, s.has_glob, value); break;
      case 'W': put_text(s.words, s.has_words, value); break;
      case 'P': put_text(s.prefix, s.has_prefix, value); break;
      case 'S': put_text(s.suffix, s.has_suffix, value); break;
      case 'X': put_text(s.filter, s.has_filter, value); break;
      case 'C': put_text(s.command, s.has_command, value); break;
      case 'F':
        if (value.find_first_of(" \t\n|&;()<>$`\\\"'") != std::string_view::npos || value.empty())
          return fail("`" + std::string(value) + "'", "not a valid identifier");
        put_text(s.function, s.has_function, value);
        break;
      default:
        for (const ActionInfo& a : kActions)
          if (a.letter == c) s.actions |= 1u << static_cast<int>(a.action);
        break;
    }
  }
  if (options.failed()) {
    status = options.status();
    return std::nullopt;
  }
  r.operands = options.rest();
  return r;
}

void append_complete_command(std::string& out, std::string_view name, const CompletionSpec& s) {
  out += "complete";
  for (size_t i = 0; i < std::size(kOptionNames); ++i)
    if (s.options >> i & 1) {
      out += " -o ";
      out += kOptionNames[i];
    }
  for (const ActionInfo& a : kActions) {
    if (!has_action(s, a.action)) continue;
    if (a.letter) {
      out += " -";
      out += a.letter;
    } else {
      out += " -A ";
      out += a.name;
    }
  }
  append_quoted_option(out, 'G', s.has_glob, s.glob);
  append_quoted_option(out, 'W', s.has_words, s.words);
  append_quoted_option(out, 'P', s.has_prefix, s.prefix);
  append_quoted_option(out, 'S', s.has_suffix, s.suffix);
  append_quoted_option(out, 'X', s.has_filter, s.filter);
  append_quoted_option(out, 'C', s.has_command, s.command);
  if (s.has_function) {
    out += " -F ";
    out += s.function;
  }
  out += ' ';
  if (name == kDefaultCommand) out += "-D";
  else if (name == kEmptyCommand) out += "-E";
  else if (name == kInitialWord) out += "-I";
  else if (name.empty()) out += "''";
  else out += base::has_shell_metas(name) ? base::single_quote(name) : std::string(name);
  out += '\n';
}

}  // namespace nacre::builtins
