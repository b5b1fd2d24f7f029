#include "builtins/registry.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "builtins/command_list.h"

namespace nacre::builtins {

#define NACRE_DECLARE(word, name) extern const interp::Command command_##word;
NACRE_COMMANDS(NACRE_DECLARE)
#undef NACRE_DECLARE

namespace {

using interp::Command;

struct Row {
  std::string_view name;
  const Command* command;
};

constexpr auto kRows = [] {
  std::array rows = {
#define NACRE_ROW(word, name) Row{name, &command_##word},
      NACRE_COMMANDS(NACRE_ROW)
#undef NACRE_ROW
  };
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
  return rows;
}();

constexpr auto kSorted = [] {
  std::array<const Command*, kRows.size()> commands{};
  for (size_t i = 0; i < kRows.size(); ++i) commands[i] = kRows[i].command;
  return commands;
}();

constexpr uint32_t hash(std::string_view name) {
  uint32_t h = 2166136261u;
  for (unsigned char c : name) h = (h ^ c) * 16777619u;
  return h ^ h >> 15;
}

constexpr size_t slot_count() {
  size_t n = 16;
  while (n < 4 * kRows.size()) n *= 2;
  return n;
}
constexpr size_t kSlots = slot_count();

// Open addressing: index into kRows plus one; 0 is free.
constexpr auto kIndex = [] {
  std::array<uint16_t, kSlots> index{};
  for (size_t i = 0; i < kRows.size(); ++i) {
    size_t at = hash(kRows[i].name) % kSlots;
    while (index[at]) at = (at + 1) % kSlots;
    index[at] = static_cast<uint16_t>(i + 1);
  }
  return index;
}();

class Table final : public interp::CommandTable {
 public:
  constexpr Table() = default;
  constexpr ~Table() override {}  // not defaulted: g++ 12 would not find it for kTable
  const Command* find(std::string_view name) const override {
    for (size_t at = hash(name) % kSlots; kIndex[at]; at = (at + 1) % kSlots)
      if (const Row& row = kRows[kIndex[at] - 1]; row.name == name) return row.command;
    return nullptr;
  }
  std::span<const Command* const> all() const override { return kSorted; }
};

constexpr Table kTable;

}  // namespace

const interp::CommandTable& command_table() { return kTable; }

}  // namespace nacre::builtins
