#include "motet/judges/numeric/channel.h"

#include "judges/regression_cases.h"

namespace motet::judges::channel_test {
namespace {

constexpr double order_rounding = 1e-9;  // sums in another order

TEST(Channel, PlantedJudgesAreRecovered) {
  RegressionOptions options{.mean = 1.0, .variance = 2.0, .noise = RegressionNoise::channel};
  expect_recovers(options, {0.3, 1.0, 1.7}, 0.0);
  expect_recovers(options, {0.3, 1.0, 1.7}, 0.4);
  options.separately = true;
  expect_recovers(options, {0.8, 1.0, 1.7}, 0.4);
}

TEST(Channel, AloneIsTheExcessVariance) {
  // E9: mean((yhat - mu)^2) - sigma^2 = (4 + 1 + 4 + 9) / 4 - 2, and the risk is theta^2.
  const RegressionFit fit =
      fit_regression(make_predictions({{3.0}, {0.0}, {-1.0}, {4.0}}),
                     {.mean = 1.0, .variance = 2.0, .noise = RegressionNoise::channel, .separately = true});
  EXPECT_DOUBLE_EQ(fit.model.judges[0].mse, 2.5);
}

TEST(Channel, ErrorsAloneAreThoseOfAVariance) {
  // The variance of n numbers errs by sqrt(2 / n) of itself, and theta^2 by as much as it.
  Rng rng(Seed{52});
  const RegressionOptions options{.mean = 1.0, .variance = 2.0, .noise = RegressionNoise::channel, .separately = true};
  const Predictions data = simulate_regression(options, std::vector<double>{1.5}, 50, rng).predictions;
  double square = 0.0;
  for (const double value : data.values) square += (value - 1.0) * (value - 1.0) / 50.0;
  const RegressionJudge judge = fit_regression(data, options).model.judges[0];
  const double v = square - 2.0;
  const double v_error = square * std::sqrt(2.0 / 50.0);
  constexpr double quantile = 1.959963984540054;  // of a normal distribution at 0.975
  EXPECT_NEAR(judge.theta, std::sqrt(v), order_rounding);
  EXPECT_NEAR(judge.theta_error, 0.5 * v_error / std::sqrt(v), order_rounding);
  EXPECT_NEAR(judge.theta_interval.low, std::sqrt(v - quantile * v_error), order_rounding);
  EXPECT_NEAR(judge.theta_interval.high, std::sqrt(v + quantile * v_error), order_rounding);
}

TEST(Channel, TogetherAndAloneAgreeForOneJudge) {
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

// The likelihood that the fit climbs, by the density of a normal distribution of three judges.
TEST(Channel, TogetherEndsWhereNoVarianceRaisesTheLikelihood) {
  Rng rng(Seed{53});
  const RegressionOptions options{.mean = 0.5, .variance = 1.0, .noise = RegressionNoise::channel};
  const Predictions data = with_gaps(
      simulate_regression(options, std::vector<double>{0.4, 0.8, 1.2}, 120, rng).predictions, 0.2, rng.child(1));
  const auto likelihood = [&](const std::vector<double>& thetas) {
    double sum = 0.0;
    for (std::size_t i = 0; i < data.item_count(); ++i) {
      // y, then the judges one by one: each given those before it.
      double mean = options.mean;
      double variance = options.variance;
      for (std::size_t j = 0; j < 3; ++j) {
        const double said = data.row(i)[j];
        if (std::isnan(said)) continue;
        const double noise = thetas[j] * thetas[j];
        sum += std::log(normal_density(said, mean, variance + noise));
        mean = (mean * noise + said * variance) / (variance + noise);
        variance = variance * noise / (variance + noise);
      }
    }
    return sum;
  };
  const RegressionFit fit = fit_regression(data, options);
  std::vector<double> thetas;
  for (const RegressionJudge& judge : fit.model.judges) thetas.push_back(judge.theta);
  const double top = likelihood(thetas);
  EXPECT_NEAR(fit.log_likelihood, top, 1e-8);
  for (std::size_t j = 0; j < 3; ++j) {
    for (const double step : {-1e-3, 1e-3}) {
      std::vector<double> moved = thetas;
      moved[j] += step;
      EXPECT_LT(likelihood(moved), top) << j;
    }
  }
}

TEST(Channel, WithTooLittleSpreadHasThetaZero) {
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

}  // namespace
}  // namespace motet::judges::channel_test
