#include "motet/roles/changes.h"

#include <gtest/gtest.h>

namespace motet::roles::changes_test {
namespace {

using Names = std::vector<std::string>;

RoleModel model_of(Names permissions, Names names, const Names& rows) {
  RoleModel model;
  model.permissions = std::move(permissions);
  model.roles = std::move(names);
  for (const std::string& row : rows) {
    for (const char c : row) model.absence.push_back(c == '1' ? 0.05 : 0.99);
  }
  return model;
}

TEST(Changes, NothingChangesAgainstItself) {
  const RoleModel model = model_of({"a", "b", "c"}, {"x", "y"}, {"110", "011"});
  const RoleChanges changes = role_changes(model, model);
  EXPECT_TRUE(changes.appeared.empty() && changes.vanished.empty());
  for (const MatchedRole& role : changes.matched) EXPECT_TRUE(role.is_same());
  EXPECT_EQ(changes.matched.size(), 2U);
  EXPECT_EQ(carried_names(model, changes), model.roles);
}

TEST(Changes, RolesAreMatchedInAnyOrder) {
  const RoleModel before = model_of({"a", "b", "c", "d", "e"}, {"pay", "store", "old"}, {"11100", "00011", "00100"});
  const RoleModel after = model_of({"e", "d", "b", "a", "f"}, {"e +1", "a +2", "f"}, {"11000", "00111", "00001"});
  const RoleChanges changes = role_changes(before, after);
  ASSERT_EQ(changes.matched.size(), 2U);
  EXPECT_EQ(changes.matched[0].previous_name, "store");
  EXPECT_TRUE(changes.matched[0].is_same());
  EXPECT_EQ(changes.matched[1].previous_name, "pay");
  EXPECT_EQ(changes.matched[1].current, 1U);
  EXPECT_EQ(changes.matched[1].similarity, 1.0);  // over what both know: a, b
  EXPECT_EQ(changes.matched[1].added, (Names{"f"}));
  EXPECT_EQ(changes.matched[1].removed, (Names{"c"}));
  EXPECT_EQ(changes.appeared, (std::vector<std::size_t>{2}));
  EXPECT_EQ(changes.vanished, (Names{"old"}));
  EXPECT_EQ(changes.permissions_added, (Names{"f"}));
  EXPECT_EQ(changes.permissions_removed, (Names{"c"}));
  EXPECT_EQ(carried_names(after, changes), (Names{"store", "pay", "f"}));
}

TEST(Changes, TooLittleInCommonIsANewRole) {
  const RoleModel before = model_of({"a", "b", "c", "d"}, {"x"}, {"1100"});
  const RoleModel after = model_of({"a", "b", "c", "d"}, {"x"}, {"0111"});
  const RoleChanges changes = role_changes(before, after);  // 1 of 4 in common
  EXPECT_TRUE(changes.matched.empty());
  EXPECT_EQ(changes.appeared.size(), 1U);
  EXPECT_EQ(changes.vanished, (Names{"x"}));
  EXPECT_EQ(role_changes(before, after, 0.25).matched.size(), 1U);
}

TEST(Changes, ANewRoleDoesNotTakeAKeptName) {
  const RoleModel before = model_of({"a", "b", "c"}, {"b", "z"}, {"110", "001"});
  const RoleModel after = model_of({"a", "b", "c", "d"}, {"b", "a +1"}, {"0001", "1100"});
  EXPECT_EQ(carried_names(after, role_changes(before, after)), (Names{"b (2)", "b"}));
}

TEST(Changes, EmptyRolesMatchEachOtherOnly) {
  const RoleModel before = model_of({"a", "b"}, {"none", "x"}, {"00", "01"});
  const RoleModel after = model_of({"a", "c"}, {"y", "no permissions"}, {"01", "00"});
  const RoleChanges changes = role_changes(before, after);
  ASSERT_EQ(changes.matched.size(), 1U);
  EXPECT_EQ(changes.matched[0].previous_name, "none");
  EXPECT_EQ(changes.matched[0].current, 1U);
  EXPECT_EQ(changes.vanished, (Names{"x"}));
}

TEST(Changes, ModelsWithoutRoles) {
  const RoleModel none = model_of({"a"}, {}, {});
  const RoleModel one = model_of({"a"}, {"x"}, {"1"});
  EXPECT_TRUE(role_changes(none, none).matched.empty());
  EXPECT_EQ(role_changes(none, one).appeared.size(), 1U);
  EXPECT_EQ(role_changes(one, none).vanished.size(), 1U);
}

}  // namespace
}  // namespace motet::roles::changes_test
