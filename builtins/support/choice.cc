#include "builtins/support/choice.h"

#include <string>

#include "base/quoting.h"

namespace nacre::builtins {

ChoiceError find_choice(std::string_view text, std::span<const Choice> choices, int& value) {
  bool found = false, ambiguous = false;
  for (const Choice& c : choices) {
    if (!c.word.starts_with(text)) continue;
    if (c.word.size() == text.size()) {
      value = c.value;
      return ChoiceError::none;
    }
    if (found && value != c.value) ambiguous = true;
    if (!found) value = c.value;
    found = true;
  }
  if (!found) return ChoiceError::invalid;
  return ambiguous ? ChoiceError::ambiguous : ChoiceError::none;
}

std::optional<int> read_choice(interp::CommandContext& ctx, const OptionSpec& spec,
                               std::string_view option, std::string_view text,
                               std::span<const Choice> choices) {
  int value = 0;
  ChoiceError error = find_choice(text, choices, value);
  if (error == ChoiceError::none) return value;
  std::string message(error == ChoiceError::invalid ? "invalid" : "ambiguous");
  message.append(" argument ").append(base::gnu_locale_quote(text)).append(" for ");
  message.append(base::gnu_locale_quote(option));
  message.append("\nValid arguments are:");
  int last = 0;
  bool first = true;
  for (const Choice& c : choices) {
    message.append(first || c.value != last ? "\n  - " : ", ");
    message.append(base::gnu_locale_quote(c.word));
    first = false;
    last = c.value;
  }
  usage_error(ctx, spec, message);
  return std::nullopt;
}

}  // namespace nacre::builtins
