#include <gtest/gtest.h>

#include "sources/families/family_cases.h"
#include "sources/source_cases.h"
#include "support/errors.h"

namespace motet::exponential_test {
namespace {

const std::vector<double> some_items{0.3, 1.7, 0.0, 2.2, 0.9};

const SourceFamily& family() { return family_of(Family::exponential); }

TEST(Exponential, HasTheDensityAndTailOfItsRate) {
  EXPECT_NEAR(family().density.log_density(2.0, 1.0, 0.7), std::log(2.0) - 1.4, rounding);
  EXPECT_EQ(family().density.log_density(2.0, 1.0, 0.0), std::log(2.0));
  EXPECT_EQ(family().density.log_density(2.0, 1.0, -1e-9), -infinity);
  EXPECT_NEAR(family().density.log_survival(2.0, 1.0, 0.7), -1.4, rounding);
  EXPECT_EQ(family().density.log_survival(2.0, 1.0, -1.0), 0.0);
  EXPECT_NEAR(family().density.quantile(2.0, 1.0, 0.75), std::log(4.0) / 2.0, rounding);
  // It forgets how long it has waited.
  EXPECT_NEAR(family().density.moments_above(2.0, 1.0, 3.0, -6.0).mean, 3.5, rounding);
  EXPECT_NEAR(family().density.moments_above(2.0, 1.0, 3.0, -6.0).variance, 0.25, rounding);
}

// r s (e^(-r y) - e^(-s y)) / (s - r), and E(xi_1 | y) by the same integral with xi_1 under it.
TEST(Exponential, ASumOfTwoIsTheirConvolution) {
  const double r = 0.8;
  const double s = 2.1;
  const std::vector<Marginal> members = {{Family::exponential, r, 1.0}, {Family::exponential, s, 1.0}};
  for (const double y : {0.05, 1.0, 6.0}) {
    EXPECT_NEAR(family().density.log_sum(members, y), std::log(r * s * (std::exp(-r * y) - std::exp(-s * y)) / (s - r)),
                1e-10);
    const ValueGrid grid = steps_between(0.0, y, y / 20'000);
    const auto weight = [&](double xi) { return std::exp(-r * xi - s * (y - xi)); };
    const double whole = grid.sum(weight);
    const double mean = grid.sum([&](double xi) { return xi * weight(xi); }) / whole;
    const double square = grid.sum([&](double xi) { return xi * xi * weight(xi); }) / whole;
    const std::vector<MeanVariance> found = family().density.sum_emissions(members, y);
    EXPECT_NEAR(found[0].mean, mean, 1e-7 * y);
    EXPECT_NEAR(found[0].variance, square - mean * mean, 1e-7 * y * y);
    EXPECT_NEAR(found[0].mean + found[1].mean, y, rounding * y);
    EXPECT_NEAR(found[0].variance, found[1].variance, 1e-10 * y * y);
  }
  EXPECT_EQ(family().density.log_sum(members, 0.0), -infinity);
}

TEST(Exponential, TheObjectiveIsTheLikelihoodAndAStepReachesItsMaximum) {
  expect_likelihood_of_totals(family(), Combination::minimum, 1.0, some_items, 0.6, 1.9);
  expect_one_source_learns_all(family(), Combination::minimum, 1.0, some_items, 3.0);
  for (const double nu : {0.0, 2.5}) expect_best_location(family(), 1.0, some_items, nu, {1.3, 1.0});
}

// With r_1 + r_2 the rate of the minimum, each is taught how much longer than the least its emission was.
TEST(Exponential, WhatASourceIsTaughtIsTheExpectedRestOfItsEmission) {
  const TaughtSet taught = taught_by(family(), 2.5, 1.0, some_items);
  double expected = 0.0;  // E(xi_k | x) = x + 1/r_k - 1/r, less 1/r_k
  for (const double x : some_items) expected += x - 1.0 / 2.5;
  EXPECT_NEAR(taught.taught, expected, rounding);
  EXPECT_NEAR(family().fit.emitted(0.5, 5.0, taught.taught), 5.0 / 0.5 + expected, rounding);
}

TEST(Exponential, FitsBeginAtTheMeanThatAllSourcesWouldShare) {
  PooledFeature feature;
  feature.mean = 0.4;
  feature.degree = 2.0;
  EXPECT_DOUBLE_EQ(family().fit.centre(feature).location, 1.0 / 0.8);  // two of this rate have a minimum of mean 0.4
  EXPECT_DOUBLE_EQ(family().fit.start(0.4, 1.0), 2.5);
  feature.mean = 0.0;
  EXPECT_EQ(refusal([&] { family().fit.centre(feature); }, ErrorKind::unanswerable),
            "feature 1 is always 0, for which no rate is largest");
}

TEST(Exponential, TheLeastCostIsThatOfTheBestRate) {
  const Sources sources = random_sources(Family::exponential, Combination::minimum, {}, 2, 1, false, false, 1);
  expect_least_cost(sources, 0.5, 0.2, 5.0);  // the best, 2, lies within
  expect_least_cost(sources, 0.5, 3.0, 5.0);
  expect_least_cost(sources, 0.5, 0.1, 1.0);
  expect_least_cost(sources, 0.0, 0.1, 1.0);
  EXPECT_TRUE(is_possible_item(sources, {0.0}));
  EXPECT_FALSE(is_possible_item(sources, {-0.1}));
}

TEST(Exponential, ItemsRespondToTheirRateAsTheDensitySays) {
  expect_response(family(), 1.6, 1.0, steps_between(0.0, 40.0, 2e-4), 1e-6);
  EXPECT_TRUE(family().theory.is_inverse_mean);
  expect_draws(family(), 1.6, 1.0, 6.0);
}

TEST(Exponential, SuitsNumbersFromZeroOnIfItIsNamed) {
  EXPECT_TRUE(family().suits({.is_boolean = false, .is_count = false}, false));
  EXPECT_FALSE(family().suits({.is_boolean = false, .is_count = false, .has_zero = true}, false));
  EXPECT_TRUE(family().suits({.is_boolean = false, .is_count = false, .has_zero = true}, true));
  EXPECT_FALSE(family().suits({.is_boolean = false, .is_count = false, .has_negative = true}, true));
}

}  // namespace
}  // namespace motet::exponential_test
