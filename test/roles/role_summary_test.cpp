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
  const MemberCount count = count_members(data.fit.model, data.fit.users);
  EXPECT_EQ(count.users_with_role, 5U);
  EXPECT_EQ(count.members, (std::vector<std::size_t>{3, 3}));
  EXPECT_DOUBLE_EQ(count.confidence, 0.9);
}

}  // namespace
}  // namespace motet::roles::role_summary_test
