#include "motet/roles/catalogue/violations.h"

namespace motet::roles {
namespace {

bool holds_all(const BitMatrix& held, std::size_t user, const BitMatrix& roles, std::uint32_t role) {
  const auto needed = roles.row(role);
  const auto there = held.row(user);
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < needed.size(); ++w) {
    if ((needed[w] & ~there[w]) != 0) return false;
    any |= needed[w];
  }
  return any != 0;
}

std::vector<std::uint32_t> granting(const BitMatrix& assignments, std::size_t user, const BitMatrix& roles,
                                    std::uint32_t permission) {
  std::vector<std::uint32_t> through;
  for_each_bit(assignments.row(user), [&](std::size_t k) {
    if (roles(k, permission)) through.push_back(static_cast<std::uint32_t>(k));
  });
  return through;
}

}  // namespace

std::vector<UserViolation> role_pair_violations(const BitMatrix& held, const BitMatrix& assignments,
                                                const BitMatrix& roles, const std::vector<NumberPair>& pairs) {
  std::vector<UserViolation> found;
  for (const auto& [a, b] : pairs) {
    for (std::uint32_t n = 0; n < held.rows(); ++n) {
      const bool assigned = assignments(n, a) && assignments(n, b);
      if (!assigned && !(holds_all(held, n, roles, a) && holds_all(held, n, roles, b))) continue;
      found.push_back({n, PairKind::roles, a, b, assigned, {}, {}});
    }
  }
  return found;
}

std::vector<UserViolation> permission_pair_violations(const BitMatrix& held, const BitMatrix& assignments,
                                                      const BitMatrix& roles, const std::vector<NumberPair>& pairs) {
  std::vector<UserViolation> found;
  for (const auto& [a, b] : pairs) {
    for (std::uint32_t n = 0; n < held.rows(); ++n) {
      if (!held(n, a) || !held(n, b)) continue;
      found.push_back({n, PairKind::permissions, a, b, false, granting(assignments, n, roles, a),
                       granting(assignments, n, roles, b)});
    }
  }
  return found;
}

std::vector<RoleViolation> roles_with_pairs(const BitMatrix& roles, const std::vector<NumberPair>& pairs) {
  std::vector<RoleViolation> found;
  for (const auto& [a, b] : pairs) {
    for (std::uint32_t k = 0; k < roles.rows(); ++k) {
      if (roles(k, a) && roles(k, b)) found.push_back({k, a, b});
    }
  }
  return found;
}

}  // namespace motet::roles
