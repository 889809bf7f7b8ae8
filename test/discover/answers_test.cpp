#include "motet/discover/answers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "discover/search_cases.h"

namespace motet::discover::answers_test {
namespace {

Discovery answered(std::vector<Answer> answers) {
  Discovery discovery;
  discovery.mixture.classes = {"background", "owl", "hen"};
  discovery.answers = std::move(answers);
  return discovery;
}

TEST(HeldAnswers, TheLastAnswerToARowHolds) {
  const Discovery discovery = answered({{7, AnswerKind::of_class, "owl"},
                                        {2, AnswerKind::nothing, ""},
                                        {7, AnswerKind::of_class, "hen"},
                                        {4, AnswerKind::of_class, "owl"},
                                        {4, AnswerKind::not_sure, ""}});
  EXPECT_EQ(held_answers(discovery), (HeldAnswers{{2, 0}, {4, -1}, {7, 2}}));
  EXPECT_EQ(sure_rows(held_answers(discovery)), (std::vector<std::size_t>{2, 7}));
  EXPECT_EQ(row_labels(discovery, 9), (RowLabels{-1, -1, 0, -1, -1, -1, -1, 2, -1}));
  const auto standing = standing_answers(discovery);
  ASSERT_EQ(standing.size(), 3U);
  EXPECT_EQ(standing.at(7), &discovery.answers[2]);
}

TEST(HeldAnswers, OfASearchWithoutAnyThereAreNone) {
  EXPECT_TRUE(held_answers(answered({})).empty());
  EXPECT_EQ(row_labels(answered({}), 2), (RowLabels{-1, -1}));
}

// Sequences of 4, 1 and 6 rows, rows around each by the definition: same sequence, at most g apart.
TEST(RowsAround, ReachAsFarAsTheSequenceAndNoFurther) {
  const std::vector<std::size_t> starts{0, 4, 5, 11};
  const auto sequence = [&](std::size_t n) {
    return std::upper_bound(starts.begin(), starts.end(), n) - starts.begin();
  };
  const auto is_around = [&](std::size_t n, std::size_t row, std::size_t g) {
    return sequence(n) == sequence(row) && n <= row + g && row <= n + g;
  };
  for (const std::size_t g : {0U, 1U, 3U, 100U}) {
    for (std::size_t row = 0; row < 11; ++row) {
      const RowRange range = rows_around(starts, row, g);
      const std::vector<std::uint8_t> within = rows_within(starts, std::vector<std::size_t>{row, 0}, g);
      ASSERT_EQ(within.size(), 11U);
      for (std::size_t n = 0; n < 11; ++n) {
        EXPECT_EQ(n >= range.begin && n < range.end, is_around(n, row, g)) << n << " " << row << " " << g;
        EXPECT_EQ(within[n] == 1, is_around(n, row, g) || is_around(n, 0, g)) << n << " " << row << " " << g;
      }
    }
  }
  EXPECT_EQ(rows_within(starts, {}, 3), std::vector<std::uint8_t>(11, 0));
}

}  // namespace
}  // namespace motet::discover::answers_test
