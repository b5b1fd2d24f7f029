#include "regex/backtracker.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace nacre::regex::internal {

namespace {

using Op = Inst::Op;

// A search is allowed this many steps for each byte before failures are
// remembered, for most are over long before.
constexpr int64_t kPatience = 16;
constexpr size_t kLargestMemory = size_t{1} << 29;  // bits

bool is_word(uint32_t code) { return code == '_' || base::is_alnum(code); }

}  // namespace

Backtracker::Backtracker(const RegexProgram& program, std::string_view text, limits::Meter& meter)
    : p_(program), text_(text), meter_(meter), memory_(meter) {
  slots_.assign(p_.slots, kNone);
  limit_ = text.size();
}

void Backtracker::charge() {
  int64_t n = std::exchange(steps_, 0);
  total_steps_ += n;
  meter_.charge_work(n / kStepsPerUnit + 1);
  if (total_steps_ > patience_) remember_failures();
}

void Backtracker::push(Frame frame) {
  if (stack_.size() == stack_charged_) {
    // Charged before the vector grows, and as large as it may then be.
    stack_charged_ = std::max<size_t>(64, stack_charged_ * 2);
    if (stack_charged_ > 1024) memory_.add(static_cast<int64_t>(stack_charged_ * sizeof(Frame)));
    stack_.reserve(stack_charged_);
  }
  stack_.push_back(frame);
}

void Backtracker::set_register(size_t index, size_t value) {
  if (registers_[index] == value) return;
  push({Frame::Kind::capture, static_cast<uint32_t>(index), registers_[index]});
  registers_[index] = value;
}

// Takes back everything down to `base`.
void Backtracker::unwind(size_t base) {
  while (stack_.size() > base) {
    const Frame& f = stack_.back();
    switch (f.kind) {
      case Frame::Kind::capture: registers_[f.index] = f.a; break;
      case Frame::Kind::slot: slots_[f.index] = f.a; break;
      case Frame::Kind::keep: keep_ = f.a; break;
      default: break;
    }
    stack_.pop_back();
  }
}

// Commits to what was chosen above `base`: no branch is left, but what would
// be taken back if something before fails stays.
void Backtracker::keep_undo_only(size_t base) {
  size_t n = base;
  for (size_t i = base; i < stack_.size(); ++i) {
    Frame::Kind kind = stack_[i].kind;
    if (kind != Frame::Kind::branch && kind != Frame::Kind::run && kind != Frame::Kind::lazy_run)
      stack_[n++] = stack_[i];
  }
  stack_.resize(n);
}

bool Backtracker::seen(uint32_t pc, size_t pos) {
  if (!remembering_) return false;
  size_t bit = p_.split_number[pc] * (limit_ - low_ + 1) + (pos - low_);
  uint64_t mask = uint64_t{1} << (bit & 63);
  if (failures_[bit >> 6] & mask) return true;
  failures_[bit >> 6] |= mask;
  return false;
}

void Backtracker::remember_failures() {
  if (remembering_ || p_.stateful || p_.splits == 0) return;
  size_t bits = p_.splits * (limit_ - low_ + 1);
  if (bits > kLargestMemory) return;
  memory_.add(static_cast<int64_t>(bits / 8));
  failures_.assign(bits / 64 + 1, 0);
  remembering_ = true;
}

bool Backtracker::word_at(size_t pos) const {
  if (pos >= text_.size()) return false;
  base::Utf8Char c = base::decode_utf8(text_, pos);
  if (!p_.longest) return c.code < 128 && is_word(c.code);
  return c.valid && is_word(c.code);
}

bool Backtracker::word_before(size_t pos) const {
  return pos > 0 && word_at(base::char_before(text_, pos));
}

bool Backtracker::assertion(Assertion a, size_t pos) const {
  switch (a) {
    case Assertion::line_begin:
      // Perl: not after a newline that is the last character.
      return pos == 0 || (p_.multiline && text_[pos - 1] == '\n' &&
                          (p_.longest || pos < text_.size()));
    case Assertion::line_end:
      return pos == text_.size() || (p_.multiline && text_[pos] == '\n');
    case Assertion::text_begin:
      return pos == 0;
    case Assertion::text_end:
      return pos == text_.size();
    case Assertion::text_end_newline:
      return pos == text_.size() || (pos + 1 == text_.size() && text_[pos] == '\n');
    case Assertion::word_boundary:
      return word_before(pos) != word_at(pos);
    case Assertion::not_word_boundary:
      return word_before(pos) == word_at(pos);
    case Assertion::word_begin:
      return !word_before(pos) && word_at(pos);
    case Assertion::word_end:
      return word_before(pos) && !word_at(pos);
    case Assertion::search_start:
      return pos == search_start_;
  }
  return false;
}

