// $x and ${x..}: finds the value or values, applies the operator, and hands the
// result to the word that is being built.
//
// A parameter is a scalar or a list ($@ $* x[@] x[*]); an operator that changes
// text is applied to each element of a list. Elements of a list that need no
// operator go to the word without a copy in between.
#include <algorithm>

#include "base/utf8.h"
#include "interp/arith.h"
#include "interp/assign.h"
#include "interp/param_value.h"
#include "interp/variables.h"

namespace nacre::interp {

using parser::Param;
using parser::ParamOp;
using parser::Word;

namespace {

// One ${..} on its way.
class ParamExpansion {
 public:
  ParamExpansion(Process& p, const Param& written, Quote quote, WordBuilder& out)
      : p_(p), written_(written), param_(&written), quote_(quote), out_(out) {}

  bool run();

 private:
  // --- how the parameter is called in messages
  std::string name() const;
  bool bad_substitution();

  // --- output
  void emit(std::string_view text) {
    if (quote_ == Quote::quoted) out_.quoted(text);
    else out_.expansion(text);
  }
  // each(emit_one) calls emit_one(text) for each element.
  template <class F>
  void emit_elements(bool star, F&& each);
  void separate_unquoted(bool star);
  std::string star_separator() const;
  void emit_values(const ValueList& values, bool star);
  bool expand_operand(const Word* word);
  bool operand_text(const Word* word, std::string& text);

  // --- the groups of operators
  bool plain();
  bool defaults();
  bool assign_default(const std::string& text);
  bool report_unset();
  bool length();
  bool substring();
  bool evaluate(const parser::Arith& a, int64_t& out, std::string_view who);
  bool substring_bounds(int64_t size, int64_t& offset, int64_t& count, bool list);
  bool scalar_substring(std::string_view text);
  bool list_substring();
  bool changed_text();
  bool transform();
  bool transform_list(char letter);
  bool names();
  bool keys();

  bool check_bound(const ScalarValue& value);
  // Reads a scalar for an operator; false after a failure or when it is unbound.
  bool read(ScalarValue& value);

