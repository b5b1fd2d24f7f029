// The threats as the files hold them: what a case runs and what must be true
// of each run. tests/security/README.md describes the format.
//
// This reads and judges; it runs nothing. A file that is malformed gives a
// case whose `mistake` says why, which the runner counts as failed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nacre/nacre.h"

namespace nacre::tests {

// What must be true of one run.
struct Expectation {
  std::optional<int> status;
  std::optional<Ending> ended;
  std::optional<LimitName> limit;
  std::optional<int64_t> limit_value;
  std::vector<LimitName> quotas;
  std::optional<std::string> out, err;
  std::vector<std::string> out_has, err_has, out_lacks, err_lacks;
  std::optional<int64_t> out_bytes;
  std::optional<int64_t> peak_memory_below;
  std::optional<int64_t> within_ms;
  bool out_truncated = false;
};

// One exec() of a case.
struct Run {
  std::string script;
  int shell = 0;  // 0: the case's own Shell; 1: another one beside it
  bool atomic = false;
  Expectation expect;
};

struct Threat {
  std::string name, tries;
  Limits limits = Limits::strict();
  ClockKind clock = ClockKind::real;
  std::string stdin_text;
  bool endless_stdin = false;
  std::optional<int64_t> cancel_after_ms;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<Run> runs;
  std::string mistake;
};

std::vector<Threat> parse_threats(const std::string& text);

// What of `expect` does not hold of `result`, a line each; "" when all holds.
std::string broken_promises(const Expectation& expect, const Result& result);

// Bytes as text: `\xHH` for what is not printable.
std::string printable(std::string_view bytes);

}  // namespace nacre::tests
