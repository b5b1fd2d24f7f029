// What a run may use. A limit is charged before the memory is taken or the
// work is done; reaching it ends the run with status 1 and
//
//     bash: resource limit exceeded: max_loop_iterations (limit: 1000)
//
// on stderr, whatever the script does to catch it. 0 means none at all;
// kUnlimited means no limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nacre {

// X(name, strict, standard, permissive): every limit that is a number.
// Durations are in milliseconds and are named `timeout` and `parse_timeout`.
#define NACRE_LIMITS(X)                                                          \
  X(max_commands, 1'000, 1'000'000, 1'000'000'000)                               \
  X(max_loop_iterations, 1'000, 1'000'000, 1'000'000'000)                        \
  X(max_total_loop_iterations, 10'000, 10'000'000, 10'000'000'000)               \
  X(max_function_depth, 64, 1'000, 10'000)                                       \
  X(max_subshell_depth, 32, 256, 1'000)                                          \
  X(max_nesting_depth, 64, 256, 1'000)                                           \
  X(max_parser_fuel, 100'000, 10'000'000, 1'000'000'000)                         \
  X(max_input_bytes, 100'000, 10'000'000, 1'000'000'000)                         \
  X(max_output_bytes, 1'000'000, 10'000'000, 1'000'000'000)                      \
  X(max_memory_bytes, 64LL << 20, 512LL << 20, 8LL << 30)                        \
  X(max_string_bytes, 1LL << 20, 64LL << 20, 1LL << 30)                          \
  X(max_array_elements, 10'000, 1'000'000, 100'000'000)                          \
  X(max_glob_matches, 1'000, 100'000, 10'000'000)                                \
  X(max_brace_expansions, 1'000, 1'000'000, 100'000'000)                         \
  X(max_work_units, 1'000'000, 1'000'000'000, ::nacre::Limits::kUnlimited)       \
  X(max_regex_bytes, 1LL << 20, 8LL << 20, 64LL << 20)                           \
  X(max_jobs, 32, 256, 4'096)                                                    \
  X(max_open_files, 64, 1'024, 65'536)                                           \
  X(timeout, 5'000, 30'000, 600'000)                                             \
  X(parse_timeout, 1'000, 5'000, 60'000)                                         \
  X(max_fs_bytes, 16LL << 20, 256LL << 20, 8LL << 30)                            \
  X(max_file_bytes, 4LL << 20, 64LL << 20, 1LL << 30)                            \
  X(max_files, 1'000, 100'000, 10'000'000)                                       \
  X(max_path_depth, 64, 128, 1'024)                                              \
  X(max_path_bytes, 4'096, 4'096, 4'096)                                         \
  X(max_symlink_hops, 40, 40, 40)

// Names a limit without its value.
enum class LimitName : uint8_t {
#define NACRE_LIMIT_ENUM(name, strict, standard, permissive) name,
  NACRE_LIMITS(NACRE_LIMIT_ENUM)
#undef NACRE_LIMIT_ENUM
};

struct Limits {
  static constexpr int64_t kUnlimited = INT64_MAX;

#define NACRE_LIMIT_FIELD(name, strict, standard, permissive) int64_t name = standard;
  NACRE_LIMITS(NACRE_LIMIT_FIELD)
#undef NACRE_LIMIT_FIELD

  static Limits strict();      // for text that nobody has looked at
  static Limits standard();    // the default
  static Limits permissive();  // for scripts of one's own

  // By name, for flags and configuration; nullopt when there is no such limit.
  static std::optional<LimitName> find(std::string_view name);
  int64_t get(LimitName name) const;
  void set(LimitName name, int64_t value);
};

// "max_commands" and so on.
std::string_view limit_text(LimitName name);

}  // namespace nacre