  Process& p_;
  const Param& written_;
  const Param* param_;      // written_, or what ${!x} led to
  Quote quote_;
  WordBuilder& out_;
  const Indirect* indirect_ = nullptr;
};

std::string ParamExpansion::name() const {
  std::string out = parameter_name(p_, written_);
  if (written_.indirect) out.insert(out.begin(), '!');
  return out;
}

bool ParamExpansion::bad_substitution() {
  p_.error(std::string(written_.raw) + ": bad substitution");
  fail_discard(p_);
  return false;
}

bool ParamExpansion::run() {
  switch (written_.op) {
    case ParamOp::bad:
      return bad_substitution();
    case ParamOp::names:
      return names();
    case ParamOp::keys:
      return keys();
    default:
      break;
  }
  Indirect indirect;
  if (written_.indirect) {
    if (!resolve_indirect(p_, written_, indirect)) return false;
    indirect_ = &indirect;
    param_ = &indirect.param;
  }
  switch (written_.op) {
    case ParamOp::none:
      return plain();
    case ParamOp::use_default:
    case ParamOp::assign_default:
    case ParamOp::error:
    case ParamOp::alternative:
      return defaults();
    case ParamOp::length:
      return length();
    case ParamOp::substring:
      return substring();
    case ParamOp::transform:
      return transform();
    default:
      return changed_text();
  }
}

template <class F>
void ParamExpansion::emit_elements(bool star, F&& each) {
  bool first = true;
  if (quote_ == Quote::quoted && star) {
    std::string separator = star_separator();
    each([&](std::string_view text) {
      if (!first) out_.quoted(separator);
      first = false;
      out_.quoted(text);
    });
    return;
  }
  if (quote_ == Quote::quoted) {
    each([&](std::string_view text) {
      if (!first) out_.separate_quoted();
      first = false;
      out_.quoted_element(text);
    });
    if (first) out_.empty_list = true;
    return;
  }
  each([&](std::string_view text) {
    if (!first) separate_unquoted(star);
    first = false;
    out_.expansion(text);
  });
}

// Within the word of ${x-..}, $@ is joined by blanks that IFS may not split at.
void ParamExpansion::separate_unquoted(bool star) {
  if (quote_ == Quote::operand && !star && !out_.joiner().empty()) out_.expansion(" ");
  else out_.separate_unquoted(star);
}

// In a here-document only x[*] itself is joined by IFS.
std::string ParamExpansion::star_separator() const {
  if (out_.here_document && (written_.op != ParamOp::none || !written_.sub)) return " ";
  return std::string(out_.joiner());
}

void ParamExpansion::emit_values(const ValueList& values, bool star) {
  emit_elements(star, [&](auto&& emit_one) {
    for (size_t i = 0; i < values.size(); ++i) emit_one(values[i]);
  });
}

bool ParamExpansion::expand_operand(const Word* word) {
  if (!word) return true;
  if (quote_ == Quote::quoted) {
    bool outer = out_.empty_list;
    bool ok = expand_parts(p_, word->parts, Quote::quoted, out_);
    out_.empty_list = outer;
    return ok;
  }
  return expand_parts(p_, word->parts, Quote::operand, out_);
}

bool ParamExpansion::operand_text(const Word* word, std::string& text) {
  if (!word) return true;
  WordBuilder builder(p_, Collect::plain);
  Quote quote = quote_ == Quote::quoted ? Quote::quoted : Quote::none;
  if (!expand_parts(p_, word->parts, quote, builder)) return false;
  text = builder.view();
  return true;
}

bool ParamExpansion::check_bound(const ScalarValue& value) {
  if (value.set || !p_.has(SetOption::nounset)) return true;
  std::string text = name();
  if (!written_.indirect && written_.kind != Param::Kind::variable) text.insert(text.begin(), '$');
  return unbound(p_, text);
}

bool ParamExpansion::read(ScalarValue& value) {
  if (indirect_ && indirect_->is_text) {
    value.set = true;
    value.text = indirect_->text;
    return true;
  }
  return read_scalar(p_, *param_, value) && check_bound(value);
}

bool ParamExpansion::plain() {
  if (is_list(*param_)) {
    if (param_->kind == Param::Kind::special) {
      emit_elements(is_star(*param_), [&](auto&& emit_one) {
        for (size_t i = 1; i <= p_.state.param_count(); ++i) emit_one(p_.state.param(i));
      });
      return true;
    }
    base::Symbol symbol = param_->name;
    const Variable* v = array_variable(p_, symbol);
    std::string buffer;
    emit_elements(is_star(*param_), [&](auto&& emit_one) {
      if (!v) return;
      if (v->has(kIndexed)) {
        if (v->indexed())
          v->indexed()->for_each([&](int64_t, const std::string& e) {
            emit_one(e);
            return true;
          });
      } else if (v->has(kAssoc)) {
        if (v->assoc())
          v->assoc()->for_each([&](std::string_view, const std::string& e) {
            emit_one(e);
            return true;
          });
      } else {
        std::string_view text;
        if (read_variable(p_, symbol, text, buffer)) emit_one(text);
      }
    });
    return true;
  }
  ScalarValue value;
  if (!read(value)) return false;
  emit(value.text);
  return true;
}

// --- - = ? + ----------------------------------------------------------------

bool ParamExpansion::defaults() {
  const bool list = is_list(*param_);
  bool set = false, null = true;
  ScalarValue value;
  ValueList values(p_.meter());
  if (list) {
    read_list(p_, *param_, values);
    set = !values.empty();
    // The elements are null together when what they join to is: one "" is,
    // two are not (for * with a null IFS, they are).
    size_t bytes = 0;
    for (size_t i = 0; i < values.size(); ++i) bytes += values[i].size();
    bool joined = values.size() > 1 && !(is_star(*param_) && out_.joiner().empty());
    null = bytes == 0 && !joined;
  } else {
    if (indirect_ && indirect_->is_text) {
      value.set = true;
      value.text = indirect_->text;
    } else if (!read_scalar(p_, *param_, value)) {
      return false;
    }
    set = value.set;
    null = value.text.empty();
  }
  const bool has_value = set && !(written_.colon && null);

  if (written_.op == ParamOp::alternative) {
    if (has_value) return expand_operand(written_.arg);
    if (list && !set && quote_ == Quote::quoted && !is_star(*param_)) out_.empty_list = true;
    return true;
  }
  if (has_value) {
    if (list) emit_values(values, is_star(*param_));
    else emit(value.text);
    return true;
  }
  switch (written_.op) {
    case ParamOp::use_default:
      return expand_operand(written_.arg);
    case ParamOp::assign_default: {
      std::string text;
      return operand_text(written_.arg, text) && assign_default(text);
    }
    default:
      return report_unset();
  }
}

// The message is split into fields like a command's words, quoted or not.
bool ParamExpansion::report_unset() {
  std::string message = name();
  message += ": ";
  if (written_.arg && !written_.arg->parts.empty()) {
    FieldList fields(p_.scratch());
    WordBuilder builder(p_, fields);
    builder.set_glob(false);
    Quote quote = quote_ == Quote::quoted ? Quote::none : Quote::operand;
    if (!expand_parts(p_, written_.arg->parts, quote, builder) || !builder.finish()) return false;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i) message += ' ';
      message += fields[i];
    }
  } else {
    message += written_.colon ? "parameter null or not set" : "parameter not set";
  }
  p_.error(message);
  fail_exit(p_);
  return false;
}

