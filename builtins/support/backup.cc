#include "builtins/support/backup.h"

#include "base/numbers.h"
#include "builtins/support/choice.h"
#include "builtins/support/path_text.h"

namespace nacre::builtins {

namespace {

// Values of Backups::Control.
constexpr Choice kControls[] = {
    {"none", 0},     {"off", 0}, {"simple", 1},   {"never", 1},
    {"existing", 2}, {"nil", 2}, {"numbered", 3}, {"t", 3},
};

// Decimal numbers as text, so that no file name is too large to count.
bool is_larger(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() > b.size() : a > b;
}

std::string next_number(std::string_view number) {
  std::string next(number);
  size_t i = next.size();
  while (i > 0 && next[i - 1] == '9') next[--i] = '0';
  if (i == 0) return next.insert(0, 1, '1');
  ++next[i - 1];
  return next;
}

// The largest N of the files BASE.~N~; empty when there is none.
std::string largest_number(interp::CommandContext& ctx, std::string_view directory,
                           std::string_view base) {
  std::string largest;
  auto entries = ctx.fs.list(directory);
  if (!entries) return largest;
  for (const vfs::DirEntry& e : *entries) {
    ctx.meter.charge_work();
    std::string_view name = e.name;
    if (!name.starts_with(base) || !name.ends_with('~')) continue;
    name.remove_prefix(base.size());
    if (!name.starts_with(".~") || name.size() < 4) continue;
    name = name.substr(2, name.size() - 3);
    if (!base::all_digits(name) || name[0] == '0') continue;
    if (largest.empty() || is_larger(name, largest)) largest = name;
  }
  return largest;
}

}  // namespace

std::optional<Backups> Backups::from(interp::CommandContext& ctx, const OptionSpec& spec,
                                     const BackupOptions& options) {
  Backups backups;
  std::string_view suffix = options.suffix;
  if (suffix.empty()) suffix = ctx.host.getenv("SIMPLE_BACKUP_SUFFIX").value_or("");
  if (!suffix.empty() && suffix.find('/') == suffix.npos) backups.suffix_ = suffix;
  if (!options.wanted) return backups;
  backups.control_ = Control::existing;
  std::string_view control = options.control.value_or("");
  std::string_view source = "backup type";
  if (control.empty()) {
    control = ctx.host.getenv("VERSION_CONTROL").value_or("");
    source = "$VERSION_CONTROL";
  }
  if (control.empty()) return backups;
  auto value = read_choice(ctx, spec, source, control, kControls);
  if (!value) return std::nullopt;
  backups.control_ = static_cast<Control>(*value);
  return backups;
}

std::string Backups::name_for(interp::CommandContext& ctx, std::string_view path) const {
  path = without_trailing_slashes(path);
  std::string name(path);
  if (control_ != Control::simple) {
    std::string number = largest_number(ctx, directory_part(path), last_component(path));
    if (!number.empty() || control_ == Control::numbered)
      return name.append(".~").append(number.empty() ? "1" : next_number(number)).append("~");
  }
  return name += suffix_;
}

}  // namespace nacre::builtins
