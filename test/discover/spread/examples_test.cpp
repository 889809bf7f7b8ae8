#include "motet/discover/spread/examples.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "discover/spread/spread_cases.h"

namespace motet::discover::examples_test {
namespace {

std::vector<std::size_t> sorted(std::vector<std::size_t> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(Examples, AreTheRowsAroundAnAnswerThatLookAlike) {
  SpreadCase c(200, {50}, {});
  c.say(54, "a");
  c.say(120, "");
  c.discovery.answers.push_back({150, AnswerKind::not_sure, ""});
  const WhitenedRows whitened = whitened_rows(c.features, 6, {});
  const std::vector<Example> examples = examples_of(whitened, c.features, held_answers(c.discovery), 6);
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].of_class, 1);
  EXPECT_EQ(examples[0].rows.front(), 54U);
  EXPECT_EQ(sorted(examples[0].rows), (std::vector<std::size_t>{50, 51, 52, 53, 54, 55, 56, 57, 58, 59}));
  EXPECT_EQ(examples[0].length, 10.0);
  double mean = 0.0;
  for (const std::size_t n : examples[0].rows) mean += whitened.row(n)[0] / 10.0;
  EXPECT_NEAR(examples[0].mean[0], mean, 1e-5);
  EXPECT_EQ(examples[1].of_class, 0);
  EXPECT_EQ(examples[1].rows.front(), 120U);
}

TEST(Examples, EndAtTheRadiusAtAPauseAtABorderAndAtAnotherAnswer) {
  SpreadCase c(3000, {50, 60}, {}, {55, 2945});
  const WhitenedRows whitened = whitened_rows(c.features, 0, {});
  const auto alike = [&](std::size_t row, std::size_t radius) {
    return sorted(rows_alike(whitened, c.features, held_answers(c.discovery), row, radius));
  };
  EXPECT_EQ(alike(64, 2), (std::vector<std::size_t>{62, 63, 64, 65, 66}));
  EXPECT_EQ(alike(52, 20), (std::vector<std::size_t>{50, 51, 52, 53, 54}));
  for (std::size_t n = 63; n < 65; ++n) c.features.values[4 * n] -= 12.0;
  const WhitenedRows short_pause = whitened_rows(c.features, 0, {});
  EXPECT_EQ(rows_alike(short_pause, c.features, {}, 60, 20).size(), 13U);
  c.features.values[4 * 65] -= 12.0;
  const WhitenedRows long_pause = whitened_rows(c.features, 0, {});
  EXPECT_EQ(sorted(rows_alike(long_pause, c.features, {}, 61, 20)).back(), 62U);
  const HeldAnswers held = {{61, 1}, {68, 1}, {58, 0}};
  EXPECT_EQ(sorted(rows_alike(whitened, c.features, held, 61, 20)),
            (std::vector<std::size_t>{59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69}));
}

}  // namespace
}  // namespace motet::discover::examples_test
