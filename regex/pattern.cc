#include "regex/pattern.h"

#include <cstring>

#include "regex/pattern_program.h"

namespace nacre::regex {

namespace {

using internal::Program;
using internal::Subject;

bool valid_utf8(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    base::Utf8Char c = base::decode_utf8(s, i);
    if (!c.valid) return false;
    i += c.size;
  }
  return true;
}

bool ascii_only(std::string_view s) {
  while (s.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, s.data(), 8);
    if (word & 0x8080808080808080u) return false;
    s.remove_prefix(8);
  }
  return base::is_ascii(s);
}

// The end of the last invalid byte of s; 0 when there is none.
size_t end_of_invalid(std::string_view s) {
  size_t end = 0;
  for (size_t i = 0; i < s.size();) {
    base::Utf8Char c = base::decode_utf8(s, i);
    i += c.size;
    if (!c.valid) end = i;
  }
  return end;
}

// How a text is read. In ASCII text bytes and characters are the same.
enum class Mode : uint8_t { ascii, wide, bytes };

Mode mode_of(std::string_view s) {
  if (ascii_only(s)) return Mode::ascii;
  return valid_utf8(s) ? Mode::wide : Mode::bytes;
}

}  // namespace

struct Pattern::Impl {
  Program program;
  // For text that is not valid UTF-8, when the pattern is valid and not ASCII;
  // made when it is first needed, from `source`.
  std::unique_ptr<Program> bytes_program;
  // Before it searches, bash matches the whole text against *pattern*, and by
  // its rules for stars that may fail where the pattern alone would match:
  // x=c; echo ${x/?@(|a)/X}. Made when it is first needed.
  std::unique_ptr<Pattern> check;
  std::string source;
  PatternOptions options;
  bool ascii = true;
  bool valid = true;
  bool empty = false;

  // Literals and stars do not care whether they are compared as bytes or as
  // characters.
  bool mode_matters() const { return !program.simple || !program.plain; }

  bool checks(std::string_view s, limits::Meter& meter) {
    if (!check) {
      std::string text;
      if (source[0] != '*' || source.substr(1, 1) == "(") text += '*';
      text += source;
      size_t backslashes = 0;
      if (text.back() == '*')
        while (backslashes + 1 < text.size() && text[text.size() - 2 - backslashes] == '\\')
          ++backslashes;
      if (text.back() != '*' || backslashes % 2 == 1) text += '*';
      check = std::make_unique<Pattern>(text, options, meter);
    }
    return check->matches(s, meter);
  }

  const Program& for_bytes(limits::Meter& meter) {
    if (!valid || ascii || !mode_matters()) return program;
    if (!bytes_program)
      bytes_program = std::make_unique<Program>(
          internal::compile_pattern(source, options, false, meter));
    return *bytes_program;
  }
  // True when parts of the text are matched by characters and others by bytes.
  bool is_mixed(Mode mode) const { return mode == Mode::bytes && valid && mode_matters(); }
  internal::mixed::Programs mixed_programs(limits::Meter& meter) {
    return {program, for_bytes(meter)};
  }
  Mode mode_for(std::string_view s) const { return mode_matters() ? mode_of(s) : Mode::ascii; }
  Subject subject(std::string_view s, Mode mode) const {
    return {s, mode == Mode::wide && valid};
  }
};

Pattern::Pattern(std::string_view text, PatternOptions options, limits::Meter& meter)
    : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
  impl_->empty = text.empty();
  impl_->ascii = ascii_only(text);
  impl_->valid = impl_->ascii || valid_utf8(text);
  impl_->program = internal::compile_pattern(text, options, impl_->valid, meter);
  if (impl_->mode_matters()) impl_->source = text;
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

