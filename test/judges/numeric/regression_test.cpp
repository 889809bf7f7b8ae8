#include "motet/judges/numeric/regression.h"

#include <algorithm>

#include "judges/regression_cases.h"

namespace motet::judges::regression_test {
namespace {

// Recovery: an estimate is within four of its own standard errors of the truth, which fails
// by chance once in 16000.
constexpr double four_errors = 4.0;
constexpr double order_rounding = 1e-9;  // sums in another order

const std::vector<JudgeLine> planted = {{0.5, 0.8, 0.3}, {-1.0, 1.2, 0.6}, {0.0, 0.5, 0.2}, {2.0, -0.4, 0.5}};
const RegressionOptions factor_options{.mean = 1.5, .variance = 2.0, .noise = RegressionNoise::factor};

double measured_mse(const SimulatedPredictions& data, std::size_t judge) {
  double sum = 0.0;
  for (std::size_t i = 0; i < data.truth.size(); ++i) {
    sum += std::pow(data.predictions.row(i)[judge] - data.truth[i], 2.0);
  }
  return sum / static_cast<double>(data.truth.size());
}

void expect_recovers(const RegressionOptions& options, const std::vector<double>& thetas, double gaps) {
  Rng rng(Seed{41});
  SimulatedPredictions data = simulate_regression(options, thetas, 4000, rng);
  std::vector<double> measured;
  for (std::size_t j = 0; j < thetas.size(); ++j) measured.push_back(measured_mse(data, j));
  const RegressionFit fit = fit_regression(with_gaps(data.predictions, gaps, rng.child(1)), options);
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  expect_never_falls(fit.summary);
  for (std::size_t j = 0; j < thetas.size(); ++j) {
    const RegressionJudge& judge = fit.model.judges[j];
    EXPECT_NEAR(judge.theta, thetas[j], four_errors * judge.theta_error) << j;
    EXPECT_TRUE(judge.mse_interval.contains(judge.mse)) << j;
    // The measured error of 4000 items has itself a relative standard error of at most sqrt(2/4000) = 2.2 %.
    EXPECT_NEAR(judge.mse, measured[j], four_errors * (judge.mse_error + 0.022 * measured[j]) + 1e-3) << j;
  }
}

TEST(Regression, RecoversProportionalJudges) {
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5}, {0.4, 1.0, 1.7}, 0.0);
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5}, {0.4, 1.0, 1.7}, 0.4);
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5, .separately = true}, {0.4, 1.0, 1.7}, 0.4);
}

TEST(Regression, RecoversDeterministicJudges) {
  expect_recovers({.mean = 1.0, .variance = 2.0, .noise_variance = 0.5, .noise = RegressionNoise::deterministic},
                  {0.4, 1.0, 1.7}, 0.2);
}

TEST(Regression, RecoversChannels) {
  RegressionOptions options{.mean = 1.0, .variance = 2.0, .noise = RegressionNoise::channel};
  expect_recovers(options, {0.3, 1.0, 1.7}, 0.0);
  expect_recovers(options, {0.3, 1.0, 1.7}, 0.4);
  options.separately = true;
  expect_recovers(options, {0.8, 1.0, 1.7}, 0.4);
}

TEST(Regression, RecoversFactorJudges) {
  Rng rng(Seed{42});
  const SimulatedPredictions data = simulate_regression(factor_options.prior(), planted, 4000, rng);
  for (const double gaps : {0.0, 0.4}) {
    const RegressionFit fit = fit_regression(with_gaps(data.predictions, gaps, rng.child(1)), factor_options);
    EXPECT_EQ(fit.summary.stop, Stop::converged);
    EXPECT_LT(fit.summary.iterations(), 70U);
    expect_never_falls(fit.summary);
    for (std::size_t j = 0; j < planted.size(); ++j) {
      const RegressionJudge& judge = fit.model.judges[j];
      EXPECT_NEAR(judge.theta, planted[j].slope, four_errors * judge.theta_error) << j;
      EXPECT_NEAR(judge.line.intercept, planted[j].intercept, 0.3) << j;
      EXPECT_NEAR(judge.line.residual, planted[j].residual, 0.15) << j;
      const double risk = mean_squared_error(factor_options, 0.0, planted[j]);
      EXPECT_NEAR(judge.mse, risk, four_errors * judge.mse_error) << j;
      EXPECT_NEAR(measured_mse(data, j), risk, four_errors * 0.023 * risk) << j;
    }
  }
}

TEST(Regression, FactorSolutionReproducesTheCovariancesOfThreeJudges) {
  // Three judges have as many second moments as parameters, so the fit is exact: b_1^2 sigma^2 = c12 c13 / c23.
  Rng rng(Seed{43});
  const std::vector<JudgeLine> three(planted.begin(), planted.begin() + 3);
  const Predictions data = simulate_regression(factor_options.prior(), three, 500, rng).predictions;
  const PredictionPattern all = gather_patterns(data)[0];
  const RegressionFit fit = fit_regression(data, factor_options);
  constexpr double machine = 1e-9;
  const auto covariance = [&](std::size_t j, std::size_t l) { return all.scatter[3 * j + l] / all.count; };
  const double slope = std::sqrt(covariance(0, 1) * covariance(0, 2) / covariance(1, 2) / factor_options.variance);
  EXPECT_NEAR(fit.model.judges[0].line.slope, slope, machine);
  EXPECT_NEAR(fit.model.judges[0].line.intercept, all.mean[0] - slope * factor_options.mean, machine);
  EXPECT_NEAR(fit.model.judges[0].line.residual, covariance(0, 0) - slope * slope * factor_options.variance, machine);
}