bool ParamExpansion::assign_default(const std::string& text) {
  if (param_->kind != Param::Kind::variable) {
    p_.error("$" + name() + ": cannot assign in this way");
    fail_discard(p_);
    return false;
  }
  if (written_.indirect && param_->sub) {
    p_.error(parameter_name(p_, *param_) + ": invalid variable name");
    fail_discard(p_);
    return false;
  }
  bool ok;
  if (!param_->sub) {
    ok = assign_variable(p_, param_->name, text);
  } else if (is_list(*param_)) {
    p_.error(name() + ": bad array subscript");
    ok = false;
  } else {
    ok = assign_subscript(p_, param_->name, *param_->sub, text);
  }
  if (!ok) {
    fail_discard(p_);
    if (p_.parent) p_.failure.status = 2;  // as ( ) has it, and nothing else
    return false;
  }
  // What is expanded is the variable's new value, which -i and -u may have changed.
  ScalarValue value;
  if (!read_scalar(p_, *param_, value)) return false;
  emit(value.text);
  return true;
}

// --- # and : ----------------------------------------------------------------

bool ParamExpansion::length() {
  size_t n;
  if (is_list(*param_)) {
    n = list_size(p_, *param_);
    if (n == 0 && param_->kind == Param::Kind::variable && p_.has(SetOption::nounset) &&
        !p_.state.vars.find(param_->name)) {
      // bash reports it, but goes on with the next line.
      unbound(p_, p_.session.symbols.name(param_->name));
      fail_discard(p_);
      return false;
    }
  } else {
    ScalarValue value;
    value.on_bad_subscript = BadSubscript::discard;
    if (!read_scalar(p_, *param_, value)) return false;
    if (!value.set && p_.has(SetOption::nounset)) {
      if (param_->sub) {
        unbound(p_, p_.session.symbols.name(param_->name));
        fail_discard(p_);
        return false;
      }
      if (!check_bound(value)) return false;
    }
    n = count_units(p_, value.text);
  }
  char digits[24];
  auto r = std::to_chars(digits, digits + sizeof digits, n);
  emit({digits, static_cast<size_t>(r.ptr - digits)});
  return true;
}

bool ParamExpansion::evaluate(const parser::Arith& a, int64_t& out, std::string_view who) {
  if (eval_arith(p_, a, out, who)) return true;
  if (expression_failed(p_)) fail_discard(p_);
  return false;
}

// Evaluates offset and length over `size` units. On return, offset is -1 when
// nothing is selected; count is how many units from there.
bool ParamExpansion::substring_bounds(int64_t size, int64_t& offset, int64_t& count, bool list) {
  std::string who = name() + ": ";
  if (!evaluate(*written_.offset, offset, who)) return false;
  count = size;
  if (offset < 0) offset += size;
  bool nothing = offset < 0 || (!list && offset > size);
  if (written_.length) {
    int64_t wanted;
    if (nothing) {
      // bash does not look at the length then.
      offset = -1;
      return true;
    }
    if (!evaluate(*written_.length, wanted, who)) return false;
    if (wanted < 0 && !list) {
      wanted += size - offset;
    }
    if (wanted < 0) {
      p_.error(std::string(written_.length->source) + ": substring expression < 0");
      fail_discard(p_);
      return false;
    }
    count = wanted;
  }
  if (nothing) offset = -1;
  return true;
}

