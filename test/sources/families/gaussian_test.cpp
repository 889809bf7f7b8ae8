#include <gtest/gtest.h>

#include <numbers>

#include "motet/sources/density/density_block.h"
#include "motet/sources/density/density_plan.h"
#include "motet/sources/density/set_density.h"
#include "sources/families/family_cases.h"
#include "sources/source_cases.h"

namespace motet::gaussian_test {
namespace {

const SourceFamily& family() { return family_of(Family::gaussian); }

TEST(Gaussian, HasTheDensityTailAndQuantilesOfItsMeanAndSd) {
  for (const double x : {-3.0, 0.5, 7.0}) {
    const double z = (x - 0.5) / 2.0;
    EXPECT_NEAR(family().density.log_density(0.5, 2.0, x), -0.5 * z * z - 0.5 * std::log(2.0 * std::numbers::pi * 4.0),
                rounding);
    EXPECT_NEAR(family().density.log_survival(0.5, 2.0, x), std::log(0.5 * std::erfc(z / std::numbers::sqrt2)),
                rounding);
  }
  EXPECT_NEAR(family().density.quantile(0.5, 2.0, 0.5), 0.5, rounding);
  EXPECT_NEAR(family().density.quantile(0.5, 2.0, 0.975), 0.5 + 2.0 * 1.959963984540054, rounding);
  EXPECT_EQ(family().density.moments(0.5, 2.0).variance, 4.0);
}

// Half of a centred Gaussian has the mean sqrt(2 / pi) and the variance 1 - 2 / pi.
TEST(Gaussian, WhatLiesAboveHasTheMomentsOfATruncatedOne) {
  const MeanVariance half = family().density.moments_above(0.0, 1.0, 0.0, std::log(0.5));
  EXPECT_NEAR(half.mean, std::sqrt(2.0 / std::numbers::pi), rounding);
  EXPECT_NEAR(half.variance, 1.0 - 2.0 / std::numbers::pi, rounding);
  // Far out it is nearly exponential with the rate of the distance.
  const MeanVariance far = Marginal{Family::gaussian, 0.0, 1.0}.moments_above(100.0);
  EXPECT_NEAR(far.mean - 100.0, 0.01, 1e-5);
  EXPECT_GE(far.variance, 0.0);
}

// The highest place of e^u f(+-e^u), by a search over u.
TEST(Gaussian, TheModesOfTheLogarithmAreWhereItsDensityIsHighest) {
  for (const double mean : {-3.0, 0.0, 0.2, 40.0}) {
    const LogForm form = family().density.in_logarithm(mean, 0.7);
    EXPECT_EQ(form.shape, LogShape::square_of_exp);
    for (const int sign : {0, 1}) {
      double best = -infinity;
      double at = 0.0;
      for (double u = -8.0; u < 5.0; u += 1e-4) {
        const double value = u + family().density.log_density(mean, 0.7, sign == 0 ? std::exp(u) : -std::exp(u));
        if (value > best) {
          best = value;
          at = u;
        }
      }
      EXPECT_NEAR(form.mode[static_cast<std::size_t>(sign)], at, 1.1e-4) << mean << " " << sign;
    }
    EXPECT_GT(form.width, 0.0);
  }
}

// Rows of a block become lines; places past the last row repeat it.
TEST(Gaussian, FeaturesAreTheNumbersThemselves) {
  const Sources sources =
      random_sources(Family::gaussian, Combination::sum, Covariance::diagonal, 2, 3, false, false, 1);
  const DensityPlan plan = plan_densities(sources, all_sets(2, false), 0, 3, {1});
  std::vector<double> x(6 * 3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  std::vector<const double*> rows;
  for (std::size_t n = 0; n < 6; ++n) rows.push_back(x.data() + n * 3);
  std::vector<double> features(3 * density_rows, -1.0);
  std::vector<double> terms(density_rows, -1.0);
  family().plan.make_features(plan, rows, features.data(), terms.data());
  for (std::size_t n = 0; n < density_rows; ++n) {
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(features[d * density_rows + n], static_cast<double>(std::min<std::size_t>(n, 5) * 3 + d)) << n;
    }
    EXPECT_EQ(terms[n], 0.0);
  }
}

TEST(Gaussian, SumsAndMeansOfASetAreGaussian) {
  for (const Combination combination : {Combination::sum, Combination::mean}) {
    const Sources sources = random_sources(Family::gaussian, combination, Covariance::full, 3, 2, false, false, 6);
    const BitMatrix set = one_set(3, {0, 2});
    const SetMoments moments = set_moments(sources, set.row(0));
    const std::vector<double> x{0.3, -1.1};
    EXPECT_NEAR(log_density(sources, set.row(0), x).value, plain_gaussian(x, moments.mean, moments.covariance), 1e-10);
  }
}

TEST(Gaussian, TakesEveryFiniteNumber) {
  EXPECT_TRUE(family().values.are_all(std::vector<double>{-1e300, 0.0, 2.5}));
  EXPECT_FALSE(family().values.are_all(std::vector<double>{0.0, infinity}));
  EXPECT_FALSE(family().values.are_all(std::vector<double>{std::nan("")}));
  EXPECT_EQ(family().suits, nullptr);  // `auto` always has it at hand
}

}  // namespace
}  // namespace motet::gaussian_test
