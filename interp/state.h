// All that a subshell inherits, copied on write: copying a ShellState costs
// about a microsecond and shares everything until one side writes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "base/symbol.h"
#include "interp/completion.h"
#include "interp/history.h"
#include "interp/open_file.h"
#include "interp/options.h"
#include "interp/resource_limits.h"
#include "interp/var_table.h"
#include "parser/ast.h"
#include "vfs/view.h"

namespace nacre::interp {

struct FunctionDef : base::RefCounted {
  base::Ref<const parser::Program> program;  // keeps the tree alive
  const parser::Function* node = nullptr;
  std::string source;       // BASH_SOURCE ("environment" under -c, file name otherwise)
  bool exported = false, readonly = false, trace = false;
};
using FunctionRef = base::Ref<FunctionDef>;

// Functions by symbol.
class FunctionTable : public base::RefCounted {
 public:
  const FunctionDef* find(base::Symbol s) const {
    auto i = static_cast<uint32_t>(s);
    return i < by_symbol_.size() ? by_symbol_[i].get() : nullptr;
  }
  FunctionRef ref(base::Symbol s) const {
    auto i = static_cast<uint32_t>(s);
    return i < by_symbol_.size() ? by_symbol_[i] : FunctionRef();
  }
  void set(base::Symbol s, FunctionRef f) {
    auto i = static_cast<uint32_t>(s);
    if (i >= by_symbol_.size()) by_symbol_.resize(i + 1);
    if (!by_symbol_[i] && f) ++count_;
    if (by_symbol_[i] && !f) --count_;
    by_symbol_[i] = std::move(f);
  }
  size_t count() const { return count_; }
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 0; i < by_symbol_.size(); ++i)
      if (by_symbol_[i]) f(base::Symbol(i), *by_symbol_[i]);
  }

 private:
  std::vector<FunctionRef> by_symbol_;
  size_t count_ = 0;
};

// Signals 1..64 and the pseudo-signals of `trap`.
inline constexpr int kTrapExit = 0, kTrapDebug = 65, kTrapErr = 66, kTrapReturn = 67;

struct TrapTable : base::RefCounted {
  struct Action {
    std::string text;      // empty: the signal is ignored
    bool inherited = false;  // a subshell's view of its parent's trap: shown, but not run
  };
  std::map<int, Action> actions;
};

struct AliasTable : base::RefCounted {
  std::map<std::string, std::string, std::less<>> by_name;
};

// $1 $2 ... Charged before they are copied.
struct ParamList : base::RefCounted {
  ParamList(limits::Meter& meter, std::span<const std::string_view> args)
      : charge(meter, cost(args)), values(args.begin(), args.end()) {}

  static int64_t cost(std::span<const std::string_view> args) {
    auto bytes = static_cast<int64_t>(args.size() * sizeof(std::string));
    for (std::string_view a : args)
      if (a.size() > 15) bytes += static_cast<int64_t>(a.size()) + 1;
    return bytes;
  }

  limits::MemoryCharge charge;
  std::vector<std::string> values;
};

struct HashTable : base::RefCounted {  // `hash`
  struct Entry {
    std::string path;
    int hits = 0;
  };
  std::map<std::string, Entry, std::less<>> by_name;
};

struct DirStack : base::RefCounted {
  std::vector<std::string> dirs;  // below the working directory, newest first
};

struct DisabledBuiltins : base::RefCounted {  // `enable -n`
  std::vector<base::Symbol> names;
};

struct ShellState {
  ShellState(limits::Meter& meter) : vars(meter) {}

  VarTable vars;
  base::Ref<FunctionTable> functions;
  Options options;
  base::Ref<AliasTable> aliases;
  base::Ref<TrapTable> traps;
  base::Ref<ParamList> params;      // positional parameters start at values[param_base]
  size_t param_base = 0;
  base::Ref<FdTable> fds;
  vfs::View view;
  base::Ref<DirStack> dirs;
  base::Ref<HashTable> hashed;
  base::Ref<DisabledBuiltins> disabled;
  base::Ref<ResourceLimits> resource_limits;   // `ulimit`; null: the defaults
  base::Ref<CompletionTable> completions;      // `complete`
  base::Ref<HistoryList> history;              // `history`
  std::string arg0 = "bash";        // $0
  int64_t random_seed = 0;          // RANDOM
  uint32_t last_random = 0;
  int64_t seconds_base = 0;         // SECONDS: Clock::now() ns at which it is 0
  // getopts: the place inside a group of letters (`-abc`), kept beside OPTIND:
  // number of the argument and offset in it. Setting OPTIND to 1 or less makes
  // the offset 0 (other values leave it); a function's local OPTIND saves both.
  int getopts_word = 0, getopts_offset = 0;
  // Words that separate fields, cached from IFS by assignments to it.
  std::string ifs = " \t\n";
  bool ifs_unset = false;

  size_t param_count() const { return params ? params->values.size() - param_base : 0; }
  // n counts from 1.
  std::string_view param(size_t n) const { return params->values[param_base + n - 1]; }
};

}  // namespace nacre::interp
