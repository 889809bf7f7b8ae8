#include "motet/roles/role_order.h"

#include <gtest/gtest.h>

#include "data/bits.h"

namespace motet::roles::role_order_test {
namespace {

TEST(RoleOrder, GroupsUsersAndPlacesPermissionsByFirstRole) {
  //                               0       1       2       3       4       5
  const BitMatrix held = bits_of({"00110", "11000", "11001", "00000", "11000", "11110"});
  const BitMatrix roles = bits_of({"00110", "11000"});
  const BitMatrix assignments = bits_of({"10", "01", "01", "00", "01", "11"});
  const RoleOrder order = role_order(held, roles, assignments);
  EXPECT_EQ(order.users, (std::vector<std::uint32_t>{2, 1, 4, 0, 5, 3}));
  EXPECT_EQ(order.permissions, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  ASSERT_EQ(order.user_bands.size(), 4U);
  EXPECT_EQ(order.user_bands[0].roles, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(order.user_bands[0].end, 3U);
  EXPECT_TRUE(order.user_bands[3].roles.empty());
  ASSERT_EQ(order.permission_bands.size(), 3U);
  EXPECT_EQ(order.permission_bands[0].roles, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(order.permission_bands[1].end, 4U);
  EXPECT_TRUE(order.permission_bands[2].roles.empty());
}

TEST(RoleOrder, NumbersTheOnesOfARow) {
  EXPECT_EQ(ones_of(bits_of({"000", "101"}), 1), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_TRUE(ones_of(bits_of({"000", "101"}), 0).empty());
}

}  // namespace
}  // namespace motet::roles::role_order_test
