#include "nacre/limits.h"

#include <iterator>

namespace nacre {

namespace {

constexpr std::string_view kNames[] = {
#define NACRE_LIMIT_NAME(name, strict, standard, permissive) #name,
    NACRE_LIMITS(NACRE_LIMIT_NAME)
#undef NACRE_LIMIT_NAME
};

// The field that a name stands for, of a Limits or a const Limits.
template <class L>
auto* field(L& limits, LimitName name) {
  switch (name) {
#define NACRE_LIMIT_CASE(field_name, strict, standard, permissive) \
  case LimitName::field_name: return &limits.field_name;
    NACRE_LIMITS(NACRE_LIMIT_CASE)
#undef NACRE_LIMIT_CASE
  }
  __builtin_unreachable();
}

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
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == name) return static_cast<LimitName>(i);
  return std::nullopt;
}

int64_t Limits::get(LimitName name) const { return *field(*this, name); }
void Limits::set(LimitName name, int64_t value) { *field(*this, name) = value; }

std::string_view limit_text(LimitName name) { return kNames[static_cast<size_t>(name)]; }

}  // namespace nacre
