// The formatter behind printf: bash's builtin and, with other messages, the
// utility of coreutils.
//
// It walks the format once for each group of arguments. Nothing is allocated on
// the common paths: output goes through a small buffer on the stack, which also
// keeps the beginning of an unfinished line back, so that a message comes before
// it, as it does with a line-buffered stdout.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "builtins/shell/escapes.h"
#include "interp/command.h"
#include "limits/meter.h"

namespace nacre::builtins {

// Where formatted text goes.
class PrintfSink {
 public:
  explicit PrintfSink(interp::Output& out) : out_(&out) {}
  PrintfSink(std::string& text, limits::Meter& meter) : text_(&text), meter_(&meter) {}

  void put(char c) { write(std::string_view(&c, 1)); }
  void write(std::string_view s) {
    count_ += static_cast<int64_t>(s.size());
    if (!text_ && s.size() <= sizeof buffer_ - used_) {
      s.copy(buffer_ + used_, s.size());
      used_ += s.size();
    } else {
      write_slow(s);
    }
  }
  void pad(char c, int64_t n);
  // Before a message: complete lines go out.
  void before_message();
  void finish();
  int64_t count() const { return count_; }

 private:
  void write_slow(std::string_view s);

  interp::Output* out_ = nullptr;
  std::string* text_ = nullptr;
  limits::Meter* meter_ = nullptr;
  size_t used_ = 0;
  int64_t count_ = 0;
  char buffer_[512];
};

// One conversion's flags and sizes.
struct PrintfSpec {
  bool minus = false, plus = false, space = false, alternate = false, zero = false;
  bool too_wide = false;          // a size beyond INT_MAX: printf(3) writes nothing
  bool broken_precision = false;  // ".-3": printf(3) gives the conversion back as text
  bool grouping = false;
  int64_t width = 0;
  int64_t precision = -1;         // -1: none
  char conversion = 0;
  std::string_view broken_digits;
};

// What the two printfs do differently. The functions print messages.
class PrintfHost {
 public:
  enum class NumberError : uint8_t { invalid, range };
  virtual ~PrintfHost() = default;
  // `rest` is what could not be used; empty: all of it was no number.
  virtual void number_error(NumberError e, std::string_view text, std::string_view rest) = 0;
  virtual void missing_digits(char letter) = 0;
  virtual void missing_format(std::string_view spec) = 0;
  virtual void invalid_format(std::string_view spec, char conversion) = 0;
  virtual std::string quoted(std::string_view text) = 0;              // %q
  // %(FORMAT)T and %n; false where there is no such conversion.
  virtual bool has_shell_conversions() const { return true; }
  virtual void invalid_time_format(char c) = 0;
  virtual void append_time(std::string& out, std::string_view format, bool has_argument,
                           int64_t argument) = 0;
  virtual bool assign_count(std::string_view name, int64_t count) = 0;
};

class PrintfFormatter {
 public:
  PrintfFormatter(PrintfHost& host, PrintfSink& sink, limits::Meter& meter)
      : host_(host), sink_(sink), meter_(meter) {}
  // The status: 0, or 1 after a message.
  int run(std::string_view format, interp::Args args);

 private:
  bool pass(std::string_view format);
  bool escape(std::string_view format, size_t& pos);
  bool conversion(std::string_view format, size_t& pos);
  bool convert(const PrintfSpec& spec);
  size_t parse_spec(std::string_view format, size_t pos, PrintfSpec& spec);
  size_t parse_size(std::string_view format, size_t pos, PrintfSpec& spec, int64_t& size);
  bool time_conversion(std::string_view format, size_t& pos, size_t start, const PrintfSpec& spec);

  std::string_view next_text();
  int64_t next_int();
  int64_t next_size();
  uint64_t next_unsigned();
  long double next_float();
  bool character_value(std::string_view text, uint64_t& value) const;
  void complain(PrintfHost::NumberError e, std::string_view text, std::string_view rest);

  void write_text(std::string_view text, const PrintfSpec& spec);
  void write_character(const PrintfSpec& spec);
  void write_integer(uint64_t magnitude, bool negative, const PrintfSpec& spec);
  void write_float(const PrintfSpec& spec);
  void write_broken(const PrintfSpec& spec, std::string_view modifier);
  bool write_escaped(const PrintfSpec& spec);

  PrintfHost& host_;
  PrintfSink& sink_;
  limits::Meter& meter_;
  interp::Args args_;
  size_t next_ = 0;
  bool failed_ = false;
};

}  // namespace nacre::builtins
