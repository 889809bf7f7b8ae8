#include "motet/judges/numeric/regression.h"

#include <algorithm>

#include "judges/regression_cases.h"
#include "support/cancelled.h"

namespace motet::judges::regression_test {
namespace {

constexpr double order_rounding = 1e-9;  // sums in another order

TEST(Regression, RecoversProportionalJudges) {
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5}, {0.4, 1.0, 1.7}, 0.0);
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5}, {0.4, 1.0, 1.7}, 0.4);
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5, .separately = true}, {0.4, 1.0, 1.7}, 0.4);
}

TEST(Regression, RecoversDeterministicJudges) {
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5, .noise = RegressionNoise::deterministic},
                  {0.4, 1.0, 1.7}, 0.2);
}

TEST(Regression, OrderOfItemsAndJudgesDoesNotMatter) {
  Rng rng(Seed{46});
  const Predictions data =
      with_gaps(simulate_regression(factor_options.prior(), planted, 60, rng).predictions, 0.2, rng.child(1));
  Predictions turned;
  for (std::size_t i = data.item_count(); i-- > 0;) {
    turned.items.push_back(data.items[i]);
    for (std::size_t j = data.judge_count(); j-- > 0;) turned.values.push_back(data.row(i)[j]);
  }
  for (std::size_t j = data.judge_count(); j-- > 0;) turned.judges.push_back(data.judges[j]);
  for (const RegressionNoise noise : {RegressionNoise::proportional, RegressionNoise::deterministic,
                                      RegressionNoise::channel, RegressionNoise::factor}) {
    RegressionOptions options = factor_options;
    options.noise = noise;
    const RegressionFit one = fit_regression(data, options);
    const RegressionFit two = fit_regression(turned, options);
    EXPECT_NEAR(one.log_likelihood, two.log_likelihood, order_rounding * 100.0) << name_of(noise);
    for (std::size_t j = 0; j < data.judge_count(); ++j) {
      const RegressionJudge& left = one.model.judges[j];
      const RegressionJudge& right = two.model.judges[data.judge_count() - 1 - j];
      EXPECT_EQ(left.name, right.name);
      EXPECT_NEAR(left.theta, right.theta, order_rounding * 100.0) << name_of(noise);
      EXPECT_NEAR(left.mse_interval.high / right.mse_interval.high, 1.0, 1e-6) << name_of(noise);
    }
  }
}

TEST(Regression, LikelihoodOfAFitIsThatOfItsModel) {
  Rng rng(Seed{47});
  const Predictions data =
      with_gaps(simulate_regression(factor_options.prior(), planted, 60, rng).predictions, 0.2, rng.child(1));
  for (const RegressionNoise noise : {RegressionNoise::proportional, RegressionNoise::deterministic,
                                      RegressionNoise::channel, RegressionNoise::factor}) {
    for (const bool separately : {false, true}) {
      if (separately && noise == RegressionNoise::factor) continue;
      RegressionOptions options = factor_options;
      options.noise = noise;
      options.separately = separately;
      const RegressionFit fit = fit_regression(data, options);
      constexpr double boundary = 1e-6;  // theta = 0 stands for theta^2 below 1e-10 of the variance
      EXPECT_NEAR(log_likelihood(fit.model, data), fit.log_likelihood, boundary) << name_of(noise);
    }
  }
}

TEST(Regression, CombinesByRule4) {
  // E21: (mu/sigma^2 + sum yhat/(tau^2 theta)) / (1/sigma^2 + k/tau^2), and its expected squared error.
  const RegressionOptions options{.mean = 0.5, .variance = 1.0, .noise_variance = 0.64};
  RegressionModel model{options, {}};
  for (const double theta : {0.3, 0.7, 1.2}) {
    RegressionJudge judge;
    judge.name = std::string(1, static_cast<char>('a' + model.judges.size()));
    judge.theta = theta;
    judge.line = line_of(options, theta);
    model.judges.push_back(judge);
  }
  const Predictions data = make_predictions({{0.2, 0.5, 1.5}, {0.2, missing, 1.5}, {missing, missing, missing}});
  const CombinedValues combined = combine(model, data);
  const double sum = 0.2 / 0.3 + 0.5 / 0.7 + 1.5 / 1.2;
  EXPECT_NEAR(combined.mean[0], (0.5 + sum / 0.64) / (1.0 + 3.0 / 0.64), 1e-14);
  EXPECT_NEAR(combined.sd[0], 1.0 / std::sqrt(1.0 + 3.0 / 0.64), 1e-14);
  EXPECT_NEAR(combined.mean[1], (0.5 + (0.2 / 0.3 + 1.5 / 1.2) / 0.64) / (1.0 + 2.0 / 0.64), 1e-14);
  EXPECT_EQ(combined.mean[2], 0.5);
  EXPECT_EQ(combined.sd[2], 1.0);
}

