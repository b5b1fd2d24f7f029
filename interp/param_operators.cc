// The operators that make one text of another: # ## % %% / // /# /% ^ ^^ , ,, ~ ~~.
#include "base/utf8.h"
#include "interp/param_value.h"
#include "regex/pattern.h"

namespace nacre::interp {

using parser::ParamOp;

namespace {

const regex::Pattern& compiled(Process& p, std::string_view pattern, bool ignore_case) {
  regex::PatternOptions options;
  options.extglob = p.has(Shopt::extglob);
  options.ignore_case = ignore_case;
  return p.session.patterns.pattern(pattern, options, p.meter());
}

// The replacement's text: & is what matched, \& and \\ are themselves.
void append_replacement(std::string_view replacement, bool has_references, std::string_view match,
                        TextBuffer& out) {
  if (!has_references) {
    out.append(replacement);
    return;
  }
  for (size_t i = 0; i < replacement.size(); ++i) {
    char c = replacement[i];
    if (c == '&') {
      out.append(match);
      continue;
    }
    if (c == '\\' && i + 1 < replacement.size() &&
        (replacement[i + 1] == '&' || replacement[i + 1] == '\\'))
      ++i;
    out.push(replacement[i]);
  }
}

void append_char(TextBuffer& out, uint32_t code) {
  if (code < 0x80) {
    out.push(static_cast<char>(code));
    return;
  }
  std::string bytes;
  base::append_utf8(bytes, code);
  out.append(bytes);
}

uint32_t changed(uint32_t code, ParamOp op) {
  switch (op) {
    case ParamOp::upper_first:
    case ParamOp::upper_all:
      return base::to_upper(code);
    case ParamOp::lower_first:
    case ParamOp::lower_all:
      return base::to_lower(code);
    default:
      return base::is_upper(code) ? base::to_lower(code) : base::to_upper(code);
  }
}

}  // namespace

bool expand_pattern(Process& p, const parser::Word* word, TextBuffer& out) {
  if (!word) return true;
  if (word->is_literal && !word->quoted && !word->may_glob) {
    out.append(word->literal);
    return true;
  }
  WordBuilder builder(p, Collect::pattern);
  if (!expand_parts(p, word->parts, Quote::none, builder)) return false;
  out.append(builder.view());
  return true;
}

void remove_matching(Process& p, std::string_view value, std::string_view pattern, ParamOp op,
                     TextBuffer& out) {
  const regex::Pattern& compiled_pattern = compiled(p, pattern, false);
  const bool prefix = op == ParamOp::remove_prefix || op == ParamOp::remove_prefix_long;
  const bool longest = op == ParamOp::remove_prefix_long || op == ParamOp::remove_suffix_long;
  size_t n = prefix ? compiled_pattern.match_prefix(value, longest, p.meter())
                    : compiled_pattern.match_suffix(value, longest, p.meter());
  if (n == std::string_view::npos) out.append(value);
  else if (prefix) out.append(value.substr(n));
  else out.append(value.substr(0, value.size() - n));
}

void replace_matching(Process& p, std::string_view value, std::string_view pattern,
                      std::string_view replacement, bool has_references, ParamOp op,
                      TextBuffer& out) {
  const bool anchored = op == ParamOp::replace_prefix || op == ParamOp::replace_suffix;
  if (pattern.empty() && !anchored) {
    out.append(value);
    return;
  }
  const regex::Pattern& compiled_pattern = compiled(p, pattern, p.has(Shopt::nocasematch));
  if (anchored) {
    const bool prefix = op == ParamOp::replace_prefix;
    size_t n = prefix ? compiled_pattern.match_prefix(value, true, p.meter())
                      : compiled_pattern.match_suffix(value, true, p.meter());
    if (n == std::string_view::npos) {
      out.append(value);
    } else if (prefix) {
      append_replacement(replacement, has_references, value.substr(0, n), out);
      out.append(value.substr(n));
    } else {
      out.append(value.substr(0, value.size() - n));
      append_replacement(replacement, has_references, value.substr(value.size() - n), out);
    }
    return;
  }
  const regex::PatternScan scan(compiled_pattern, value);
  size_t at = 0;
  do {
    size_t pos, len;
    if (!scan.find(at, pos, len, p.meter())) break;
    out.append(value.substr(at, pos - at));
    append_replacement(replacement, has_references, value.substr(pos, len), out);
    at = pos + len;
    if (len == 0 && at < value.size()) {
      // After an empty match bash takes a character as it is and goes on.
      size_t n = base::decode_utf8(value, at).size;
      out.append(value.substr(at, n));
      at += n;
    }
  } while (op == ParamOp::replace_all && at < value.size());
  out.append(value.substr(at));
}

void change_case(Process& p, std::string_view value, std::string_view pattern, ParamOp op,
                 TextBuffer& out) {
  const bool all =
      op == ParamOp::upper_all || op == ParamOp::lower_all || op == ParamOp::toggle_all;
  const regex::Pattern* only = pattern.empty() ? nullptr : &compiled(p, pattern, false);
  size_t at = 0;
  while (at < value.size()) {
    base::Utf8Char c = base::decode_utf8(value, at);
    std::string_view bytes = value.substr(at, c.size);
    if (c.valid && (!only || only->matches(bytes, p.meter()))) append_char(out, changed(c.code, op));
    else out.append(bytes);
    at += c.size;
    if (!all) break;
  }
  out.append(value.substr(at));
}

}  // namespace nacre::interp
