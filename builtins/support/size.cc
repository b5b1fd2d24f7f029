#include "builtins/support/size.h"

#include "base/errno_text.h"
#include "base/quoting.h"

namespace nacre::builtins {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Multiplies `value`, saturating; true when it did not fit.
bool scale(uint64_t& value, uint64_t factor, int times) {
  bool overflow = false;
  for (; times > 0; --times) {
    if (__builtin_mul_overflow(value, factor, &value)) {
      value = UINT64_MAX;
      overflow = true;
    }
  }
  return overflow;
}

constexpr int power_of(char suffix) {
  switch (suffix) {
    case 'k': case 'K': return 1;
    case 'm': case 'M': return 2;
    case 'g': case 'G': return 3;
    case 't': case 'T': return 4;
    case 'P': return 5;
    case 'E': return 6;
    case 'Z': return 7;
    case 'Y': return 8;
    default: return 0;
  }
}

}  // namespace

Size parse_size(std::string_view text, std::string_view suffixes) {
  Size r;
  size_t i = 0;
  while (i < text.size() && is_blank(text[i])) ++i;
  if (i < text.size() && text[i] == '-') return {0, SizeError::invalid};
  size_t sign = i;
  if (i < text.size() && text[i] == '+') ++i;
  size_t digits = i;
  bool overflow = false;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    if (__builtin_mul_overflow(r.value, uint64_t{10}, &r.value) ||
        __builtin_add_overflow(r.value, uint64_t(text[i] - '0'), &r.value)) {
      overflow = true;
      r.value = UINT64_MAX;
    }
  }
  if (i == digits) {
    // No number at all: a suffix alone counts as one, but not after a sign or blanks.
    if (sign != 0 || digits != 0 || text.empty() || suffixes.find(text[0]) == text.npos ||
        text[0] == '0')
      return {0, SizeError::invalid};
    r.value = 1;
  }
  bool bad_suffix = false;
  if (i < text.size()) {
    char c = text[i];
    if (c == '\0' || c == '0' || suffixes.find(c) == suffixes.npos) {
      r.error = overflow ? SizeError::suffix_and_overflow : SizeError::suffix;
      return r;
    }
    uint64_t factor = 1024;
    size_t length = 1;
    int power = power_of(c);
    if (power && suffixes.find('0') != suffixes.npos && i + 1 < text.size()) {
      if (text[i + 1] == 'i' && i + 2 < text.size() && text[i + 2] == 'B') {
        length = 3;
      } else if (text[i + 1] == 'B' || text[i + 1] == 'D') {
        factor = 1000;
        length = 2;
      }
    }
    if (power) overflow |= scale(r.value, factor, power);
    else if (c == 'b') overflow |= scale(r.value, 512, 1);
    else if (c == 'B') overflow |= scale(r.value, 1024, 1);
    else if (c == 'w') overflow |= scale(r.value, 2, 1);
    bad_suffix = i + length < text.size();
  }
  if (bad_suffix) r.error = overflow ? SizeError::suffix_and_overflow : SizeError::suffix;
  else if (overflow) r.error = SizeError::overflow;
  return r;
}

std::string size_error_text(std::string_view complaint, std::string_view text, SizeError error) {
  std::string s(complaint);
  s.append(": ").append(base::gnu_locale_quote(text));
  if (error == SizeError::overflow)
    s.append(": ").append(base::errno_text(std::errc::value_too_large));
  return s;
}

bool read_count(interp::CommandContext& ctx, std::string_view text, std::string_view suffixes,
                uint64_t min, uint64_t max, std::string_view complaint, uint64_t& value) {
  Size size = parse_size(text, suffixes);
  value = size.value;
  if (size.error == SizeError::none && value >= min && value <= max) return true;
  std::string s = size_error_text(complaint, text, size.error);
  if (size.error == SizeError::none) {
    // Out of the range that the command allows.
    s.append(": ").append(base::errno_text(value > INT32_MAX / 2
                                               ? std::errc::value_too_large
                                               : std::errc::result_out_of_range));
  }
  ctx.error(s);
  return false;
}

std::string option_number_error(std::string_view option, std::string_view text, SizeError error) {
  std::string quoted("'");
  quoted.append(text).append("'");
  std::string s;
  switch (error) {
    case SizeError::suffix:
    case SizeError::suffix_and_overflow:
      return s.append("invalid suffix in ").append(option).append(" argument ").append(quoted);
    case SizeError::overflow:
      return s.append(option).append(" argument ").append(quoted).append(" too large");
    default:
      return s.append("invalid ").append(option).append(" argument ").append(quoted);
  }
}

}  // namespace nacre::builtins
