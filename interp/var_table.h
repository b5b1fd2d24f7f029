// All variables of a process, with dynamic scope, copied on write.
//
// Shallow binding: slot[symbol] is the binding that is visible now, so a lookup
// is two loads. Entering a scope (a function call, a temporary environment)
// pushes a frame; making a variable local saves the outer binding in the frame,
// and leaving the scope puts it back. Slots live in pages that copies share
// until one side writes, so that a subshell's copy costs one reference a page.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/ref.h"
#include "base/symbol.h"
#include "interp/variable.h"

namespace nacre::interp {

using base::Symbol;

enum class ScopeKind : uint8_t { function, temporary };

class VarTable {
 public:
  explicit VarTable(limits::Meter& meter) : meter_(&meter) {}

  // The visible binding (which may be declared but unset); null when none.
  const Variable* find(Symbol s) const {
    size_t page = static_cast<uint32_t>(s) / kPage;
    if (page >= pages_.size() || !pages_[page]) return nullptr;
    return pages_[page]->slots[static_cast<uint32_t>(s) % kPage].get();
  }
  // The same, ready to be written (unshared); null when there is none.
  Variable* find_writable(Symbol s);
  // The visible binding, or a new one in the global scope.
  Variable& create(Symbol s);
  // Removes the visible binding for good (unset): a local of the current
  // function stays as declared-but-unset; a caller's local uncovers what it hid.
  // `keep_local` (shopt localvar_unset): a caller's local stays declared too.
  void unset(Symbol s, bool keep_local = false);

  // --- scopes ---
  uint32_t depth() const { return depth_; }           // 0: global
  void push_scope(ScopeKind kind);
  // True when one of the shell's own names (below `well_known`) came back.
  bool pop_scope(Symbol well_known);
  // A new binding of s in the innermost scope of kind `function` (or the
  // innermost scope at all for ScopeKind::temporary), hiding the outer one. When
  // s is already bound in that scope, that binding.
  Variable& make_local(Symbol s, ScopeKind kind = ScopeKind::function);
  bool is_local(Symbol s) const;                      // bound in the innermost function scope
  // The binding that a given outer scope sees (declare -g: depth 0); created
  // when it does not exist.
  Variable& create_global(Symbol s);
  const Variable* find_global(Symbol s) const;
  // The binding hidden by the innermost function's local (`local -I`, namerefs
  // to their own name); null when none.
  const Variable* find_outer(Symbol s) const;

  // Visible variables; f(Symbol, const Variable&). Order of symbols: callers sort by name.
  template <class F>
  void for_each(F&& f) const {
    for (size_t p = 0; p < pages_.size(); ++p)
      if (pages_[p])
        for (size_t i = 0; i < kPage; ++i)
          if (const Variable* v = pages_[p]->slots[i].get()) f(Symbol(p * kPage + i), *v);
  }
  // Symbols bound in the innermost function scope (`local` without arguments).
  std::vector<Symbol> locals() const;
  limits::Meter& meter() const { return *meter_; }

 private:
  static constexpr size_t kPage = 32;
  struct Page : base::RefCounted {
    std::array<VariableRef, kPage> slots;
  };
  struct Saved {
    Symbol symbol;
    VariableRef outer;   // null: there was none
  };
  struct Scope : base::RefCounted {
    base::Ref<Scope> parent;
    ScopeKind kind;
    uint32_t depth;
    std::vector<Saved> saved;
  };
  VariableRef& slot(Symbol s);      // unshares the page

  limits::Meter* meter_;
  std::vector<base::Ref<Page>> pages_;
  base::Ref<Scope> scope_;
  uint32_t depth_ = 0;
};

}  // namespace nacre::interp
