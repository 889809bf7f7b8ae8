#include "motet/roles/cover/grouping.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"

namespace motet::roles::grouping_test {
namespace {

TEST(CellGroups, BeginAsTheFewerLines) {
  const CoverPart part = whole(bits_of({"111", "101"}));
  EXPECT_EQ(lines_of(part), (CellGroups{0, 0, 0, 1, 1}));
  EXPECT_EQ(group_count(lines_of(whole(bits_of({"1", "1", "1"})))), 1U);
  EXPECT_EQ(group_count({}), 0U);
}

TEST(CellGroups, AreOrderedBySize) {
  EXPECT_EQ(largest_first({0, 1, 1, 2, 2, 2}), (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(CellGroups, DealtAgainStayCliquesAndAreNeverMore) {
  Rng rng(Seed{1});
  for (std::uint64_t number = 1; number <= 60; ++number) {
    const CoverPart part = whole(random_bits(5 + number % 17, 4 + number % 23, 0.5, Rng(Seed{number})));
    CellGroups groups = lines_of(part);
    for (int again = 0; again < 10; ++again) {
      const std::size_t before = group_count(groups);
      std::vector<std::uint32_t> order = largest_first(groups);
      shuffle(order, rng);
      groups = dealt_again(part, groups, order, rng);
      EXPECT_LE(group_count(groups), before);
      EXPECT_TRUE(are_cliques(part, groups)) << number;
    }
  }
}

// Few groups and many holders, or the other way round: two ways to find the first group, with one answer.
TEST(CellGroups, GoToTheFirstGroupThatTakesThem) {
  for (std::uint64_t number = 1; number <= 40; ++number) {
    const CoverPart part = whole(random_bits(12, 12, number % 2 == 0 ? 0.2 : 0.8, Rng(Seed{number})));
    if (part.count() == 0) continue;
    CellGroups each(part.count());
    std::iota(each.begin(), each.end(), 0U);
    Rng rng(Seed{number});
    const CellGroups dealt = dealt_again(part, each, each, rng);  // cell by cell
    for (std::uint32_t cell = 0; cell < part.count(); ++cell) {
      for (std::uint32_t group = 0; group < dealt[cell]; ++group) {
        bool takes = true;
        for (std::uint32_t other = 0; other < cell; ++other) {
          takes = takes && (dealt[other] != group || part.are_compatible(cell, other));
        }
        EXPECT_FALSE(takes);
      }
    }
  }
}

}  // namespace
}  // namespace motet::roles::grouping_test
