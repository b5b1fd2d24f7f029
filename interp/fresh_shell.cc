#include "interp/fresh_shell.h"

#include "base/errno_text.h"
#include "interp/assign.h"
#include "interp/evaluate.h"
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
    if (!chunk || chunk->empty()) return any;
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

// Makes `child` a shell that has just been started.
void become_fresh(Process& child, const FreshShell& shell) {
  std::vector<std::string> environment = exported_environment(child);
  int level = 0;
  ShellState fresh(child.meter());
  fresh.functions = base::make_ref<FunctionTable>();
  // Functions that were exported come along.
  child.state.functions->for_each([&](base::Symbol s, const FunctionDef& f) {
    if (f.exported) fresh.functions->set(s, child.state.functions->ref(s));
  });
  fresh.fds = child.state.fds;
  fresh.view = child.state.view;
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
    fresh.params = base::make_ref<ParamList>();
    for (std::string_view a : shell.args) fresh.params->values.emplace_back(a);
  }
  child.state = std::move(fresh);
  child.shell_pid = child.pid;
  child.subshell_level = 0;
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
  for (const std::string& e : environment) {
    size_t eq = e.find('=');
    base::Symbol s = child.session.symbols.intern(std::string_view(e).substr(0, eq));
    Variable& v = child.state.vars.create(s);
    if (v.has(kReadonly) || v.dynamic != Dynamic::none) continue;
    // IFS does not come from outside.
    if (s != child.session.names.ifs) v.set_text(std::string_view(e).substr(eq + 1));
    v.attrs |= kExported;
  }
  std::string_view text;
  std::string buffer;
  if (read_variable(child, child.session.names.shlvl, text, buffer))
    level = static_cast<int>(base::parse_legal_number(text).value_or(0));
  Variable& shlvl = child.state.vars.create(child.session.names.shlvl);
  shlvl.set_number(level + 1);
  shlvl.attrs |= kExported;
  Variable& pwd = child.state.vars.create(child.session.names.pwd);
  pwd.set_text(child.state.view.cwd());
  pwd.attrs |= kExported;
  Variable& oldpwd = child.state.vars.create(child.session.names.oldpwd);
  oldpwd.attrs |= kExported;
  special_variable_changed(child, child.session.names.posixly_correct);
  if (shell.posix) child.state.options.put(SetOption::posix, true);
}

}  // namespace

int run_fresh_shell(Process& p, const FreshShell& shell) {
  OpenFileRef file;
  if (shell.script) {
    auto opened = open_path(p, *shell.script, {.read = true}, 0);
    if (opened && (*opened)->kind() == OpenKind::directory)
      opened = std::unexpected(std::errc::is_a_directory);
    if (!opened) {
      std::string text(shell.arg0);
      text += ": " + *shell.script + ": ";
      text += base::errno_text(opened.error());
      p.write_stderr(text + "\n");
      return opened.error() == std::errc::no_such_file_or_directory ? 127 : 126;
    }
    file = std::move(*opened);
  }
  Process child(p, Process::ChildKind::subshell);
  become_fresh(child, shell);
  constexpr int kScriptFd = 255;
  if (file) (void)base::writable(child.state.fds).set(kScriptFd, file, child.meter());
  try {
    Outcome o;
    SourceOptions options;
    // The new shell's own commands count as its top level.
    child.call_depth = 0;
    if (shell.text) {
      options.label = "-c: ";
      o = run_text(child, *shell.text, options);
    } else {
      DescriptorSource source(child, file ? kScriptFd : 0);
      o = run_source(child, source, options);
    }
    return finish_process(child, o);
  } catch (const BrokenPipe&) {
    return 128 + 13;
  } catch (const FiberKilled&) {
    if (child.kill_signal == 0) throw;
    return 128 + child.kill_signal;
  }
}

}  // namespace nacre::interp
