#include "motet/multilabel/theory/precision_spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "multilabel/precision_cases.h"

namespace motet::multilabel::precision_spread_test {
namespace {

constexpr double rounding = 1e-10;
const std::vector<double> count{30.0, 50.0};

Sources two_in_two(Covariance covariance, std::vector<double> spread) {
  Sources sources;
  sources.covariance = covariance;
  sources.dimensions = 2;
  sources.count = 2;
  sources.location = {1.0, 2.0, -1.0, 0.5};
  sources.spread = std::move(spread);
  return sources;
}

// A variance of n items errs by sqrt(2 / n) of itself.
TEST(SpreadPrecision, OfSingleLabelsIsThatOfAVariance) {
  const BitMatrix singles = sets_of({"10", "01"});
  const std::vector<double> variance{4.0, 1.0, 9.0, 0.25};
  const Sources diagonal = two_in_two(Covariance::diagonal, variance);
  const Sources full = two_in_two(Covariance::full, {4.0, 0.5, 0.5, 1.0, 9.0, -0.3, -0.3, 0.25});
  for (const Sources* const sources : {&diagonal, &full}) {
    const Precision found = spread_precision(*sources, singles, count);
    ASSERT_EQ(found.rows, 2U);
    ASSERT_EQ(found.columns, 2U);
    for (const Training method : trainings) {
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t place = found.place(method, i / 2, i % 2);
        EXPECT_NEAR(found.error[place], variance[i] * std::sqrt(2.0 / count[i / 2]), rounding);
        EXPECT_NEAR(found.bias[place], 0.0, rounding);
      }
    }
  }
}

TEST(SpreadPrecision, OneVarianceIsTaughtByAllDimensionsOrAllItems) {
  const BitMatrix singles = sets_of({"10", "01"});
  const Precision spherical = spread_precision(two_in_two(Covariance::spherical, {4.0, 9.0}), singles, count);
  EXPECT_EQ(spherical.columns, 1U);
  EXPECT_NEAR(spherical.error[0], 4.0 * std::sqrt(2.0 / 60.0), rounding);
  EXPECT_NEAR(spherical.error[1], 9.0 * std::sqrt(2.0 / 100.0), rounding);
  const Precision shared = spread_precision(two_in_two(Covariance::shared, {4.0, 0.5, 0.5, 1.0}), singles, count);
  EXPECT_EQ(shared.rows, 1U);
  EXPECT_NEAR(shared.error[0], 4.0 * std::sqrt(2.0 / 80.0), rounding);
  EXPECT_NEAR(shared.error[1], 1.0 * std::sqrt(2.0 / 80.0), rounding);
}

TEST(SpreadPrecision, TheRateOfGammaSourcesIsThatOfMaximumLikelihood) {
  // var r = r^2 psi'(p) / (n (p psi'(p) - 1)); psi'(1) = pi^2 / 6.
  Sources sources = alone_in_their_sets(Family::gamma, Combination::sum, {1.0});
  sources.spread = {2.5};
  const Precision found = spread_precision(sources, sets_of({"1"}), std::vector{200.0});
  const double t = std::numbers::pi * std::numbers::pi / 6.0;
  EXPECT_NEAR(found.error[0], 2.5 * std::sqrt(t / (200.0 * (t - 1.0))), rounding);
}

TEST(SpreadPrecision, WhatHasNoSpreadHasNoPrecisionOfIt) {
  const BitMatrix singles = sets_of({"10", "01"});
  EXPECT_TRUE(spread_precision(alone_in_their_sets(Family::poisson, Combination::sum, {1.0, 2.0}), singles, count)
                  .error.empty());
  Sources point = two_in_two(Covariance::point, {});
  point.noise = {1.0, 0.0, 0.0, 1.0};
  EXPECT_TRUE(spread_precision(point, singles, count).error.empty());
}

// Cross training learns the variance of all items with the label: their own, and how far their means differ.
TEST(SpreadPrecision, TrainingsOnSumsAreBiased) {
  Sources sources = alone_in_their_sets(Family::gaussian, Combination::sum, {0.0, 3.0});
  sources.spread = {1.0, 2.0};
  const Precision found = spread_precision(sources, sets_of({"10", "01", "11"}), std::vector{50.0, 50.0, 50.0});
  // Half of the items of the first label have mean 0 and variance 1, half mean 3 and variance 3.
  EXPECT_NEAR(found.bias[found.place(Training::cross, 0, 0)], 0.5 * (1.0 + 3.0) + 1.5 * 1.5 - 1.0, rounding);
  EXPECT_NEAR(found.bias[found.place(Training::ignore, 0, 0)], 0.0, rounding);
  EXPECT_NEAR(found.bias[found.place(Training::deconvolution, 0, 0)], 0.0, rounding);
}

TEST(VarianceComponents, AddUpToTheVarianceOfASet) {
  for (const Combination combination : {Combination::sum, Combination::mean}) {
    for (const Covariance covariance :
         {Covariance::spherical, Covariance::diagonal, Covariance::full, Covariance::shared}) {
      const Sources sources = sources_of({"", Family::gaussian, combination, covariance, false, true});
      const BitMatrix sets = sets_of(few_sets);
      const VarianceComponents parts = variance_components(sources, set_rows(sources, sets));
      EXPECT_EQ(parts.components, covariance == Covariance::shared ? 2U : 4U);  // the noise is one of them
      for (std::size_t j = 0; j < sets.rows(); ++j) {
        const std::vector<double> expected = set_moments(sources, sets.row(j)).covariance;
        for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(parts.of_set(j, d, 2), expected[3 * d], rounding);
      }
    }
  }
}

TEST(ComponentCovariance, OfSingleLabelsMakesThemWorthTheirItems) {
  Sources sources = alone_in_their_sets(Family::gaussian, Combination::sum, {0.0, 3.0});
  sources.spread = {4.0, 9.0};
  const BitMatrix singles = sets_of({"10", "01"});
  const VarianceComponents parts = variance_components(sources, set_rows(sources, singles));
  const Inverse covariance = component_covariance(parts, count, 0, 1);
  EXPECT_NEAR(covariance.variance(0), 2.0 * 16.0 / 30.0, rounding);
  EXPECT_NEAR(covariance.variance(1), 2.0 * 81.0 / 50.0, rounding);
  EXPECT_NEAR(degrees_of(std::vector{1.0, 0.0}, 4.0, covariance), 30.0, 1e-9);
  // Of a sum of both, by Satterthwaite: (4 + 9)^2 / (16 / 30 + 81 / 50).
  EXPECT_NEAR(degrees_of(std::vector{1.0, 1.0}, 13.0, covariance), 169.0 / (16.0 / 30.0 + 81.0 / 50.0), 1e-9);
  EXPECT_EQ(degrees_of(std::vector{0.0, 0.0}, 1.0, covariance), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace motet::multilabel::precision_spread_test
