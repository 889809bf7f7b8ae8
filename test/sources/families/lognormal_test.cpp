#include <gtest/gtest.h>

#include "motet/sources/density/set_density.h"
#include "sources/families/family_cases.h"
#include "sources/source_cases.h"

namespace motet::lognormal_test {
namespace {

const SourceFamily& family() { return family_of(Family::lognormal); }
const SourceFamily& gaussian() { return family_of(Family::gaussian); }

// Everything is that of a Gaussian at log x, with d log x / dx = 1 / x.
TEST(Lognormal, IsGaussianInTheLogarithm) {
  for (const double x : {1e-3, 0.7, 20.0}) {
    EXPECT_NEAR(family().density.log_density(0.4, 0.6, x),
                gaussian().density.log_density(0.4, 0.6, std::log(x)) - std::log(x), rounding);
    EXPECT_NEAR(family().density.log_survival(0.4, 0.6, x), gaussian().density.log_survival(0.4, 0.6, std::log(x)),
                rounding);
  }
  for (const double level : {0.01, 0.5, 0.9}) {
    EXPECT_NEAR(std::log(family().density.quantile(0.4, 0.6, level)), gaussian().density.quantile(0.4, 0.6, level),
                rounding);
  }
  EXPECT_EQ(family().density.log_density(0.4, 0.6, 0.0), -infinity);
  EXPECT_EQ(family().density.log_survival(0.4, 0.6, -1.0), 0.0);
}

TEST(Lognormal, MomentsAreThoseOfItsPowers) {
  const MeanVariance found = family().density.moments(0.4, 0.6);
  EXPECT_NEAR(found.mean, std::exp(0.4 + 0.18), rounding);
  EXPECT_NEAR(found.variance + found.mean * found.mean, std::exp(0.8 + 0.72), rounding);  // E x^2 = e^(2 m + 2 s^2)
}

TEST(Lognormal, WhatLiesAboveHasTheMomentsOfItsDensity) {
  const Marginal one{Family::lognormal, 0.4, 0.6};
  for (const double x : {0.2, 1.5, 8.0}) {
    const ValueGrid grid = steps_between(std::log(x), 7.0, 1e-4);  // over log xi
    const auto weight = [&](double u) { return std::exp(gaussian().density.log_density(0.4, 0.6, u)); };
    const double whole = grid.sum(weight);
    const double mean = grid.sum([&](double u) { return std::exp(u) * weight(u); }) / whole;
    const double square = grid.sum([&](double u) { return std::exp(2.0 * u) * weight(u); }) / whole;
    EXPECT_NEAR(one.moments_above(x).mean, mean, 1e-6 * mean);
    EXPECT_NEAR(one.moments_above(x).variance, square - mean * mean, 1e-6 * square);
  }
  EXPECT_EQ(one.moments_above(0.0).mean, one.moments().mean);
}

TEST(Lognormal, TheLogarithmIsAParabola) {
  const LogForm form = family().density.in_logarithm(0.4, 0.6);
  EXPECT_EQ(form.shape, LogShape::square);
  EXPECT_NEAR(form.constant, gaussian().density.log_density(0.4, 0.6, 0.4), rounding);
  EXPECT_EQ(form.mode[0], 0.4);
  EXPECT_EQ(form.width, 0.6);
}

TEST(Lognormal, AProductOfASetIsGaussianInTheLogarithm) {
  const Sources sources =
      random_sources(Family::lognormal, Combination::product, Covariance::full, 3, 2, false, true, 6);
  const BitMatrix set = one_set(3, {0, 2});
  const SetMoments moments = set_moments(sources, set.row(0));
  const std::vector<double> x{0.3, 4.0};
  const std::vector<double> logs{std::log(0.3), std::log(4.0)};
  EXPECT_NEAR(log_density(sources, set.row(0), x).value,
              plain_gaussian(logs, moments.mean, moments.covariance) - logs[0] - logs[1], 1e-10);
  EXPECT_EQ(log_density(sources, set.row(0), std::vector<double>{0.3, 0.0}).value, -infinity);
  EXPECT_EQ(log_density(sources, set.row(0), std::vector<double>{-0.3, 1.0}).value, -infinity);
}

TEST(Lognormal, TakesAndSuitsNumbersAboveZero) {
  EXPECT_TRUE(family().values.are_all(std::vector<double>{1e-300, 2.5}));
  EXPECT_FALSE(family().values.are_all(std::vector<double>{0.0, 2.5}));
  EXPECT_TRUE(family().suits({.is_boolean = false, .is_count = false}, false));
  EXPECT_FALSE(family().suits({.has_zero = true}, false));
  EXPECT_FALSE(family().suits({.has_negative = true}, true));
}

}  // namespace
}  // namespace motet::lognormal_test
