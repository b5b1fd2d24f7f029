// Backups of files that are about to be replaced: -b, --backup and -S of cp,
// mv, ln and install.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "builtins/support/options.h"
#include "interp/command.h"

namespace nacre::builtins {

// What the options say, as they are read.
struct BackupOptions {
  bool wanted = false;
  std::optional<std::string_view> control;  // --backup=CONTROL
  std::string_view suffix;                  // -S

  void backup(const OptionReader& options) {
    wanted = true;
    if (options.has_value()) control = options.value();
  }
  void set_suffix(std::string_view text) {
    wanted = true;
    suffix = text;
  }
};

class Backups {
 public:
  Backups() = default;
  // Looks at VERSION_CONTROL and SIMPLE_BACKUP_SUFFIX too; nullopt after a message.
  static std::optional<Backups> from(interp::CommandContext& ctx, const OptionSpec& spec,
                                     const BackupOptions& options);

  bool wanted() const { return control_ != Control::none; }
  bool numbered() const { return control_ == Control::numbered; }
  const std::string& suffix() const { return suffix_; }
  // The name that a backup of `path` gets, in the same directory.
  std::string name_for(interp::CommandContext& ctx, std::string_view path) const;

 private:
  enum class Control : uint8_t { none, simple, existing, numbered };

  Control control_ = Control::none;
  std::string suffix_ = "~";
};

// The lines of --help about backups.
#define NACRE_BACKUP_HELP                                                           \
  "The backup suffix is '~', unless set with --suffix or SIMPLE_BACKUP_SUFFIX.\n"   \
  "The version control method may be selected via the --backup option or through\n" \
  "the VERSION_CONTROL environment variable.  Here are the values:\n\n"             \
  "  none, off       never make backups (even if --backup is given)\n"              \
  "  numbered, t     make numbered backups\n"                                       \
  "  existing, nil   numbered if numbered backups exist, simple otherwise\n"        \
  "  simple, never   always make simple backups\n"

}  // namespace nacre::builtins
