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

}  // namespace
}  // namespace motet::roles::grown_models_test
