// Holdings on their way from a file to a matrix: users and permissions by number, in order of first appearance.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "motet/data/names.h"

namespace motet {

struct Holding {
  std::uint32_t user = 0;
  std::uint32_t permission = 0;
};

struct AccessPairs {
  NameTable users;
  NameTable permissions;
  std::vector<Holding> holdings;

  // An empty permission: the user is there and holds nothing by this.
  void add(std::string_view user, std::string_view permission) {
    const std::uint32_t number = users.id_of(user);
    if (!permission.empty()) holdings.push_back({number, permissions.id_of(permission)});
  }
};

}  // namespace motet
