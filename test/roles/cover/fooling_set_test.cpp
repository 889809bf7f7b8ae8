#include "motet/roles/cover/fooling_set.h"

#include <gtest/gtest.h>

#include "roles/cover_cases.h"

namespace motet::roles::fooling_set_test {
namespace {

constexpr std::size_t no_end = 1000;

std::size_t largest_by_trying(const CoverPart& part) {
  std::size_t best = 0;
  for (std::uint32_t some = 0; some < (1U << part.count()); ++some) {
    if (static_cast<std::size_t>(std::popcount(some)) <= best) continue;
    bool apart = true;
    for (std::uint32_t a = 0; a < part.count() && apart; ++a) {
      for (std::uint32_t b = 0; b < a && apart; ++b) {
        if ((some >> a & some >> b & 1U) != 0) apart = !part.are_compatible(a, b);
      }
    }
    if (apart) best = static_cast<std::size_t>(std::popcount(some));
  }
  return best;
}

TEST(FoolingSet, HasNoTwoCompatibleCellsAndIsTheLargestOfSmallParts) {
  int judged = 0;
  for (std::uint64_t number = 1; number <= 300; ++number) {
    const CoverPart part = whole(small_matrix(number));
    if (part.count() == 0) continue;
    const std::vector<std::uint32_t> cells = fooling_set(part, 30, no_end, Rng(Seed{number}));
    EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
    for (const std::uint32_t a : cells) {
      for (const std::uint32_t b : cells) EXPECT_EQ(part.are_compatible(a, b), a == b);
    }
    if (part.count() > 14) continue;
    ++judged;
    EXPECT_EQ(cells.size(), largest_by_trying(part)) << number;
  }
  EXPECT_GT(judged, 50);
}

TEST(FoolingSet, OfADiagonalIsAllOfIt) {
  BitMatrix diagonal(20, 20);
  for (std::size_t n = 0; n < 20; ++n) diagonal.set(n, n);
  EXPECT_EQ(fooling_set(whole(diagonal), 0, no_end, Rng(Seed{1})).size(), 20U);
}

TEST(FoolingSet, EndsWhenThereIsEnough) {
  const CoverPart part = whole(crown(8));
  EXPECT_EQ(fooling_set(part, 1'000'000'000, 3, Rng(Seed{1})).size(), 3U);
}

}  // namespace
}  // namespace motet::roles::fooling_set_test
