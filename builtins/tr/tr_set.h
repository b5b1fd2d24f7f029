// The strings of tr: a list of characters, ranges, classes, equivalence
// classes and repeats, and the walk over the characters it stands for.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::builtins {

using ByteSet = std::bitset<256>;

class TrSet {
 public:
  enum class Case : uint8_t { none, lower, upper };

  // False with a message in `error`; `warnings` may get lines.
  bool parse(std::string_view text, std::string& error, std::vector<std::string>& warnings);

  // Number of characters, an open repeat [c*] counted as it was filled.
  uint64_t length() const;
  int open_repeats() const;
  // Gives [c*] the length that makes the set as long as `other`.
  void fill_repeat(uint64_t other);
  // Adds the last character until the set is that long. False when it ends in
  // a class.
  bool extend_to(uint64_t length);

  bool has_class() const;
  bool has_equivalence() const;
  bool has_class_besides_case() const;
  // All characters are the same.
  bool uniform() const;
  ByteSet members() const;

  // Walks the characters in order.
  class Walk {
   public:
    explicit Walk(const TrSet& set) : set_(set) {}
    // -1 at the end. starts_case() tells whether it was the first of [:lower:]
    // or [:upper:].
    int next();
    Case case_class() const { return case_; }
    bool starts_case() const { return starts_case_; }
    // Goes to the end of the construct that the last character came from.
    void skip();

   private:
    const TrSet& set_;
    size_t item_ = 0;
    uint64_t at_ = 0;
    Case case_ = Case::none;
    bool starts_case_ = false;
  };

 private:
  enum class Kind : uint8_t { one, range, char_class, equivalence, repeat };
  struct Item {
    Kind kind;
    unsigned char first = 0, last = 0;
    uint64_t count = 0;     // repeat
    bool open = false;      // [c*]: count is filled in later
    uint8_t class_index = 0;
  };
  // A character after its backslash was taken away.
  struct Unit {
    unsigned char c;
    bool escaped;
  };

  bool parse_bracket(const std::vector<Unit>& s, size_t& i, bool& taken, std::string& error);
  bool parse_repeat(const std::vector<Unit>& s, size_t& i, bool& taken, std::string& error);
  static uint64_t size_of(const Item& item);

  std::vector<Item> items_;
};

}  // namespace nacre::builtins
