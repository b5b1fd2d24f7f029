#include "interp/fresh_shell.h"

#include <algorithm>

#include "base/errno_text.h"
#include "base/numbers.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
#include "interp/jobs.h"
#include "interp/expand.h"
#include "interp/redirect.h"
#include "interp/traps.h"
#include "interp/variables.h"

namespace nacre::interp {

bool DescriptorSource::next_line(std::string& out) {
  OpenFile* file = p_.state.fds->get(fd_);
  if (!file) return false;
  bool any = false;
  for (;;) {
    auto chunk = file->peek();
    if (!chunk || chunk->empty()) {
      // bash ends the last line of a file itself.
      if (any) out += '\n';
      return any;
    }
    any = true;
    size_t newline = chunk->find('\n');
    size_t take = newline == std::string_view::npos ? chunk->size() : newline + 1;
    p_.meter().check_string(static_cast<int64_t>(out.size() + take));
    out.append(chunk->substr(0, take));
    file->consume(take);
    if (newline != std::string_view::npos) return true;
  }
}

namespace {

// SHELLOPTS and BASHOPTS turn options on; they are lists with colons.
void import_options(Process& child, std::string_view name, std::string_view list) {
  while (!list.empty()) {
    size_t colon = list.find(':');
    std::string_view option = list.substr(0, colon);
    if (name == "SHELLOPTS") {
      if (auto o = find_set_option(option)) child.state.options.put(*o, true);
    } else if (auto o = find_shopt(option)) {
      child.state.options.put(*o, true);
    }
    if (colon == std::string_view::npos) break;
    list.remove_prefix(colon + 1);
  }
}

void import_environment(Process& child, const std::vector<std::string>& environment) {
  for (const std::string& e : environment) {
    size_t eq = e.find('=');
    std::string_view name = std::string_view(e).substr(0, eq);
    std::string_view value = std::string_view(e).substr(eq + 1);
    if (name == "SHELLOPTS" || name == "BASHOPTS") import_options(child, name, value);
    base::Symbol s = child.session.symbols.intern(name);
    Variable& v = child.state.vars.create(s);
    if (v.has(kReadonly) || v.dynamic != Dynamic::none) continue;
    // IFS does not come from outside.
    if (s != child.session.names.ifs) v.set_text(value);
    v.attrs |= kExported;
  }
}

void set_shell_level(Process& child) {
  constexpr int64_t kTooDeep = 1000;
  base::Symbol name = child.session.names.shlvl;
  std::string buffer;
  std::string_view text;
  int64_t level = 1;
  if (read_variable(child, name, text, buffer)) {
    auto outer = base::parse_legal_number(text);
    if (outer && *outer < kTooDeep * kTooDeep) level = *outer + 1;
  }
  if (level < 0) level = 0;
  if (level >= kTooDeep) {
    std::string warning = child.state.arg0 + ": warning: shell level (";
    base::append_int(warning, level);
    child.write_stderr(warning + ") too high, resetting to 1\n");
    level = 1;
  }
  Variable& v = child.state.vars.create(name);
  v.set_number(level);
  v.attrs |= kExported;
}

// PWD is believed when it names the working directory as it is known; OLDPWD
// when it names a directory.
void set_directories(Process& child) {
  vfs::View& view = child.state.view;
  Variable& pwd = child.state.vars.create(child.session.names.pwd);
  if (!pwd.is_set() || pwd.text() != view.cwd())
    if (auto real = view.real_path(view.cwd())) (void)view.chdir(*real, *real);
  pwd.set_text(view.cwd());
  pwd.attrs |= kExported;
  Variable& oldpwd = child.state.vars.create(child.session.names.oldpwd);
  if (oldpwd.is_set()) {
    auto st = view.stat(oldpwd.text());
    if (!st || st->type != vfs::FileType::directory) oldpwd.drop_value();
  }
  oldpwd.attrs |= kExported;
}

// Makes `child` a shell that has just been started.
void become_fresh(Process& child, const FreshShell& shell) {
  std::vector<std::string> environment = exported_environment(child);
  ShellState fresh(child.meter());
  fresh.functions = base::make_ref<FunctionTable>();
  // Functions that were exported come along.
  child.state.functions->for_each([&](base::Symbol s, const FunctionDef& f) {
    if (f.exported) fresh.functions->set(s, child.state.functions->ref(s));
  });
  fresh.fds = child.state.fds;
  fresh.view = child.state.view;
  fresh.resource_limits = child.state.resource_limits;
  fresh.options = shell.options;
  fresh.arg0 = shell.arg0;
  fresh.seconds_base = child.session.clock->now();
  fresh.random_seed = static_cast<int64_t>(child.session.random() & 0x7fffffff);
  // Signals that were ignored stay ignored.
  if (child.state.traps) {
    fresh.traps = base::make_ref<TrapTable>();
    for (const auto& [signo, action] : child.state.traps->actions)
      if (action.text.empty() && signo > 0 && signo < kTrapDebug)
        fresh.traps->actions[signo] = action;
  }
  if (!shell.args.empty()) {
    fresh.params = base::make_ref<ParamList>(child.meter(), shell.args);
  }
  child.state = std::move(fresh);
  child.shell_pid = child.pid;
  child.subshell_level = 0;
  child.is_subshell = false;
  child.original_stdin = child.state.fds->get(0);
  child.status = 0;
  child.loop_depth = child.errexit_off = child.function_level = child.source_level = 0;
  child.trace_level = 0;
  child.frames.clear();
  child.saved_options.clear();
  child.local_options_level = -1;
  child.last_async_pid.clear();
  child.command = nullptr;
  child.running_trap = -1;
  child.line = 1;
  child.runs_string = shell.text.has_value();
  child.reads_stdin = shell.from_stdin;
  child.script_name = shell.script.value_or("");
  if (shell.script) child.state.arg0 = *shell.script;
  initialise_variables(child);
  import_environment(child, environment);
  set_shell_level(child);
  set_directories(child);
  if (shell.text)
    child.state.vars.create(child.session.symbols.intern("BASH_EXECUTION_STRING"))
        .set_text(*shell.text);
  Variable& path = child.state.vars.create(child.session.names.path);
  if (!path.is_set())
    path.set_text("/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin:.");
  special_variable_changed(child, child.session.names.posixly_correct);
  if (shell.posix || shell.posix_option) child.state.options.put(SetOption::posix, true);
  if (shell.posix_option) {
    Variable& v = child.state.vars.create(child.session.names.posixly_correct);
    if (!v.is_set()) v.set_text("y");
  }
}

// The file that a script's name means: as it is, or else along PATH.
std::expected<OpenFileRef, std::errc> open_script(Process& p, const std::string& name,
                                                  std::string& path) {
  path = name;
  auto opened = open_path(p, path, {.read = true}, 0);
  if (!opened && opened.error() == std::errc::no_such_file_or_directory && !name.empty() &&
      name.find('/') == std::string::npos) {
    std::string list = variable_or(p, p.session.names.path, "");
    for (size_t pos = 0; pos < list.size() && !opened;) {
      size_t end = std::min(list.find(':', pos), list.size());
      std::string candidate = list.substr(pos, end - pos);
      pos = end + 1;
      candidate += '/';
      candidate += name;
      auto st = p.state.view.stat(candidate);
      if (!st || st->type == vfs::FileType::directory) continue;
      opened = open_path(p, candidate, {.read = true}, 0);
      if (opened) path = std::move(candidate);
    }
  }
  return opened;
}

// bash takes a file whose first line holds a NUL for no script.
bool looks_binary(OpenFile& file) {
  constexpr size_t kSample = 80;
  auto head = file.peek();
  if (!head) return false;
  std::string_view line = head->substr(0, kSample);
  return line.substr(0, line.find('\n')).find('\0') != std::string_view::npos;
}

// BASH_ENV: commands for every shell that is not interactive.
Outcome run_start_file(Process& child) {
  if (child.has(SetOption::posix) || child.has(SetOption::privileged)) return Outcome();
  auto value = variable_text(child, "BASH_ENV");
  if (!value || value->empty()) return Outcome();
  std::string path;
  if (!expand_prompt_text(child, *value, path)) {
    child.failure = Outcome();
    return Outcome();
  }
  auto file = open_path(child, path, {.read = true}, 0);
  if (!file || (*file)->kind() == OpenKind::directory) return Outcome();
  std::string text;
  limits::MemoryCharge charge(child.meter());
  for (;;) {
    auto chunk = (*file)->peek();
    if (!chunk || chunk->empty()) break;
    child.meter().check_string(static_cast<int64_t>(text.size() + chunk->size()));
    charge.add(static_cast<int64_t>(chunk->size()));
    text.append(*chunk);
    (*file)->consume(chunk->size());
  }
  child.frames.push_back({CallFrame::Kind::source, "source", path, 0, false});
  ++child.source_level;
  Outcome o = run_text(child, text);
  --child.source_level;
  child.frames.pop_back();
  child.line = 1;
  return o.flow == Flow::exit ? o : Outcome();
}

Outcome run_main(Process& child, const FreshShell& shell, int script_fd) {
  child.call_depth = 0;  // the new shell's own commands count as its top level
  Outcome o = run_start_file(child);
  if (o.unwinding()) return o;
  child.call_depth = 0;
  SourceOptions options;
  if (shell.text) {
    options.label = "-c: ";
    return run_text(child, *shell.text, options);
  }
  DescriptorSource source(child, script_fd);
  return run_source(child, source, options);
}

// "bash: nofile: No such file or directory", and the status.
int cannot_read_script(Process& p, std::string_view shell, const std::string& script,
                       std::errc why) {
  std::string text(shell);
  text += ": ";
  text += script;
  text += ": ";
  text += base::errno_text(why);
  p.write_stderr(text + "\n");
  return why == std::errc::no_such_file_or_directory ? 127 : 126;
}

}  // namespace

int run_fresh_shell(Process& p, const FreshShell& shell) {
  OpenFileRef file;
  std::string path;
  if (shell.script) {
    auto opened = open_script(p, *shell.script, path);
    if (!opened) return cannot_read_script(p, shell.arg0, *shell.script, opened.error());
    file = std::move(*opened);
    // From here on the script's name stands for the shell's.
    if (file->kind() == OpenKind::directory)
      return cannot_read_script(p, *shell.script, *shell.script, std::errc::is_a_directory);
    if (looks_binary(*file)) {
      p.write_stderr(*shell.script + ": " + path + ": cannot execute binary file\n");
      return 126;
    }
  }
  Process child(p, Process::ChildKind::subshell);
  become_fresh(child, shell);
  if (shell.script) child.script_name = path;
  constexpr int kScriptFd = 255;
  if (file) (void)base::writable(child.state.fds).set(kScriptFd, file, child.meter());
  try {
    const int status = finish_process(child, run_main(child, shell, file ? kScriptFd : 0));
    report_signal(p, child.kill_signal);
    return status;
  } catch (const BrokenPipe&) {
    return 128 + 13;
  } catch (const FiberKilled&) {
    if (child.kill_signal == 0) throw;
    int status = 128 + child.kill_signal;
    if (child.kill_signal != 9) run_exit_trap(child, status);
    return status;
  }
}

}  // namespace nacre::interp
