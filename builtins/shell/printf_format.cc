#include "builtins/shell/printf_format.h"

#include <charconv>
#include <climits>

#include "base/format.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "builtins/support/floats.h"

namespace nacre::builtins {

using interp::Args;

// --- the sink ---------------------------------------------------------------

void PrintfSink::write_slow(std::string_view s) {
  if (text_) {
    meter_->check_string(static_cast<int64_t>(text_->size() + s.size()));
    text_->append(s);
    return;
  }
  finish();
  out_->write(s);
}

void PrintfSink::pad(char c, int64_t n) {
  if (n <= 0) return;
  char run[256];
  std::char_traits<char>::assign(run, sizeof run, c);
  while (n > 0) {
    auto part = static_cast<size_t>(n < static_cast<int64_t>(sizeof run) ? n : sizeof run);
    write({run, part});
    n -= static_cast<int64_t>(part);
  }
}

void PrintfSink::before_message() {
  if (text_) return;
  std::string_view held(buffer_, used_);
  size_t newline = held.rfind('\n');
  size_t lines = newline == std::string_view::npos ? 0 : newline + 1;
  out_->write(held.substr(0, lines));
  out_->flush();
  std::char_traits<char>::move(buffer_, buffer_ + lines, used_ - lines);
  used_ -= lines;
}

void PrintfSink::finish() {
  if (text_) return;
  out_->write({buffer_, used_});
  used_ = 0;
}

// --- the walk ---------------------------------------------------------------

int PrintfFormatter::run(std::string_view format, Args args) {
  args_ = args;
  next_ = 0;
  failed_ = false;
  for (;;) {
    size_t before = next_;
    if (!pass(format)) break;
    // Again as long as there are arguments and the format takes any.
    if (next_ >= args_.size() || next_ == before) break;
    meter_.charge_work();
  }
  sink_.finish();
  return failed_;
}

// The format from its beginning to its end; false when all output is over.
bool PrintfFormatter::pass(std::string_view format) {
  for (size_t pos = 0; pos < format.size();) {
    size_t end = pos;
    while (end < format.size() && format[end] != '%' && format[end] != '\\') ++end;
    if (end > pos) sink_.write(format.substr(pos, end - pos));
    pos = end;
    if (pos >= format.size()) break;
    if (!(format[pos] == '\\' ? escape(format, pos) : conversion(format, pos))) return false;
  }
  return true;
}

bool PrintfFormatter::escape(std::string_view format, size_t& pos) {
  Escape e = decode_escape(format, pos, EscapeStyle::format);
  if (e.missing) {
    sink_.before_message();
    host_.missing_digits(e.missing);
  }
  sink_.write({e.bytes, e.size});
  pos += e.length;
  return true;
}

size_t PrintfFormatter::parse_size(std::string_view format, size_t pos, PrintfSpec& spec,
                                   int64_t& size) {
  size = 0;
  for (; pos < format.size() && format[pos] >= '0' && format[pos] <= '9'; ++pos) {
    size = size * 10 + (format[pos] - '0');
    if (size > INT_MAX) {
      spec.too_wide = true;
      size = INT_MAX;
    }
  }
  return pos;
}

// Flags, width, precision, length modifiers; gives the place of the conversion.
size_t PrintfFormatter::parse_spec(std::string_view format, size_t pos, PrintfSpec& spec) {
  for (bool more = true; more && pos < format.size();) {
    switch (format[pos]) {
      case '-': spec.minus = true; break;
      case '+': spec.plus = true; break;
      case ' ': spec.space = true; break;
      case '#': spec.alternate = true; break;
      case '0': spec.zero = true; break;
      case '\'': spec.grouping = true; break;
      default: more = false; continue;
    }
    ++pos;
  }
  if (pos < format.size() && format[pos] == '*') {
    ++pos;
    spec.width = next_size();
    if (spec.width < 0) {
      spec.minus = true;
      spec.width = -spec.width;
    }
  } else {
    pos = parse_size(format, pos, spec, spec.width);
  }
  if (pos < format.size() && format[pos] == '.') {
    ++pos;
    if (pos < format.size() && format[pos] == '*') {
      ++pos;
      spec.precision = next_size();
      if (spec.precision < 0) spec.precision = -1;
    } else if (pos < format.size() && format[pos] == '-') {
      size_t start = ++pos;
      int64_t ignored;
      pos = parse_size(format, pos, spec, ignored);
      spec.broken_precision = true;
      spec.broken_digits = format.substr(start, pos - start);
    } else {
      pos = parse_size(format, pos, spec, spec.precision);
    }
  }
  while (pos < format.size() && std::string_view("hjlLtz").find(format[pos]) != std::string_view::npos)
    ++pos;
  return pos;
}

bool PrintfFormatter::conversion(std::string_view format, size_t& pos) {
  const size_t start = pos++;
  if (pos < format.size() && format[pos] == '%') {
    sink_.put('%');
    ++pos;
    return true;
  }
  PrintfSpec spec;
  pos = parse_spec(format, pos, spec);
  if (pos >= format.size()) {
    sink_.before_message();
    host_.missing_format(format.substr(start));
    failed_ = true;
    return false;
  }
  spec.conversion = format[pos++];
  if (spec.conversion == '(' && host_.has_shell_conversions())
    return time_conversion(format, pos, start, spec);
  if (std::string_view("cdiouxXaAeEfFgGsbqQn").find(spec.conversion) == std::string_view::npos ||
      (!host_.has_shell_conversions() && (spec.conversion == 'n' || spec.conversion == 'Q'))) {
    sink_.before_message();
    host_.invalid_format(format.substr(start, pos - start), spec.conversion);
    failed_ = true;
    return false;
  }
  return convert(spec);
}

bool PrintfFormatter::convert(const PrintfSpec& spec) {
  switch (spec.conversion) {
    case 's': write_text(next_text(), spec); return true;
    case 'd':
    case 'i': {
      int64_t v = next_int();
      uint64_t magnitude = v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
      if (spec.broken_precision) write_broken(spec, "l");
      else write_integer(magnitude, v < 0, spec);
      return true;
    }
    case 'o':
    case 'u':
    case 'x':
    case 'X': {
      uint64_t v = next_unsigned();
      if (spec.broken_precision) write_broken(spec, "l");
      else write_integer(v, false, spec);
      return true;
    }
    case 'c': write_character(spec); return true;
    case 'b': return write_escaped(spec);
    case 'q':
    case 'Q': {
      std::string_view text = next_text();
      PrintfSpec plain = spec;
      if (spec.conversion == 'Q') {
        if (spec.precision >= 0) text = text.substr(0, static_cast<size_t>(spec.precision));
        plain.precision = -1;
      }
      write_text(host_.quoted(text), plain);
      return true;
    }
    case 'n': {
      std::string_view name = next_text();
      if (name.empty()) return true;
      sink_.before_message();
      if (host_.assign_count(name, sink_.count())) return true;
      failed_ = true;
      return false;
    }
    default: write_float(spec); return true;
  }
}

// %(FORMAT)T; parentheses inside nest.
bool PrintfFormatter::time_conversion(std::string_view format, size_t& pos, size_t start,
                                      const PrintfSpec& spec) {
  int depth = 1;
  size_t end = pos;
  for (; end < format.size(); ++end) {
    if (format[end] == '(') ++depth;
    else if (format[end] == ')' && --depth == 0) break;
  }
  std::string_view inside = format.substr(pos, end - pos);
  size_t letter = end + 1;
  if (letter >= format.size() || format[letter] != 'T') {
    sink_.before_message();
    host_.invalid_time_format(letter < format.size() ? format[letter] : '\0');
    sink_.put('%');
    pos = start + 1;
    return true;
  }
  pos = letter + 1;
  bool has_argument = next_ < args_.size();
  int64_t argument = has_argument ? next_int() : 0;
  std::string text;
  host_.append_time(text, inside.empty() ? std::string_view("%X") : inside, has_argument,
                    argument);
  write_text(text, spec);
  return true;
}

// --- arguments --------------------------------------------------------------

std::string_view PrintfFormatter::next_text() {
  return next_ < args_.size() ? args_[next_++] : std::string_view();
}

void PrintfFormatter::complain(PrintfHost::NumberError e, std::string_view text,
                               std::string_view rest) {
  sink_.before_message();
  host_.number_error(e, text, rest);
  if (e == PrintfHost::NumberError::invalid) failed_ = true;
}

// 'x and "x: the code of the character.
bool PrintfFormatter::character_value(std::string_view text, uint64_t& value) const {
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return false;
  value = text.size() > 1 ? base::decode_utf8(text, 1).code : 0;
  return true;
}

namespace {

// strtoimax(text, .., 0) and its unsigned twin: how much of the text was used.
struct Integer {
  uint64_t magnitude = 0;
  bool negative = false;
  bool overflow = false;   // of 64 bits
  size_t used = 0;
};

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 99;
}

Integer scan_integer(std::string_view s) {
  Integer r;
  size_t i = 0;
  while (i < s.size() && is_blank(s[i])) ++i;
  if (i < s.size() && (s[i] == '-' || s[i] == '+')) r.negative = s[i++] == '-';
  unsigned base = 10;
  if (i < s.size() && s[i] == '0') {
    base = 8;
    if (i + 2 < s.size() && (s[i + 1] | 32) == 'x' && digit_value(s[i + 2]) < 16) {
      base = 16;
      i += 2;
    }
  }
  for (; i < s.size(); ++i) {
    unsigned d = digit_value(s[i]);
    if (d >= base) break;
    r.used = i + 1;
    if (__builtin_mul_overflow(r.magnitude, uint64_t{base}, &r.magnitude) ||
        __builtin_add_overflow(r.magnitude, uint64_t{d}, &r.magnitude))
      r.overflow = true;
  }
  return r;
}

}  // namespace

