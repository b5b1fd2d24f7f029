// Options of commands: declared in a constexpr table, read with the habits of
// GNU getopt_long, described by --help from the same table.
//
//   constexpr Option kOptions[] = {
//       {"n", "lines", Takes::required, "NUM", "print NUM lines"},
//       {"q", "quiet,silent", Takes::nothing, "", "never print headers"},
//   };
//   constexpr OptionSpec kSpec = {.name = "head", .usage = "[OPTION]... [FILE]...", ...};
//
//   OptionReader options(ctx, kSpec);
//   while (int id = options.next()) switch (id) { case 'n': ... options.value() ... }
//   if (options.done()) return options.status();      // --help, --version or an error
//   for (std::string_view file : options.operands()) ...
//
// OptionCursor is the walk alone, without messages: shell builtins, whose
// errors read differently, use it with their own texts. Nothing is allocated
// but the vector of operands, and that only when options follow operands.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interp/command.h"

namespace nacre::builtins {

enum class Takes : uint8_t {
  nothing,
  required,
  optional,    // --name[=VALUE], -nVALUE
  digit_run,   // a letter '0' stands for any digit; the value is the run of digits (uniq -5i)
  digit_rest,  // likewise, but the value is all that is left of the word (fold -80)
};

struct Option {
  std::string_view letters;     // each means this option; the first is its id unless `id` is set
  std::string_view names;       // long names, separated by commas
  Takes takes = Takes::nothing;
  std::string_view argument = {};  // how --help calls the value
  std::string_view help = {};      // may hold several lines; empty: not shown. Without letters
                                   // and names: a line of text between the options
  int id = 0;

  constexpr int key() const {
    return id ? id : letters.empty() ? 0 : static_cast<unsigned char>(letters[0]);
  }
};

// Ids for options without a letter start here.
inline constexpr int kLongOnly = 256;
inline constexpr int kHelpOption = 0x7ffffff0;
inline constexpr int kVersionOption = 0x7ffffff1;
inline constexpr int kOperand = 0x7ffffff2;  // Order::in_order: value() is the operand

enum class Order : uint8_t {
  permute,     // options may follow operands
  stop,        // the first operand ends the options (env, timeout, nice)
  in_order,    // operands are given out where they stand (sort, whose `+2 -4` are options)
};

struct OptionSpec {
  std::string_view name;
  std::string_view usage;            // after the name; each further line is an "  or:  "
  std::string_view intro = {};       // between the usage and the options
  std::span<const Option> options = {};
  std::string_view outro = {};       // after the options
  uint8_t column = 27;               // where the descriptions start
  uint8_t failure = 1;               // status of an error in the options
  Order order = Order::permute;
  std::string_view package = "GNU coreutils) 9.1";  // what --version says it equals
};

class OptionCursor {
 public:
  enum class Event : uint8_t {
    end, option, operand,
    unknown_letter,   // letter()
    unknown_name,     // text(): the name and what follows it, without the dashes
    ambiguous,        // text(), and possible()
    needs_value,      // of letter() or name()
    refuses_value,    // name()
  };

  // Reads args[first..]; `standard` adds --help and --version.
  OptionCursor(interp::Args args, std::span<const Option> options, Order order, bool standard,
               size_t first = 1)
      : args_(args), options_(options), order_(order), standard_(standard), next_(first) {}

  Event next();

  int id() const { return id_; }
  bool has_value() const { return has_value_; }
  std::string_view value() const { return value_; }
  char letter() const { return letter_; }             // 0: the option was a long one
  std::string_view name() const { return name_; }     // its full long name
  std::string_view text() const { return text_; }
  bool possible(std::string_view long_name) const;    // starts as the ambiguous text does
  // The index of the first argument that is not an option (Order::stop), or
  // the end.
  size_t index() const { return next_; }

 private:
  Event next_letter();
  Event next_name(std::string_view text);

  interp::Args args_;
  std::span<const Option> options_;
  Order order_;
  bool standard_;
  bool only_operands_ = false;
  size_t next_;
  std::string_view cluster_;  // what is left of a word of letters
  int id_ = 0;
  char letter_ = 0;
  bool has_value_ = false;
  std::string_view value_, name_, text_;
};

class OptionReader {
 public:
  OptionReader(interp::CommandContext& ctx, const OptionSpec& spec, size_t first = 1);

  // The next option's id; 0 at the end or when done().
  int next();
  std::string_view value() const { return cursor_.value(); }
  bool has_value() const { return cursor_.has_value(); }
  // The option as it was written, for messages: 'n' for -n, else 0.
  char letter() const { return cursor_.letter(); }
  std::string_view name() const { return cursor_.name(); }

  bool done() const { return done_; }
  int status() const { return status_; }
  // Valid once next() has given 0.
  std::span<const std::string_view> operands() const { return operands_; }

  // Prints "NAME: text" (unless it is empty) and the line that points to
  // --help; the status that the command shall end with.
  int usage_error(std::string_view text = {});
  // The same, from within the loop: next() gives 0 and done() is true.
  void fail(std::string_view text = {}) { finish(usage_error(text)); }
  // Ends the loop without a further message.
  void finish(int status) {
    done_ = true;
    status_ = status;
  }

 private:
  void report(OptionCursor::Event event);
  void keep_operand(std::string_view operand);

  interp::CommandContext& ctx_;
  const OptionSpec& spec_;
  OptionCursor cursor_;
  std::vector<std::string_view> moved_;  // operands, once they are not one range of args
  std::span<const std::string_view> operands_;
  bool done_ = false;
  int status_ = 0;
};

// "NAME: text\nTry 'NAME --help' for more information.\n" on stderr.
int usage_error(interp::CommandContext& ctx, const OptionSpec& spec, std::string_view text);
// "missing operand" / "missing operand after 'x'" / "extra operand 'x'".
int missing_operand(interp::CommandContext& ctx, const OptionSpec& spec);
int missing_operand_after(interp::CommandContext& ctx, const OptionSpec& spec,
                          std::string_view last);
int extra_operand(interp::CommandContext& ctx, const OptionSpec& spec, std::string_view operand);

}  // namespace nacre::builtins
