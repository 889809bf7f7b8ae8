#include "motet/roles/cover/near_members.h"

#include <gtest/gtest.h>

#include "motet/roles/cover/granted_exactly.h"
#include "roles/cover_cases.h"

namespace motet::roles::near_members_test {
namespace {

NearMembers near(const BitMatrix& held, const BitMatrix& roles, double most) {
  const MergedMatrix merged = merge_equal(held, {.rows = false, .columns = false});
  return with_near_members(merged, roles, granted_exactly(held, roles, {}), most);
}

TEST(NearMembers, GetARoleThatCoversMoreThanItGrantsBeyond) {
  const BitMatrix held = bits_of({"1111", "1110", "1000"});
  const NearMembers found = near(held, bits_of({"1111"}), 10.0);
  EXPECT_EQ(found.assignments, bits_of({"1", "1", "0"}));  // the last would be granted three cells for one
  EXPECT_EQ(found.over_granted, 1.0);
  EXPECT_EQ(found.uncovered, 1.0);
}

TEST(NearMembers, NeverGrantMoreBeyondThanAllowedAndBestFirst) {
  const BitMatrix held = bits_of({"11000000", "11111110", "11111001"});
  const BitMatrix roles = bits_of({"11111111"});
  EXPECT_EQ(near(held, roles, 0.0).assignments.count(), 0U);
  EXPECT_EQ(near(held, roles, 1.0).assignments, bits_of({"0", "1", "0"}));
  EXPECT_EQ(near(held, roles, 2.0).assignments, bits_of({"0", "1", "0"}));
  EXPECT_EQ(near(held, roles, 3.0).assignments, bits_of({"0", "1", "1"}));
}

TEST(NearMembers, CountCellsOfTheOriginalMatrix) {
  // Twice the same user, and the last two permissions are alike.
  const MergedMatrix merged = merge_equal(bits_of({"11100", "11100"}));
  ASSERT_EQ(merged.bits.columns(), 2U);
  const BitMatrix roles = bits_of({"11"});
  const BitMatrix nobody(1, 1);
  EXPECT_EQ(with_near_members(merged, roles, nobody, 3.0).uncovered, 6.0);
  const NearMembers found = with_near_members(merged, roles, nobody, 4.0);
  EXPECT_EQ(found.over_granted, 4.0);
  EXPECT_EQ(found.uncovered, 0.0);
}

TEST(NearMembers, FiguresAreThoseOfTheProduct) {
  for (std::uint64_t number = 1; number <= 60; ++number) {
    const Rng rng(Seed{number});
    const BitMatrix held = random_bits(30, 24, 0.6, rng.child(0));
    const BitMatrix roles = random_bits(6, 24, 0.3, rng.child(1));
    const BitMatrix exact = granted_exactly(held, roles, {});
    const NearMembers found = near(held, roles, 20.0);
    const BitMatrix granted = boolean_product(found.assignments, roles);
    std::size_t beyond = 0;
    std::size_t uncovered = 0;
    for (std::size_t n = 0; n < held.rows(); ++n) {
      for (std::size_t d = 0; d < held.columns(); ++d) {
        beyond += granted(n, d) && !held(n, d) ? 1U : 0U;
        uncovered += held(n, d) && !granted(n, d) ? 1U : 0U;
      }
    }
    EXPECT_EQ(found.over_granted, static_cast<double>(beyond));
    EXPECT_EQ(found.uncovered, static_cast<double>(uncovered));
    EXPECT_LE(beyond, 20U);
    const std::size_t before = held.count() - boolean_product(exact, roles).count();
    EXPECT_LE(uncovered + beyond, before);
  }
}

}  // namespace
}  // namespace motet::roles::near_members_test
