// Sparse planted data for tests: roles of equal size over many permissions, noise relative to what is held.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "motet/roles/mine.h"
#include "motet/roles/sparse/sparse_rows.h"

namespace motet::roles {

inline std::vector<std::uint32_t> some_below(std::size_t bound, std::size_t count, Rng& rng) {
  std::vector<std::uint32_t> some;
  while (some.size() < count) {
    const auto one = static_cast<std::uint32_t>(rng.below(bound));
    if (std::find(some.begin(), some.end(), one) == some.end()) some.push_back(one);
  }
  std::sort(some.begin(), some.end());
  return some;
}

struct SparsePlan {
  std::size_t users = 500;
  std::size_t permissions = 300;
  std::size_t roles = 12;
  std::size_t role_size = 12;
  std::size_t most_roles = 3;  // of a user; every number from 1 is equally likely
  double noise = 0.05;         // share of held pairs that are lost, and of added ones as many
};

struct SparsePlanted {
  SparseRows roles;
  SparseRows assignments;  // users x roles
  Access access;
};

inline SparsePlanted planted_sparse(const SparsePlan& plan, Seed seed) {
  Rng rng(seed);
  SparsePlanted planted;
  planted.roles.columns = plan.permissions;
  planted.assignments.columns = plan.roles;
  for (std::size_t k = 0; k < plan.roles; ++k) planted.roles.add(some_below(plan.permissions, plan.role_size, rng));
  planted.access.held = BitMatrix(plan.users, plan.permissions);
  BitMatrix& held = planted.access.held;
  for (std::size_t d = 0; d < plan.permissions; ++d) planted.access.permissions.push_back("p" + std::to_string(d));
  for (std::size_t n = 0; n < plan.users; ++n) {
    planted.access.users.push_back("u" + std::to_string(n));
    planted.assignments.add(some_below(plan.roles, 1 + rng.below(plan.most_roles), rng));
    for (const std::uint32_t k : planted.assignments[n]) {
      for (const std::uint32_t d : planted.roles[k]) held.set(n, d);
    }
  }
  const SparseRows clean = sparse_rows(held);
  for (std::size_t n = 0; n < plan.users; ++n) {
    for (const std::uint32_t d : clean[n]) held.set(n, d, !(rng.uniform() < plan.noise));
  }
  const double extra = plan.noise * static_cast<double>(clean.places.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(extra); ++i) {
    held.set(rng.below(plan.users), rng.below(plan.permissions));
  }
  return planted;
}

// By role of the model: the planted role with the same permissions, or no_role.
constexpr std::uint32_t no_role = 0xFFFFFFFFU;
inline std::vector<std::uint32_t> planted_role_of(const RoleModel& model, const SparsePlanted& planted) {
  const SparseRows found = sparse_rows(rounded_roles(model));
  std::vector<std::uint32_t> match(found.rows(), no_role);
  for (std::size_t k = 0; k < found.rows(); ++k) {
    for (std::uint32_t j = 0; j < planted.roles.rows(); ++j) {
      if (std::ranges::equal(found[k], planted.roles[j])) match[k] = j;
    }
  }
  return match;
}

inline std::size_t exact_roles(const RoleModel& model, const SparsePlanted& planted) {
  const std::vector<std::uint32_t> match = planted_role_of(model, planted);
  return static_cast<std::size_t>(std::count_if(match.begin(), match.end(), [](auto k) { return k != no_role; }));
}

// Wrong cells of the matrix users x planted roles; roles that are none of the planted count as wrong for each member.
inline double assignment_error(const RoleModel& model, const UserPosteriors& users, const SparsePlanted& planted) {
  const std::vector<std::uint32_t> match = planted_role_of(model, planted);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < users.user_count(); ++n) {
    std::size_t right = 0;
    const std::span<const std::uint32_t> set = model.sets[users.of(n).front().set];
    for (const std::uint32_t k : set) {
      const auto truth = planted.assignments[n];
      right += match[k] != no_role && std::binary_search(truth.begin(), truth.end(), match[k]) ? 1U : 0U;
    }
    wrong += set.size() + planted.assignments[n].size() - 2 * right;
  }
  return static_cast<double>(wrong) / static_cast<double>(users.user_count() * planted.roles.rows());
}

}  // namespace motet::roles
