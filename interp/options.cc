#include "interp/options.h"

#include <array>

namespace nacre::interp {
namespace {

constexpr SetOptionInfo kSetOptions[] = {
#define NACRE_X(id, name, letter) {SetOption::id, name, letter},
    NACRE_SET_OPTIONS(NACRE_X)
#undef NACRE_X
};

constexpr ShoptInfo kShopts[] = {
#define NACRE_X(id, initial) {Shopt::id, #id, initial != 0},
    NACRE_SHOPT_OPTIONS(NACRE_X)
#undef NACRE_X
};

}  // namespace

std::span<const SetOptionInfo> set_option_table() { return kSetOptions; }
std::span<const ShoptInfo> shopt_table() { return kShopts; }

std::optional<SetOption> find_set_option(std::string_view name) {
  for (const SetOptionInfo& o : kSetOptions)
    if (o.name == name) return o.option;
  return std::nullopt;
}

std::optional<Shopt> find_shopt(std::string_view name) {
  for (const ShoptInfo& o : kShopts)
    if (o.name == name) return o.option;
  return std::nullopt;
}

Options::Options() {
  put(SetOption::braceexpand, true);
  put(SetOption::hashall, true);
  put(SetOption::interactive_comments, true);
  for (const ShoptInfo& o : kShopts) put(o.option, o.initial);
}

}  // namespace nacre::interp