bool ParamExpansion::scalar_substring(std::string_view text) {
  bool ascii = base::is_ascii(text) || byte_locale(p_);
  int64_t size = static_cast<int64_t>(ascii ? text.size() : base::count_chars(text));
  int64_t offset, count;
  if (!substring_bounds(size, offset, count, false)) return false;
  if (offset < 0 || count == 0) return true;
  if (count > size - offset) count = size - offset;
  if (ascii) {
    emit(text.substr(static_cast<size_t>(offset), static_cast<size_t>(count)));
  } else {
    std::string_view rest = text.substr(base::char_offset(text, static_cast<size_t>(offset)));
    emit(rest.substr(0, base::char_offset(rest, static_cast<size_t>(count))));
  }
  return true;
}

bool ParamExpansion::substring() {
  if (is_list(*param_)) {
    base::Symbol symbol = param_->name;
    const Variable* v =
        param_->kind == Param::Kind::variable ? array_variable(p_, symbol) : nullptr;
    if (param_->kind == Param::Kind::special || (v && v->is_array())) return list_substring();
    // x[@] of a scalar is the scalar.
    std::string buffer;
    std::string_view text;
    if (!v || !read_variable(p_, symbol, text, buffer)) {
      emit_values(ValueList(p_.meter()), is_star(*param_));
      return true;
    }
    return scalar_substring(std::string(text));
  }
  ScalarValue value;
  if (!read(value)) return false;
  if (!value.set) return true;
  value.keep();  // the offset may assign to the variable
  return scalar_substring(value.text);
}

bool ParamExpansion::list_substring() {
  const bool star = is_star(*param_);
  ValueList picked(p_.meter());
  int64_t offset, count;
  if (param_->kind == Param::Kind::special) {
    auto n = static_cast<int64_t>(p_.state.param_count());
    // Position 0 is $0.
    if (!substring_bounds(n + 1, offset, count, true)) return false;
    if (offset >= 0)
      for (int64_t i = offset; i <= n && count > 0; ++i, --count)
        picked.add(i == 0 ? std::string_view(p_.state.arg0) : p_.state.param(i));
    emit_values(picked, star);
    return true;
  }
  base::Symbol symbol = param_->name;
  const Variable* v = array_variable(p_, symbol);
  int64_t size = 0;
  if (v && v->has(kIndexed)) size = v->indexed() ? v->indexed()->end_index() : 0;
  else if (v) size = static_cast<int64_t>(element_count(p_, symbol));
  if (!substring_bounds(size, offset, count, true)) return false;
  v = array_variable(p_, symbol);
  if (offset < 0 || count == 0 || !v) {
    emit_values(picked, star);
    return true;
  }
  if (v->has(kIndexed)) {
    if (v->indexed())
      v->indexed()->for_each_from(offset, [&](int64_t, const std::string& e) {
        picked.add(e);
        return --count > 0;
      });
  } else if (v->has(kAssoc)) {
    // bash counts an associative array's elements from 1.
    int64_t at = 1;
    if (v->assoc())
      v->assoc()->for_each([&](std::string_view, const std::string& e) {
        if (at++ < offset) return true;
        picked.add(e);
        return --count > 0;
      });
  }
  emit_values(picked, star);
  return true;
}

// --- # % / ^ , ~ ------------------------------------------------------------

