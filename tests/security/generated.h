// Threats that no file can hold: scripts made by a seeded generator, and
// Shells on several threads. Each gives what did not hold, "" when all did.
#pragma once

#include <cstdint>
#include <string>

namespace nacre::tests {

// A script of random tokens; the same for the same seed.
std::string token_soup(uint64_t seed);
// A script of random bytes.
std::string byte_soup(uint64_t seed);
// Runs a script under strict limits and the virtual clock: it must end.
std::string survive(const std::string& script);

// Eight Shells on four threads, each with its own state.
std::string shells_on_threads();
// A Shell that is made, used, moved and destroyed on different threads.
std::string shell_across_threads();

}  // namespace nacre::tests