TEST(Regression, FactorWithoutSolutionInsideEndsAtTheBoundary) {
  // c12 c13 / c23 is above the variance of a: a Heywood case.
  Rng rng(Seed{44});
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 200; ++i) {
    const double a = rng.normal();
    rows.push_back({a, a + 0.5 * rng.normal(), a + 0.5 * rng.normal()});
    rows.back()[2] -= 0.4 * (rows.back()[1] - a);
  }
  const RegressionFit fit = fit_regression(make_predictions(rows), {.noise = RegressionNoise::factor});
  expect_never_falls(fit.summary);
  EXPECT_EQ(fit.summary.stop, Stop::converged);
  EXPECT_TRUE(fit.model.judges[0].at_boundary);
  EXPECT_TRUE(std::isfinite(fit.model.judges[1].mse_error));
  EXPECT_EQ(
      fit.summary.warnings.back(),
      "judge 'a': the others explain all of its variance, so its residual is 0; more items or judges are needed to "
      "trust its risk");
}

TEST(Regression, ChannelWithTooLittleSpreadHasThetaZero) {
  const Predictions data = make_predictions({{0.1, 2.0}, {-0.2, -1.5}, {0.3, 0.4}, {-0.1, -2.2}, {0.2, 1.0}});
  for (const bool separately : {false, true}) {
    const RegressionFit fit = fit_regression(data, {.noise = RegressionNoise::channel, .separately = separately});
    const RegressionJudge& quiet = fit.model.judges[0];
    EXPECT_TRUE(quiet.at_boundary);
    EXPECT_EQ(quiet.theta, 0.0);
    EXPECT_EQ(quiet.mse, 0.0);
    EXPECT_EQ(quiet.mse_interval.low, 0.0);
    EXPECT_GT(quiet.mse_interval.high, 0.0);
    EXPECT_GT(fit.model.judges[1].theta, 0.0);
    EXPECT_EQ(
        fit.summary.warnings,
        std::vector<std::string>{"judge 'a': varies no more than the truth should, so theta = 0; only an upper bound "
                                 "is meaningful"});
    EXPECT_EQ(combine(fit.model, data).mean[1], -0.2);  // the judge without noise is believed
    EXPECT_EQ(combine(fit.model, data).sd[1], 0.0);
  }
}

TEST(Regression, ChannelAloneIsTheExcessVariance) {
  // E9: mean((yhat - mu)^2) - sigma^2 = (4 + 1 + 4 + 9) / 4 - 2, and the risk is theta^2.
  const RegressionFit fit =
      fit_regression(make_predictions({{3.0}, {0.0}, {-1.0}, {4.0}}),
                     {.mean = 1.0, .variance = 2.0, .noise = RegressionNoise::channel, .separately = true});
  EXPECT_DOUBLE_EQ(fit.model.judges[0].mse, 2.5);
}

TEST(Regression, TogetherAndAloneAgreeForOneChannel) {
  Rng rng(Seed{45});
  RegressionOptions options{.mean = 1.0, .variance = 2.0, .noise = RegressionNoise::channel};
  const Predictions data = simulate_regression(options, std::vector<double>{0.9}, 100, rng).predictions;
  const RegressionFit together = fit_regression(data, options);
  options.separately = true;
  const RegressionFit alone = fit_regression(data, options);
  EXPECT_NEAR(together.model.judges[0].theta, alone.model.judges[0].theta, order_rounding);
  EXPECT_NEAR(together.model.judges[0].theta_error, alone.model.judges[0].theta_error, order_rounding);
  EXPECT_NEAR(together.log_likelihood, alone.log_likelihood, order_rounding);
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

TEST(Regression, ShiftOfUnitsChangesNothingForFactor) {
  // Far from zero, as temperatures in kelvin: large means must not cost digits.
  Rng rng(Seed{48});
  const Predictions data = simulate_regression(factor_options.prior(), planted, 200, rng).predictions;
  Predictions far = data;
  for (double& value : far.values) value += 1e6;
  const RegressionFit near_fit = fit_regression(data, factor_options);
  const RegressionFit far_fit = fit_regression(far, factor_options);
  for (std::size_t j = 0; j < planted.size(); ++j) {
    EXPECT_NEAR(near_fit.model.judges[j].theta, far_fit.model.judges[j].theta,
                1e-8);  // 1e6 * 1e-16 a value, times slack
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
  CancelFlag flag;
  flag.set(2);
  RunContext run;
  run.cancel = &flag;
  const RegressionFit fit = fit_regression(golden_predictions(), {.mean = 0.5, .noise_variance = 0.64}, run);
  EXPECT_EQ(fit.summary.stop, Stop::interrupted);
  EXPECT_EQ(fit.summary.warnings, std::vector<std::string>{"the fit did not converge: interrupted"});
}

}  // namespace
}  // namespace motet::judges::regression_test