int64_t PrintfFormatter::next_int() {
  if (next_ >= args_.size()) return 0;
  std::string_view text = args_[next_++];
  uint64_t code;
  if (character_value(text, code)) return static_cast<int64_t>(code);
  Integer n = scan_integer(text);
  const uint64_t most = static_cast<uint64_t>(INT64_MAX) + n.negative;
  const bool overflow = n.overflow || n.magnitude > most;
  if (n.used < text.size()) complain(PrintfHost::NumberError::invalid, text, text.substr(n.used));
  else if (overflow) complain(PrintfHost::NumberError::range, text, {});
  uint64_t magnitude = overflow ? most : n.magnitude;
  return static_cast<int64_t>(n.negative ? 0 - magnitude : magnitude);
}

// For `*`: an int. bash names the argument behind it when it is too large.
int64_t PrintfFormatter::next_size() {
  int64_t v = next_int();
  if (v >= INT_MIN && v <= INT_MAX) return v;
  if (next_ >= args_.size()) return static_cast<int32_t>(v);
  complain(PrintfHost::NumberError::range, args_[next_], {});
  return v < 0 ? INT_MIN : INT_MAX;
}

uint64_t PrintfFormatter::next_unsigned() {
  if (next_ >= args_.size()) return 0;
  std::string_view text = args_[next_++];
  uint64_t code;
  if (character_value(text, code)) return code;
  Integer n = scan_integer(text);
  if (n.used < text.size()) complain(PrintfHost::NumberError::invalid, text, text.substr(n.used));
  else if (n.overflow) complain(PrintfHost::NumberError::range, text, {});
  if (n.overflow) return UINT64_MAX;
  return n.negative ? 0 - n.magnitude : n.magnitude;
}

