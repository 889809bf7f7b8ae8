#include "motet/roles/role_summary.h"

#include <gtest/gtest.h>

#include "roles/two_roles_case.h"

namespace motet::roles::role_summary_test {
namespace {

TEST(RoleSummary, CountsExceptionsByKindAndUser) {
  const std::vector<FoundException> exceptions = {{4, 0, ExceptionKind::extra, 0.9},
                                                  {7, 1, ExceptionKind::missing, 0.8},
                                                  {7, 2, ExceptionKind::extra, 0.7},
                                                  {2, 2, ExceptionKind::extra, 0.6}};
  const ExceptionCount count = count_exceptions(exceptions);
  EXPECT_EQ(count.extra, 3U);
  EXPECT_EQ(count.missing, 1U);
  const std::vector<UserExceptions> users = exceptions_by_user(exceptions);
  ASSERT_EQ(users.size(), 3U);
  EXPECT_EQ(users[0].user, 7U);
  EXPECT_EQ(users[0].count.extra, 1U);
  EXPECT_EQ(users[0].count.missing, 1U);
  EXPECT_EQ(users[1].user, 2U);  // as many as user 4, who comes later
  EXPECT_EQ(users[2].user, 4U);
}

TEST(RoleSummary, PutsExceptionsOfOnePermissionTogether) {
  const std::vector<FoundException> exceptions = {{4, 0, ExceptionKind::extra, 0.9},
                                                  {7, 2, ExceptionKind::missing, 0.8},
                                                  {7, 1, ExceptionKind::extra, 0.7},
                                                  {2, 1, ExceptionKind::extra, 0.6},
                                                  {5, 1, ExceptionKind::missing, 0.6}};
  const std::vector<PermissionExceptions> groups = exceptions_by_permission(exceptions);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].permission, 1U);
  EXPECT_EQ(groups[0].kind, ExceptionKind::extra);
  EXPECT_EQ(groups[0].users, (std::vector<std::uint32_t>{2, 7}));
  EXPECT_EQ(groups[1].permission, 0U);  // groups of one by permission
  EXPECT_EQ(groups[2].permission, 1U);
  EXPECT_EQ(groups[2].kind, ExceptionKind::missing);
  EXPECT_EQ(groups[3].permission, 2U);
}

TEST(RoleSummary, SaysHowMuchOfARoleAnotherOneHolds) {
  BitMatrix roles(4, 6);
  BitMatrix members(4, 3);
  for (const std::size_t d : {0U, 1U, 2U, 3U}) roles.set(0, d);
  for (const std::size_t d : {2U, 3U}) roles.set(1, d);  // within the first
  for (const std::size_t d : {3U, 4U}) roles.set(2, d);
  roles.set(3, 5);  // alone
  members.set(0, 0);
  members.set(0, 2);
  members.set(1, 2);
  const std::vector<RoleOverlap> pairs = role_overlaps(roles, members);
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].inner, 1U);
  EXPECT_EQ(pairs[0].outer, 0U);
  EXPECT_EQ(pairs[0].shared_permissions, 2U);
  EXPECT_EQ(pairs[0].shared_members, 1U);
  EXPECT_EQ(pairs[0].contained, 1.0);
  EXPECT_EQ(pairs[1].inner, 2U);  // half of it in role 0, and half in role 1
  EXPECT_EQ(pairs[1].outer, 0U);
  EXPECT_EQ(pairs[1].contained, 0.5);
  EXPECT_EQ(pairs[2].inner, 1U);  // of equal roles the first
  EXPECT_EQ(pairs[2].outer, 2U);
}

TEST(RoleSummary, CountsCellsByHeldAndGranted) {
  BitMatrix held(2, 70);
  BitMatrix granted(2, 70);
  held.set(0, 0);
  held.set(0, 69);
  held.set(1, 3);
  granted.set(0, 69);
  granted.set(1, 65);
  granted.set(1, 66);
  EXPECT_EQ(count_cells(held, granted), (std::array<std::size_t, 4>{140 - 5, 2, 2, 1}));
}

TEST(RoleSummary, CountsPermissionsAndMembers) {
  RolesCase data = roles_case();
  EXPECT_EQ(role_size(data.fit.model, 0), 3U);
  EXPECT_EQ(roles_by_members(data.fit), (std::vector<std::size_t>{0, 1}));
  data.fit.roles[1].members = 4;
  EXPECT_EQ(roles_by_members(data.fit), (std::vector<std::size_t>{1, 0}));
  data.fit.users.shares[0].probability = 0.4;
  const MemberCount count = count_members(data.fit.told, data.fit.users);
  EXPECT_EQ(count.users_with_role, 5U);
  EXPECT_EQ(count.members, (std::vector<std::size_t>{3, 3}));
  EXPECT_DOUBLE_EQ(count.confidence, 0.9);
}

TEST(RoleSummary, CountsWhatTheRolesGrant) {
  const RolesCase data = roles_case();
  const GrantCount count = count_grants(data.fit, data.access.held);
  EXPECT_EQ(count.held(), 17U);
  EXPECT_EQ(count.covered, 16U);
  EXPECT_EQ(count.individual, 1U);
  EXPECT_EQ(count.newly_granted, 1U);
}

}  // namespace
}  // namespace motet::roles::role_summary_test
