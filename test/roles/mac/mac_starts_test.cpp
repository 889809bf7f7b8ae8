#include "motet/roles/mac/mac_starts.h"

#include <gtest/gtest.h>

#include "roles/model_cases.h"

namespace motet::roles::mac_starts_test {
namespace {

TEST(MacStarts, RolesGoToMergedColumnsAndBack) {
  const MergedMatrix data = merge_equal(bits_of({"1101", "0010", "1111"}));
  ASSERT_EQ(data.bits.columns(), 2U);  // columns 0, 1 and 3 are equal
  const BitMatrix roles = bits_of({"1101", "0010"});
  EXPECT_EQ(compressed(roles, data), bits_of({"10", "01"}));
  EXPECT_EQ(expanded(compressed(roles, data), data), roles);
}

TEST(MacStarts, RolesAreTheSameInAnyOrder) {
  EXPECT_TRUE(same_roles(bits_of({"10", "01"}), bits_of({"01", "10"})));
  EXPECT_FALSE(same_roles(bits_of({"10", "01"}), bits_of({"01", "01"})));
}

TEST(MacStarts, KeptRolesAndPairsKeepColumnsApart) {
  RoleConstraints constraints;
  EXPECT_TRUE(columns_apart(4, constraints).empty());
  constraints.keep = bits_of({"1100"});
  EXPECT_EQ(columns_apart(4, constraints), (std::vector<std::uint32_t>{0, 0, 1, 1}));
  constraints.never_in_one_role = {{0, 2}};
  EXPECT_EQ(columns_apart(4, constraints), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(MacStarts, RolesOfAnEarlierModelAreFoundByTheNamesOfPermissions) {
  RoleModel model = hard_model(bits_of({"110", "011"}), 1, 0.05, 0.95);
  model.permissions = {"a", "b", "c"};
  const NameList permissions(std::vector<std::string>{"c", "x", "a"});
  EXPECT_EQ(roles_of(model, permissions, 3), bits_of({"001", "100", "000"}));
  EXPECT_EQ(roles_of(model, permissions, 1), bits_of({"001"}));
}

// Two users of four are searched: columns that differ for all are equal for them.
TEST(MacStarts, ParametersGoFromSomeUsersToAll) {
  const MergedMatrix some = merge_equal(bits_of({"1100", "0011"}));
  const MergedMatrix all = merge_equal(bits_of({"1100", "0011", "1000"}));
  ASSERT_EQ(some.bits.columns(), 2U);
  ASSERT_EQ(all.bits.columns(), 3U);
  const std::vector<double> found = carried_over(std::vector{0.1, 0.2, 0.3, 0.4, 7.0, 8.0}, 2, some, all);
  EXPECT_EQ(found, (std::vector<double>{0.1, 0.1, 0.2, 0.3, 0.3, 0.4, 7.0, 8.0}));
}

}  // namespace
}  // namespace motet::roles::mac_starts_test
