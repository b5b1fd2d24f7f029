#include "builtins/support/signals.h"

#include "base/numbers.h"

namespace nacre::builtins {

namespace {

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

int small_number(std::string_view s) {
  if (!base::all_digits(s) || s.size() > 3) return -1;
  int n = 0;
  for (char c : s) n = n * 10 + (c - '0');
  return n <= kLastSignal ? n : -1;
}

}  // namespace

int signal_number(std::string_view text) {
  if (!text.empty() && text[0] >= '0' && text[0] <= '9') return small_number(text);
  std::string name;
  for (char c : text) name += upper(c);
  if (name.starts_with("SIG")) name.erase(0, 3);
  for (int i = 0; i < static_cast<int>(std::size(kSignalNames)); ++i)
    if (kSignalNames[i] == name) return i;
  if (name == "IOT") return 6;
  if (name == "CLD") return 17;
  if (name == "POLL") return 29;
  if (name.starts_with("RTMIN")) {
    if (name.size() == 5) return kRealTimeMin;
    int n = name[5] == '+' ? small_number(std::string_view(name).substr(6)) : -1;
    return n >= 0 && n <= kLastSignal - kRealTimeMin ? kRealTimeMin + n : -1;
  }
  if (name.starts_with("RTMAX")) {
    if (name.size() == 5) return kLastSignal;
    int n = name[5] == '-' ? small_number(std::string_view(name).substr(6)) : -1;
    return n >= 0 && n <= kLastSignal - kRealTimeMin ? kLastSignal - n : -1;
  }
  return -1;
}

std::string signal_name(int number) {
  if (number >= 0 && number < static_cast<int>(std::size(kSignalNames)))
    return std::string(kSignalNames[number]);
  if (number == kRealTimeMin) return "RTMIN";
  if (number == kLastSignal) return "RTMAX";
  if (number > kRealTimeMin && number <= kRealTimeMin + 15)
    return "RTMIN+" + base::int_text(number - kRealTimeMin);
  if (number > kRealTimeMin && number < kLastSignal)
    return "RTMAX-" + base::int_text(kLastSignal - number);
  return base::int_text(number);
}

}  // namespace nacre::builtins