bool ParamExpansion::changed_text() {
  ParamOp op = written_.op;
  const bool replaces = op >= ParamOp::replace_first && op <= ParamOp::replace_suffix;
  const bool list = is_list(*param_);
  ScalarValue value;
  ValueList values(p_.meter());
  if (list) {
    read_list(p_, *param_, values);
  } else {
    if (!read(value)) return false;
    if (!value.set) return true;
    if ((written_.arg && !written_.arg->is_literal) ||
        (written_.replacement && !written_.replacement->is_literal))
      value.keep();
  }
  TextBuffer pattern(p_.meter());
  if (!expand_pattern(p_, written_.arg, pattern)) return false;
  std::string_view pattern_text = pattern.view();
  if (op == ParamOp::replace_first && !pattern_text.empty() &&
      (pattern_text[0] == '#' || pattern_text[0] == '%')) {
    // An anchor that came from an expansion.
    op = pattern_text[0] == '#' ? ParamOp::replace_prefix : ParamOp::replace_suffix;
    pattern_text.remove_prefix(1);
  }
  const bool references = p_.has(Shopt::patsub_replacement);
  WordBuilder replacement(p_, references ? Collect::replacement : Collect::plain);
  if (replaces && written_.replacement &&
      !expand_parts(p_, written_.replacement->parts, Quote::none, replacement))
    return false;

  TextBuffer result(p_.meter());
  auto change = [&](std::string_view text) {
    result.clear();
    if (replaces)
      replace_matching(p_, text, pattern_text, replacement.view(), references, op, result);
    else if (op >= ParamOp::remove_prefix && op <= ParamOp::remove_suffix_long)
      remove_matching(p_, text, pattern_text, op, result);
    else
      change_case(p_, text, pattern_text, op, result);
    return result.view();
  };
  if (!list) {
    emit(change(value.text));
    return true;
  }
  emit_elements(is_star(*param_), [&](auto&& emit_one) {
    for (size_t i = 0; i < values.size(); ++i) emit_one(change(values[i]));
  });
  return true;
}

// --- @ ----------------------------------------------------------------------

bool ParamExpansion::transform() {
  const char letter = written_.transform;
  auto invalid = [&] {
    p_.error(std::string(written_.raw) + ": bad substitution");
    fail_exit(p_);
    return false;
  };
  if (is_list(*param_)) {
    if (!valid_transform(letter)) return list_size(p_, *param_) == 0 || invalid();
    return transform_list(letter);
  }
  TextBuffer result(p_.meter());
  const bool text_only = indirect_ && indirect_->is_text;
  if (param_->kind == Param::Kind::variable && !text_only && (letter == 'a' || letter == 'A')) {
    base::Symbol symbol = param_->name;
    const Variable* v = array_variable(p_, symbol);
    if (v && v->has(kNameref)) v = nullptr;  // it refers to nothing yet
    ScalarValue value;
    if (!read_scalar(p_, *param_, value) || !check_bound(value)) return false;
    if (!v) return true;
    if (letter == 'a') {
      std::string letters;
      append_attributes(*v, letters);
      emit(letters);
      return true;
    }
    append_assignment(p_, symbol, *v, value.set ? &value.text : nullptr, result);
    emit(result.view());
    return true;
  }
  ScalarValue value;
  if (!read(value)) return false;
  if (!value.set) return true;
  if (!valid_transform(letter)) return invalid();
  switch (letter) {
    case 'a':
      return true;
    case 'A':
      // Positional parameters and the like have no assignment: as @Q.
      if (!transform_text(p_, 'Q', value.text, result)) return false;
      break;
    case 'K':
    case 'k':
      if (!transform_text(p_, 'Q', value.text, result)) return false;
      break;
    default:
      value.keep();
      if (!transform_text(p_, letter, value.text, result)) return false;
  }
  emit(result.view());
  return true;
}

