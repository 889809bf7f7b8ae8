// Pairs that must not come together and do, among today's users and roles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/roles/catalogue/assign_roles.h"

namespace motet::roles {

enum class PairKind { roles, permissions };

// A user with both of a pair. By roles of a pair: the user has both roles, or holds all that both grant. By
// permissions: the user holds both.
struct UserViolation {
  std::uint32_t user = 0;
  PairKind kind = PairKind::permissions;
  std::uint32_t first = 0;  // of the pair: a role or a permission
  std::uint32_t second = 0;
  bool assigned = false;  // of roles: the user has both, and does not just hold what they grant
  // Of permissions: roles of the user that grant the one and the other; none: it is held individually.
  std::vector<std::uint32_t> first_through;
  std::vector<std::uint32_t> second_through;
};

// A role that grants both permissions of a pair.
struct RoleViolation {
  std::uint32_t role = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

// In the order of the pairs, and then of the users. A role without permissions is held by nobody.
std::vector<UserViolation> role_pair_violations(const BitMatrix& held, const BitMatrix& assignments,
                                                const BitMatrix& roles, const std::vector<NumberPair>& pairs);
std::vector<UserViolation> permission_pair_violations(const BitMatrix& held, const BitMatrix& assignments,
                                                      const BitMatrix& roles, const std::vector<NumberPair>& pairs);

std::vector<RoleViolation> roles_with_pairs(const BitMatrix& roles, const std::vector<NumberPair>& pairs);

}  // namespace motet::roles
