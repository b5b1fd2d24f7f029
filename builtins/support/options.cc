#include "builtins/support/options.h"

#include <string>

#include "base/quoting.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

constexpr Option kStandard[] = {
    {"", "help", Takes::nothing, "", "", kHelpOption},
    {"", "version", Takes::nothing, "", "", kVersionOption},
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Calls f(option, long name) for every long name; stops when it gives true.
template <class F>
bool any_name(std::span<const Option> options, F f) {
  for (const Option& o : options) {
    std::string_view names = o.names;
    while (!names.empty()) {
      size_t comma = names.find(',');
      if (f(o, names.substr(0, comma))) return true;
      names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
    }
  }
  return false;
}

template <class F>
bool any_name(std::span<const Option> options, bool standard, F f) {
  return any_name(options, f) || (standard && any_name(kStandard, f));
}

}  // namespace

OptionCursor::Event OptionCursor::next() {
  has_value_ = false;
  value_ = {};
  if (!cluster_.empty()) return next_letter();
  if (next_ >= args_.size()) return Event::end;
  std::string_view arg = args_[next_];
  if (only_operands_ || arg.size() < 2 || arg[0] != '-') {
    if (order_ == Order::stop) return Event::end;
    value_ = arg;
    ++next_;
    return Event::operand;
  }
  ++next_;
  if (arg == "--") {
    only_operands_ = true;
    if (order_ == Order::stop) return Event::end;
    return next();
  }
  if (arg[1] == '-') return next_name(arg.substr(2));
  cluster_ = arg.substr(1);
  return next_letter();
}

OptionCursor::Event OptionCursor::next_letter() {
  letter_ = cluster_[0];
  name_ = {};
  for (const Option& o : options_) {
    bool digits = o.takes == Takes::digit_run || o.takes == Takes::digit_rest;
    if (digits ? !is_digit(letter_) : o.letters.find(letter_) == std::string_view::npos) continue;
    id_ = o.key();
    if (o.takes == Takes::digit_run) {
      size_t n = 1;
      while (n < cluster_.size() && is_digit(cluster_[n])) ++n;
      has_value_ = true;
      value_ = cluster_.substr(0, n);
      cluster_.remove_prefix(n);
      return Event::option;
    }
    if (o.takes == Takes::digit_rest) {
      has_value_ = true;
      value_ = cluster_;
      cluster_ = {};
      return Event::option;
    }
    cluster_.remove_prefix(1);
    if (o.takes == Takes::nothing) return Event::option;
    if (!cluster_.empty()) {
      has_value_ = true;
      value_ = cluster_;
      cluster_ = {};
    } else if (o.takes == Takes::required) {
      if (next_ >= args_.size()) return Event::needs_value;
      has_value_ = true;
      value_ = args_[next_++];
    }
    return Event::option;
  }
  cluster_.remove_prefix(1);
  return Event::unknown_letter;
}

bool OptionCursor::possible(std::string_view long_name) const {
  return long_name.starts_with(text_.substr(0, text_.find('=')));
}

OptionCursor::Event OptionCursor::next_name(std::string_view text) {
  letter_ = 0;
  text_ = text;
  size_t equal = text.find('=');
  std::string_view typed = text.substr(0, equal);
  const Option* found = nullptr;
  bool exact = false, ambiguous = false;
  any_name(options_, standard_, [&](const Option& o, std::string_view name) {
    if (!name.starts_with(typed)) return false;
    if (name.size() == typed.size()) {
      found = &o;
      name_ = name;
      exact = true;
      return true;
    }
    if (!found) {
      found = &o;
      name_ = name;
    } else if (found->key() != o.key() || found->takes != o.takes) {
      ambiguous = true;
    }
    return false;
  });
  if (!found) return Event::unknown_name;
  if (ambiguous && !exact) return Event::ambiguous;
  id_ = found->key();
  if (equal != std::string_view::npos) {
    if (found->takes == Takes::nothing) return Event::refuses_value;
    has_value_ = true;
    value_ = text.substr(equal + 1);
  } else if (found->takes == Takes::required) {
    if (next_ >= args_.size()) return Event::needs_value;
    has_value_ = true;
    value_ = args_[next_++];
  }
  return Event::option;
}