bool Pattern::matches(std::string_view s, limits::Meter& meter) const {
  const Program& p = impl_->program;
  if (p.simple && p.options.period && s.starts_with('.')) {
    // Only a literal takes a leading period.
    if (p.segments[0].count == 0) {
      if (p.has_star) return false;
    } else if (p.elements[0].op == internal::Element::Op::any ||
               p.elements[0].op == internal::Element::Op::set) {
      return false;
    }
  }
  Mode mode = impl_->mode_for(s);
  const Program& q = mode == Mode::bytes ? impl_->for_bytes(meter) : p;
  Subject subject = impl_->subject(s, mode);
  return q.simple ? internal::simple::matches(q, subject, meter)
                  : internal::extended::matches(q, subject, meter);
}

size_t Pattern::match_prefix(std::string_view s, bool longest, limits::Meter& meter) const {
  Mode mode = impl_->mode_for(s);
  if (impl_->is_mixed(mode))
    return internal::mixed::prefix(impl_->mixed_programs(meter), s, longest, meter);
  const Program& p = impl_->program;
  Subject subject = impl_->subject(s, mode);
  return p.simple ? internal::simple::prefix(p, subject, longest, meter)
                  : internal::extended::prefix(p, subject, longest, meter);
}

size_t Pattern::match_suffix(std::string_view s, bool longest, limits::Meter& meter) const {
  Mode mode = impl_->mode_for(s);
  if (impl_->is_mixed(mode))
    return internal::mixed::suffix(impl_->mixed_programs(meter), s, longest, meter);
  const Program& p = impl_->program;
  Subject subject = impl_->subject(s, mode);
  return p.simple ? internal::simple::suffix(p, subject, longest, meter)
                  : internal::extended::suffix(p, subject, longest, meter);
}

bool Pattern::search(std::string_view s, size_t from, size_t& pos, size_t& len,
                     limits::Meter& meter) const {
  return PatternScan(*this, s).find(from, pos, len, meter);
}

bool Pattern::is_literal() const {
  const Program& p = impl_->program;
  return p.simple && p.plain && !p.has_star;
}

std::string_view Pattern::literal() const { return impl_->program.text; }

PatternScan::PatternScan(const Pattern& pattern, std::string_view s)
    : pattern_(&pattern), s_(s) {
  if (!pattern.impl_->mode_matters()) return;
  ascii_ = ascii_only(s);
  if (!ascii_) end_of_invalid_ = end_of_invalid(s);
}

bool PatternScan::find(size_t from, size_t& pos, size_t& len, limits::Meter& meter) const {
  Pattern::Impl& impl = *pattern_->impl_;
  if (impl.empty) return false;
  Mode mode = Mode::ascii;
  if (!ascii_)
    mode = from >= end_of_invalid_ && base::is_char_boundary(s_, from) ? Mode::wide : Mode::bytes;
  const Program& p = impl.program;
  Subject subject = impl.subject(s_, mode);
  bool found = impl.is_mixed(mode)
                   ? internal::mixed::search(impl.mixed_programs(meter), s_, from, pos, len, meter)
               : p.simple ? internal::simple::search(p, subject, from, pos, len, meter)
                          : internal::extended::search(p, subject, from, pos, len, meter);
  if (!found) return false;
  if (!impl.is_mixed(mode) && (p.simple || (len > 0 && !p.check_matters))) return true;
  return impl.checks(s_.substr(from), meter);
}

namespace {

constexpr bool contains(std::string_view set, char c) {
  return set.find(c) != std::string_view::npos;
}

}  // namespace

bool has_active_pattern(std::string_view text, bool extglob) {
  bool open_bracket = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\') ++i;
    else if (c == '*' || c == '?') return true;
    else if (c == '[') open_bracket = true;
    else if (c == ']' && open_bracket) return true;
    else if (extglob && contains("+@!", c) && i + 1 < text.size() && text[i + 1] == '(') return true;
  }
  return false;
}

void append_escaped(std::string& out, std::string_view text) {
  // The second half matters inside brackets and groups only.
  for (char c : text) {
    if (contains("*?[]\\+@!(|)^-:.=", c)) out += '\\';
    out += c;
  }
}

std::string unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

}  // namespace nacre::regex
