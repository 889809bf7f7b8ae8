// Which role contains which: the order of roles by their permissions, without what follows from the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

struct RoleHierarchy {
  // By role: roles whose permissions are some of its own, and that lie in no other such role. Of equal roles only the
  // first is named, and only it has roles within. A role without permissions lies nowhere.
  std::vector<std::vector<std::uint32_t>> contains;
  std::vector<std::uint32_t> same_as;  // by role: the first with the same permissions, itself if there is none before

  bool is_first(std::uint32_t role) const { return same_as[role] == role; }
  std::size_t link_count() const;
  std::size_t repeated_count() const;  // roles that are equal to an earlier one
};

RoleHierarchy role_hierarchy(const BitMatrix& roles);

// By role: how many steps of containment lie below it; 0 for a role that contains none.
std::vector<std::size_t> levels(const RoleHierarchy& hierarchy);

}  // namespace motet::roles
