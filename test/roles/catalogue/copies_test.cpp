#include "motet/roles/catalogue/copies.h"

#include <gtest/gtest.h>

#include "data/bits.h"

namespace motet::roles::copies_test {
namespace {

TEST(Copies, ARoleWithAllPermissionsOfAKeptOneCountsAsIt) {
  //                                 A        B        copy of A  more than B  neither
  const BitMatrix roles = bits_of({"110000", "001100", "110000", "101100", "010010"});
  EXPECT_EQ(pairs_with_copies(roles, 2, {{0, 1}}), (RolePairs{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
  EXPECT_TRUE(pairs_with_copies(roles, 2, {}).empty());
}

TEST(Copies, FourFifthsAreEnoughForTheNearestOne) {
  //                                 A             B
  const BitMatrix roles = bits_of({"1111100000", "1111010000", "0000001111", "1111100001", "0111110000", "0011100000"});
  // Role 3 is A and more; role 4 has four fifths of both and counts as the first; role 5 counts as neither.
  EXPECT_EQ(pairs_with_copies(roles, 3, {{0, 2}, {1, 2}}), (RolePairs{{0, 2}, {1, 2}, {2, 3}, {2, 4}}));
}

TEST(Copies, ARoleOfBothIsParted) {
  const BitMatrix roles = bits_of({"1100", "0110", "1110", "1001"});
  EXPECT_EQ(permissions_to_part(roles, 2, {{0, 1}}), (RolePairs{{0, 2}}));
  EXPECT_TRUE(permissions_to_part(bits_of({"1100", "0110", "1100"}), 2, {{0, 1}}).empty());
  // One lies in the other: nothing parts them.
  EXPECT_TRUE(permissions_to_part(bits_of({"1100", "0100", "1111"}), 2, {{0, 1}}).empty());
}

TEST(Copies, AKeptRoleWithoutPermissionsHasNone) {
  EXPECT_EQ(pairs_with_copies(bits_of({"00", "01", "11"}), 2, {{0, 1}}), (RolePairs{{0, 1}, {0, 2}}));
}

}  // namespace
}  // namespace motet::roles::copies_test
