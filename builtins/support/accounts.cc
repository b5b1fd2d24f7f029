#include "builtins/support/accounts.h"

#include "base/numbers.h"

namespace nacre::builtins {

std::string account_text(uint32_t id) {
  if (const Account* a = find_account(id)) return std::string(a->name);
  return base::int_text(id);
}

}  // namespace nacre::builtins
