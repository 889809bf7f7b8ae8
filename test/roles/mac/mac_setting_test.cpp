#include "motet/roles/mac/mac_setting.h"

#include <gtest/gtest.h>

#include "roles/mine_cases.h"

namespace motet::roles::mac_setting_test {
namespace {

// Permissions 0 to 2 and 3 to 5 are held alike by everybody.
struct Setting {
  Access access = clean_access();
  MineData data{.access = &access};
  MineOptions options = two_a_user();
  RoleConstraints constraints;
  RunContext run;

  MacSetting make() const { return {data, 2, options, constraints, run}; }
};

TEST(MacSetting, SoftRolesArePossibleUnlessSomethingForbidsThem) {
  Setting setting;
  EXPECT_TRUE(setting.make().allows_soft());
  setting.options.centroids = Centroids::rounded;
  EXPECT_FALSE(setting.make().allows_soft());
  setting.options.centroids = Centroids::best;
  setting.options.noise_scope = NoiseScope::user;
  EXPECT_FALSE(setting.make().allows_soft());
  setting.options.noise_scope = NoiseScope::global;
  setting.constraints.never_in_one_role = {{0, 1}};
  EXPECT_FALSE(setting.make().allows_soft());
}

TEST(MacSetting, RulesAreInTheColumnsOfTheMergedData) {
  Setting setting;
  EXPECT_EQ(setting.make().merged(setting.access.held).bits.columns(), 2U);
  setting.constraints.never_in_one_role = {{0, 3}};
  setting.constraints.keep = bits_of({"111000"});
  setting.constraints.keep_names = {"kept"};
  const MacSetting made = setting.make();
  const MergedMatrix merged = made.merged(setting.access.held);
  ASSERT_EQ(merged.bits.columns(), 4U);  // 0, 1 and 2, 3, 4 and 5
  const SearchRules rules = made.rules_for(merged);
  EXPECT_EQ(rules.degree, 2U);
  EXPECT_EQ(rules.keep, bits_of({"1100"}));
  EXPECT_EQ(rules.never_with[0], (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(rules.never_with[2], (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(made.shape_for(merged, true).frozen, (std::vector<std::uint8_t>{1, 0}));
}

TEST(MacSetting, AModelHasTheParametersInTheColumnsOfTheData) {
  const Setting setting;
  const MacSetting made = setting.make();
  const MergedMatrix merged = made.merged(setting.access.held);
  const MacShape shape = made.shape_for(merged, false);
  ASSERT_EQ(shape.sets.size(), 4U);
  const RoleModel model = made.model_of(shape, std::vector{0.1, 0.9, 0.8, 0.2, 0.01, 0.99, 0.4, 0.3, 0.2, 0.1}, merged);
  EXPECT_EQ(model.absence, (std::vector<double>{0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.8, 0.8, 0.8, 0.2, 0.2, 0.2}));
  EXPECT_EQ(model.p0, std::vector<double>{0.01});
  EXPECT_EQ(model.p1, std::vector<double>{0.99});
  EXPECT_EQ(model.set_share, (std::vector<double>{0.4, 0.3, 0.2, 0.1}));
  EXPECT_EQ(model.users, 30.0);
}

}  // namespace
}  // namespace motet::roles::mac_setting_test
