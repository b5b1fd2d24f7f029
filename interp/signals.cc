// Signals by number and name, as on Linux.
#include "base/numbers.h"
#include "interp/jobs.h"

namespace nacre::interp {
namespace {

constexpr SignalInfo kSignals[] = {
    {1, "SIGHUP", "Hangup", 'T'},
    {2, "SIGINT", "Interrupt", 'T'},
    {3, "SIGQUIT", "Quit", 'C'},
    {4, "SIGILL", "Illegal instruction", 'C'},
    {5, "SIGTRAP", "Trace/breakpoint trap", 'C'},
    {6, "SIGABRT", "Aborted", 'C'},
    {7, "SIGBUS", "Bus error", 'C'},
    {8, "SIGFPE", "Floating point exception", 'C'},
    {9, "SIGKILL", "Killed", 'T'},
    {10, "SIGUSR1", "User defined signal 1", 'T'},
    {11, "SIGSEGV", "Segmentation fault", 'C'},
    {12, "SIGUSR2", "User defined signal 2", 'T'},
    {13, "SIGPIPE", "Broken pipe", 'T'},
    {14, "SIGALRM", "Alarm clock", 'T'},
    {15, "SIGTERM", "Terminated", 'T'},
    {16, "SIGSTKFLT", "Stack fault", 'T'},
    {17, "SIGCHLD", "Child exited", 'I'},
    {18, "SIGCONT", "Continued", 'I'},
    {19, "SIGSTOP", "Stopped (signal)", 'S'},
    {20, "SIGTSTP", "Stopped", 'S'},
    {21, "SIGTTIN", "Stopped (tty input)", 'S'},
    {22, "SIGTTOU", "Stopped (tty output)", 'S'},
    {23, "SIGURG", "Urgent I/O condition", 'I'},
    {24, "SIGXCPU", "CPU time limit exceeded", 'C'},
    {25, "SIGXFSZ", "File size limit exceeded", 'C'},
    {26, "SIGVTALRM", "Virtual timer expired", 'T'},
    {27, "SIGPROF", "Profiling timer expired", 'T'},
    {28, "SIGWINCH", "Window changed", 'I'},
    {29, "SIGIO", "I/O possible", 'T'},
    {30, "SIGPWR", "Power failure", 'T'},
    {31, "SIGSYS", "Bad system call", 'C'},
    {34, "SIGRTMIN", "Real-time signal 0", 'T'},
    {35, "SIGRTMIN+1", "Real-time signal 1", 'T'},
    {36, "SIGRTMIN+2", "Real-time signal 2", 'T'},
    {37, "SIGRTMIN+3", "Real-time signal 3", 'T'},
    {38, "SIGRTMIN+4", "Real-time signal 4", 'T'},
    {39, "SIGRTMIN+5", "Real-time signal 5", 'T'},
    {40, "SIGRTMIN+6", "Real-time signal 6", 'T'},
    {41, "SIGRTMIN+7", "Real-time signal 7", 'T'},
    {42, "SIGRTMIN+8", "Real-time signal 8", 'T'},
    {43, "SIGRTMIN+9", "Real-time signal 9", 'T'},
    {44, "SIGRTMIN+10", "Real-time signal 10", 'T'},
    {45, "SIGRTMIN+11", "Real-time signal 11", 'T'},
    {46, "SIGRTMIN+12", "Real-time signal 12", 'T'},
    {47, "SIGRTMIN+13", "Real-time signal 13", 'T'},
    {48, "SIGRTMIN+14", "Real-time signal 14", 'T'},
    {49, "SIGRTMIN+15", "Real-time signal 15", 'T'},
    {50, "SIGRTMAX-14", "Real-time signal 16", 'T'},
    {51, "SIGRTMAX-13", "Real-time signal 17", 'T'},
    {52, "SIGRTMAX-12", "Real-time signal 18", 'T'},
    {53, "SIGRTMAX-11", "Real-time signal 19", 'T'},
    {54, "SIGRTMAX-10", "Real-time signal 20", 'T'},
    {55, "SIGRTMAX-9", "Real-time signal 21", 'T'},
    {56, "SIGRTMAX-8", "Real-time signal 22", 'T'},
    {57, "SIGRTMAX-7", "Real-time signal 23", 'T'},
    {58, "SIGRTMAX-6", "Real-time signal 24", 'T'},
    {59, "SIGRTMAX-5", "Real-time signal 25", 'T'},
    {60, "SIGRTMAX-4", "Real-time signal 26", 'T'},
    {61, "SIGRTMAX-3", "Real-time signal 27", 'T'},
    {62, "SIGRTMAX-2", "Real-time signal 28", 'T'},
    {63, "SIGRTMAX-1", "Real-time signal 29", 'T'},
    {64, "SIGRTMAX", "Real-time signal 30", 'T'},
};

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    char x = a[i] >= 'a' && a[i] <= 'z' ? static_cast<char>(a[i] - 32) : a[i];
    if (x != b[i]) return false;
  }
  return true;
}

}  // namespace

const SignalInfo* signal_by_number(int n) {
  for (const SignalInfo& s : kSignals)
    if (s.number == n) return &s;
  return nullptr;
}

int signal_by_name(std::string_view text) {
  if (base::all_digits(text)) {
    auto n = base::parse_legal_number(text);
    if (!n || *n > 64) return -1;
    return *n == 0 || signal_by_number(static_cast<int>(*n)) ? static_cast<int>(*n) : -1;
  }
  struct Pseudo {
    std::string_view name;
    int number;
  };
  constexpr Pseudo kPseudo[] = {
      {"EXIT", kTrapExit}, {"DEBUG", kTrapDebug}, {"ERR", kTrapErr}, {"RETURN", kTrapReturn}};
  for (const Pseudo& s : kPseudo)
    if (equals_ignoring_case(text, s.name)) return s.number;
  for (const SignalInfo& s : kSignals)
    if (equals_ignoring_case(text, s.name) || equals_ignoring_case(text, s.name.substr(3)))
      return s.number;
  return -1;
}

}  // namespace nacre::interp
