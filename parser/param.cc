// ${..}
//
// The rules are those of bash's expansion, not of its reader: what it would
// call a "bad substitution" when it is reached is read up to its } and kept
// as ParamOp::bad.
#include <algorithm>

#include "parser/grammar.h"

namespace nacre::parser {

using lexer::has_flag;
using lexer::Input;

// After the "${".
void Grammar::brace_param(WordInfo& info, size_t start, Context context) {
  Level level(*s_);
  Input& in = lex_.in;
  const uint32_t line = in.line();
  Param* p = arena().make<Param>(Param::Kind::special);
  p->braced = true;
  const bool good = param_name(*p) && !failed_ && param_operator(*p, context);
  if (failed_) return;
  if (!good || in.peek() != '}') {
    *p = Param{Param::Kind::special};
    p->braced = true;
    p->op = ParamOp::bad;
    param_text(context);
    if (failed_) return;
  }
  if (in.raw() != '}') {
    if (text_ == Text::script || text_ == Text::backquoted || substitution_depth_ > 0) {
      unmatched('}', line);
      return;
    }
    p->op = ParamOp::unclosed;
  } else {
    in.skip();
  }
  push_param(info, start, *p);
}

// NAME[sub], digits, or a special parameter's character.
bool Grammar::param_variable(Param& p) {
  Input& in = lex_.in;
  const char c = in.peek();
  if (has_flag(c, lexer::kNameStart)) {
    const size_t name = in.pos();
    do in.skip();
    while (has_flag(in.peek(), lexer::kNameChar));
    p.kind = Param::Kind::variable;
    p.name = s_->symbols.intern(in.slice_from(name));
    if (in.peek() == '[') {
      p.sub = read_subscript();
      return !failed_ && p.sub;
    }
    return true;
  }
  if (has_flag(c, lexer::kDigit)) {
    uint64_t n = 0;
    for (char d = c; has_flag(d, lexer::kDigit); in.skip(), d = in.peek())
      n = std::min<uint64_t>(n * 10 + static_cast<uint64_t>(d - '0'), UINT32_MAX);
    if (n == 0) {
      p.special = '0';
    } else {
      p.kind = Param::Kind::positional;
      p.position = static_cast<uint32_t>(n);
    }
    return true;
  }
  if (!has_flag(c, lexer::kSpecialParam)) return false;
  p.special = c;
  in.skip();
  return true;
}

// The parameter and what stands before it: # (length) and ! (indirection).
bool Grammar::param_name(Param& p) {
  Input& in = lex_.in;
  const char c = in.peek();
  if (c == '#') {
    const char n = in.peek_next();
    if (has_flag(n, lexer::kNameStart | lexer::kDigit)) {
      in.skip();
      p.op = ParamOp::length;
      return param_variable(p);
    }
    in.skip();
    if (has_flag(n, lexer::kSpecialParam) && in.peek_next() == '}') {
      in.skip();
      p.op = ParamOp::length;
      p.special = n;
      return true;
    }
    p.special = '#';
    // ${#%} ${#:} ${#=} ${#+} ${#/}
    if (std::string_view("%:=+/").find(n) != std::string_view::npos && in.peek_next() == '}')
      return false;
    return n == '}' || !(n == '$' || n == '!' || n == '*');
  }
  if (c == '!') {
    const char n = in.peek_next();
    in.skip();
    const bool special = n == '#' || n == '?' || n == '@' || n == '*';
    if (!special && !has_flag(n, lexer::kNameStart | lexer::kDigit)) {
      p.special = '!';
      return true;
    }
    p.indirect = true;
    if (!param_variable(p)) return false;
    if (p.kind != Param::Kind::variable) return true;
    const char after = in.peek();
    if (!p.sub && (after == '*' || after == '@') && in.peek_next() == '}') {
      in.skip();
      p.op = ParamOp::names;
      p.indirect = false;
      p.names_at = after == '@';
    } else if (p.sub && p.sub->kind != Subscript::Kind::index && after == '}') {
      p.op = ParamOp::keys;
      p.indirect = false;
    }
    return true;
  }
  return param_variable(p);
}

bool Grammar::param_operator(Param& p, Context context) {
  Input& in = lex_.in;
  char c = in.peek();
  if (p.op != ParamOp::none) return c == '}';
  const auto doubled = [&](char which) {
    in.skip();
    if (in.peek() != which) return false;
    in.skip();
    return true;
  };
  switch (c) {
    case '}':
      return true;
    case ':': {
      const char n = in.peek_next();
      if (n == '}') return false;
      if (n != '-' && n != '=' && n != '?' && n != '+') {
        in.skip();
        p.op = ParamOp::substring;
        p.offset = read_arith(DoubleStop::colon);
        if (failed_) return false;
        if (in.raw() == ':') {
          in.skip();
          p.length = read_arith(DoubleStop::offset_end);
        }
        return true;
      }
      p.colon = true;
      c = n;
      in.skip();
      [[fallthrough]];
    }
    case '-': case '=': case '?': case '+':
      in.skip();
      p.op = c == '-'   ? ParamOp::use_default
             : c == '=' ? ParamOp::assign_default
             : c == '?' ? ParamOp::error
                        : ParamOp::alternative;
      p.arg = param_text(context);
      return true;
    case '#':
      p.op = doubled('#') ? ParamOp::remove_prefix_long : ParamOp::remove_prefix;
      break;
    case '%':
      p.op = doubled('%') ? ParamOp::remove_suffix_long : ParamOp::remove_suffix;
      break;
    case '^':
      p.op = doubled('^') ? ParamOp::upper_all : ParamOp::upper_first;
      break;
    case ',':
      p.op = doubled(',') ? ParamOp::lower_all : ParamOp::lower_first;
      break;
    case '~':
      p.op = doubled('~') ? ParamOp::toggle_all : ParamOp::toggle_first;
      break;
    case '/':
      return param_replacement(p, context);
    case '@': {
      const char n = in.peek_next();
      if (!has_flag(n, lexer::kNameStart)) return false;
      in.skip();
      in.skip();
      p.op = ParamOp::transform;
      p.transform = n;
      return true;
    }
    default:
      return false;
  }
  p.arg = param_pattern(Stop::brace, context);
  return true;
}

// /p/r //p/r /#p/r /%p/r, at the first slash.
bool Grammar::param_replacement(Param& p, Context context) {
  Input& in = lex_.in;
  in.skip();
  p.op = ParamOp::replace_first;
  switch (in.peek()) {
    case '/':
      p.op = ParamOp::replace_all;
      in.skip();
      break;
    case '#':
      p.op = ParamOp::replace_prefix;
      in.skip();
      break;
    case '%':
      p.op = ParamOp::replace_suffix;
      in.skip();
      break;
    default:
      break;
  }
  p.arg = param_pattern(Stop::slash, context);
  if (failed_ || in.raw() != '/') return true;
  in.skip();
  p.replacement = param_pattern(Stop::brace, context);
  if (!p.replacement && !failed_) p.replacement = arena().make<Word>();
  return true;
}

// A pattern or a replacement: quotes mean what they mean outside, even in "..".
// Null when it is empty.
const Word* Grammar::param_pattern(Stop stop, Context context) {
  Input& in = lex_.in;
  WordInfo info;
  info.start = in.pos();
  info.parts = scratch().parts.size();
  info.double_quoted = context != Context::unquoted;
  info.pattern = true;
  info.extglob = s_->options.extglob;
  read_unquoted(stop, info);
  if (failed_ || in.pos() == info.start) return nullptr;
  return word_from_parts(info.parts, info);
}

// The word of - = ? +. Within "..", it is more text of the same kind.
const Word* Grammar::param_text(Context context) {
  Input& in = lex_.in;
  if (context == Context::unquoted) return param_pattern(Stop::brace, context);
  WordInfo info;
  info.start = in.pos();
  info.parts = scratch().parts.size();
  info.double_quoted = true;
  read_double(DoubleStop::brace, info);
  if (failed_ || in.pos() == info.start) return nullptr;
  return word_from_parts(info.parts, info);
}

}  // namespace nacre::parser