// An instruction that takes one character.
inline bool Backtracker::one(const Inst& inst, size_t& pos) const {
  if (pos >= limit_) return false;
  auto byte = static_cast<uint8_t>(text_[pos]);
  if (inst.op == Op::byte) {
    if (byte != inst.a || base::decode_utf8(text_, pos).valid) return false;
    ++pos;
    return true;
  }
  base::Utf8Char c{byte, 1, true};
  if (byte >= 128) {
    c = base::decode_utf8_multibyte(text_, pos);
    if (!c.valid || pos + c.size > limit_) return false;
  }
  switch (inst.op) {
    case Op::literal:
      if (c.code != inst.a) return false;
      break;
    case Op::literal_fold:
      if (base::to_upper(c.code) != inst.a) return false;
      break;
    case Op::any:
      if (c.code == '\n' && !inst.flag) return false;
      break;
    case Op::set:
      if (!p_.sets[inst.a].contains(c.code)) return false;
      break;
    default:
      return false;
  }
  pos += c.size;
  return true;
}

bool Backtracker::backref(const Inst& inst, size_t& pos) {
  size_t begin = registers_[2 * inst.a], end = registers_[2 * inst.a + 1];
  if (begin == kNone || end == kNone) return false;
  std::string_view wanted = text_.substr(begin, end - begin);
  steps_ += static_cast<int64_t>(wanted.size() / 16);
  if (!inst.flag) {
    if (limit_ - pos < wanted.size() || text_.substr(pos, wanted.size()) != wanted) return false;
    pos += wanted.size();
    return true;
  }
  size_t at = pos;
  for (size_t i = 0; i < wanted.size();) {
    if (at >= limit_) return false;
    base::Utf8Char x = base::decode_utf8(wanted, i), y = base::decode_utf8(text_, at);
    if (x.valid != y.valid || base::to_upper(x.code) != base::to_upper(y.code)) return false;
    i += x.size;
    at += y.size;
  }
  pos = at;
  return true;
}

bool Backtracker::grapheme(size_t& pos) const {
  if (pos >= limit_) return false;
  base::Utf8Char c = base::decode_utf8(text_, pos);
  if (!c.valid) return false;
  utf8proc_int32_t state = 0;
  pos += c.size;
  while (pos < limit_) {
    base::Utf8Char next = base::decode_utf8(text_, pos);
    if (!next.valid || utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(c.code),
                                                        static_cast<utf8proc_int32_t>(next.code),
                                                        &state))
      break;
    c = next;
    pos += c.size;
  }
  return true;
}

bool Backtracker::back(uint32_t chars, size_t& pos) const {
  for (; chars > 0; --chars) {
    if (pos == 0) return false;
    pos = base::char_before(text_, pos);
  }
  return true;
}

// glibc keeps the registers as they were when a group last took something:
// when an optional repetition then takes nothing, all of them go back to that,
// so that (a?)* leaves the last `a` in its group.
void Backtracker::close_group(const Inst& inst, size_t pos) {
  size_t n = 2 * (p_.groups + 1);
  size_t group = 2 * inst.a;
  if (!p_.longest) {
    set_register(group, registers_[n + inst.a]);
    set_register(group + 1, pos);
  } else if (registers_[group] < pos) {
    set_register(group + 1, pos);
    for (size_t i = 0; i < n; ++i) set_register(n + i, registers_[i]);
  } else if (inst.flag && registers_[n + group] != kNone) {
    for (size_t i = 0; i < n; ++i) set_register(i, registers_[n + i]);
  } else {
    set_register(group + 1, pos);
  }
}

// The top branch that is left above `base`.
bool Backtracker::backtrack(size_t base, uint32_t& pc, size_t& pos) {
  while (stack_.size() > base) {
    count();
    Frame& f = stack_.back();
    switch (f.kind) {
      case Frame::Kind::branch:
        pc = f.index;
        pos = f.a;
        stack_.pop_back();
        return true;
      case Frame::Kind::run: {
        // a: where the run began; b: where it went on last.
        if (f.b <= f.a) {
          stack_.pop_back();
          continue;
        }
        f.b = base::char_before(text_, f.b);
        if (seen(f.index, f.b)) continue;
        pc = f.index + 2;
        pos = f.b;
        return true;
      }
      case Frame::Kind::lazy_run: {
        size_t next = f.b;
        if (!one(p_.code[f.index + 1], next) || seen(f.index, next)) {
          stack_.pop_back();
          continue;
        }
        f.b = next;
        pc = f.index + 2;
        pos = next;
        return true;
      }
      case Frame::Kind::capture:
        registers_[f.index] = f.a;
        stack_.pop_back();
        continue;
      case Frame::Kind::slot:
        slots_[f.index] = f.a;
        stack_.pop_back();
        continue;
      case Frame::Kind::keep:
        keep_ = f.a;
        stack_.pop_back();
        continue;
    }
  }
  return false;
}

