#include "motet/roles/cover/ejection.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"

namespace motet::roles::ejection_test {
namespace {

// From one group per line down to the least that trying everything finds, or a miss in few cases.
TEST(Ejection, FindsTheLeastOfSmallMatrices) {
  std::size_t missed = 0;
  std::size_t asked = 0;
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const BitMatrix held = small_matrix(number);
    const CoverPart part = whole(held);
    const std::size_t least = FewestRectangles(held).count();
    CellGroups groups = lines_of(part);
    Rng rng(Seed{number});
    while (group_count(groups) > least) {
      ASSERT_TRUE(can_eject(part, group_count(groups)));
      ++asked;
      const std::optional<CellGroups> fewer = with_one_less(part, groups, 3000, rng);
      if (!fewer) {
        ++missed;
        break;
      }
      EXPECT_EQ(group_count(*fewer), group_count(groups) - 1);
      EXPECT_TRUE(are_cliques(part, *fewer));
      groups = *fewer;
    }
  }
  EXPECT_GT(asked, 50U);
  EXPECT_EQ(missed, 0U);
}

TEST(Ejection, FindsNoneWhereThereIsNone) {
  const CoverPart part = whole(bits_of({"100", "010", "001"}));
  Rng rng(Seed{1});
  EXPECT_FALSE(with_one_less(part, lines_of(part), 500, rng));
}

TEST(Ejection, NeedsTwoGroupsAndTablesThatFit) {
  const CoverPart part = whole(bits_of({"11", "10"}));
  EXPECT_FALSE(can_eject(part, 1));
  EXPECT_TRUE(can_eject(part, 2));
  EXPECT_FALSE(can_eject(part, 10'000'000));
}

}  // namespace
}  // namespace motet::roles::ejection_test
