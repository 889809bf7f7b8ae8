#include "motet/discover/questions/odd_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "discover/search_cases.h"
#include "support/threads.h"

namespace motet::discover::odd_rows_test {
namespace {

constexpr double single = 1e-4;  // values are of single precision

OddRows of(const Features& features, std::size_t half_width, Threads threads = {1}) {
  return odd_rows(features, temporal::global_shape(features, 1e-3, {1}), half_width, threads);
}

double squared_apart(const OddRows& odd, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < odd.columns; ++i) {
    const double difference = static_cast<double>(odd.row(a)[i]) - static_cast<double>(odd.row(b)[i]);
    sum += difference * difference;
  }
  return sum;
}

// Two columns that say nearly the same: after whitening they are uncorrelated, each of variance 1.
TEST(OddRows, SpreadAlikeInAllDirections) {
  Features features = noise_rows(4000, 2, Seed{1});
  for (std::size_t n = 0; n < 4000; ++n) {
    features.values[2 * n + 1] = 100.0 * (features.values[2 * n] + 0.5 * features.values[2 * n + 1]) + 7.0;
  }
  const OddRows odd = of(features, 0);
  double sums[3] = {};
  for (std::size_t n = 0; n < 4000; ++n) {
    const auto x = static_cast<double>(odd.row(n)[0]);
    const auto y = static_cast<double>(odd.row(n)[1]);
    sums[0] += x * x / 4000.0;
    sums[1] += y * y / 4000.0;
    sums[2] += x * y / 4000.0;
  }
  EXPECT_NEAR(sums[0], 1.0, single);
  EXPECT_NEAR(sums[1], 1.0, single);
  EXPECT_NEAR(sums[2], 0.0, single);
}

TEST(OddRows, OddnessIsInUnitsOfItsMedian) {
  const Features features = noise_rows(501, 3, Seed{2});
  const OddRows odd = of(features, 0);
  std::vector<float> sorted = odd.oddness;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_FLOAT_EQ(sorted[250], 1.0F);
  for (std::size_t n = 1; n < 501; ++n) {
    double norm = 0.0;
    double first = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      norm += static_cast<double>(odd.row(n)[i]) * static_cast<double>(odd.row(n)[i]);
      first += static_cast<double>(odd.row(0)[i]) * static_cast<double>(odd.row(0)[i]);
    }
    const double ratio = static_cast<double>(odd.oddness[n]) / static_cast<double>(odd.oddness[0]);
    EXPECT_NEAR(ratio, std::sqrt(norm / first), single * ratio);
  }
}

// One column is only scaled, so what averaging does can be seen: rows of one sequence do not leak into the next.
TEST(OddRows, AreAveragedWithinTheirSequence) {
  const std::vector<std::size_t> lengths = {2500, 7, 2100};  // more than a block, shorter than a window
  const Features features = noise_rows(4607, 1, Seed{3}, lengths);
  const OddRows plain = of(features, 0);
  const OddRows odd = of(features, 5);
  std::vector<double> means;
  for (std::size_t n = 0; n < 4607; ++n) {
    const std::size_t s = sequence_of(features, n);
    const std::size_t begin = std::max(features.starts[s], n - std::min<std::size_t>(n, 5));
    const std::size_t end = std::min(features.starts[s + 1], n + 6);
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(plain.row(i)[0]);
    means.push_back(sum / static_cast<double>(end - begin));
  }
  const double factor = static_cast<double>(odd.row(17)[0]) / means[17];
  for (std::size_t n = 0; n < 4607; ++n) {
    ASSERT_NEAR(static_cast<double>(odd.row(n)[0]), factor * means[n], 1e-3) << n;
  }
}

float nearest_of(const OddRows& odd, std::size_t n) {
  return nearest_answered(odd, n, 1.0F, -std::numeric_limits<float>::infinity());
}

TEST(OddRows, NearestIsTheLeastDistanceToAnAnsweredRow) {
  const Features features = noise_rows(300, 11, Seed{4});
  OddRows odd = of(features, 0);
  EXPECT_EQ(nearest_of(odd, 3), std::numeric_limits<float>::infinity());
  for (const std::size_t row : {5U, 100U, 250U}) take_answered(odd, row);
  for (std::size_t n = 0; n < 300; ++n) {
    const double least = std::min({squared_apart(odd, n, 5), squared_apart(odd, n, 100), squared_apart(odd, n, 250)});
    EXPECT_NEAR(static_cast<double>(nearest_of(odd, n)), least, single * (1.0 + least)) << n;
  }
  EXPECT_EQ(nearest_of(odd, 100), 0.0F);
}

// Counting ends where it is known that the weighted distance is too small, and goes on from there.
TEST(OddRows, DistancesAreCountedAsFarAsTheyMatter) {
  const Features features = noise_rows(300, 11, Seed{4});
  OddRows odd = of(features, 0);
  OddRows all = odd;
  for (const std::size_t row : {5U, 100U, 250U, 30U}) {
    take_answered(odd, row);
    take_answered(all, row);
  }
  for (std::size_t n = 0; n < 300; ++n) {
    const float first = squared_distance(odd, n, 5);
    EXPECT_LT(nearest_answered(odd, n, 0.5F, first) * 0.5F, first + 1e-6F);
    EXPECT_LE(odd.counted[n], first > 0.0F ? 1U : 4U) << n;
    EXPECT_EQ(nearest_of(odd, n), nearest_of(all, n));
    EXPECT_EQ(odd.counted[n], 4U);
  }
}

TEST(OddRows, AColumnThatDoesNotVaryAndSilenceAreNoMatter) {
  const OddRows odd = of(features_of(std::vector<double>(60, 3.0), 2), 2);
  for (const float value : odd.values) EXPECT_EQ(value, 0.0F);
  for (const float value : odd.oddness) EXPECT_TRUE(std::isfinite(value));
}

TEST(OddRows, TheSameBitsOnAnyNumberOfThreads) {
  const Features features = noise_rows(9000, 9, Seed{5}, {5000, 4000});
  OddRows one = of(features, 4);
  for (const unsigned count : {2U, 4U}) {
    StartedThreads threads(count);
    OddRows more = of(features, 4, threads);
    EXPECT_EQ(more.values, one.values);
    EXPECT_EQ(more.oddness, one.oddness);
  }
}

}  // namespace
}  // namespace motet::discover::odd_rows_test
