// The names and numbers of signals on Linux (x86-64), as kill -l has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nacre::builtins {

// Index is the number; 0 is EXIT, 32 and 33 have no name.
inline constexpr std::string_view kSignalNames[] = {
    "EXIT", "HUP",  "INT",  "QUIT",   "ILL",  "TRAP",   "ABRT", "BUS",  "FPE",  "KILL", "USR1",
    "SEGV", "USR2", "PIPE", "ALRM",   "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN",
    "TTOU", "URG",  "XCPU", "XFSZ",   "VTALRM", "PROF", "WINCH", "IO",  "PWR",  "SYS"};
inline constexpr int kLastSignal = 64;
inline constexpr int kRealTimeMin = 34;

// The number of "TERM", "SIGTERM", "term", "15", "RTMIN+1"; -1 when it is none.
int signal_number(std::string_view text);
// "TERM", "RTMIN+1"; the number where there is no name.
std::string signal_name(int number);

}  // namespace nacre::builtins