// Enters a run. False when the first place where it could go on has failed
// before; a frame for the others may be on the stack.
bool Backtracker::step_run(uint32_t pc, size_t& pos) {
  const Inst& run = p_.code[pc];
  const Inst& body = p_.code[pc + 1];
  if (run.flag) {
    if (seen(pc, pos)) return false;
    push({Frame::Kind::lazy_run, pc, pos, pos});
    return true;
  }
  size_t start = pos;
  if (body.op == Op::any && !remembering_) {
    // The usual .* : whole lines at a time.
    size_t stop = limit_;
    if (!body.flag)
      if (const void* at = std::memchr(text_.data() + pos, '\n', limit_ - pos))
        stop = static_cast<const char*>(at) - text_.data();
    while (pos < stop) {
      if (static_cast<uint8_t>(text_[pos]) < 128) {
        ++pos;
        continue;
      }
      base::Utf8Char c = base::decode_utf8_multibyte(text_, pos);
      if (!c.valid || pos + c.size > stop) break;
      pos += c.size;
    }
    steps_ += static_cast<int64_t>((pos - start) / 8);
    count();
  } else {
    while (one(body, pos)) {
      steps_ += 1;
      // Behind a place that this run has been through, everything is known to
      // have failed, down to the end of the run.
      if (remembering_) {
        size_t bit = p_.split_number[pc] * (limit_ - low_ + 1) + (pos - low_);
        if (failures_[bit >> 6] >> (bit & 63) & 1) break;
      }
    }
    count();
  }
  push({Frame::Kind::run, pc, start, pos});
  // When the end has been tried already, the frame steps back from there.
  return !seen(pc, pos);
}

