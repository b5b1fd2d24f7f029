// The operands of cp and mv: SOURCE DEST, SOURCE... DIRECTORY, -t DIRECTORY
// SOURCE....
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/quoting.h"
#include "builtins/support/options.h"
#include "builtins/support/path_text.h"

namespace nacre::builtins {

class CopyOperands {
 public:
  CopyOperands(interp::CommandContext& ctx, const OptionSpec& spec) : ctx_(ctx), spec_(spec) {}

  bool no_directory = false;                    // -T
  std::optional<std::string_view> directory;    // where the sources go
  std::span<const std::string_view> sources;

  // -t; false after a message.
  bool set_directory(std::string_view path) {
    if (directory) {
      ctx_.error("multiple target directories specified");
      return false;
    }
    directory = path;
    return true;
  }

  // Sorts the operands out; 0, or the status after a message.
  int take(std::span<const std::string_view> files) {
    sources = files;
    if (files.size() <= (directory ? 0 : 1)) {
      if (files.empty()) return usage_error(ctx_, spec_, "missing file operand");
      return usage_error(ctx_, spec_,
                         "missing destination file operand after " + base::gnu_quote(files[0]));
    }
    if (no_directory) {
      if (directory) {
        ctx_.error("cannot combine --target-directory (-t) and --no-target-directory (-T)");
        return 1;
      }
      if (files.size() > 2)
        return usage_error(ctx_, spec_, "extra operand " + base::gnu_quote(files[2]));
    } else if (directory) {
      if (std::errc error = not_directory(*directory); error != std::errc{}) {
        ctx_.error("target directory " + base::gnu_quote(*directory), error);
        return 1;
      }
      return 0;
    } else {
      std::errc error = not_directory(files.back());
      if (error == std::errc{}) {
        directory = files.back();
        sources = files.first(files.size() - 1);
        return 0;
      }
      if (files.size() > 2) {
        ctx_.error("target " + base::gnu_quote(files.back()), error);
        return 1;
      }
    }
    destination_ = files.back();
    sources = files.first(1);
    return 0;
  }

  // Where `source` goes.
  std::string target_of(std::string_view source) const {
    if (!directory) return std::string(destination_);
    // "cp -R a/.. dir" copies into dir, not into dir/...
    std::string_view name = last_component(source);
    if (name == "..") name = ".";
    return join_path(*directory, name);
  }

 private:
  std::errc not_directory(std::string_view path) const {
    auto st = ctx_.fs.stat(path);
    if (!st) return st.error();
    return st->type == vfs::FileType::directory ? std::errc{} : std::errc::not_a_directory;
  }

  interp::CommandContext& ctx_;
  const OptionSpec& spec_;
  std::string_view destination_;
};

}  // namespace nacre::builtins
