#include "builtins/shell/completion_names.h"

#include <algorithm>

#include "base/numbers.h"
#include "builtins/shell/help_topics.h"
#include "builtins/support/accounts.h"
#include "interp/expand.h"
#include "interp/invoke.h"
#include "interp/jobs.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::Command;
using interp::CommandKind;
using interp::CompletionSpec;
using interp::Process;

namespace {

// bash's reserved words, in the order of its own table.
constexpr std::string_view kKeywords[] = {
    "if",   "then", "else", "elif",     "fi",   "case", "esac", "for", "select", "while", "until",
    "do",   "done", "in",   "function", "time", "{",    "}",    "!",   "[[",     "]]",    "coproc",
};

class Names {
 public:
  Names(Process& p, std::string_view word, CompletionMatches& out) : p_(p), word_(word), out_(out) {}

  void offer(std::string_view name) {
    if (name.starts_with(word_)) out_.add(name);
  }
  void offer_sorted(std::vector<std::string_view> names) {
    std::ranges::sort(names);
    for (std::string_view name : names) offer(name);
  }

  void aliases() {
    if (!p_.state.aliases) return;
    for (const auto& [name, text] : p_.state.aliases->by_name) offer(name);
  }
  template <class Wanted>
  void variables(Wanted wanted) {
    std::vector<std::string_view> names;
    p_.state.vars.for_each([&](base::Symbol s, const interp::Variable& v) {
      if (wanted(v)) names.push_back(p_.session.symbols.name(s));
    });
    offer_sorted(std::move(names));
  }
  template <class Wanted>
  void builtins(Wanted wanted) {
    for (const Command* c : p_.session.commands.all()) {
      if (c->kind == CommandKind::utility) continue;
      base::Symbol s = p_.session.symbols.find(c->name);
      bool disabled = s != base::kNoSymbol && interp::is_disabled(p_, s);
      if (wanted(disabled)) offer(c->name);
    }
  }
  void functions() {
    std::vector<std::string_view> names;
    p_.state.functions->for_each(
        [&](base::Symbol s, const interp::FunctionDef&) { names.push_back(p_.session.symbols.name(s)); });
    offer_sorted(std::move(names));
  }
  void keywords() {
    for (std::string_view word : kKeywords) offer(word);
  }
  void help_subjects() {
    std::vector<std::string_view> names;
    for (const Command* c : p_.session.commands.all())
      if (c->kind != CommandKind::utility) names.push_back(c->name);
    for (const HelpTopic& t : help_topics()) names.push_back(t.name);
    offer_sorted(std::move(names));
  }
  void hosts() {
    offer("localhost");
    if (p_.session.host_name != "localhost") offer(p_.session.host_name);
  }
  void jobs(bool running_only) {
    for (size_t i = p_.jobs.size(); i-- > 0;) {
      const interp::Job& job = *p_.jobs[i];
      if (running_only && interp::job_done(p_, job)) continue;
      offer(std::string_view(job.command).substr(0, job.command.find_first_of(" \t\n")));
    }
  }
  void signals() {
    constexpr int kLast = 64;
    offer("EXIT");
    for (int n = 1; n <= kLast; ++n) {
      if (const auto* info = interp::signal_by_number(n)) {
        offer(info->name);
      } else {
        // Numbers that the C library keeps for itself.
        std::string name = "SIGJUNK(";
        base::append_int(name, n);
        name += ')';
        offer(name);
      }
    }
    for (std::string_view name : {"DEBUG", "ERR", "RETURN"}) offer(name);
  }
  void commands() {
    if (word_.find('/') != std::string_view::npos) {
      add_paths(p_, word_, PathKind::executables, out_);
      return;
    }
    aliases();
    keywords();
    functions();
    builtins([](bool disabled) { return !disabled; });
    std::string path = interp::variable_or(p_, p_.session.names.path, "");
    for (size_t pos = 0; pos <= path.size();) {
      size_t end = std::min(path.find(':', pos), path.size());
      std::string dir = path.substr(pos, end - pos);
      pos = end + 1;
      executables(dir.empty() ? "." : dir);
    }
  }

