#include "builtins/support/inputs.h"

#include <cstring>

#include "base/numbers.h"
#include "base/quoting.h"

namespace nacre::builtins {

using interp::CommandContext;
using interp::Input;
using interp::Output;

Input* InputFile::open_path(CommandContext& ctx, std::string_view path) {
  error_ = {};
  own_.reset();
  auto file = ctx.host.open(path, {.read = true}, 0);
  if (!file) {
    error_ = file.error();
    return nullptr;
  }
  return &own_.emplace(std::move(*file), ctx.meter);
}

Input* InputFile::open(CommandContext& ctx, std::string_view operand) {
  if (operand != "-") return open_path(ctx, operand);
  // A closed standard input says so when it is read.
  error_ = {};
  return &ctx.in;
}

Input* InputFile::open_or_report(CommandContext& ctx, std::string_view operand) {
  Input* in = open(ctx, operand);
  if (!in) ctx.error(base::gnu_quote_if_needed(operand), error_);
  return in;
}

bool read_whole(CommandContext& ctx, Input& in, std::string& out, limits::MemoryCharge& charge) {
  while (true) {
    std::string_view chunk = in.peek();
    if (chunk.empty()) return !in.has_error();
    size_t need = out.size() + chunk.size();
    ctx.meter.check_string(static_cast<int64_t>(need));
    if (need > out.capacity()) {
      size_t capacity = need > 2 * out.capacity() ? need : 2 * out.capacity();
      charge.set(static_cast<int64_t>(capacity));
      out.reserve(capacity);
    }
    out.append(chunk);
    in.consume(chunk.size());
  }
}

bool copy_stream(Input& in, Output& out) {
  while (true) {
    std::string_view chunk = in.peek();
    if (chunk.empty()) return !in.has_error();
    out.write(chunk);
    in.consume(chunk.size());
    if (out.has_error()) return true;
  }
}

uint64_t count_byte(std::string_view s, char c) {
  // Sixteen counters of a byte each, added up before they can overflow.
  using Lanes [[gnu::vector_size(16)]] = unsigned char;
  uint64_t total = 0;
  const char* p = s.data();
  size_t left = s.size();
  Lanes want;
  std::memset(&want, static_cast<unsigned char>(c), sizeof want);
  while (left >= 32) {
    size_t rounds = left / 32 < 255 ? left / 32 : 255;
    Lanes a{}, b{};
    for (size_t i = 0; i < rounds; ++i, p += 32) {
      Lanes x, y;
      std::memcpy(&x, p, 16);
      std::memcpy(&y, p + 16, 16);
      a -= reinterpret_cast<Lanes>(x == want);  // a match is all ones: minus one
      b -= reinterpret_cast<Lanes>(y == want);
    }
    for (int i = 0; i < 16; ++i) total += a[i] + uint64_t{b[i]};
    left -= rounds * 32;
  }
  for (; left > 0; --left, ++p) total += *p == c;
  return total;
}

size_t after_nth(std::string_view s, char c, uint64_t n) {
  size_t at = 0;
  // Whole blocks first, by counting.
  while (s.size() - at > 512) {
    uint64_t here = count_byte(s.substr(at, 512), c);
    if (here >= n) break;
    n -= here;
    at += 512;
  }
  for (; n > 0; --n) {
    const void* hit = at < s.size() ? std::memchr(s.data() + at, c, s.size() - at) : nullptr;
    if (!hit) return std::string_view::npos;
    at = static_cast<size_t>(static_cast<const char*>(hit) - s.data()) + 1;
  }
  return at;
}

bool NulNames::open() {
  in_ = file_.open(ctx_, from_);
  return in_ != nullptr;
}

void NulNames::complain(std::string_view text) {
  ctx_.error(text);
  failed_ = true;
}

bool NulNames::next(std::string& name) {
  std::string_view line;
  while (true) {
    ctx_.meter.charge_work();
    if (!in_->read_line(line, '\0')) {
      if (in_->has_error()) {
        ctx_.error(base::gnu_quote_if_needed(from_) + ": read error", in_->error());
        failed_ = true;
      }
      return false;
    }
    ++number_;
    if (line.empty()) {
      std::string where = base::gnu_quote_if_needed(from_) + ":";
      base::append_uint(where, number_);
      complain(where + ": invalid zero-length file name");
    } else if (line == "-" && from_ == "-") {
      complain("when reading file names from stdin, no file name of " + base::gnu_quote("-") +
               " allowed");
    } else {
      name = line;
      return true;
    }
  }
}

}  // namespace nacre::builtins