long double PrintfFormatter::next_float() {
  if (next_ >= args_.size()) return 0;
  std::string_view text = args_[next_++];
  uint64_t code;
  if (character_value(text, code)) return static_cast<long double>(code);
  long double value = 0;
  size_t used = scan_float(text, value);
  if (used < text.size()) {
    complain(PrintfHost::NumberError::invalid, text, text.substr(used));
  } else if (value > 1 || value < -1) {
    // Digits that gave infinity were too many.
    bool digits = text.find_first_of("0123456789") != std::string_view::npos;
    if (digits && (value - value != 0)) complain(PrintfHost::NumberError::range, text, {});
  } else if (value == 0) {
    // So were digits that gave zero, unless they are zeros.
    std::string_view mantissa = text.substr(0, text.find_first_of("eEpP"));
    if (mantissa.find_first_of("123456789") != std::string_view::npos)
      complain(PrintfHost::NumberError::range, text, {});
  }
  return value;
}

// --- output -----------------------------------------------------------------

void PrintfFormatter::write_text(std::string_view text, const PrintfSpec& spec) {
  if (spec.too_wide) return;
  if (spec.precision >= 0) text = text.substr(0, static_cast<size_t>(spec.precision));
  if (spec.width == 0) {
    sink_.write(text);
    return;
  }
  int64_t fill = spec.width - static_cast<int64_t>(text.size());
  if (!spec.minus) sink_.pad(' ', fill);
  sink_.write(text);
  if (spec.minus) sink_.pad(' ', fill);
}

