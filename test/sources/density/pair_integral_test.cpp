#include "motet/sources/density/pair_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motet/base/numeric.h"

namespace motet::pair_integral_test {
namespace {

constexpr double integrated = 1e-9;  // of the logarithm; the errors told are smaller

const Marginal wide{Family::lognormal, 0.3, 0.8};
const Marginal narrow{Family::lognormal, -0.5, 0.2};

double log_normal(double w, double mean, double variance) {
  return -0.5 * (w - mean) * (w - mean) / variance - 0.5 * std::log(2.0 * std::numbers::pi * variance);
}

double value_of(const EstimatedDensity& found) {
  EXPECT_LT(found.error, integrated);
  return found.value;
}

// Logarithms of lognormal factors are Gaussian and add.
TEST(PairIntegral, AProductOfLognormalsIsLognormal) {
  const PairIntegral pair(LogOperand{wide}, LogOperand{narrow}, true);
  for (const double w : {-8.0, -1.0, -0.2, 0.5, 3.0, 12.0}) {
    EXPECT_NEAR(value_of(pair.log_density(w, Sign::plus)), log_normal(w, -0.2, 0.64 + 0.04), integrated) << w;
    // Given the product, the logarithm of a factor is Gaussian too.
    const double mean = 0.3 + 0.64 / 0.68 * (w + 0.2);
    const double variance = 0.64 - 0.64 * 0.64 / 0.68;
    const std::optional<MeanVariance> found = pair.emission(w, Sign::plus);
    ASSERT_TRUE(found.has_value());
    const double expected = std::exp(mean + 0.5 * variance);
    EXPECT_NEAR(found->mean / expected, 1.0, 1e-8) << w;
    EXPECT_NEAR(found->variance / (expected * expected * std::expm1(variance)), 1.0, 1e-6) << w;
  }
}

// Shapes of one rate add, and an emission is a beta share of the sum.
TEST(PairIntegral, ASumOfGammasIsGamma) {
  const double a = 2.5;
  const double b = 0.7;
  const double rate = 1.4;
  const PairIntegral pair(LogOperand{Marginal{Family::gamma, a, rate}}, LogOperand{Marginal{Family::gamma, b, rate}},
                          false);
  for (const double y : {0.01, 0.5, 2.0, 8.0, 30.0}) {
    const double density = (a + b) * std::log(rate) - std::lgamma(a + b) + (a + b - 1.0) * std::log(y) - rate * y;
    EXPECT_NEAR(value_of(pair.log_density(std::log(y), Sign::plus)), density + std::log(y), integrated) << y;
    const std::optional<MeanVariance> found = pair.emission(std::log(y), Sign::plus);
    ASSERT_TRUE(found.has_value());
    const double share = a / (a + b);
    EXPECT_NEAR(found->mean / (y * share), 1.0, 1e-8) << y;
    EXPECT_NEAR(found->variance / (y * y * share * (1.0 - share) / (a + b + 1.0)), 1.0, 1e-6) << y;
  }
}

TEST(PairIntegral, WhatCannotBeHasNoDensityAndTellsNothing) {
  for (const bool is_product : {true, false}) {
    const PairIntegral pair(LogOperand{wide}, LogOperand{narrow}, is_product);
    EXPECT_EQ(pair.log_density(0.5, Sign::minus).value, -infinity);
    EXPECT_FALSE(pair.emission(0.5, Sign::minus).has_value());
  }
}

// Signs: N(m, s^2) N(0, t^2) is symmetric, whatever m is, and given a positive product both have one sign.
TEST(PairIntegral, ProductsOfGaussiansHaveBothSigns) {
  const PairIntegral pair(LogOperand{Marginal{Family::gaussian, 0.8, 1.1}},
                          LogOperand{Marginal{Family::gaussian, 0.0, 0.6}}, true);
  for (const double w : {-4.0, 0.0, 1.5}) {
    const double plus = value_of(pair.log_density(w, Sign::plus));
    EXPECT_NEAR(plus, value_of(pair.log_density(w, Sign::minus)), integrated);
    EXPECT_NEAR(pair.emission(w, Sign::plus)->mean, pair.emission(w, Sign::minus)->mean, 1e-7);
    // The integral over xi_1 itself, on a fine grid around its poles at 0.
    double sum = 0.0;
    constexpr double step = 1e-3;
    for (double u = -25.0; u < 4.0; u += step) {
      for (const double sign : {-1.0, 1.0}) {
        const double xi = sign * std::exp(u);
        const double rest = std::exp(w) / xi;
        sum += step * std::exp(log_normal(xi, 0.8, 1.21) + log_normal(rest, 0.0, 0.36));
      }
    }
    EXPECT_NEAR(plus, std::log(sum) + w, 1e-8) << w;  // d xi_1 / |xi_1| = du, and y = e^w
  }
}

TEST(PairIntegral, ATableSaysTheSameAsTheIntegral) {
  const PairIntegral products(LogOperand{Marginal{Family::gaussian, 0.8, 1.1}},
                              LogOperand{Marginal{Family::gaussian, -0.4, 0.6}}, true);
  const PairIntegral sums(LogOperand{wide}, LogOperand{narrow}, false);
  for (const PairIntegral* pair : {&products, &sums}) {
    const LogOperand table = pair->table();
    EXPECT_LT(table.error(), 1e-8);
    EXPECT_GT(table.width(), 0.0);
    EXPECT_EQ(table.has(Sign::minus), pair == &products);
    for (const Sign sign : {Sign::plus, Sign::minus}) {
      if (!table.has(sign)) continue;
      for (double u = table.mode(sign) - 1.0; u < table.mode(sign) + 1.0; u += 0.123) {
        EXPECT_NEAR(table.at(u, sign), pair->log_density(u, sign).value, 1e-7) << u;
      }
    }
  }
}

}  // namespace
}  // namespace motet::pair_integral_test
