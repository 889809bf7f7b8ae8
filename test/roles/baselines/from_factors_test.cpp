#include "motet/roles/baselines/from_factors.h"

#include <gtest/gtest.h>

#include <numeric>

#include "motet/roles/mac/search.h"
#include "roles/mine_cases.h"

namespace motet::roles::from_factors_test {
namespace {

TEST(ModelFromFactors, CountsNoiseAndLabelSets) {
  const Access access = named(bits_of({"1100", "1100", "0011", "1111", "1110"}));
  const Factorization factors{bits_of({"1100", "0011"}), bits_of({"10", "10", "01", "11", "11"})};
  const RoleModel model = model_from_factors(access, factors, 1, RoleMethod::asso);
  EXPECT_EQ(model.method, RoleMethod::asso);
  // Covered: 2 + 2 + 2 + 4 + 4 cells, one of them not held; 6 others, none held. Half a cell on either side.
  EXPECT_NEAR(model.p1[0], 13.5 / 15.0, 1e-12);
  EXPECT_NEAR(model.p0[0], 0.5 / 7.0, 1e-12);
  ASSERT_EQ(model.sets.size(), 4U);  // {}, {0}, {1} and the pair that occurs
  EXPECT_NEAR(model.set_share[1], (2.0 + 0.25) / 6.0, 1e-12);
  EXPECT_NEAR(model.set_share[3], (2.0 + 0.25) / 6.0, 1e-12);
  EXPECT_EQ(rounded_roles(model), factors.roles);
}

TEST(ModelFromFactors, RolesThatCoverWhatNobodyHoldsAreNoWorseThanNone) {
  const Access access = named(bits_of({"11", "11", "11"}));
  const Factorization factors{bits_of({"10"}), bits_of({"0", "0", "0"})};
  const RoleModel model = model_from_factors(access, factors, 2, RoleMethod::bica);
  EXPECT_NEAR(model.p0[0], 6.5 / 7.0, 1e-12);
  EXPECT_EQ(model.p1, model.p0);  // half a cell of none would be less
}

TEST(ModelFromFactors, OfVeryManyRolesSetsAreSmallerThanAskedForButAllThatOccurAreThere) {
  const std::size_t roles = 40;
  Factorization factors{BitMatrix(roles, roles), BitMatrix(2, roles)};
  for (std::size_t k = 0; k < roles; ++k) factors.roles.set(k, k);
  for (std::size_t k = 0; k < 7; ++k) factors.assignments.set(1, k);
  const Access access = named(boolean_product(factors.assignments, factors.roles));
  const RoleModel model = model_from_factors(access, factors, 5, RoleMethod::dbps);
  const std::size_t all = LabelSets::up_to(roles, feasible_degree(roles, 5)).size();
  ASSERT_EQ(model.sets.size(), all + 1);
  EXPECT_EQ(model.sets[all].size(), 7U);
  EXPECT_NEAR(std::accumulate(model.set_share.begin(), model.set_share.end(), 0.0), 1.0, 1e-12);
  EXPECT_GT(model.set_share[all], 0.3);
}

}  // namespace
}  // namespace motet::roles::from_factors_test
