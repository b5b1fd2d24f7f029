// Interned names. A SymbolTable belongs to one session: it gives each distinct
// name a small index, so that a variable or function is found by index.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace nacre::base {

// Index into the SymbolTable that made it; kNoSymbol is "none".
enum class Symbol : uint32_t {};
inline constexpr Symbol kNoSymbol{UINT32_MAX};

class SymbolTable {
 public:
  SymbolTable() { index_.reserve(192); }  // what a new shell names by itself

  // The session's names live as long as the table; there is no removal. A
  // script can intern names (each new variable name is one), so the owner
  // charges names through `size()` and `bytes()`.
  Symbol intern(std::string_view name) {
    auto it = index_.find(name);
    if (it != index_.end()) return it->second;
    names_.emplace_back(name);
    Symbol s{static_cast<uint32_t>(names_.size() - 1)};
    index_.emplace(names_.back(), s);
    bytes_ += name.size() + 64;
    return s;
  }
  // kNoSymbol when the name was never interned.
  Symbol find(std::string_view name) const {
    auto it = index_.find(name);
    return it == index_.end() ? kNoSymbol : it->second;
  }
  std::string_view name(Symbol s) const { return names_[static_cast<uint32_t>(s)]; }
  size_t size() const { return names_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, Symbol> index_;
  size_t bytes_ = 0;
};

}  // namespace nacre::base