bool ParamExpansion::transform_list(char letter) {
  const bool star = is_star(*param_);
  TextBuffer result(p_.meter());
  ValueList values(p_.meter());
  if (param_->kind == Param::Kind::special) {
    read_list(p_, *param_, values);
    if (letter == 'a') {
      if (values.empty()) out_.empty_list = quote_ == Quote::quoted && !star;
      return true;
    }
    if (letter == 'A') {
      if (values.empty()) {
        emit_values(values, star);
        return true;
      }
      result.append("set -- ");
      for (size_t i = 0; i < values.size(); ++i) {
        if (i) result.push(' ');
        transform_text(p_, 'Q', values[i], result);
      }
      emit(result.view());
      return true;
    }
    if (letter == 'K' || letter == 'k') letter = 'Q';
  } else {
    base::Symbol symbol = param_->name;
    const Variable* v = array_variable(p_, symbol);
    if (letter == 'A' && v) {
      append_array_assignment(p_, symbol, *v, result);
      emit(result.view());
      return true;
    }
    if (letter == 'K' && v && v->is_array()) {
      if (element_count(p_, symbol) == 0) {
        emit_values(values, star);
        return true;
      }
      append_quoted_pairs(*v, result);
      emit(result.view());
      return true;
    }
    if (letter == 'k' && v && v->is_array()) {
      auto add = [&](std::string_view key, const std::string& e) {
        values.add(key);
        values.add(e);
        return true;
      };
      if (v->indexed())
        v->indexed()->for_each([&](int64_t i, const std::string& e) {
          return add(base::int_text(i), e);
        });
      if (v->assoc()) v->assoc()->for_each(add);
      emit_values(values, star);
      return true;
    }
    if (letter == 'a' && v) {
      std::string letters;
      append_attributes(*v, letters);
      size_t n = element_count(p_, symbol);
      if (n == 0 && !v->is_set()) n = 1;
      for (size_t i = 0; i < n; ++i) values.add(letters);
      emit_values(values, star);
      return true;
    }
    if (letter == 'K' || letter == 'k') letter = 'Q';
    if (v) read_list(p_, *param_, values);
  }
  ValueList changed(p_.meter());
  for (size_t i = 0; i < values.size(); ++i) {
    result.clear();
    if (!transform_text(p_, letter, values[i], result)) return false;
    changed.add(result.view());
  }
  emit_values(changed, star);
  return true;
}

// --- ${!pre*} and ${!a[@]} --------------------------------------------------

bool ParamExpansion::names() {
  std::string_view prefix = p_.session.symbols.name(written_.name);
  std::vector<std::string_view> found;
  p_.state.vars.for_each([&](base::Symbol s, const Variable& v) {
    std::string_view n = p_.session.symbols.name(s);
    if (n.starts_with(prefix) && v.is_set()) found.push_back(n);
  });
  std::sort(found.begin(), found.end());
  emit_elements(!written_.names_at, [&](auto&& emit_one) {
    for (std::string_view n : found) emit_one(n);
  });
  return true;
}

bool ParamExpansion::keys() {
  base::Symbol symbol = written_.name;
  const Variable* v = array_variable(p_, symbol);
  emit_elements(is_star(written_), [&](auto&& emit_one) {
    if (!v) return;
    if (v->has(kIndexed)) {
      if (v->indexed())
        v->indexed()->for_each([&](int64_t i, const std::string&) {
          char digits[24];
          auto r = std::to_chars(digits, digits + sizeof digits, i);
          emit_one(std::string_view(digits, static_cast<size_t>(r.ptr - digits)));
          return true;
        });
    } else if (v->has(kAssoc)) {
      if (v->assoc())
        v->assoc()->for_each([&](std::string_view key, const std::string&) {
          emit_one(key);
          return true;
        });
    } else if (element_count(p_, symbol) > 0) {
      emit_one("0");
    }
  });
  return true;
}

}  // namespace

bool plain_value(Process& p, const Param& param, std::string_view& out, std::string& buffer) {
  if (param.op != ParamOp::none || param.indirect || param.sub) return false;
  switch (param.kind) {
    case Param::Kind::variable: {
      const Variable* v = p.state.vars.find(param.name);
      if (!v || !v->is_set() || v->has(kNameref | kArrayMask)) return false;
      if (v->dynamic != Dynamic::none) {
        if (!read_variable(p, param.name, out, buffer)) return false;
        return true;
      }
      out = v->text();
      return true;
    }
    case Param::Kind::positional:
      if (param.position == 0 || param.position > p.state.param_count()) return false;
      out = p.state.param(param.position);
      return true;
    case Param::Kind::special:
      switch (param.special) {
        case '#':
          base::append_uint(buffer, p.state.param_count());
          break;
        case '?':
          base::append_int(buffer, p.status);
          break;
        case '$':
          base::append_int(buffer, p.shell_pid);
          break;
        default:
          return false;
      }
      out = buffer;
      return true;
  }
  return false;
}

bool expand_param(Process& p, const Param& param, Quote quote, WordBuilder& out) {
  std::string buffer;
  std::string_view text;
  if (plain_value(p, param, text, buffer)) {
    if (quote == Quote::quoted) out.quoted(text);
    else out.expansion(text);
    return true;
  }
  return ParamExpansion(p, param, quote, out).run();
}

}  // namespace nacre::interp
