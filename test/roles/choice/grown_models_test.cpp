#include "motet/roles/choice/grown_models.h"

#include <gtest/gtest.h>

#include "motet/measure/boolean.h"
#include "roles/mine_cases.h"

namespace motet::roles::grown_models_test {
namespace {

TEST(GrownModels, HaveOneRoleMoreEachAndFindThePlantedOnes) {
  const PlantedAccess planted = chapter9(Chapter9Sources::overlapping, 0.1, 0.5, 31, 30);
  SearchRules rules;
  rules.degree = 2;
  const std::vector<RoleModel> models =
      grown_models(planted.access.held, planted.access.permissions.to_vector(), {2, 4}, rules, Rng(Seed{1}), {});
  ASSERT_EQ(models.size(), 4U);
  for (std::size_t k = 0; k < models.size(); ++k) EXPECT_EQ(models[k].role_count(), k + 1);
  EXPECT_EQ(match_roles(planted.roles, rounded_roles(models[2])).difference, 0.0);
  EXPECT_NEAR(noise_fraction(models[2]), 0.1, 0.03);
}

// Roles 0 and 1, 2 and 3 ... nearly always come together. Grown one after the other, a pair is found as one role first,
// and that one is still there when its parts have been found.
TEST(GrownModels, AnEarlyRoleThatStandsForTwoIsGivenUp) {
  constexpr std::size_t roles = 8;
  constexpr std::size_t size = 6;
  BitMatrix planted(roles, roles * size);
  for (std::size_t d = 0; d < roles * size; ++d) planted.set(d / size, d);
  BitMatrix assignments(300, roles);
  std::vector<std::string> permissions;
  for (std::size_t d = 0; d < planted.columns(); ++d) permissions.push_back("p" + std::to_string(d));
  Rng rng(Seed{1});
  for (std::size_t n = 0; n < assignments.rows(); ++n) {
    if (n < 6 * roles) {
      assignments.set(n, n % roles);
      continue;
    }
    const std::size_t k = rng.below(roles);
    assignments.set(n, k);
    if (rng.uniform() < 0.8) assignments.set(n, k ^ 1U);
    if (rng.uniform() < 0.3) assignments.set(n, rng.below(roles));
  }
  const BitMatrix held = boolean_product(assignments, planted);
  const std::vector<RoleModel> models = grown_models(held, permissions, {1, 11}, {}, Rng(Seed{1}), {});
  ASSERT_GE(models.size(), roles);
  EXPECT_EQ(match_roles(planted, rounded_roles(models[roles - 1])).difference, 0.0);
}

}  // namespace
}  // namespace motet::roles::grown_models_test
