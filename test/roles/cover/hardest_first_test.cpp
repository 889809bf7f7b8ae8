#include "motet/roles/cover/hardest_first.h"

#include <gtest/gtest.h>

#include "motet/roles/cover/fooling_set.h"
#include "roles/cover_cases.h"

namespace motet::roles::hardest_first_test {
namespace {

constexpr std::size_t no_end = 10'000;

TEST(HardestFirst, GroupsAreCliquesAndNoFewerThanTheLeast) {
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const BitMatrix held = small_matrix(number);
    const CoverPart part = whole(held);
    if (part.count() == 0) continue;
    Rng rng(Seed{number});
    const std::vector<std::uint32_t> apart = fooling_set(part, 10, no_end, rng.child(0));
    const std::optional<CellGroups> groups = dealt_hardest_first(part, apart, part.count(), rng);
    ASSERT_TRUE(groups);
    EXPECT_TRUE(are_cliques(part, *groups));
    EXPECT_GE(group_count(*groups), FewestRectangles(held).count());
    for (std::uint32_t i = 0; i < apart.size(); ++i) EXPECT_EQ((*groups)[apart[i]], i);
  }
}

TEST(HardestFirst, GivesUpBeyondTheMost) {
  const CoverPart part = whole(bits_of({"100", "010", "001"}));
  Rng rng(Seed{1});
  EXPECT_FALSE(dealt_hardest_first(part, {0, 1, 2}, 2, rng));
  EXPECT_FALSE(dealt_hardest_first(part, {0}, 2, rng));
  EXPECT_EQ(group_count(*dealt_hardest_first(part, {}, 3, rng)), 3U);
}

// Users with up to six of 60 roles on 80 permissions: dealing out line by line ends near 80 groups.
TEST(HardestFirst, FindsPlantedRolesThatOverlapMuch) {
  Rng rng(Seed{7});
  BitMatrix roles(60, 80);
  BitMatrix members(300, 60);
  for (std::size_t k = 0; k < 60; ++k) {
    for (int i = 0; i < 6; ++i) roles.set(k, rng.below(80));
  }
  for (std::size_t n = 0; n < 300; ++n) {
    for (std::uint64_t i = 1 + rng.below(6); i > 0; --i) members.set(n, rng.below(60));
  }
  const CoverPart part = whole(boolean_product(members, roles));
  const std::vector<std::uint32_t> apart = fooling_set(part, 20, no_end, Rng(Seed{1}));
  EXPECT_EQ(apart.size(), 60U);
  const std::optional<CellGroups> groups = dealt_hardest_first(part, apart, part.count(), rng);
  EXPECT_TRUE(are_cliques(part, *groups));
  EXPECT_LE(group_count(*groups), 61U);
}

}  // namespace
}  // namespace motet::roles::hardest_first_test
