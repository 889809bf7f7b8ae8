#include "motet/discover/spread/whitened_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discover/search_cases.h"

namespace motet::discover::whitened_rows_test {
namespace {

// Noise whose columns go together, of unlike size.
Features mixed_noise(std::size_t rows, std::vector<std::size_t> lengths = {}) {
  Features features = noise_rows(rows, 3, Seed{4}, std::move(lengths));
  for (std::size_t n = 0; n < rows; ++n) {
    double* row = features.values.data() + 3 * n;
    row[1] = 100.0 * (row[0] + 0.3 * row[1]) + 7.0;
    row[2] *= 0.01;
  }
  return features;
}

TEST(WhitenedRows, HaveTheBackgroundsCentreAndUnitSpread) {
  const std::size_t rows = 20'000;
  const WhitenedRows whitened = whitened_rows(mixed_noise(rows), 9, {});
  ASSERT_EQ(whitened.values.size(), 3 * rows);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double mean = 0.0;
      double product = 0.0;
      for (std::size_t n = 0; n < rows; ++n) {
        mean += whitened.row(n)[i];
        product += static_cast<double>(whitened.row(n)[i]) * static_cast<double>(whitened.row(n)[j]);
      }
      EXPECT_NEAR(mean / rows, 0.0, 1e-6);
      EXPECT_NEAR(product / rows, i == j ? 1.0 : 0.0, 5e-3) << i << " " << j;  // shrunk a little, correlations most
    }
  }
}

TEST(WhitenedRows, AreMeansOfNeighboursOfTheirSequence) {
  const Features features = mixed_noise(60, {25, 35});
  const std::size_t radius = 20;  // two rows to each side
  const WhitenedRows whitened = whitened_rows(features, radius, {});
  for (const std::size_t n : {0U, 1U, 24U, 25U, 26U, 40U, 59U}) {
    const std::size_t first = n < 25 ? 0 : 25;
    const std::size_t last = n < 25 ? 25 : 60;
    const std::size_t begin = std::max(first, n - std::min<std::size_t>(n, 2));
    const std::size_t end = std::min(last, n + 3);
    std::vector<double> mean(3);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t d = 0; d < 3; ++d) mean[d] += features.row(i)[d] / static_cast<double>(end - begin);
    }
    const std::vector<double> smoothed = smoothed_row(features, n, radius);
    const std::vector<float> z = whitened.whitened(mean);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(smoothed[d], mean[d], 1e-9) << n;
      EXPECT_NEAR(whitened.row(n)[d], z[d], 1e-4) << n;
    }
  }
}

TEST(WhitenedRows, AreTheSameOnAnyNumberOfThreads) {
  const Features features = mixed_noise(20'000);
  const std::vector<float> one = whitened_rows(features, 30, {.count = 1, .always = true}).values;
  EXPECT_EQ(whitened_rows(features, 30, {.count = 2, .always = true}).values, one);
  EXPECT_EQ(whitened_rows(features, 30, {.count = 4, .always = true}).values, one);
}

TEST(WhitenedRows, OfSilenceAreNumbers) {
  Features features = mixed_noise(100);
  for (std::size_t n = 0; n < 100; ++n) features.values[3 * n + 2] = 5.0;
  for (const float value : whitened_rows(features, 5, {}).values) ASSERT_TRUE(std::isfinite(value));
  features.values.assign(300, 0.0);
  for (const float value : whitened_rows(features, 5, {}).values) ASSERT_EQ(value, 0.0F);
}

}  // namespace
}  // namespace motet::discover::whitened_rows_test