 private:
  void executables(const std::string& dir) {
    auto entries = p_.state.view.list(dir);
    if (!entries) return;
    for (const vfs::DirEntry& e : *entries) {
      p_.meter().charge_work();
      if (!std::string_view(e.name).starts_with(word_)) continue;
      std::string path = dir + "/" + e.name;
      auto st = p_.state.view.stat(path);
      if (st && st->type == vfs::FileType::regular && p_.state.view.access(path, 1)) out_.add(e.name);
    }
  }

  Process& p_;
  std::string_view word_;
  CompletionMatches& out_;
};

bool is_visible(const interp::Variable& v) {
  return v.is_set() || v.has(interp::kNameref);
}

}  // namespace

void add_paths(Process& p, std::string_view word, PathKind kind, CompletionMatches& out) {
  size_t slash = word.rfind('/');
  std::string_view dir = slash == std::string_view::npos ? std::string_view()
                                                         : word.substr(0, slash + 1);
  std::string_view start = word.substr(dir.size());
  std::string place(dir.empty() ? "." : dir);
  if (dir.starts_with('~')) {
    size_t end = dir.find('/');
    std::string home;
    if (interp::shell_tilde(p, dir.substr(1, end - 1), home)) place = home + std::string(dir.substr(end));
  }
  auto entries = p.state.view.list(place);
  if (!entries) return;
  std::vector<std::string> names;
  // . and .. are offered where the word begins with a dot.
  if (start.starts_with('.')) names = {".", ".."};
  for (vfs::DirEntry& e : *entries) names.push_back(std::move(e.name));
  for (const std::string& name : names) {
    p.meter().charge_work();
    if (!std::string_view(name).starts_with(start)) continue;
    std::string path = place;
    if (!path.ends_with('/')) path += '/';
    path += name;
    if (kind != PathKind::all) {
      auto st = p.state.view.stat(path);
      if (!st) continue;
      bool directory = st->type == vfs::FileType::directory;
      if (kind == PathKind::directories ? !directory
                                        : !directory && !p.state.view.access(path, 1))
        continue;
    }
    std::string text(dir);
    text += name;
    out.add(text);
  }
}

void add_names(Process& p, const CompletionSpec& spec, std::string_view word,
               CompletionMatches& out) {
  Names names(p, word, out);
  auto wants = [&](Action a) { return has_action(spec, a); };
  if (wants(Action::alias)) names.aliases();
  if (wants(Action::arrayvar))
    names.variables([](const interp::Variable& v) { return v.is_array() && v.is_set(); });
  if (wants(Action::builtin)) names.builtins([](bool) { return true; });
  if (wants(Action::disabled)) names.builtins([](bool disabled) { return disabled; });
  if (wants(Action::enabled)) names.builtins([](bool disabled) { return !disabled; });
  if (wants(Action::exported))
    names.variables([](const interp::Variable& v) { return v.has(interp::kExported) && is_visible(v); });
  if (wants(Action::function)) names.functions();
  if (wants(Action::helptopic)) names.help_subjects();
  if (wants(Action::hostname)) names.hosts();
  if (wants(Action::job)) names.jobs(false);
  if (wants(Action::keyword)) names.keywords();
  if (wants(Action::running)) names.jobs(true);
  if (wants(Action::setopt))
    for (const interp::SetOptionInfo& o : interp::set_option_table()) names.offer(o.name);
  if (wants(Action::shopt))
    for (const interp::ShoptInfo& o : interp::shopt_table()) names.offer(o.name);
  if (wants(Action::signal)) names.signals();
  if (wants(Action::variable)) names.variables(is_visible);
  if (wants(Action::command)) names.commands();
  if (wants(Action::file)) add_paths(p, word, PathKind::all, out);
  if (wants(Action::user) || wants(Action::group))
    for (const Account& a : kAccounts) names.offer(a.name);
  if (wants(Action::directory)) add_paths(p, word, PathKind::directories, out);
}

}  // namespace nacre::builtins
