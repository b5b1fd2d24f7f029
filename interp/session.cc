#include "interp/session.h"

#include <algorithm>
#include <iterator>

#include "interp/process.h"

namespace nacre::interp {

WellKnown::WellKnown(base::SymbolTable& t)
    : ifs(t.intern("IFS")),
      path(t.intern("PATH")),
      home(t.intern("HOME")),
      pwd(t.intern("PWD")),
      oldpwd(t.intern("OLDPWD")),
      optind(t.intern("OPTIND")),
      opterr(t.intern("OPTERR")),
      optarg(t.intern("OPTARG")),
      reply(t.intern("REPLY")),
      ps4(t.intern("PS4")),
      random(t.intern("RANDOM")),
      seconds(t.intern("SECONDS")),
      lineno(t.intern("LINENO")),
      underscore(t.intern("_")),
      cdpath(t.intern("CDPATH")),
      globignore(t.intern("GLOBIGNORE")),
      bash_rematch(t.intern("BASH_REMATCH")),
      coproc(t.intern("COPROC")),
      pipestatus(t.intern("PIPESTATUS")),
      funcname(t.intern("FUNCNAME")),
      bash_source(t.intern("BASH_SOURCE")),
      bash_lineno(t.intern("BASH_LINENO")),
      dirstack(t.intern("DIRSTACK")),
      mapfile(t.intern("MAPFILE")),
      timeformat(t.intern("TIMEFORMAT")),
      tmout(t.intern("TMOUT")),
      bash_xtracefd(t.intern("BASH_XTRACEFD")),
      tz(t.intern("TZ")),
      env(t.intern("ENV")),
      bash_env(t.intern("BASH_ENV")),
      posixly_correct(t.intern("POSIXLY_CORRECT")),
      shlvl(t.intern("SHLVL")),
      fignore(t.intern("FIGNORE")),
      histfile(t.intern("HISTFILE")),
      lang(t.intern("LANG")),
      lc_all(t.intern("LC_ALL")),
      bash_command(t.intern("BASH_COMMAND")),
      columns(t.intern("COLUMNS")),
      funcnest(t.intern("FUNCNEST")),
      bash_argv0(t.intern("BASH_ARGV0")) {}

namespace {

// A key is the options in a few letters, then the text.
void make_key(std::string& key, std::string_view flags, std::string_view text) {
  key.assign(flags);
  key.append(text);
}

}  // namespace

const regex::Pattern& PatternCache::pattern(std::string_view text, regex::PatternOptions options,
                                            limits::Meter& meter) {
  char flags[] = {options.extglob ? 'e' : '-', options.ignore_case ? 'i' : '-',
                  options.period ? 'p' : '-', options.pathname ? 'n' : '-'};
  make_key(key_, {flags, sizeof flags}, text);
  auto it = patterns_.find(key_);
  if (it != patterns_.end()) return it->second;
  if (patterns_.size() >= kMost) patterns_.clear();
  return patterns_.emplace(key_, regex::Pattern(text, options, meter)).first->second;
}

const regex::Regex* PatternCache::regex(std::string_view text, regex::RegexOptions options,
                                        limits::Meter& meter) {
  char flags[] = {static_cast<char>('0' + static_cast<int>(options.dialect)),
                  options.ignore_case ? 'i' : '-', options.newline ? 'n' : '-',
                  options.gnu_escapes ? 'g' : '-'};
  make_key(key_, {flags, sizeof flags}, text);
  auto it = regexes_.find(key_);
  if (it != regexes_.end()) return &it->second;
  auto compiled = regex::Regex::compile(text, options, meter);
  if (!compiled) return nullptr;
  if (regexes_.size() >= kMost) regexes_.clear();
  return &regexes_.emplace(key_, std::move(*compiled)).first->second;
}

Session::Session(const CommandTable& table, limits::Clock& c)
    : names(symbols), clock(&c), scheduler(meter, c), commands(table), fifos(scheduler, meter),
      random_state(0x9e3779b97f4a7c15u) {}

Session::~Session() = default;

uint64_t Session::random() {
  random_state += 0x9e3779b97f4a7c15u;
  uint64_t z = random_state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void Session::add_unsupported(std::string_view command, std::string_view what) {
  constexpr size_t kMost = 100;
  Unsupported u{std::string(command), std::string(what)};
  if (unsupported.size() < kMost && std::ranges::find(unsupported, u) == unsupported.end())
    unsupported.push_back(std::move(u));
}

ProcessRecord* Session::find_process(int pid) {
  // Pids rise, and so does the list.
  auto it = std::lower_bound(processes.begin(), processes.end(), pid,
                             [](const auto& r, int n) { return r->pid < n; });
  return it != processes.end() && (*it)->pid == pid ? it->get() : nullptr;
}

Process* Session::live_process(int pid) {
  if (main_process && main_process->pid == pid) return main_process;
  ProcessRecord* r = find_process(pid);
  return r ? r->process : nullptr;
}

const Command* Session::find_command(base::Symbol name) {
  auto i = static_cast<uint32_t>(name);
  if (i >= command_cached_.size()) {
    command_cached_.resize(symbols.size());
    command_cache_.resize(symbols.size());
  }
  if (!command_cached_[i]) {
    command_cached_[i] = true;
    command_cache_[i] = commands.find(symbols.name(name));
  }
  return command_cache_[i];
}

}  // namespace nacre::interp
