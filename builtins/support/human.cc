#include "builtins/support/human.h"

#include "base/numbers.h"

namespace nacre::builtins {

namespace {

constexpr std::string_view kLetters = "KMGTPEZY";
constexpr int kMaxPower = 8;

// What is left of a number below its last whole unit, for rounding.
enum Rest : int { kExact, kBelowHalf, kHalf, kAboveHalf };

struct Scaled {
  uint64_t whole;
  int tenths;
  int rest;
  int power = 0;
};

bool rounds_up(Rounding rounding, bool odd, int rest) {
  switch (rounding) {
    case Rounding::up: return rest > kExact;
    case Rounding::nearest: return rest + odd > kHalf;
    case Rounding::down: return false;
  }
  return false;
}

// Divides by the base until what is left is below it, keeping one decimal.
void autoscale(Scaled& s, unsigned base) {
  while (s.whole >= base && s.power < kMaxPower) {
    unsigned r10 = static_cast<unsigned>(s.whole % base) * 10 + static_cast<unsigned>(s.tenths);
    unsigned r2 = (r10 % base) * 2 + static_cast<unsigned>(s.rest >> 1);
    s.whole /= base;
    s.tenths = static_cast<int>(r10 / base);
    if (r2 < base) s.rest = r2 + static_cast<unsigned>(s.rest) != 0 ? kBelowHalf : kExact;
    else s.rest = base < r2 + static_cast<unsigned>(s.rest) ? kAboveHalf : kHalf;
    ++s.power;
  }
}

int power_of_unit(uint64_t block, unsigned base) {
  int power = 0;
  for (uint64_t unit = 1; unit < block && power < kMaxPower; ++power)
    if (__builtin_mul_overflow(unit, uint64_t{base}, &unit)) return power + 1;
  return power;
}

}  // namespace

std::string size_text(uint64_t amount, uint64_t unit, const SizeFormat& format,
                      Rounding rounding) {
  using Wide = unsigned __int128;
  Wide bytes = Wide{amount} * unit;
  Scaled s{static_cast<uint64_t>(bytes / format.block), 0, kExact};
  Wide left = bytes % format.block * 10;
  s.tenths = static_cast<int>(left / format.block);
  Wide twice = left % format.block * 2;
  s.rest = twice == 0 ? kExact : twice < format.block ? kBelowHalf
           : twice == format.block ? kHalf : kAboveHalf;

  unsigned base = format.base_1024 ? 1024 : 1000;
  std::string fraction;
  if (format.autoscale) {
    autoscale(s, base);
    if (s.power > 0 && s.whole < 10) {
      if (rounds_up(rounding, s.tenths & 1, s.rest)) {
        s.rest = kExact;
        if (++s.tenths == 10) {
          ++s.whole;
          s.tenths = 0;
        }
      }
      if (s.whole < 10) {
        fraction = ".";
        fraction += static_cast<char>('0' + s.tenths);
        s.tenths = s.rest = 0;
      }
    }
  }
  bool more = rounding == Rounding::up        ? s.tenths + s.rest > 0
              : rounding == Rounding::nearest ? 5 < s.tenths + (0 < s.rest + int(s.whole & 1))
                                              : false;
  if (more && ++s.whole == base && format.autoscale && s.power < kMaxPower) {
    ++s.power;
    s.whole = 1;
    fraction = ".0";
  }
  std::string text;
  base::append_uint(text, s.whole);
  text += fraction;
  if (format.suffix) {
    int power = format.autoscale ? s.power : power_of_unit(format.block, base);
    if (power > 0) {
      text += base == 1000 && power == 1 ? 'k' : kLetters[static_cast<size_t>(power - 1)];
      if (format.suffix_b && base == 1024) text += 'i';
    }
    if (format.suffix_b) text += 'B';
  }
  return text;
}

SizeError parse_block_size(std::string_view text, SizeFormat& format) {
  format = {};
  if (text.starts_with('\'')) {
    format.group = true;
    text.remove_prefix(1);
  }
  if (text == "human-readable") {
    format = SizeFormat::human();
    return SizeError::none;
  }
  if (text == "si") {
    format = SizeFormat::si();
    return SizeError::none;
  }
  Size size = parse_size(text, "eEgGkKmMpPtTyYzZ0");
  if (size.error != SizeError::none) return size.error;
  if (size.value == 0) return SizeError::invalid;
  format.block = size.value;
  // Without a number the unit is shown behind what is printed.
  if (text.find_first_of("0123456789") == text.npos) {
    format.suffix = true;
    format.suffix_b = text.ends_with('B');
    format.base_1024 = !(text.size() > 1 && text[text.size() - 2] != 'i' && text.ends_with('B'));
  }
  return SizeError::none;
}

SizeFormat default_block_size(const interp::CommandContext& ctx, std::string_view variable) {
  SizeFormat format;
  for (std::string_view name : {variable, std::string_view("BLOCK_SIZE"),
                                std::string_view("BLOCKSIZE")}) {
    if (auto value = ctx.host.getenv(name)) {
      if (parse_block_size(*value, format) == SizeError::none) return format;
      break;
    }
  }
  format = {};
  format.block = ctx.host.getenv("POSIXLY_CORRECT") ? 512 : 1024;
  return format;
}

}  // namespace nacre::builtins
