#include "interp/var_table.h"

namespace nacre::interp {

VariableRef& VarTable::slot(Symbol s) {
  size_t page = static_cast<uint32_t>(s) / kPage;
  if (page >= pages_.size()) pages_.resize(page + 1);
  if (!pages_[page]) pages_[page] = base::make_ref<Page>();
  return base::writable(pages_[page]).slots[static_cast<uint32_t>(s) % kPage];
}

Variable* VarTable::find_writable(Symbol s) {
  size_t page = static_cast<uint32_t>(s) / kPage;
  if (page >= pages_.size() || !pages_[page]) return nullptr;
  if (!pages_[page]->slots[static_cast<uint32_t>(s) % kPage]) return nullptr;
  VariableRef& ref = base::writable(pages_[page]).slots[static_cast<uint32_t>(s) % kPage];
  return &base::writable(ref);
}

Variable& VarTable::create(Symbol s) {
  VariableRef& ref = slot(s);
  if (!ref) {
    meter_->add_memory(sizeof(Variable));
    ref = base::make_ref<Variable>(*meter_);
    ref->charge_base(sizeof(Variable));
  }
  return base::writable(ref);
}

void VarTable::push_scope(ScopeKind kind) {
  auto scope = base::make_ref<Scope>();
  scope->parent = std::move(scope_);
  scope->kind = kind;
  scope->depth = ++depth_;
  scope_ = std::move(scope);
}

bool VarTable::pop_scope(Symbol well_known) {
  bool special = false;
  base::Ref<Scope> top = std::move(scope_);
  // A copy of the table may share this scope, so it is read, not taken apart.
  for (size_t i = top->saved.size(); i-- > 0;) {
    const Saved& saved = top->saved[i];
    slot(saved.symbol) = saved.outer;
    special |= saved.symbol <= well_known;
  }
  scope_ = top->parent;
  --depth_;
  return special;
}

Variable& VarTable::make_local(Symbol s, ScopeKind kind) {
  VariableRef& current = slot(s);
  // The scope that shall hold the binding.
  Scope* target = scope_.get();
  if (kind == ScopeKind::function && target && target->kind != ScopeKind::function) {
    // `x=1 local y` inside a function: temporary scopes lie above the function's.
    // They give up what they bind under this name (`y=1 local y`), so that their
    // end leaves the local alone. The path down to the function is unshared.
    VariableRef outer = current;
    base::Ref<Scope>* link = &scope_;
    for (; *link && (*link)->kind != ScopeKind::function; link = &(*link)->parent)
      std::erase_if(base::writable(*link).saved, [&](Saved& saved) {
        if (saved.symbol != s) return false;
        outer = std::move(saved.outer);
        return true;
      });
    if (*link) {
      Scope& f = base::writable(*link);
      slot(s) = outer;
      if (outer && outer->scope == f.depth) return create(s);
      f.saved.push_back({s, std::move(outer)});
      slot(s) = VariableRef();
      Variable& v = create(s);
      v.scope = f.depth;
      v.attrs |= kLocalVar;
      return v;
    }
  }
  if (!target) return create(s);
  if (current && current->scope == target->depth) return create(s);
  Scope& top = base::writable(scope_);
  top.saved.push_back({s, std::move(current)});
  slot(s) = VariableRef();
  Variable& v = create(s);
  v.scope = top.depth;
  if (kind == ScopeKind::function) v.attrs |= kLocalVar;
  return v;
}

bool VarTable::is_local(Symbol s) const {
  const Variable* v = find(s);
  if (!v || v->scope == 0) return false;
  const Scope* f = scope_.get();
  while (f && f->kind != ScopeKind::function) f = f->parent.get();
  return f && v->scope == f->depth;
}

void VarTable::unset(Symbol s, bool keep_local) {
  const Variable* v = find(s);
  if (!v) return;
  if (v->scope == 0) {
    slot(s) = VariableRef();
    return;
  }
  const Scope* f = scope_.get();
  while (f && f->kind != ScopeKind::function && f->depth != v->scope) f = f->parent.get();
  const bool caller_local = keep_local && v->has(kLocalVar);
  if (caller_local || (f && f->depth == v->scope && f->kind == ScopeKind::function)) {
    // A local of the running function stays local, without a value.
    VariableRef& ref = slot(s);
    VariableRef fresh = base::make_ref<Variable>(*meter_);
    fresh->scope = ref->scope;
    fresh->attrs = kUnset | kLocalVar;
    ref = std::move(fresh);
    return;
  }
  // A caller's local, or a temporary: what it hid comes back.
  uint32_t depth = v->scope;
  base::Ref<Scope>* link = &scope_;
  while (*link && (*link)->depth != depth) link = &base::writable(*link).parent;
  if (!*link) return;
  Scope& owner = base::writable(*link);
  for (size_t i = 0; i < owner.saved.size(); ++i) {
    if (owner.saved[i].symbol != s) continue;
    slot(s) = owner.saved[i].outer;
    owner.saved.erase(owner.saved.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

Variable& VarTable::create_global(Symbol s) {
  const Variable* v = find(s);
  if (!v || v->scope == 0) return create(s);
  // The outermost scope that saved s holds the global binding.
  base::Ref<Scope>* link = &scope_;
  Saved* outermost = nullptr;
  while (*link) {
    for (Saved& saved : base::writable(*link).saved)
      if (saved.symbol == s) outermost = &saved;
    link = &(*link)->parent;
  }
  if (!outermost) return create(s);
  if (!outermost->outer) {
    outermost->outer = base::make_ref<Variable>(*meter_);
  }
  return base::writable(outermost->outer);
}

const Variable* VarTable::find_global(Symbol s) const {
  const Variable* v = find(s);
  if (!v || v->scope == 0) return v;
  const Variable* found = nullptr;
  for (const Scope* f = scope_.get(); f; f = f->parent.get())
    for (const Saved& saved : f->saved)
      if (saved.symbol == s) found = saved.outer.get();
  return found;
}

const Variable* VarTable::find_outer(Symbol s) const {
  const Variable* v = find(s);
  if (!v || v->scope == 0) return v;
  for (const Scope* f = scope_.get(); f; f = f->parent.get())
    for (const Saved& saved : f->saved)
      if (saved.symbol == s) return saved.outer.get();
  return nullptr;
}

std::vector<Symbol> VarTable::locals() const {
  std::vector<Symbol> out;
  const Scope* f = scope_.get();
  while (f && f->kind != ScopeKind::function) f = f->parent.get();
  if (f)
    for (const Saved& saved : f->saved) out.push_back(saved.symbol);
  return out;
}

}  // namespace nacre::interp
