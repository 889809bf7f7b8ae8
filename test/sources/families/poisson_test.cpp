#include <gtest/gtest.h>

#include "sources/families/family_cases.h"
#include "sources/source_cases.h"

namespace motet::poisson_test {
namespace {

const std::vector<double> some_items{0, 3, 1, 1, 7};

const SourceFamily& family() { return family_of(Family::poisson); }

TEST(Poisson, HasTheProbabilitiesAndTailsOfItsRate) {
  double p = std::exp(-2.5);  // p(x) = p(x - 1) rate / x
  double above = 1.0 - p;
  EXPECT_NEAR(family().density.log_density(2.5, 1.0, 0.0), std::log(p), rounding);
  for (int x = 1; x < 12; ++x) {
    p *= 2.5 / x;
    above -= p;
    EXPECT_NEAR(family().density.log_density(2.5, 1.0, x), std::log(p), rounding) << x;
    EXPECT_NEAR(std::exp(family().density.log_survival(2.5, 1.0, x + 0.7)), above, rounding) << x;
  }
  EXPECT_EQ(family().density.log_survival(2.5, 1.0, -0.5), 0.0);
  EXPECT_EQ(family().density.log_density(2.5, 1.0, 1.5), -infinity);
  EXPECT_EQ(family().density.log_density(2.5, 1.0, -1.0), -infinity);
}

TEST(Poisson, ASourceWithoutARateEmitsOnlyZeros) {
  EXPECT_EQ(family().density.log_density(0.0, 1.0, 0.0), 0.0);
  EXPECT_EQ(family().density.log_density(0.0, 1.0, 1.0), -infinity);
  EXPECT_EQ(family().density.log_survival(0.0, 1.0, 0.0), -infinity);
  EXPECT_EQ(family().density.log_survival(0.0, 1.0, -1.0), 0.0);
}

// Rates of a sum add, and an emission is a binomial part of it: both by the sum over the first count.
TEST(Poisson, ASumIsTheConvolutionOfItsMembers) {
  const std::vector<Marginal> members = {{Family::poisson, 0.8, 1.0}, {Family::poisson, 2.1, 1.0}};
  for (const double y : {0.0, 1.0, 6.0}) {
    const ValueGrid grid = counts_below(y + 1.0);
    const auto joint = [&](double xi) { return std::exp(members[0].log_density(xi) + members[1].log_density(y - xi)); };
    const double whole = grid.sum(joint);
    const double mean = grid.sum([&](double xi) { return xi * joint(xi); }) / whole;
    const double square = grid.sum([&](double xi) { return xi * xi * joint(xi); }) / whole;
    EXPECT_NEAR(family().density.log_sum(members, y), std::log(whole), rounding);
    const std::vector<MeanVariance> found = family().density.sum_emissions(members, y);
    EXPECT_NEAR(found[0].mean, mean, rounding * (1.0 + y));
    EXPECT_NEAR(found[0].variance, square - mean * mean, rounding * (1.0 + y * y));
    EXPECT_NEAR(found[0].mean + found[1].mean, y, rounding * (1.0 + y));
  }
  EXPECT_EQ(family().density.log_sum(members, 1.5), -infinity);
  const std::vector<Marginal> silent = {{Family::poisson, 0.0, 1.0}, {Family::poisson, 0.0, 1.0}};
  EXPECT_EQ(family().density.sum_emissions(silent, 0.0)[0].mean, 0.0);
}

TEST(Poisson, TheObjectiveIsTheLikelihoodAndAStepReachesItsMaximum) {
  expect_likelihood_of_totals(family(), Combination::sum, 1.0, some_items, 0.6, 1.9);
  expect_one_source_learns_all(family(), Combination::sum, 1.0, some_items, 3.0);
  for (const double nu : {0.0, 2.5}) expect_best_location(family(), 1.0, some_items, nu, {1.3, 1.0});
  EXPECT_NEAR(family().log_constant(some_items, 1, Rows::all(5)), -std::log(6.0) - std::log(5040.0), rounding);
  EXPECT_EQ(taught_by(family(), 0.0, 1.0, {0.0, 0.0}).taught, 0.0);
}

TEST(Poisson, FitsBeginAtTheMeanThatAllSourcesWouldShare) {
  PooledFeature feature;
  feature.mean = 3.0;
  feature.degree = 2.0;
  EXPECT_EQ(family().fit.centre(feature).location, 1.5);
  feature.mean = 0.0;
  feature.least = 0.01;
  EXPECT_EQ(family().fit.centre(feature).location, 0.0);
  feature.has_prior = true;  // which needs a rate above 0
  EXPECT_EQ(family().fit.centre(feature).location, 0.005);
}

TEST(Poisson, TheLeastCostIsThatOfTheBestRate) {
  const Sources sources = random_sources(Family::poisson, Combination::sum, {}, 2, 1, false, false, 1);
  for (const double x : {0.0, 1.0, 6.0}) {
    expect_least_cost(sources, x, 0.25, 12.0);
    expect_least_cost(sources, x, 8.0, 12.0);
    expect_least_cost(sources, x, 0.25, 0.5);
  }
  EXPECT_FALSE(is_possible_item(sources, {0.5}));
  EXPECT_FALSE(is_possible_item(sources, {-1.0}));
}

TEST(Poisson, ItemsRespondToTheirRateAsTheDensitySays) {
  expect_response(family(), 2.3, 1.0, counts_below(60.0), 1e-7);
  expect_draws(family(), 2.3, 1.0, 1.0 / 2.3);
}

TEST(Poisson, SuitsCountsThatAreMoreThanZerosAndOnes) {
  EXPECT_TRUE(family().suits({.is_boolean = false}, false));
  EXPECT_FALSE(family().suits({}, false));
  EXPECT_TRUE(family().suits({}, true));
  EXPECT_FALSE(family().suits({.is_boolean = false, .is_count = false}, true));
}

}  // namespace
}  // namespace motet::poisson_test
