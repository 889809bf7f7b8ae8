#include "motet/base/lot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace motet::lot_test {
namespace {

TEST(Lot, DrawsEachNumberAtMostOnce) {
  std::vector<std::uint32_t> all = drawn_by_lot(100, 100, Rng(Seed{3}));
  EXPECT_FALSE(std::is_sorted(all.begin(), all.end()));
  std::sort(all.begin(), all.end());
  std::vector<std::uint32_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(all, expected);
  EXPECT_EQ(drawn_by_lot(100, 1000, Rng(Seed{3})).size(), 100U);
  EXPECT_TRUE(drawn_by_lot(0, 5, Rng(Seed{3})).empty());
}

TEST(Lot, AFewAreTheFirstOfAll) {
  const std::vector<std::uint32_t> all = drawn_by_lot(50, 50, Rng(Seed{9}));
  const std::vector<std::uint32_t> few = drawn_by_lot(50, 7, Rng(Seed{9}));
  EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
  EXPECT_EQ(few.size(), 7U);
}

}  // namespace
}  // namespace motet::lot_test
