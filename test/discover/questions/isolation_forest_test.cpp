#include "motet/discover/questions/isolation_forest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "discover/search_cases.h"
#include "support/threads.h"

namespace motet::discover::isolation_forest_test {
namespace {

OddRows rows_of(const Features& features) {
  return odd_rows(features, temporal::global_shape(features, 1e-3, {1}), 0, {1});
}

TEST(IsolationForest, FarRowsAreAloneSoonest) {
  Features features = noise_rows(3000, 4, Seed{1});
  for (const std::size_t n : {10U, 700U, 2500U}) features.values[4 * n + 1] = 12.0;
  const std::vector<float> scores = isolation_scores(rows_of(features), Seed{3}, {1});
  std::vector<float> sorted = scores;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (const std::size_t n : {10U, 700U, 2500U}) EXPECT_GE(scores[n], sorted[10]) << n;
}

// Rows in the middle of a cloud end where the usual row of 256 does: at a score of a half.
TEST(IsolationForest, UsualRowsScoreAHalf) {
  const Features features = noise_rows(2000, 1, Seed{2});
  const std::vector<float> scores = isolation_scores(rows_of(features), Seed{4}, {1});
  double mean = 0.0;
  for (const float score : scores) mean += static_cast<double>(score) / 2000.0;
  EXPECT_NEAR(mean, 0.5, 0.05);
  EXPECT_LT(*std::max_element(scores.begin(), scores.end()), 1.0F);
}

TEST(IsolationForest, EqualRowsAreAllAlike) {
  const std::vector<float> scores =
      isolation_scores(rows_of(features_of(std::vector<double>(100, 1.0), 2)), Seed{1}, {1});
  for (const float score : scores) EXPECT_EQ(score, scores[0]);
  EXPECT_EQ(isolation_scores(rows_of(features_of({1.0, 2.0}, 2)), Seed{1}, {1}).size(), 1U);
}

TEST(IsolationForest, TheSameBitsOnAnyNumberOfThreads) {
  const OddRows odd = rows_of(noise_rows(9000, 3, Seed{6}));
  const std::vector<float> one = isolation_scores(odd, Seed{7}, {1});
  StartedThreads threads(2);
  EXPECT_EQ(isolation_scores(odd, Seed{7}, threads), one);
  EXPECT_NE(isolation_scores(odd, Seed{8}, {1}), one);
}

}  // namespace
}  // namespace motet::discover::isolation_forest_test
