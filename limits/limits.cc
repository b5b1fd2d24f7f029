#include "nacre/limits.h"

#include <array>

namespace nacre {

namespace {

struct Row {
  std::string_view name;
  int64_t Limits::* field;
};

constexpr std::array kRows = {
#define NACRE_LIMIT_ROW(name, strict, standard, permissive) Row{#name, &Limits::name},
    NACRE_LIMITS(NACRE_LIMIT_ROW)
#undef NACRE_LIMIT_ROW
};

const Row& row(LimitName name) { return kRows[static_cast<size_t>(name)]; }

}  // namespace

Limits Limits::strict() {
  Limits l;
#define NACRE_LIMIT_STRICT(name, strict, standard, permissive) l.name = strict;
  NACRE_LIMITS(NACRE_LIMIT_STRICT)
#undef NACRE_LIMIT_STRICT
  return l;
}

Limits Limits::standard() { return {}; }

Limits Limits::permissive() {
  Limits l;
#define NACRE_LIMIT_PERMISSIVE(name, strict, standard, permissive) l.name = permissive;
  NACRE_LIMITS(NACRE_LIMIT_PERMISSIVE)
#undef NACRE_LIMIT_PERMISSIVE
  return l;
}

std::optional<LimitName> Limits::find(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].name == name) return static_cast<LimitName>(i);
  return std::nullopt;
}

int64_t Limits::get(LimitName name) const { return this->*row(name).field; }
void Limits::set(LimitName name, int64_t value) { this->*row(name).field = value; }

std::string_view limit_text(LimitName name) { return row(name).name; }

}  // namespace nacre
