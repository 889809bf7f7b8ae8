#include "motet/sources/density/marginal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/numeric.h"
#include "motet/sources/families/parts.h"
#include "motet/sources/family.h"
#include "sources/source_cases.h"
#include "support/errors.h"

namespace motet::marginal_test {
namespace {

// In the middle of what each family allows, of those that are asked for tails.
const Marginal of_families[] = {{Family::gaussian, 0.7, 1.3},    {Family::bernoulli, 0.3, 1.0},
                                {Family::exponential, 0.8, 1.0}, {Family::gamma, 2.5, 1.4},
                                {Family::poisson, 3.2, 1.0},     {Family::lognormal, 0.2, 0.5}};

// P(xi > x), and mean and variance of what lies above, by sums over counts or over the middles of small steps.
struct Above {
  double mass = 0.0;
  double mean = 0.0;
  double square = 0.0;
};
Above sums_above(const Marginal& one, double x) {
  const bool is_whole = family_of(one.family).is_whole;
  const double step = is_whole ? 1.0 : 2e-4;
  Above above;
  for (double at = is_whole ? std::floor(x) + 1.0 : x + 0.5 * step; at < (is_whole ? 200.0 : x + 40.0); at += step) {
    const double p = step * std::exp(one.log_density(at));
    above.mass += p;
    above.mean += p * at;
    above.square += p * at * at;
  }
  above.mean /= above.mass;
  above.square /= above.mass;
  return above;
}

TEST(Marginal, TailsAndTheirMomentsAreSumsOfTheDensity) {
  for (const Marginal& one : of_families) {
    SCOPED_TRACE(family_word(one.family));
    for (const double x : {-1.0, 0.0, 0.6, 2.0, 4.0}) {
      if (one.log_survival(x) == -infinity) continue;
      const Above expected = sums_above(one, x);
      constexpr double of_the_rule = 1e-6;  // the density of a step at its middle
      EXPECT_NEAR(std::exp(one.log_survival(x)), expected.mass, of_the_rule) << x;
      const MeanVariance found = one.moments_above(x);
      EXPECT_NEAR(found.mean, expected.mean, of_the_rule * (1.0 + std::abs(expected.mean))) << x;
      EXPECT_NEAR(found.variance, expected.square - expected.mean * expected.mean, 1e-5) << x;
    }
  }
}

TEST(Marginal, MomentsAreThoseAboveEverything) {
  for (const Marginal& one : of_families) {
    const MeanVariance all = one.moments();
    const MeanVariance above = one.moments_above(one.family == Family::gaussian ? -60.0 : -1.0);
    EXPECT_NEAR(above.mean, all.mean, 1e-12 * (1.0 + all.mean)) << family_word(one.family);
    EXPECT_NEAR(above.variance, all.variance, 1e-10) << family_word(one.family);
  }
}

TEST(Marginal, NothingLiesAboveWhatCannotBeExceeded) {
  const Marginal coin{Family::bernoulli, 0.3, 1.0};
  EXPECT_EQ(coin.log_survival(1.0), -infinity);
  EXPECT_EQ(coin.moments_above(1.0).mean, 1.0);
  EXPECT_EQ(coin.moments_above(1.0).variance, 0.0);
}

TEST(Marginal, QuantilesLeaveTheirLevelBelow) {
  for (const Marginal& one : of_families) {
    if (family_of(one.family).is_whole) {
      EXPECT_EQ(refusal([&] { one.quantile(0.5); }, ErrorKind::internal), "quantiles are only of continuous families");
      continue;
    }
    for (const double level : {1e-6, 0.1, 0.5, 0.99}) {
      EXPECT_NEAR(-std::expm1(one.log_survival(one.quantile(level))), level, 1e-12) << family_word(one.family);
    }
  }
}

// x / (x^2 + 1) < (1 - Phi(x)) / phi(x) < 1 / x, and the two are within 1 / x^2 of each other. Far out two terms of a
// series are taken, whose error is three times the fourth power of 1 / 30.
TEST(NormalTail, GoesOnWhereTheProbabilityIsNoDouble) {
  for (const double z : {5.0, 20.0, 29.999, 30.001, 50.0, 1000.0}) {
    const double log_density = -0.5 * z * z - log_root_two_pi;
    const double ratio = std::exp(normal_log_survival(z) - log_density) * z;
    EXPECT_GT(ratio, z * z / (z * z + 1.0) - 4e-6) << z;
    EXPECT_LT(ratio, 1.0 + 1e-9) << z;
  }
  EXPECT_NEAR(normal_log_survival(30.0 + 1e-9) - normal_log_survival(30.0 - 1e-9), -6e-8, 1e-5);
  EXPECT_NEAR(normal_log_survival(0.0), std::log(0.5), 1e-15);
  EXPECT_NEAR(normal_log_survival(-40.0), 0.0, 1e-15);
}

TEST(Quantiles, OfNormalAndGammaAreThoseOfKnownTables) {
  EXPECT_NEAR(normal_quantile_of(2.0, 3.0, 0.975), 2.0 + 3.0 * 1.959963984540054, 1e-12);
  EXPECT_NEAR(gamma_quantile_of(1.0, 2.0, 0.9), std::log(10.0) / 2.0, 1e-14);  // exponential
  EXPECT_NEAR(gamma_quantile_of(0.5, 0.5, 0.95), 3.841458820694124, 1e-12);    // chi-squared, one degree
}

TEST(MarginalOf, TakesOneDimensionOfOneSource) {
  for (const Covariance covariance :
       {Covariance::spherical, Covariance::diagonal, Covariance::full, Covariance::shared}) {
    const Sources sources = random_sources(Family::gaussian, Combination::sum, covariance, 3, 2, false, false, 4);
    const Marginal found = marginal_of(sources, 2, 1);
    EXPECT_EQ(found.location, sources.location_of(2)[1]);
    EXPECT_NEAR(found.spread * found.spread, covariance_of(sources, 2)[3], 1e-15);
  }
  const Sources gamma = random_sources(Family::gamma, Combination::sum, {}, 3, 2, false, false, 4);
  EXPECT_EQ(marginal_of(gamma, 1, 1).spread, gamma.spread[1]);
  EXPECT_EQ(marginal_of(gamma, 1, 1).location, gamma.location[3]);
  const Sources poisson = random_sources(Family::poisson, Combination::sum, {}, 3, 2, false, false, 4);
  EXPECT_EQ(marginal_of(poisson, 0, 1).location, poisson.location[1]);
}

TEST(MarginalOf, ASourceWithoutAVarianceIsRefused) {
  Sources sources = random_sources(Family::gaussian, Combination::sum, Covariance::diagonal, 2, 1, false, false, 4);
  sources.spread[1] = 0.0;
  EXPECT_EQ(refusal([&] { marginal_of(sources, 1, 0); }, ErrorKind::unanswerable),
            "a source without a variance has no density");
}

TEST(SourceMoments, AreThoseOfEveryDimension) {
  const Sources sources =
      random_sources(Family::lognormal, Combination::product, Covariance::full, 2, 3, false, false, 4);
  const std::vector<MeanVariance> found = source_moments(sources, 1);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t d = 0; d < 3; ++d) {
    const double variance = covariance_of(sources, 1)[d * 3 + d];
    const double mean = std::exp(sources.location_of(1)[d] + 0.5 * variance);
    EXPECT_NEAR(found[d].mean, mean, 1e-12 * mean);
    EXPECT_NEAR(found[d].variance, mean * mean * (std::exp(variance) - 1.0), 1e-12 * mean * mean);
  }
  const Sources gamma = random_sources(Family::gamma, Combination::sum, {}, 2, 2, false, false, 4);
  EXPECT_NEAR(source_moments(gamma, 1)[1].mean, gamma.location[3] / gamma.spread[1], 1e-14);
  EXPECT_NEAR(source_moments(gamma, 1)[1].variance, gamma.location[3] / std::pow(gamma.spread[1], 2), 1e-14);
}

}  // namespace
}  // namespace motet::marginal_test
