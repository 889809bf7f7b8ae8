#include "motet/roles/cover/group_search.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"

namespace motet::roles::group_search_test {
namespace {

TEST(GroupSearch, FindsTheLeastAndSaysSo) {
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const BitMatrix held = small_matrix(number);
    const CoverPart part = whole(held);
    if (part.count() == 0) continue;
    const std::vector<std::uint32_t> apart = {0};
    const GroupSearch found = least_groups(part, lines_of(part), apart, 1'000'000);
    EXPECT_TRUE(found.is_least);
    EXPECT_EQ(group_count(found.grouping), FewestRectangles(held).count()) << number;
    EXPECT_TRUE(are_cliques(part, found.grouping));
  }
}

// A crown of n needs the least k with C(k, k / 2) >= n (de Caen, Gregory, Pullman 1981), while at most three of its
// cells are apart: the bound alone does not prove it.
TEST(GroupSearch, ProvesWhatNoFoolingSetProves) {
  const CoverPart part = whole(crown(6));
  const GroupSearch found = least_groups(part, lines_of(part), {0}, 1'000'000);
  EXPECT_TRUE(found.is_least);
  EXPECT_EQ(group_count(found.grouping), 4U);
}

TEST(GroupSearch, SaysWhenItGaveUp) {
  const CoverPart part = whole(crown(8));
  const GroupSearch found = least_groups(part, lines_of(part), {0}, 3);
  EXPECT_FALSE(found.is_least);
  EXPECT_TRUE(are_cliques(part, found.grouping));
}

}  // namespace
}  // namespace motet::roles::group_search_test
