#include "motet/roles/mac/set_unions.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "roles/model_cases.h"
#include "roles/planted_cases.h"

namespace motet::roles::set_unions_test {
namespace {

TEST(SetUnions, AreWhatAnyRoleOfTheSetHas) {
  EXPECT_EQ(set_unions(hard_model(bits_of({"1100", "0110"}), 2, 0.0, 1.0)), bits_of({"0000", "1100", "0110", "1110"}));
}

TEST(SetUnions, OfManyPermissionsGoByTheRoundedRoles) {
  RoleModel model = hard_model(random_bits(4, 150, 0.3, Rng(Seed{1})), 3, 0.1, 0.9);
  Rng rng(Seed{2});
  for (double& beta : model.absence) beta = 0.8 * beta + 0.2 * rng.uniform();  // the same side of 1/2
  const BitMatrix unions = set_unions(model);
  ASSERT_EQ(unions.rows(), model.sets.size());
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    for (std::size_t d = 0; d < 150; ++d) {
      bool grants = false;
      for (const std::uint32_t k : model.sets[l]) grants = grants || model.has(k, d);
      EXPECT_EQ(unions(l, d), grants) << l << ' ' << d;
    }
  }
}

}  // namespace
}  // namespace motet::roles::set_unions_test
