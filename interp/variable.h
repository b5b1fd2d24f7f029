// One variable: attributes and a value. A value that was set as a number stays
// a number; its text is made when it is first asked for.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/numbers.h"
#include "base/ref.h"
#include "interp/arrays.h"
#include "limits/meter.h"

namespace nacre::interp {

using VarAttrs = uint32_t;
inline constexpr VarAttrs kExported = 1 << 0;    // -x
inline constexpr VarAttrs kReadonly = 1 << 1;    // -r
inline constexpr VarAttrs kInteger = 1 << 2;     // -i
inline constexpr VarAttrs kLowercase = 1 << 3;   // -l
inline constexpr VarAttrs kUppercase = 1 << 4;   // -u
inline constexpr VarAttrs kCapitalize = 1 << 5;  // -c
inline constexpr VarAttrs kNameref = 1 << 6;     // -n
inline constexpr VarAttrs kTrace = 1 << 7;       // -t
inline constexpr VarAttrs kIndexed = 1 << 8;     // -a
inline constexpr VarAttrs kAssoc = 1 << 9;       // -A
inline constexpr VarAttrs kLocalVar = 1 << 10;   // belongs to a function's scope
inline constexpr VarAttrs kUnset = 1 << 11;      // declared, but without a value (bash: invisible)
inline constexpr VarAttrs kNoUnset = 1 << 12;    // cannot be unset (BASH_VERSINFO is readonly; ..)
inline constexpr VarAttrs kNoAssign = 1 << 13;   // assignments are ignored in silence (GROUPS, FUNCNAME)
inline constexpr VarAttrs kTempEnv = 1 << 14;    // from `x=1 cmd`
inline constexpr VarAttrs kArrayMask = kIndexed | kAssoc;
inline constexpr VarAttrs kCaseMask = kLowercase | kUppercase | kCapitalize;

// Variables whose value is made when it is read.
enum class Dynamic : uint8_t {
  none, random, srandom, seconds, lineno, epochseconds, epochrealtime, bash_subshell, bashpid,
  bash_command, funcname, bash_source, bash_lineno, pipestatus, dirstack, groups, bash_argv0,
  bash_aliases, bash_cmds, comp_wordbreaks, histcmd, shellopts, bashopts, underscore,
};

class Variable : public base::RefCounted {
 public:
  explicit Variable(limits::Meter& meter) : meter_(&meter) {}
  Variable(const Variable& o);
  Variable& operator=(const Variable&) = delete;
  ~Variable() { meter_->sub_memory(charged_ + base_charged_); }

  VarAttrs attrs = kUnset;
  Dynamic dynamic = Dynamic::none;
  uint32_t scope = 0;            // depth of the scope it belongs to; 0 is global

  bool has(VarAttrs a) const { return (attrs & a) != 0; }
  bool is_set() const { return !(attrs & kUnset); }
  bool is_array() const { return (attrs & kArrayMask) != 0; }

  // Scalar value (also element "0" of nothing: arrays do not use it).
  std::string_view text() const {
    if (!has_text_) render();
    return text_;
  }
  void set_text(std::string_view s) {
    text_.assign(s);
    has_text_ = true;
    number_state_ = NumberState::unknown;
    attrs &= ~kUnset;
    recharge();
  }
  // += : amortised linear.
  void append_text(std::string_view s) {
    if (!has_text_) render();
    text_.append(s);
    number_state_ = NumberState::unknown;
    attrs &= ~kUnset;
    recharge();
  }
  void set_number(int64_t v) {
    number_ = v;
    number_state_ = NumberState::known;
    has_text_ = false;
    attrs &= ~kUnset;
  }
  // The value as a plain decimal number, when it is one (and so needs no
  // arithmetic evaluation): "42", "-7"; not "007", "1+1", "0x1f", "x", "".
  bool number(int64_t& out) const {
    if (number_state_ == NumberState::unknown) scan_number();
    out = number_;
    return number_state_ == NumberState::known;
  }

  // Arrays. writable_*() makes the copy when the array is shared.
  const IndexedArray* indexed() const { return indexed_.get(); }
  const AssocArray* assoc() const { return assoc_.get(); }
  IndexedArray& writable_indexed() {
    if (!indexed_) indexed_ = base::make_ref<IndexedArray>();
    return base::writable(indexed_);
  }
  AssocArray& writable_assoc() {
    if (!assoc_) assoc_ = base::make_ref<AssocArray>();
    return base::writable(assoc_);
  }
  // The variable itself has been charged by its table; refunded with it.
  void charge_base(int64_t bytes) { base_charged_ = bytes; }
  void drop_value();  // no scalar, no elements; attributes stay (kUnset is set)
  // Live bytes that array elements take; called by whoever changes them.
  void charge_elements(int64_t delta) {
    if (delta > 0) meter_->add_memory(delta);
    else meter_->sub_memory(-delta);
    charged_ += delta;
  }
  limits::Meter& meter() const { return *meter_; }

 private:
  enum class NumberState : uint8_t { unknown, known, not_number };
  void render() const;
  void scan_number() const;
  void recharge() {
    int64_t want = text_.capacity() > 15 ? static_cast<int64_t>(text_.capacity()) : 0;
    if (want != text_charged_) recharge_slow(want);
  }
  void recharge_slow(int64_t want);

  limits::Meter* meter_;
  mutable std::string text_;
  mutable int64_t number_ = 0;
  int64_t charged_ = 0;        // all that this variable has charged
  int64_t text_charged_ = 0;   // of that, the text
  int64_t base_charged_ = 0;
  base::Ref<IndexedArray> indexed_;
  base::Ref<AssocArray> assoc_;
  mutable NumberState number_state_ = NumberState::unknown;
  mutable bool has_text_ = true;
};

using VariableRef = base::Ref<Variable>;

}  // namespace nacre::interp
