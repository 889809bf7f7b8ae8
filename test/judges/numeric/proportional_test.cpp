#include "motet/judges/numeric/proportional.h"

#include <algorithm>

#include "judges/regression_cases.h"

namespace motet::judges::proportional_test {
namespace {

const RegressionOptions golden_options{.mean = 0.5, .variance = 1.0, .noise_variance = 0.64};
constexpr double golden = 1e-6;  // how far the reference optimiser went

TEST(Proportional, MatchesReference) {
  const RegressionFit fit = fit_regression(golden_predictions(), golden_options);
  const double theta[] = {0.301087410850865, 0.6942217848403182, 1.174723812805316};
  const double risk[] = {0.6686168316315761, 0.4253194834728022, 0.9213451767295238};
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(fit.model.judges[j].theta, theta[j], golden) << j;
    EXPECT_NEAR(fit.model.judges[j].mse, risk[j], golden) << j;
  }
  EXPECT_NEAR(fit.log_likelihood, -1223.1401686968563, golden * 1223.0);
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  EXPECT_LT(fit.summary.iterations(), 12U);
  EXPECT_TRUE(fit.summary.warnings.empty());
  expect_never_falls(fit.summary);
}

TEST(Proportional, SeparatelyMatchesReference) {
  RegressionOptions options = golden_options;
  options.separately = true;
  const RegressionFit fit = fit_regression(golden_predictions(), options);
  const double theta[] = {0.30283830006493817, 0.7011274731952085, 1.2005275897572427};
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(fit.model.judges[j].theta, theta[j], golden) << j;
}

TEST(Proportional, OneJudgeTogetherIsOneJudgeAlone) {
  constexpr double machine = 1e-13;
  const Predictions data = make_predictions({{0.4}, {1.9}, {-0.3}, {1.1}, {0.9}});
  RegressionOptions options = golden_options;
  const RegressionJudge together = fit_regression(data, options).model.judges[0];
  options.separately = true;
  const RegressionFit alone = fit_regression(data, options);
  EXPECT_NEAR(together.theta, alone.model.judges[0].theta, machine);
  EXPECT_NEAR(together.theta_error, alone.model.judges[0].theta_error, machine);
  EXPECT_NEAR(alone.log_likelihood, log_likelihood(alone.model, data), machine * 100.0);
}

TEST(Proportional, SolutionHasNoSlopeLeft) {
  const std::vector<PredictionPattern> patterns = gather_patterns(golden_predictions());
  const RegressionFit fit = fit_regression(golden_predictions(), golden_options);
  std::vector<double> u;
  for (const RegressionJudge& judge : fit.model.judges) u.push_back(1.0 / judge.theta);
  const Curvature at = proportional_curvature(patterns, u, golden_options.prior(), golden_options.noise_variance);
  constexpr double machine = 1e-9;  // of terms of several hundred, summed
  for (const double slope : at.gradient) EXPECT_NEAR(slope, 0.0, machine);
}

TEST(Proportional, PositiveRootIsTheBestTheta) {
  // E7: against a fine search on the likelihood, for means of both signs.
  for (const double mean : {-0.8, 0.0, 0.5, 3.0}) {
    const PredictionPattern judge = gather_patterns(make_predictions({{1.0}, {2.5}, {-0.4}, {0.7}}))[0];
    const double root = positive_root(judge, mean, 1.64);
    const auto value = [&](double theta) {
      const JudgeLine line{0.0, theta, theta * theta * 0.64};
      return line_log_likelihood({&judge, 1}, {&line, 1}, {mean, 1.0});
    };
    double best = 0.001;
    for (double theta = 0.001; theta < 5.0; theta += 0.001) best = value(theta) > value(best) ? theta : best;
    EXPECT_NEAR(root, best, 0.001) << mean;  // the step of the search
    EXPECT_GE(value(root), value(best)) << mean;
  }
}

TEST(Proportional, EveryLineOfEquation13Agrees) {
  // E10: the integral, the last line of (13) and the Gaussian with covariance sigma^2 tt' + tau^2 diag(t^2).
  const double tau2 = 0.64;
  const TruthPrior prior{0.5, 1.2};
  const std::vector<double> theta = {0.3, 0.7, 1.2};
  const std::vector<double> said = {0.25, 0.9, -0.4};
  const double integral = integrate_over_truth(prior, [&](double y) {
    double density = normal_density(y, prior.mean, prior.variance);
    for (std::size_t j = 0; j < 3; ++j) density *= normal_density(said[j], theta[j] * y, theta[j] * theta[j] * tau2);
    return density;
  });
  const double precision = 1.0 / prior.variance + 3.0 / tau2;
  double linear = prior.mean / prior.variance;
  double squares = prior.mean * prior.mean / (2.0 * prior.variance);
  double scale = 1.0;
  for (std::size_t j = 0; j < 3; ++j) {
    linear += said[j] / (tau2 * theta[j]);
    squares += said[j] * said[j] / (2.0 * tau2 * theta[j] * theta[j]);
    scale *= theta[j];
  }
  const double pi = std::numbers::pi;
  const double last_line = std::sqrt(pi) / std::sqrt(0.5 * precision) /
                           (std::pow(tau2, 1.5) * std::pow(2.0 * pi, 2.0) * std::sqrt(prior.variance) * scale) *
                           std::exp(linear * linear / (2.0 * precision) - squares);
  const std::vector<PredictionPattern> patterns = gather_patterns(make_predictions({said}));
  std::vector<double> u;
  std::vector<JudgeLine> lines;
  for (const double t : theta) {
    u.push_back(1.0 / t);
    lines.push_back({0.0, t, t * t * tau2});
  }
  constexpr double same = 1e-10;  // relative; the quadrature is better than that
  EXPECT_NEAR(last_line / integral, 1.0, same);
  EXPECT_NEAR(proportional_curvature(patterns, u, prior, tau2).value, std::log(integral), same);
  EXPECT_NEAR(line_log_likelihood(patterns, lines, prior), std::log(integral), same);
}

TEST(Proportional, DerivativesMatchDifferences) {
  const std::vector<PredictionPattern> patterns = gather_patterns(with_gaps(golden_predictions(), 0.3, Rng(Seed{4})));
  EXPECT_EQ(patterns.size(), 7U);
  expect_derivatives(
      [&](std::span<const double> u) {
        return proportional_curvature(patterns, u, {0.5, 1.0}, 0.64);
      },
      {2.0, 1.1, 0.6}, difference_tolerance);
}

TEST(Proportional, LikelihoodIsConcaveInU) {
  const std::vector<PredictionPattern> patterns = gather_patterns(with_gaps(golden_predictions(), 0.3, Rng(Seed{4})));
  Rng rng(Seed{5});
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> one(3);
    std::vector<double> two(3);
    std::vector<double> middle(3);
    for (std::size_t j = 0; j < 3; ++j) {
      one[j] = std::exp(3.0 * rng.normal());
      two[j] = std::exp(3.0 * rng.normal());
      middle[j] = 0.5 * (one[j] + two[j]);
    }
    const auto value = [&](const std::vector<double>& u) {
      return proportional_curvature(patterns, u, {0.5, 1.0}, 0.64).value;
    };
    EXPECT_GE(value(middle), 0.5 * (value(one) + value(two)));
    std::vector<double> information = proportional_curvature(patterns, one, {0.5, 1.0}, 0.64).hessian;
    for (double& entry : information) entry = -entry;
    EXPECT_FALSE(inverse_of_information(information, 3).empty());
  }
}

TEST(Proportional, ReachesTheMaximumFromFarAway) {
  // Judges whose own moments mislead: 5 items against a prior far from them.
  const Predictions data = make_predictions({{1e-3, 50.0}, {2e-3, 60.0}, {1e-3, -20.0}, {3e-3, 10.0}, {5e-3, missing}});
  const RegressionFit fit = fit_regression(data, {.mean = 100.0, .variance = 1e-2, .noise_variance = 1e-3});
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  expect_never_falls(fit.summary);
}

}  // namespace
}  // namespace motet::judges::proportional_test
