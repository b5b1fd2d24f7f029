#include "interp/traps.h"

#include "interp/evaluate.h"
#include "interp/jobs.h"

namespace nacre::interp {
namespace {

const TrapTable::Action* find_action(const Process& p, int signo) {
  if (!p.state.traps) return nullptr;
  auto it = p.state.traps->actions.find(signo);
  return it == p.state.traps->actions.end() ? nullptr : &it->second;
}

// A subshell shows its parent's traps until it changes one of its own.
void drop_inherited(Process& p) {
  if (!p.state.traps) p.state.traps = base::make_ref<TrapTable>();
  TrapTable& t = base::writable(p.state.traps);
  std::erase_if(t.actions, [](const auto& row) { return row.second.inherited; });
}

uint8_t hidden_bit(int signo) {
  return signo == kTrapErr ? 1 : signo == kTrapDebug ? 2 : signo == kTrapReturn ? 4 : 0;
}

}  // namespace

void hide_traps_from_call(Process& p, bool trace) {
  if (!p.has(SetOption::errtrace)) p.hidden_traps |= hidden_bit(kTrapErr);
  if (!trace && !p.has(Shopt::extdebug))
    p.hidden_traps |= hidden_bit(kTrapDebug) | hidden_bit(kTrapReturn);
}

void set_trap(Process& p, int signo, std::string_view action) {
  drop_inherited(p);
  base::writable(p.state.traps).actions[signo] = {std::string(action), false};
  p.hidden_traps &= static_cast<uint8_t>(~hidden_bit(signo));
}

void clear_trap(Process& p, int signo) {
  drop_inherited(p);
  base::writable(p.state.traps).actions.erase(signo);
}

bool has_trap(const Process& p, int signo) {
  const TrapTable::Action* a = find_action(p, signo);
  if (!a || a->inherited || a->text.empty()) return false;
  return !(p.hidden_traps & hidden_bit(signo));
}

bool ignores_signal(const Process& p, int signo) {
  const TrapTable::Action* a = find_action(p, signo);
  return a && a->text.empty();
}

void reset_traps_for_child(Process& p) {
  if (!p.state.traps) return;
  bool any = false;
  for (const auto& [signo, a] : p.state.traps->actions)
    any |= !a.text.empty();
  if (!any) return;
  TrapTable& t = base::writable(p.state.traps);
  for (auto& [signo, a] : t.actions) {
    if (a.text.empty()) continue;
    bool keep = (signo == kTrapErr && p.has(SetOption::errtrace)) ||
                ((signo == kTrapDebug || signo == kTrapReturn) && p.has(SetOption::functrace));
    if (!keep) a.inherited = true;
  }
}

Outcome run_trap(Process& p, int signo) {
  const TrapTable::Action* a = find_action(p, signo);
  if (!a || a->inherited || p.running_trap == signo) return Outcome(p.status);
  const auto bit = static_cast<uint8_t>(signo >= kTrapDebug ? 1 << (signo - kTrapDebug) : 0);
  if (p.active_traps & bit) return Outcome(p.status);
  std::string text = a->text;
  int32_t status = p.status;
  int32_t outer_status = p.trap_status;
  p.trap_status = status;
  std::vector<int32_t> pipe_status = p.pipe_status;
  uint32_t line = p.line;
  const parser::Node* command = p.command;
  int outer = p.running_trap;
  p.running_trap = signo;
  p.active_traps |= bit;
  SourceOptions options;
  options.label = signo == kTrapExit ? "exit trap: " : signo == kTrapDebug ? "debug trap: "
                : signo == kTrapErr ? "error trap: " : signo == kTrapReturn ? "return trap: " : "trap: ";
  options.first_line = signo == kTrapExit || signo < kTrapDebug ? 1 : line;
  options.verbose = false;
  options.trace_deeper = signo != kTrapExit;
  // What the action does to $? is its own affair, but set -e and ERR do act inside.
  Outcome o = run_text(p, text, options);
  p.running_trap = outer;
  p.active_traps &= static_cast<uint8_t>(~bit);
  p.trap_status = outer_status;
  p.line = line;
  p.command = command;
  if (o.flow == Flow::return_ && signo != kTrapExit) {
    p.status = o.status;
    return o;
  }
  if (o.unwinding()) return o;
  int action_status = o.status;
  p.status = status;
  p.pipe_status = std::move(pipe_status);
  return Outcome(signo == kTrapDebug ? action_status : status);
}

void run_exit_trap(Process& p, int& status) {
  if (p.exit_trap_done || !has_trap(p, kTrapExit)) return;
  p.exit_trap_done = true;
  p.status = status;
  p.errexit_off = 0;
  p.loop_depth = 0;
  Outcome o = run_trap(p, kTrapExit);
  if (o.flow == Flow::exit) status = o.status;
  else if (o.flow == Flow::return_) status = o.status;
}

Outcome run_pending_signals(Process& p) {
  while (p.pending_signals) {
    int signo = __builtin_ctzll(p.pending_signals) + 1;
    p.pending_signals &= p.pending_signals - 1;
    if (ignores_signal(p, signo)) continue;
    if (has_trap(p, signo)) {
      Outcome o = run_trap(p, signo);
      if (o.unwinding()) return o;
      continue;
    }
    const SignalInfo* info = signal_by_number(signo);
    if (!info || info->default_action == 'I') continue;
    p.kill_signal = signo;
    p.status = 128 + signo;
    return Outcome(p.status, Flow::exit);
  }
  return Outcome(p.status);
}

}  // namespace nacre::interp
