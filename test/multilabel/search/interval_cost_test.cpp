#include "motet/multilabel/search/interval_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "multilabel/search_cases.h"

namespace motet::multilabel::interval_cost_test {
namespace {

// Kinds whose sets depend on sums of numbers of each label, one dimension at a time.
std::vector<ModelKind> interval_kinds() {
  std::vector<ModelKind> kinds;
  for (const ModelKind& kind : searchable_kinds()) {
    const bool is_own = kind.covariance == Covariance::spherical || kind.covariance == Covariance::diagonal;
    const bool gaussian = kind.family == Family::gaussian;
    if (kind.family != Family::lognormal && (!gaussian || is_own)) kinds.push_back(kind);
  }
  return kinds;
}

// The sums of a set, from what each of its members adds.
std::vector<double> sums_of(const Sources& sources, const BitMatrix& set) {
  const std::vector<double> values = additive_values(sources);
  const std::size_t width = values.size() / sources.count;
  std::vector<double> sums(width, 0.0);
  for (const std::size_t k : members(sources, set.row(0))) {
    for (std::size_t i = 0; i < width; ++i) sums[i] += values[k * width + i];
  }
  return sums;
}

BitMatrix random_set(std::size_t labels, Rng& rng) {
  BitMatrix set(1, labels);
  set.set(0, rng.below(labels));
  for (std::size_t k = 0; k < labels; ++k) {
    if (rng.below(3) == 0) set.set(0, k);
  }
  return set;
}

TEST(IntervalCost, OfSumsThatAreKnownIsMinusTheLogDensity) {
  Rng rng(Seed{21});
  for (const ModelKind& kind : interval_kinds()) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      const MultilabelModel model = random_model(kind, 5, 3, 3, 0.7, rng);
      const BitMatrix set = random_set(5, rng);
      const std::vector<double> x = random_item(model, 0.7, rng);
      const IntervalCost cost(model.sources, x);
      ASSERT_TRUE(cost.possible());
      const std::vector<double> sums = sums_of(model.sources, set);
      EXPECT_EQ(sums.size(), 3 * additive_parts(model.sources));
      const double m = static_cast<double>(members(model.sources, set.row(0)).size());
      const double expected = -plain_log_density(model.sources, set.row(0), x);
      EXPECT_NEAR(cost.least(sums, sums, m), expected, 1e-9 * (1.0 + std::abs(expected)))
          << family_word(kind.family) << ' ' << combination_words[static_cast<int>(kind.combination)];
    }
  }
}

// The least over an interval is below every point of it, and as low as the best of many points in one dimension.
TEST(IntervalCost, OfIntervalsIsTheLeastOfTheirPoints) {
  Rng rng(Seed{22});
  for (const ModelKind& kind : interval_kinds()) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const MultilabelModel model = random_model(kind, 4, 1, 3, 0.7, rng);
      const std::vector<double> x = random_item(model, 0.7, rng);
      const IntervalCost cost(model.sources, x);
      const std::vector<double> low = sums_of(model.sources, random_set(4, rng));
      std::vector<double> high = low;
      for (double& value : high) value += rng.uniform(0.0, 2.0);
      constexpr std::size_t steps = 60;
      const std::size_t parts = low.size();
      const double least = cost.least(low, high, 2.0);
      double best = std::numeric_limits<double>::infinity();
      std::vector<double> point(parts);
      for (std::size_t i = 0; i <= steps; ++i) {
        for (std::size_t j = 0; j <= (parts == 1 ? 0 : steps); ++j) {
          point[0] = low[0] + (high[0] - low[0]) * static_cast<double>(i) / steps;
          if (parts == 2) point[1] = low[1] + (high[1] - low[1]) * static_cast<double>(j) / steps;
          best = std::min(best, cost.least(point, point, 2.0));
        }
      }
      EXPECT_LE(least, best + 1e-9) << family_word(kind.family);
      EXPECT_NEAR(least, best, 0.02 * (1.0 + std::abs(best))) << family_word(kind.family);  // of the grid
    }
  }
}

TEST(IntervalCost, WhatTheFamilyCannotMakeIsImpossible) {
  Rng rng(Seed{23});
  const Sources counts = random_sources({.family = Family::poisson}, 3, 2, 1.0, rng);
  EXPECT_TRUE(IntervalCost(counts, std::vector<double>{1.0, 0.0}).possible());
  EXPECT_FALSE(IntervalCost(counts, std::vector<double>{1.0, 0.5}).possible());
  const Sources positive = random_sources({.family = Family::gamma}, 3, 2, 1.0, rng);
  EXPECT_FALSE(IntervalCost(positive, std::vector<double>{1.0, -0.5}).possible());
}

// What adds up is on the scale where it does: -log(1 - b) of or, -log b of and.
TEST(AdditiveValues, AreWhatAddsUpOverASet) {
  Sources sources;
  sources.family = Family::bernoulli;
  sources.combination = Combination::logical_or;
  sources.dimensions = 1;
  sources.count = 2;
  sources.location = {0.2, 0.75};
  std::vector<double> values = additive_values(sources);
  EXPECT_NEAR(values[0], -std::log(0.8), 1e-12);
  EXPECT_NEAR(values[1], -std::log(0.25), 1e-12);
  sources.combination = Combination::logical_and;
  values = additive_values(sources);
  EXPECT_NEAR(values[0], -std::log(0.2), 1e-12);
  Sources gaussian;
  gaussian.covariance = Covariance::spherical;
  gaussian.dimensions = 2;
  gaussian.count = 2;
  gaussian.location = {1.0, 2.0, 3.0, 4.0};
  gaussian.spread = {0.5, 0.25};
  EXPECT_EQ(additive_parts(gaussian), 2U);
  EXPECT_EQ(additive_values(gaussian), (std::vector<double>{1.0, 2.0, 0.5, 0.5, 3.0, 4.0, 0.25, 0.25}));
}

}  // namespace
}  // namespace motet::multilabel::interval_cost_test
