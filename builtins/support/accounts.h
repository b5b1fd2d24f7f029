// The users and groups of a session: root (0) and user (1000), each with a
// group of the same name and number. Other numbers have no name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nacre::builtins {

struct Account {
  uint32_t id;
  std::string_view name;
  std::string_view home;
};

inline constexpr Account kAccounts[] = {{0, "root", "/root"}, {1000, "user", "/home/user"}};

constexpr const Account* find_account(uint32_t id) {
  for (const Account& a : kAccounts)
    if (a.id == id) return &a;
  return nullptr;
}
constexpr const Account* find_account(std::string_view name) {
  for (const Account& a : kAccounts)
    if (a.name == name) return &a;
  return nullptr;
}

// The name, or the number when there is none.
std::string account_text(uint32_t id);

}  // namespace nacre::builtins
