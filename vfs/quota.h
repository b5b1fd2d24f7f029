// Which of the tree's quotas were met. A command that meets one gets an
// ordinary error (ENOSPC, EFBIG, ENAMETOOLONG, ELOOP) and the script may hide
// it; the host still learns of it here.
#pragma once

#include <cstdint>

#include "nacre/limits.h"

namespace nacre::vfs {

class QuotaHits {
 public:
  void add(LimitName name) { bits_ |= bit(name); }
  void add(QuotaHits other) { bits_ |= other.bits_; }
  bool has(LimitName name) const { return bits_ & bit(name); }
  bool empty() const { return bits_ == 0; }
  void clear() { bits_ = 0; }

 private:
  static uint64_t bit(LimitName name) { return uint64_t{1} << static_cast<unsigned>(name); }

  uint64_t bits_ = 0;
};

// What one path may be. Checked by the resolver and where names are made.
struct PathLimits {
  static constexpr size_t kMaxName = 255;  // NAME_MAX

  // The NUL behind a path counts, as in PATH_MAX: a path of max_bytes - 1 passes.
  int64_t max_bytes = 4096;
  int64_t max_depth = 128;
  int64_t max_hops = 40;

  static PathLimits from(const Limits& limits) {
    return {limits.max_path_bytes, limits.max_path_depth, limits.max_symlink_hops};
  }
};

}  // namespace nacre::vfs
