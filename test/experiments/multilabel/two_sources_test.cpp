// Closed forms of two sources against figures of independent computations.
#include "experiments/multilabel/two_sources.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/rng.h"

namespace motet::multilabel::two_sources_test {
namespace {

constexpr GaussianPair apart{{-3.5, 3.5}, {1.0, 1.0}};
constexpr BernoulliPair bits{{0.4, 0.2}};
constexpr double printed = 5e-7;  // figures are given to six decimals or more

TEST(TwoSources, GaussianPrecisionIsThatOfTheCorrectedLemma) {
  const auto mse = [](double items, Training method) {
    return pair_precision(apart, {}, items, method).mean_square_error;
  };
  EXPECT_NEAR(mse(300, Training::ignore), 0.010, 1e-15);
  EXPECT_NEAR(mse(300, Training::fresh), 0.04 / 3.0, 1e-15);
  EXPECT_NEAR(mse(300, Training::cross), 3.085313, printed);
  EXPECT_NEAR(mse(3000, Training::cross), 3.064781, printed);
  EXPECT_NEAR(mse(300, Training::deconvolution), 0.0075, 1e-15);
  EXPECT_NEAR(mse(3000, Training::deconvolution), 0.00075, 1e-15);
  EXPECT_NEAR(pair_precision(GaussianPair{{-3.5, 3.5}, {1.0, 4.0}}, {0.5, 0.2, 0.3}, 3000, Training::deconvolution)
                  .mean_square_error,
              0.00192529, 5e-9);
}

TEST(TwoSources, BernoulliPrecisionIsThatOfTheCorrectedLemma) {
  const auto mse = [](double items, Training method) {
    return pair_precision(bits, {}, items, method).mean_square_error;
  };
  EXPECT_NEAR(mse(300, Training::ignore), 0.002, 1e-15);
  EXPECT_NEAR(mse(300, Training::fresh), 0.00216533, 5e-9);
  EXPECT_NEAR(mse(300, Training::cross), 0.015797, printed);
  EXPECT_NEAR(mse(3000, Training::cross), 0.0147197, 5e-8);
  EXPECT_NEAR(mse(300, Training::deconvolution), 0.0015, 1e-15);
}

TEST(TwoSources, FixedLabelCountsTakeAwayWhatTheCountsVary) {
  const PairPrecision random = pair_precision(apart, {}, 300, Training::cross);
  const PairPrecision fixed = pair_precision(apart, {}, 300, Training::cross, SetCounts::fixed);
  // 6.64: the second line, pi12 pi1 / ((pi1 + pi12)^3 N) a^2.
  const double line = (1.0 / 9.0) / (8.0 / 27.0 * 300.0) * 3.5 * 3.5;
  EXPECT_NEAR(random.variance[0] - fixed.variance[0], line, 1e-15);
  EXPECT_EQ(random.bias[0], fixed.bias[0]);
  const PairPrecision bernoulli = pair_precision(bits, {}, 300, Training::cross, SetCounts::fixed);
  EXPECT_NEAR(bernoulli.variance[0], (0.24 + 0.52 * 0.48) / 3.0 / (4.0 / 9.0 * 300.0), 1e-15);
  for (const Training method : {Training::deconvolution, Training::ignore, Training::fresh}) {
    EXPECT_EQ(pair_precision(apart, {}, 300, method).mean_square_error,
              pair_precision(apart, {}, 300, method, SetCounts::fixed).mean_square_error);
  }
}

TEST(TwoSources, MeansOfDeconvolutionErrInOppositeDirections) {
  EXPECT_NEAR(pair_precision(apart, {}, 300, Training::deconvolution).covariance, -(1.0 / 3.0) / (300.0 * 4.0 / 9.0),
              1e-15);
  EXPECT_LT(pair_precision(bits, {}, 300, Training::deconvolution).covariance, 0.0);
}

// The general claim behind figure 6.6: no parameter is worse than under `new`.
TEST(TwoSources, DeconvolutionIsNeverLessPreciseThanNew) {
  for (double b1 = 0.02; b1 < 1.0; b1 += 0.06) {
    for (double b2 = 0.02; b2 < 1.0; b2 += 0.06) {
      const BernoulliPair pair{{b1, b2}};
      const PairPrecision ours = pair_precision(pair, {}, 1.0, Training::deconvolution);
      const PairPrecision fresh = pair_precision(pair, {}, 1.0, Training::fresh);
      EXPECT_LE(ours.variance[0], fresh.variance[0]);
      EXPECT_LE(ours.variance[1], fresh.variance[1]);
    }
  }
}

TEST(TwoSources, LeastErrorOfTheGaussianSetting) {
  const BayesRule rule = bayes_rule(classes_of(apart, {}));
  EXPECT_NEAR(rule.error, 0.0962218115, 1e-10);
  ASSERT_EQ(rule.thresholds.size(), 4U);
  const std::vector<double> expected = {-12.0878575414, -1.9121424586, 1.9121424586, 12.0878575414};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(rule.thresholds[i], expected[i], 1e-10);
  EXPECT_EQ(rule.winner, (std::vector<std::size_t>{2, 0, 2, 1, 2}));
}

TEST(TwoSources, LeastErrorWhenUnsureItemsAreLeftAside) {
  const std::vector<GaussianClass> classes = classes_of(apart, {});
  const auto expect = [&](double least, double coverage, double error) {
    const Selective found = bayes_rule_rejecting(classes, least);
    EXPECT_NEAR(found.coverage, coverage, 1e-9);
    EXPECT_NEAR(found.error, error, 1e-9);
  };
  // From the roots of posterior = least and normal probabilities, computed elsewhere.
  expect(0.80, 0.8255385134, 0.0458174268);
  expect(0.90, 0.7007329672, 0.0283872130);
  expect(0.95, 0.5633882895, 0.0178289868);
  const Selective all = bayes_rule_rejecting(classes, 0.0);
  EXPECT_NEAR(all.coverage, 1.0, 1e-12);
  EXPECT_NEAR(all.error, 0.0962218115, 1e-10);
}

TEST(TwoSources, LeastErrorOfTheBooleanSetting) { EXPECT_NEAR(bayes_error(bits, {}, 10), 0.3950691412, 1e-10); }

TEST(TwoSources, EqualVariancesAndSharesHaveOneThresholdInTheMiddle) {
  const std::vector<GaussianClass> classes = {{-1.0, 1.0, 0.5}, {2.0, 1.0, 0.5}};
  const BayesRule rule = bayes_rule(classes);
  ASSERT_EQ(rule.thresholds.size(), 1U);
  EXPECT_NEAR(rule.thresholds[0], 0.5, 1e-12);
  EXPECT_NEAR(rule.error, 0.5 * std::erfc(1.5 / std::sqrt(2.0)), 1e-14);
}

TEST(TwoSources, WhatHasNoTheoryIsRefused) {
  EXPECT_THROW(pair_precision(apart, {0.5, 0.5, 0.0}, 10, Training::cross), Error);
  EXPECT_THROW(pair_precision(apart, {}, 0, Training::cross), Error);
  EXPECT_THROW(pair_precision(apart, {}, 10, Training::automatic), Error);
}

}  // namespace
}  // namespace motet::multilabel::two_sources_test
