#include <gtest/gtest.h>

#include <boost/math/distributions/gamma.hpp>

#include "sources/families/family_cases.h"
#include "sources/source_cases.h"
#include "support/errors.h"

namespace motet::gamma_test {
namespace {

const std::vector<double> some_items{0.3, 1.7, 0.01, 2.2, 0.9};

const SourceFamily& family() { return family_of(Family::gamma); }

TEST(Gamma, HasTheDensityTailAndQuantilesOfItsShapeAndRate) {
  for (const double shape : {0.3, 1.0, 4.5}) {
    const boost::math::gamma_distribution<> reference(shape, 1.0 / 1.4);
    for (const double x : {0.01, 0.8, 3.0, 12.0}) {
      EXPECT_NEAR(family().density.log_density(shape, 1.4, x), std::log(pdf(reference, x)), rounding) << shape << x;
      EXPECT_NEAR(family().density.log_survival(shape, 1.4, x), std::log(cdf(complement(reference, x))), 1e-10);
    }
    EXPECT_NEAR(family().density.quantile(shape, 1.4, 0.3), quantile(reference, 0.3), rounding);
  }
  EXPECT_EQ(family().density.log_density(2.0, 1.0, 0.0), -infinity);
  EXPECT_EQ(family().density.log_density(2.0, 1.0, -1.0), -infinity);
}

// Given the sum, an emission is a beta share of it: checked against the integral over the share.
TEST(Gamma, ShapesOfASumAddAndSharesAreBeta) {
  const std::vector<Marginal> members = {{Family::gamma, 2.5, 1.4}, {Family::gamma, 1.7, 1.4}};
  for (const double y : {0.2, 3.0}) {
    const ValueGrid grid = steps_between(0.0, y, y / 20'000);
    const auto joint = [&](double xi) { return std::exp(members[0].log_density(xi) + members[1].log_density(y - xi)); };
    const double whole = grid.sum(joint);
    const double mean = grid.sum([&](double xi) { return xi * joint(xi); }) / whole;
    const double square = grid.sum([&](double xi) { return xi * xi * joint(xi); }) / whole;
    constexpr double of_the_rule = 1e-5;  // at the ends, where a density has a corner
    EXPECT_NEAR(family().density.log_sum(members, y), std::log(whole), of_the_rule);
    const std::vector<MeanVariance> found = family().density.sum_emissions(members, y);
    EXPECT_NEAR(found[0].mean, mean, of_the_rule * y);
    EXPECT_NEAR(found[0].variance, square - mean * mean, of_the_rule * y * y);
    EXPECT_NEAR(found[0].mean + found[1].mean, y, rounding * y);
  }
}

TEST(Gamma, TheObjectiveIsTheLikelihoodAndAStepReachesItsMaximum) {
  expect_likelihood_of_totals(family(), Combination::sum, 1.4, some_items, 0.6, 1.9);
  expect_one_source_learns_all(family(), Combination::sum, 1.4, some_items, 3.0, 1e-8);  // by Newton's method
  for (const double nu : {0.0, 2.5}) expect_best_location(family(), 1.4, some_items, nu, {1.3, 0.9});
}

// The best rate for given shapes is the sum of the shapes over that of the items.
TEST(Gamma, TheBestRateMakesLikelihoodAndPriorLargest) {
  const SharedValue centre{1.3, 0.9};
  for (const double nu : {0.0, 2.5}) {
    const double shape = 0.8;
    double amounts = family().fit.prior_amount(nu, centre);
    for (const double x : some_items) amounts += x;
    const double best = family().fit.best_shared(shape * (5.0 + nu), amounts);
    const auto objective = [&](double rate) {
      return log_likelihood_of(family(), shape, rate, some_items) +
             (nu > 0.0 ? family().fit.log_prior(nu, shape, rate, centre) : 0.0);
    };
    for (const double factor : {0.9, 0.999, 1.001, 1.1}) EXPECT_GT(objective(best), objective(best * factor)) << nu;
  }
}

TEST(Gamma, TheCentreIsTheLikeliestOneGammaOfAllItems) {
  PooledFeature feature;
  for (const double x : some_items) {
    feature.mean += x / 5.0;
    feature.mean_log += std::log(x) / 5.0;
  }
  const SharedValue found = family().fit.centre(feature);
  const double best = log_likelihood_of(family(), found.location, found.shared, some_items);
  for (const double factor : {0.97, 1.03}) {
    EXPECT_GT(best, log_likelihood_of(family(), found.location * factor, found.shared, some_items));
    EXPECT_GT(best, log_likelihood_of(family(), found.location, found.shared * factor, some_items));
    EXPECT_GT(best, log_likelihood_of(family(), found.location * factor, found.shared * factor, some_items));
  }
  feature.degree = 2.0;  // the shape of a set of two is that of one
  EXPECT_NEAR(family().fit.centre(feature).location, found.location / 2.0, rounding);
  EXPECT_NEAR(family().fit.centre(feature).shared, found.shared, rounding);
  feature.mean = 0.0;
  feature.feature = 4;
  EXPECT_EQ(refusal([&] { family().fit.centre(feature); }, ErrorKind::unanswerable),
            "feature 5 is always 0, for which no rate is largest");
  EXPECT_DOUBLE_EQ(family().fit.start(0.5, 4.0), 2.0);
  EXPECT_DOUBLE_EQ(family().fit.start_shared(0.5, 0.125), 4.0);
}

TEST(Gamma, TheLeastCostIsThatOfTheBestShape) {
  const Sources sources = random_sources(Family::gamma, Combination::sum, {}, 2, 1, false, false, 1);
  for (const double x : {0.05, 0.9, 7.0}) {
    expect_least_cost(sources, x, 0.05, 12.0);
    expect_least_cost(sources, x, 8.0, 12.0);
    expect_least_cost(sources, x, 0.05, 0.1);
  }
  EXPECT_FALSE(is_possible_item(sources, {0.0}));
}

TEST(Gamma, ItemsRespondToShapeAndRateAsTheDensitySays) {
  expect_response(family(), 2.3, 1.4, steps_between(0.0, 40.0, 2e-4), 1e-6);
  expect_draws(family(), 2.3, 1.4, 6.0 / 2.3);
}

// The information is the mean product of the scores, which are differences of the log density.
TEST(Gamma, InformationIsThatOfTheScores) {
  const double shape = 2.3;
  const double rate = 1.4;
  const ValueGrid grid = steps_between(0.0, 40.0, 1e-3);
  constexpr double small = 1e-5;
  const auto score = [&](double x, bool by_rate) {
    const double da = by_rate ? 0.0 : small;
    const double db = by_rate ? small : 0.0;
    return (family().density.log_density(shape + da, rate + db, x) -
            family().density.log_density(shape - da, rate - db, x)) /
           (2.0 * small);
  };
  const auto product = [&](bool a, bool b) {
    return 7.0 * grid.sum([&](double x) {
      return score(x, a) * score(x, b) * std::exp(family().density.log_density(shape, rate, x));
    });
  };
  const SharedInformation found = family().theory.information(7.0, shape / rate, rate);
  EXPECT_NEAR(found.total, product(false, false), 1e-4);
  EXPECT_NEAR(found.cross, product(false, true), 1e-4);
  EXPECT_NEAR(found.shared, product(true, true), 1e-4);
  EXPECT_EQ(family().theory.information(7.0, 0.0, rate).total, 0.0);
}

}  // namespace
}  // namespace motet::gamma_test
