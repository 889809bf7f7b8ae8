#include "motet/multilabel/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/base/rng.h"
#include "multilabel/model_cases.h"

namespace motet::multilabel::calibration_test {
namespace {

TEST(Calibration, RecoversThePlantedLine) {
  HeldOut seen;
  Rng rng{Seed{12}};
  constexpr double intercept = -0.5;
  constexpr double slope = 0.6;
  for (int n = 0; n < 20000; ++n) {
    const double logit = 2.0 * rng.normal();
    seen.posterior.push_back(1.0 / (1.0 + std::exp(-logit)));
    seen.right.push_back(rng.uniform() < 1.0 / (1.0 + std::exp(-intercept - slope * logit)) ? 1 : 0);
    seen.log_evidence.push_back(rng.normal());
  }
  const Calibration calibration = calibrate(seen);
  // Standard errors of a logistic line with so many items are about 0.018 and 0.011; four of them.
  EXPECT_NEAR(calibration.intercept, intercept, 0.07);
  EXPECT_NEAR(calibration.slope, slope, 0.045);
  EXPECT_EQ(calibration.items, 20000U);
  for (const auto& [level, value] : calibration.density) {
    const double error = std::sqrt(level * (1.0 - level) / 20000.0) * std::sqrt(2.0 * 3.1416) *
                         std::exp(0.5 * std::pow(normal_quantile(level), 2));
    EXPECT_NEAR(value, normal_quantile(level), 5.0 * error) << level;
  }
}

TEST(Calibration, FewItemsChangeLittle) {
  const Calibration calibration = calibrate({{0.9}, {0}, {0.0}});
  EXPECT_GT(calibrated(calibration, 0.9), 0.4);
  EXPECT_LT(calibrated(calibration, 0.9), 0.9);
  EXPECT_EQ(calibrated(Calibration{}, 0.3), 0.3);
  EXPECT_LT(calibrated(calibration, 0.0), calibrated(calibration, 1.0));
}

// Right and wrong, and the prior of the line: at its maximum no step in intercept or slope is better.
TEST(Calibration, IsTheMostLikelyLineUnderItsPrior) {
  Rng rng(Seed{13});
  HeldOut seen;
  for (int n = 0; n < 60; ++n) {
    seen.posterior.push_back(rng.uniform(0.05, 0.99));
    seen.right.push_back(rng.uniform() < 0.5 ? 1 : 0);
    seen.log_evidence.push_back(0.0);
  }
  const auto likelihood = [&](double a, double b) {
    double sum = -0.5 * (a * a + (b - 1.0) * (b - 1.0));
    for (std::size_t n = 0; n < 60; ++n) {
      const double z = a + b * std::log(seen.posterior[n] / (1.0 - seen.posterior[n]));
      sum -= std::log1p(std::exp(seen.right[n] != 0 ? -z : z));
    }
    return sum;
  };
  const Calibration found = calibrate(seen);
  const double top = likelihood(found.intercept, found.slope);
  for (const double step : {-1e-3, 1e-3}) {
    EXPECT_LT(likelihood(found.intercept + step, found.slope), top);
    EXPECT_LT(likelihood(found.intercept, found.slope + step), top);
  }
}

TEST(Calibration, MoreSureNeverMeansLessLikelyRight) {
  HeldOut seen;
  for (int n = 0; n < 400; ++n) {  // the surer, the wronger
    seen.posterior.push_back(n % 2 == 0 ? 0.99 : 0.6);
    seen.right.push_back(n % 2 == 0 ? 0 : 1);
    seen.log_evidence.push_back(0.0);
  }
  const Calibration found = calibrate(seen);
  EXPECT_EQ(found.slope, 1e-6);
  EXPECT_GE(calibrated(found, 0.99), calibrated(found, 0.6));
}

TEST(Calibration, PosteriorsThatRoundToCertainAreTaken) {
  Calibration calibration;
  calibration.intercept = 0.5;
  calibration.slope = 0.5;
  calibration.items = 10;
  constexpr double largest_logit = 20.0;
  EXPECT_DOUBLE_EQ(calibrated(calibration, 1.0), 1.0 / (1.0 + std::exp(-0.5 - 0.5 * largest_logit)));
  EXPECT_DOUBLE_EQ(calibrated(calibration, 0.0), 1.0 / (1.0 + std::exp(-0.5 + 0.5 * largest_logit)));
  EXPECT_DOUBLE_EQ(calibrated(calibration, 0.8), 1.0 / (1.0 + std::exp(-0.5 - 0.5 * std::log(4.0))));
}

TEST(Calibration, OfNothingIsNone) {
  const Calibration found = calibrate({});
  EXPECT_FALSE(found.known());
  EXPECT_EQ(found.items, 0U);
  EXPECT_TRUE(found.density.empty());
}

// log p(x) over the sets of the training items, by densities that are written out; its quantiles lie between the items.
TEST(SeenDensities, AreQuantilesOfTheEvidenceOfTheItems) {
  Rng rng(Seed{14});
  const MultilabelModel model = random_model({.covariance = Covariance::diagonal}, 4, 3, 2, 1.0, rng);
  constexpr std::size_t items = 1500;  // more than are taken together
  std::vector<double> x(items * 3);
  for (double& value : x) value = 3.0 * rng.normal();
  std::vector<double> evidence;
  double total = 0.0;
  for (const double count : model.prior.counts) total += count;
  for (std::size_t n = 0; n < items; ++n) {
    std::vector<double> joint;
    for (std::size_t j = 0; j < model.prior.sets.rows(); ++j) {
      joint.push_back(std::log(model.prior.counts[j] / total) +
                      plain_log_density(model.sources, model.prior.sets.row(j), {x.data() + 3 * n, 3}));
    }
    evidence.push_back(log_sum_exp(joint));
  }
  std::sort(evidence.begin(), evidence.end());
  const Calibration found = seen_densities(model, x, {1});
  EXPECT_FALSE(found.known());
  ASSERT_EQ(found.density.size(), 15U);
  for (const auto& [level, value] : found.density) {
    // Item i, counted from 0, is the quantile at (i + 1/2) / n.
    const double place = level * static_cast<double>(items) - 0.5;
    const auto below = static_cast<std::size_t>(place);
    EXPECT_GE(value, evidence[below] - 1e-9) << level;
    EXPECT_LE(value, evidence[below + 1] + 1e-9) << level;
  }
  // Of ten items nothing is told beyond the last but half an item.
  EXPECT_EQ(seen_densities(model, std::span(x).first(30), {1}).density.front().first, 0.05);
}

}  // namespace
}  // namespace motet::multilabel::calibration_test
