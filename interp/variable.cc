#include "interp/variable.h"

namespace nacre::interp {

Variable::Variable(const Variable& o)
    : RefCounted(),
      attrs(o.attrs),
      dynamic(o.dynamic),
      scope(o.scope),
      meter_(o.meter_),
      text_(o.text_),
      number_(o.number_),
      indexed_(o.indexed_),
      assoc_(o.assoc_),
      number_state_(o.number_state_),
      has_text_(o.has_text_) {
  recharge();
}

void Variable::recharge_slow(int64_t want) {
  int64_t delta = want - text_charged_;
  if (delta > 0) meter_->add_memory(delta);
  else meter_->sub_memory(-delta);
  text_charged_ = want;
  charged_ += delta;
}

void Variable::render() const {
  char buf[24];
  auto r = std::to_chars(buf, buf + sizeof buf, number_);
  text_.assign(buf, r.ptr - buf);
  has_text_ = true;
}

void Variable::scan_number() const {
  number_state_ = NumberState::not_number;
  std::string_view s = text_;
  size_t digits = s.size();
  if (digits && s[0] == '-') --digits;
  if (digits == 0 || digits > 18) return;
  size_t first = s.size() - digits;
  if (s[first] == '0' && s.size() > 1) return;  // octal, or -0
  int64_t v = 0;
  for (size_t i = first; i < s.size(); ++i) {
    unsigned d = static_cast<unsigned char>(s[i]) - '0';
    if (d > 9) return;
    v = v * 10 + d;
  }
  number_ = first ? -v : v;
  number_state_ = NumberState::known;
}

void Variable::drop_value() {
  text_ = std::string();
  has_text_ = true;
  number_state_ = NumberState::unknown;
  indexed_.reset();
  assoc_.reset();
  meter_->sub_memory(charged_);
  charged_ = 0;
  text_charged_ = 0;
  attrs |= kUnset;
}

}  // namespace nacre::interp
