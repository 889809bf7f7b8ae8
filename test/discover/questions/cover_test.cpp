#include "motet/discover/questions/cover.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "discover/search_cases.h"

namespace motet::discover::cover_test {
namespace {

// The fewest of all sets of rows, by trying them all.
std::size_t fewest(const std::vector<std::size_t>& starts, const std::vector<std::uint8_t>& within, std::size_t g) {
  const std::size_t rows = within.size();
  std::size_t best = rows + 1;
  for (std::uint32_t set = 0; set < (1U << rows); ++set) {
    std::vector<std::size_t> asked;
    for (std::size_t n = 0; n < rows; ++n) {
      if ((set >> n & 1U) != 0) asked.push_back(n);
    }
    const std::vector<std::uint8_t> reached = rows_within(starts, asked, g);
    bool is_cover = true;
    for (std::size_t n = 0; n < rows; ++n) is_cover = is_cover && (within[n] != 0 || reached[n] != 0);
    if (is_cover) best = std::min(best, asked.size());
  }
  return best;
}

TEST(Cover, NoSetOfQuestionsDoesWithFewer) {
  Rng rng(Seed{1});
  for (int i = 0; i < 60; ++i) {
    const std::size_t rows = 1 + rng.below(11);
    const std::size_t cut = rng.below(rows + 1);
    const std::vector<std::size_t> starts = {0, cut, rows};
    std::vector<std::uint8_t> within(rows);
    for (std::uint8_t& flag : within) flag = static_cast<std::uint8_t>(rng.below(2));
    const std::size_t g = rng.below(4);
    EXPECT_EQ(least_cover(starts, within, g).size(), fewest(starts, within, g)) << i;
  }
}

TEST(Cover, AnyRowOfARangeWillDo) {
  Rng rng(Seed{2});
  for (int i = 0; i < 500; ++i) {
    const std::size_t rows = 1 + rng.below(200);
    const std::vector<std::size_t> starts = {0, rng.below(rows + 1), rows};
    const std::size_t g = rng.below(9);
    std::vector<std::size_t> asked;
    for (std::size_t n = rng.below(20); n < rows; n += 1 + rng.below(60)) asked.push_back(n);
    const std::vector<std::uint8_t> within = rows_within(starts, asked, g);
    for (const RowRange& range : least_cover(starts, within, g)) {
      ASSERT_LT(range.begin, range.end);
      asked.push_back(range.begin + rng.below(range.end - range.begin));
    }
    const std::vector<std::uint8_t> after = rows_within(starts, asked, g);
    EXPECT_EQ(std::count(after.begin(), after.end(), std::uint8_t{0}), 0) << i;
  }
}

TEST(Cover, IsAboutOneQuestionPerTwoRadii) {
  const std::vector<std::size_t> starts = {0, 5998};
  const std::vector<std::uint8_t> within(5998, 0);
  EXPECT_EQ(least_cover(starts, within, 18).size(), 163U);  // 5998 / 37
}

}  // namespace
}  // namespace motet::discover::cover_test
