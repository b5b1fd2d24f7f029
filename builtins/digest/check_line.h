// One line of a file of digests, as md5sum -c and its kin read it: either
// "HEX  NAME" or "TAG (NAME) = HEX".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "builtins/digest/digest.h"

namespace nacre::builtins {

struct CheckLine {
  DigestKind kind;
  size_t bytes;        // of the digest
  std::string hex;     // in lower case
  std::string name;
};

class CheckLineReader {
 public:
  // Without `kind` (cksum -c) only tagged lines will do, and they say the kind.
  explicit CheckLineReader(std::optional<DigestKind> kind) : kind_(kind) {}

  // nullopt: no such line. `line` is without its newline.
  std::optional<CheckLine> read(std::string_view line);

 private:
  enum class Style : uint8_t { unknown, gnu, bsd_reversed };

  static std::optional<CheckLine> read_tagged(CheckLine line, std::string_view s, bool escaped);
  std::optional<CheckLine> read_plain(std::string_view s, bool escaped);

  std::optional<DigestKind> kind_;
  // "HEX NAME" with one blank does not mix with "HEX  NAME": a name's leading
  // blank would be up to chance.
  Style style_ = Style::unknown;
};

// A name as it is printed behind a backslash that starts the line.
void append_escaped_name(std::string& out, std::string_view name);

}  // namespace nacre::builtins