// The first byte; a missing or empty argument is a NUL.
void PrintfFormatter::write_character(const PrintfSpec& spec) {
  std::string_view text = next_text();
  if (spec.broken_precision) {
    write_broken(spec, "");
    return;
  }
  PrintfSpec plain = spec;
  plain.precision = -1;
  write_text(text.empty() ? std::string_view("\0", 1) : text.substr(0, 1), plain);
}

void PrintfFormatter::write_integer(uint64_t magnitude, bool negative, const PrintfSpec& spec) {
  if (spec.too_wide) return;
  char buffer[72];
  char* end;
  switch (spec.conversion) {
    case 'o': end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, 8).ptr; break;
    case 'x':
    case 'X': end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, 16).ptr; break;
    default: end = std::to_chars(buffer, buffer + sizeof buffer, magnitude).ptr; break;
  }
  if (spec.conversion == 'X')
    for (char* c = buffer; c < end; ++c)
      if (*c >= 'a') *c = static_cast<char>(*c - 32);
  std::string_view digits(buffer, static_cast<size_t>(end - buffer));
  if (spec.width == 0 && spec.precision < 0 && !spec.plus && !spec.space && !spec.alternate) {
    if (negative) sink_.put('-');
    sink_.write(digits);
    return;
  }
  if (magnitude == 0 && spec.precision == 0) digits = {};
  std::string_view prefix;
  const bool is_signed = spec.conversion == 'd' || spec.conversion == 'i';
  if (negative) prefix = "-";
  else if (is_signed && spec.plus) prefix = "+";
  else if (is_signed && spec.space) prefix = " ";
  else if (spec.alternate && magnitude && spec.conversion == 'x') prefix = "0x";
  else if (spec.alternate && magnitude && spec.conversion == 'X') prefix = "0X";
  auto size = static_cast<int64_t>(digits.size());
  int64_t zeros = spec.precision > size ? spec.precision - size : 0;
  if (spec.alternate && spec.conversion == 'o' && zeros == 0 && (digits.empty() || digits[0] != '0'))
    zeros = 1;
  int64_t fill = spec.width - size - zeros - static_cast<int64_t>(prefix.size());
  if (spec.zero && !spec.minus && spec.precision < 0 && fill > 0) {
    zeros += fill;
    fill = 0;
  }
  if (!spec.minus) sink_.pad(' ', fill);
  sink_.write(prefix);
  sink_.pad('0', zeros);
  sink_.write(digits);
  if (spec.minus) sink_.pad(' ', fill);
}

void PrintfFormatter::write_float(const PrintfSpec& spec) {
  long double value = next_float();
  if (spec.broken_precision) {
    write_broken(spec, "L");
    return;
  }
  if (spec.too_wide) return;
  base::FormatSpec c;
  c.left = spec.minus;
  c.plus = spec.plus;
  c.space = spec.space;
  c.alternate = spec.alternate;
  c.zero = spec.zero;
  c.width = spec.width;
  c.precision = spec.precision;
  c.conversion = spec.conversion;
  std::string text;
  base::append_float(text, c, value, meter_);
  sink_.write(text);
}

// What glibc makes of "%.-3ld": it takes the sign for an unknown conversion and
// prints the specification.
void PrintfFormatter::write_broken(const PrintfSpec& spec, std::string_view modifier) {
  std::string text = "%";
  if (spec.alternate) text += '#';
  if (spec.grouping) text += '\'';
  if (spec.plus) text += '+';
  else if (spec.space) text += ' ';
  if (spec.minus) text += '-';
  if (spec.zero) text += '0';
  if (spec.width) base::append_int(text, spec.width);
  text += ".0-";
  text += spec.broken_digits;
  text += modifier;
  text += spec.conversion;
  sink_.write(text);
}

// %b: false after \c.
bool PrintfFormatter::write_escaped(const PrintfSpec& spec) {
  std::string_view text = next_text();
  if (text.find('\\') == std::string_view::npos) {
    write_text(text, spec);
    return true;
  }
  std::string expanded, missing;
  bool more = append_unescaped(expanded, text, EscapeStyle::b, &missing);
  if (!missing.empty()) sink_.before_message();
  for (char letter : missing) host_.missing_digits(letter);
  write_text(expanded, spec);
  return more;
}

}  // namespace nacre::builtins