TEST(Regression, ExpectedAccuracyOfCombinedJudges) {
  // Fig. 9, theta = sigma = tau = 1, mu = 0: 1 - 1/(1 + k) for k = 1, 3, 5, 10.
  const RegressionOptions options{.mean = 0.0, .variance = 1.0, .noise_variance = 1.0};
  Rng rng(Seed{49});
  for (const std::size_t judges : {1U, 3U, 5U, 10U}) {
    const std::vector<double> thetas(judges, 1.0);
    const RegressionModel model =
        fit_regression(simulate_regression(options, thetas, 4000, rng).predictions, options).model;
    const SimulatedPredictions fresh = simulate_regression(options, thetas, 20'000, rng);
    const CombinedValues combined = combine(model, fresh.predictions);
    double squares = 0.0;
    for (std::size_t i = 0; i < fresh.truth.size(); ++i) squares += std::pow(combined.mean[i] - fresh.truth[i], 2.0);
    const double theory = 1.0 / (1.0 + static_cast<double>(judges));
    EXPECT_NEAR(squares / 20'000.0, theory, 5.0 * 0.01 * theory) << judges;  // relative error sqrt(2/n) = 1 %
  }
}

TEST(Regression, CombinesDeterministicJudgesAsOne) {
  const RegressionOptions options{
      .mean = 1.0, .variance = 2.0, .noise_variance = 0.5, .noise = RegressionNoise::deterministic};
  Rng rng(Seed{50});
  const SimulatedPredictions data = simulate_regression(options, std::vector<double>{0.5, 2.0}, 20'000, rng);
  const RegressionFit fit = fit_regression(data.predictions, options);
  EXPECT_EQ(fit.summary.warnings,
            std::vector<std::string>{"deterministic judges depend on each other, so each was rated separately"});
  const CombinedValues combined = combine(fit.model, data.predictions);
  double squares = 0.0;
  for (std::size_t i = 0; i < data.truth.size(); ++i) squares += std::pow(combined.mean[i] - data.truth[i], 2.0);
  EXPECT_NEAR(squares / 20'000.0, 0.5, 0.05 * 0.5);  // tau^2, not less for two judges
  EXPECT_DOUBLE_EQ(combined.sd[0], std::sqrt(0.5));
}

TEST(Regression, ProportionalModelMisreadsDeterministicJudges) {
  // E8: y = a x + eps with theta = .7; the document's closed form is far off, the corrected one is not.
  RegressionOptions options{
      .mean = 0.0, .variance = 1.0, .noise_variance = 0.64, .noise = RegressionNoise::deterministic};
  Rng rng(Seed{51});
  const Predictions data = simulate_regression(options, std::vector<double>{0.7}, 20'000, rng).predictions;
  const RegressionJudge corrected = fit_regression(data, options).model.judges[0];
  EXPECT_NEAR(corrected.theta, 0.7, four_errors * corrected.theta_error);
  options.noise = RegressionNoise::proportional;
  EXPECT_NEAR(fit_regression(data, options).model.judges[0].theta, 0.7 * std::sqrt(0.36 / 1.64), 0.01);
}

TEST(Regression, CancelledFitSaysSo) {
  const RegressionFit fit =
      fit_regression(golden_predictions(), {.mean = 0.5, .noise_variance = 0.64}, cancelled_run());
  EXPECT_EQ(fit.summary.stop, Stop::interrupted);
  EXPECT_EQ(fit.summary.warnings, std::vector<std::string>{"the fit did not converge: interrupted"});
}

}  // namespace
}  // namespace motet::judges::regression_test
