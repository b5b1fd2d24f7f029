// Keys of sort: which part of a line, how it is read, how two are compared.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::builtins {

enum class KeyOrder : uint8_t { text, numeric, general, human, month, random, version };
enum class KeyIgnore : uint8_t { none, nonprinting, non_dictionary };

struct SortKey {
  static constexpr uint64_t kEnd = UINT64_MAX;

  // From character `start_char` of field `start_field` (both from 0) to
  // character `end_char` (0: its end) of field `end_field`; kEnd: the line's end.
  uint64_t start_field = 0, start_char = 0;
  uint64_t end_field = kEnd, end_char = 0;
  bool skip_start_blanks = false, skip_end_blanks = false;
  KeyOrder order = KeyOrder::text;
  // All that were asked for, for the message when they do not go together.
  bool numeric = false, general = false, human = false, month = false, random = false,
       version = false;
  KeyIgnore ignore = KeyIgnore::none;
  bool fold = false;
  bool reverse = false;

  // No ordering option at all: the global ones hold.
  bool plain() const {
    return ignore == KeyIgnore::none && !fold && !skip_start_blanks && !skip_end_blanks &&
           !numeric && !general && !human && !month && !random && !version;
  }
  void inherit(const SortKey& global);
  // Sets `order` from the flags; the letters of options that exclude each other,
  // empty when all is well.
  std::string settle();
};

enum class KeyPart : uint8_t { both, start, end };
// Reads option letters into `key`; gives how many characters were letters.
size_t read_key_options(std::string_view s, SortKey& key, KeyPart part);

// "2.3nr,4b"; false with sort's message in `error`.
bool parse_sort_key(std::string_view text, SortKey& key, std::string& error);

// Compares lines by a list of keys.
class KeyComparer {
 public:
  static constexpr int kNoTab = -1;

  std::vector<SortKey> keys;   // empty: the whole line, as bytes
  int tab = kNoTab;
  std::array<char, 16> salt{}; // for random keys

  std::string_view extract(std::string_view line, const SortKey& key) const;
  // `a_key` and `b_key` are what the first key is of the two lines.
  int compare(std::string_view a, std::string_view a_key, std::string_view b,
              std::string_view b_key) const;
  // Numbers that order lines by their first key as far as eight bytes can.
  uint64_t prefix(std::string_view first_key) const;
  // The prefixes of different keys differ, so that equal prefixes need no look.
  int compare_key(std::string_view a, std::string_view b, const SortKey& key) const;

 private:
  const char* start_of(std::string_view line, const SortKey& key) const;
  const char* end_of(std::string_view line, const SortKey& key) const;
  int compare_random(std::string_view a, std::string_view b, const SortKey& key) const;
};

}  // namespace nacre::builtins