// atomic and look: the instructions up to their `done` run on their own.
bool Backtracker::nested(const Inst& inst, uint32_t& pc, size_t& pos) {
  limits::DepthGuard guard(meter_, depth_, meter_.limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  size_t base = stack_.size();
  size_t end = pos;
  bool ok = run(pc + 1, pos, end) == Outcome::matched;
  if (inst.op == Op::look && inst.flag) {
    unwind(base);
    if (ok) return false;
  } else {
    if (!ok) return false;
    keep_undo_only(base);
    if (inst.op == Op::atomic) pos = end;
  }
  pc = inst.a;
  return true;
}

// A group that is called runs atomically, and its captures are forgotten.
bool Backtracker::call(uint32_t target, size_t& pos) {
  limits::DepthGuard guard(meter_, depth_, meter_.limits().max_nesting_depth,
                           LimitName::max_nesting_depth);
  size_t base = stack_.size();
  size_t end = pos;
  bool ok = run(target, pos, end) == Outcome::matched;
  unwind(base);
  if (ok) pos = end;
  return ok;
}

Backtracker::Outcome Backtracker::run(uint32_t pc, size_t pos, size_t& end_pos) {
  const size_t base = stack_.size();
  const Inst* code = p_.code.data();
  for (;;) {
    const Inst& inst = code[pc];
    bool ok = true;
    switch (inst.op) {
      case Op::literal:
        // The common case without decoding.
        if (inst.a < 128) {
          if (pos < limit_ && static_cast<uint8_t>(text_[pos]) == inst.a) ++pos, ++pc;
          else ok = false;
          break;
        }
        [[fallthrough]];
      case Op::literal_fold:
      case Op::byte:
      case Op::any:
      case Op::set:
        ok = one(inst, pos);
        ++pc;
        break;
      case Op::split:
        count();
        if (seen(pc, pos)) {
          ok = false;
          break;
        }
        push({Frame::Kind::branch, inst.b, pos});
        pc = inst.a;
        break;
      case Op::jump:
        pc = inst.a;
        break;
      case Op::run:
        ok = step_run(pc, pos);
        pc += 2;
        break;
      case Op::mark:
        push({Frame::Kind::slot, inst.a, slots_[inst.a]});
        slots_[inst.a] = pos;
        ++pc;
        break;
      case Op::loop:
        if (slots_[inst.a] == pos) ++pc;
        else pc = inst.b;
        break;
      case Op::open:
        if (p_.longest) {
          set_register(2 * inst.a, pos);
          set_register(2 * inst.a + 1, kNone);
        } else {
          // The group keeps what it held until it is closed.
          set_register(2 * (p_.groups + 1) + inst.a, pos);
        }
        ++pc;
        break;
      case Op::close:
        close_group(inst, pos);
        ++pc;
        break;
      case Op::assertion:
        ok = assertion(static_cast<Assertion>(inst.a), pos);
        ++pc;
        break;
      case Op::backref:
        count();
        ok = backref(inst, pos);
        ++pc;
        break;
      case Op::atomic:
      case Op::look:
        ok = nested(inst, pc, pos);
        break;
      case Op::back:
        ok = back(inst.a, pos);
        ++pc;
        break;
      case Op::done:
        end_pos = pos;
        return Outcome::matched;
      case Op::keep:
        push({Frame::Kind::keep, 0, keep_});
        keep_ = pos;
        ++pc;
        break;
      case Op::when_set:
        pc = !inst.flag && registers_[2 * inst.a + 1] != kNone ? pc + 1 : inst.b;
        break;
      case Op::when_look: {
        uint32_t look = pc + 1;
        uint32_t next = look;
        if (nested(code[look], next, pos)) pc = next;
        else pc = inst.b;
        break;
      }
      case Op::grapheme:
        ok = grapheme(pos);
        ++pc;
        break;
      case Op::call:
        count();
        ok = call(inst.a, pos);
        ++pc;
        break;
      case Op::fail:
        ok = false;
        break;
      case Op::match:
        if (!p_.longest) {
          end_pos = pos;
          return Outcome::matched;
        }
        if (required_end_ != kNone) {
          if (pos == required_end_) {
            end_pos = pos;
            return Outcome::matched;
          }
        } else {
          if (best_end_ == kNone || pos > best_end_) {
            best_end_ = pos;
            best_registers_ = registers_;
            if (pos == limit_) {  // None can be longer.
              end_pos = pos;
              return Outcome::matched;
            }
          }
        }
        ok = false;
        break;
    }
    if (!ok && !backtrack(base, pc, pos)) return Outcome::failed;
  }
}

// Tries to match at `start`; the result is in best_*.
bool Backtracker::attempt(size_t start) {
  size_t n = 2 * (p_.groups + 1);
  registers_.assign(2 * n, kNone);
  std::fill(slots_.begin(), slots_.end(), kNone);
  stack_.clear();
  keep_ = best_end_ = best_keep_ = kNone;
  size_t end;
  bool matched = run(0, start, end) == Outcome::matched;
  if (matched && best_end_ == kNone) {
    best_end_ = end;
    best_registers_ = registers_;
    best_keep_ = keep_;
  }
  if (best_end_ == kNone) return false;
  best_registers_[0] = best_keep_ == kNone ? start : best_keep_;
  best_registers_[1] = best_end_;
  return true;
}

void Backtracker::fill(std::vector<Match>& groups) const {
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i] = Match{};
    if (i > p_.groups) continue;
    Match m{best_registers_[2 * i], best_registers_[2 * i + 1]};
    if (m.begin != kNone && m.end != kNone) groups[i] = m;
  }
}

// Skips places where no match can begin.
size_t Backtracker::next_candidate(size_t pos) const {
  if (!p_.prefix.empty()) {
    const void* at =
        memmem(text_.data() + pos, text_.size() - pos, p_.prefix.data(), p_.prefix.size());
    return at ? static_cast<const char*>(at) - text_.data() : kNone;
  }
  if (!p_.first_known) return pos;
  while (pos < text_.size()) {
    auto c = static_cast<uint8_t>(text_[pos]);
    if (p_.first[c >> 6] >> (c & 63) & 1) return pos;
    ++pos;
  }
  return kNone;
}

bool Backtracker::search(size_t from, std::vector<Match>& groups) {
  search_start_ = from;
  low_ = from;
  required_end_ = kNone;
  patience_ = kPatience * static_cast<int64_t>(text_.size() - from) + 4096;
  for (size_t start = from;;) {
    count();
    size_t next = next_candidate(start);
    if (next == kNone) return false;
    steps_ += static_cast<int64_t>((next - start) / 16);
    start = next;
    // A candidate by its first byte may lie inside a character.
    if (!base::is_char_boundary(text_, start)) {
      ++start;
      continue;
    }
    if (attempt(start)) {
      fill(groups);
      return true;
    }
    if (start >= text_.size() || p_.anchored) return false;
    start += base::decode_utf8(text_, start).size;
  }
}

bool Backtracker::match_exactly(size_t begin, size_t end, std::vector<Match>& groups) {
  search_start_ = low_ = begin;
  required_end_ = limit_ = end;
  patience_ = kPatience * static_cast<int64_t>(end - begin) + 4096;
  bool ok = attempt(begin);
  if (ok) fill(groups);
  return ok;
}

}  // namespace nacre::regex::internal