OptionReader::OptionReader(interp::CommandContext& ctx, const OptionSpec& spec, size_t first)
    : ctx_(ctx), spec_(spec), cursor_(ctx.args, spec.options, spec.order, true, first) {}

// Operands that stand together in the arguments are kept as a range of them.
void OptionReader::keep_operand(std::string_view operand) {
  const std::string_view* at = &ctx_.args[cursor_.index() - 1];
  if (!moved_.empty()) {
    moved_.push_back(operand);
  } else if (operands_.empty()) {
    operands_ = {at, 1};
    return;
  } else if (operands_.data() + operands_.size() == at) {
    operands_ = {operands_.data(), operands_.size() + 1};
    return;
  } else {
    moved_.assign(operands_.begin(), operands_.end());
    moved_.push_back(operand);
  }
  operands_ = moved_;
}

int OptionReader::next() {
  while (!done_) {
    OptionCursor::Event event = cursor_.next();
    switch (event) {
      case OptionCursor::Event::end:
        if (spec_.order == Order::stop) operands_ = ctx_.args.subspan(cursor_.index());
        return 0;
      case OptionCursor::Event::operand:
        if (spec_.order == Order::in_order) return kOperand;
        keep_operand(cursor_.value());
        break;
      case OptionCursor::Event::option:
        if (cursor_.id() == kHelpOption) {
          auto sink = [this](std::string_view s) { ctx_.out.write(s); };
          put_usage(sink, spec_, ctx_.name());
          finish(0);
        } else if (cursor_.id() == kVersionOption) {
          ctx_.out << spec_.name << " (nacre, as " << spec_.package << "\n";
          finish(0);
        } else {
          return cursor_.id();
        }
        break;
      default:
        report(event);
    }
  }
  return 0;
}

void OptionReader::report(OptionCursor::Event event) {
  std::string text;
  switch (event) {
    case OptionCursor::Event::unknown_letter: {
      text.append("invalid option -- '").append(1, cursor_.letter()).append("'");
      char option[2] = {'-', cursor_.letter()};
      ctx_.host.unsupported(spec_.name, {option, 2});
      break;
    }
    case OptionCursor::Event::unknown_name: {
      text.append("unrecognized option '--").append(cursor_.text()).append("'");
      std::string option("--");
      option += cursor_.text().substr(0, cursor_.text().find('='));
      ctx_.host.unsupported(spec_.name, option);
      break;
    }
    case OptionCursor::Event::ambiguous:
      text.append("option '--").append(cursor_.text()).append("' is ambiguous; possibilities:");
      any_name(spec_.options, true, [&](const Option&, std::string_view name) {
        if (cursor_.possible(name)) text.append(" '--").append(name).append("'");
        return false;
      });
      break;
    case OptionCursor::Event::needs_value:
      if (cursor_.letter())
        text.append("option requires an argument -- '").append(1, cursor_.letter()).append("'");
      else
        text.append("option '--").append(cursor_.name()).append("' requires an argument");
      break;
    case OptionCursor::Event::refuses_value:
      text.append("option '--").append(cursor_.name()).append("' doesn't allow an argument");
      break;
    default:
      break;
  }
  fail(text);
}

int OptionReader::usage_error(std::string_view text) {
  return builtins::usage_error(ctx_, spec_, text);
}

int usage_error(interp::CommandContext& ctx, const OptionSpec& spec, std::string_view text) {
  if (!text.empty()) ctx.error(text);
  else ctx.out.flush();
  ctx.err << "Try '" << ctx.name() << " --help' for more information.\n";
  return spec.failure;
}

int missing_operand(interp::CommandContext& ctx, const OptionSpec& spec) {
  return usage_error(ctx, spec, "missing operand");
}

int missing_operand_after(interp::CommandContext& ctx, const OptionSpec& spec,
                          std::string_view last) {
  return usage_error(ctx, spec, "missing operand after " + base::gnu_locale_quote(last));
}

int extra_operand(interp::CommandContext& ctx, const OptionSpec& spec, std::string_view operand) {
  return usage_error(ctx, spec, "extra operand " + base::gnu_locale_quote(operand));
}

}  // namespace nacre::builtins
