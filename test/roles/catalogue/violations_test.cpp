#include "motet/roles/catalogue/violations.h"

#include <gtest/gtest.h>

#include "data/bits.h"

namespace motet::roles::violations_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(Violations, OfRolesAreThoseAssignedAndThoseHeld) {
  const BitMatrix roles = bits_of({"1100", "0010", "0000"});
  const BitMatrix held = bits_of({"1110", "1110", "1010", "0000"});
  const BitMatrix assignments = bits_of({"100", "110", "110", "000"});
  const std::vector<UserViolation> found = role_pair_violations(held, assignments, roles, {{0, 1}, {0, 2}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].user, 0U);
  EXPECT_FALSE(found[0].assigned);
  EXPECT_EQ(found[1].user, 1U);
  EXPECT_TRUE(found[1].assigned);
  EXPECT_EQ(found[2].user, 2U);
  EXPECT_TRUE(found[2].assigned);
  EXPECT_EQ(found[2].kind, PairKind::roles);
}

TEST(Violations, OfPermissionsSayThroughWhich) {
  const BitMatrix roles = bits_of({"110", "011", "100"});
  const BitMatrix held = bits_of({"101", "111", "100"});
  const BitMatrix assignments = bits_of({"000", "111", "001"});
  const std::vector<UserViolation> found = permission_pair_violations(held, assignments, roles, {{0, 2}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].user, 0U);
  EXPECT_TRUE(found[0].first_through.empty());
  EXPECT_TRUE(found[0].second_through.empty());
  EXPECT_EQ(found[1].user, 1U);
  EXPECT_EQ(found[1].first_through, (Numbers{0, 2}));
  EXPECT_EQ(found[1].second_through, Numbers{1});
}

TEST(Violations, OfTheCatalogueItself) {
  const std::vector<RoleViolation> found = roles_with_pairs(bits_of({"110", "101", "111"}), {{0, 1}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].role, 0U);
  EXPECT_EQ(found[1].role, 2U);
  EXPECT_EQ(found[1].second, 1U);
}

}  // namespace
}  // namespace motet::roles::violations_test
