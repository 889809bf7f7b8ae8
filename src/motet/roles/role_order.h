// An access matrix put in the order of its roles, so that the roles are seen as blocks.
//
// Users with the same set of roles stand together, the largest groups first and those
// without a role last; in a group, who holds most comes first. Permissions stand with
// the first role that has them, roles in the order in which the groups of users bring
// them up; in a role, what most users hold comes first; permissions of no role are last.
#pragma once

#include <cstdint>
#include <vector>

#include "motet/data/bit_matrix.h"

namespace motet::roles {

// Rows or columns with one set of roles (users) or one first role (permissions).
struct OrderBand {
  std::vector<std::uint32_t> roles;  // rising; none in the last band of each side
  std::size_t end = 0;
};

struct RoleOrder {
  std::vector<std::uint32_t> users;
  std::vector<std::uint32_t> permissions;
  std::vector<OrderBand> user_bands;
  std::vector<OrderBand> permission_bands;
};

// Numbers of the ones of a row, rising.
std::vector<std::uint32_t> ones_of(const BitMatrix& bits, std::size_t row);

RoleOrder role_order(const BitMatrix& held, const BitMatrix& roles, const BitMatrix& assignments);

}  // namespace motet::roles
