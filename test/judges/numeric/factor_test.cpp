#include "motet/judges/numeric/factor.h"

#include "judges/regression_cases.h"

namespace motet::judges::factor_test {
namespace {

TEST(Factor, PlantedJudgesAreRecovered) {
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

TEST(Factor, TheSolutionReproducesTheCovariancesOfThreeJudges) {
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

TEST(Factor, WithoutASolutionInsideItEndsAtTheBoundary) {
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

TEST(Factor, ShiftOfUnitsChangesNothing) {
  // Far from zero, as temperatures in kelvin: large means must not cost digits.
  Rng rng(Seed{48});
  const Predictions data = simulate_regression(factor_options.prior(), planted, 200, rng).predictions;
  Predictions far = data;
  for (double& value : far.values) value += 1e6;
  const RegressionFit near_fit = fit_regression(data, factor_options);
  const RegressionFit far_fit = fit_regression(far, factor_options);
  for (std::size_t j = 0; j < planted.size(); ++j) {
    EXPECT_NEAR(near_fit.model.judges[j].theta, far_fit.model.judges[j].theta,
                1e-8);  // 1e6 * 1e-16 per value, times slack
  }
}

TEST(Factor, AJudgeTurnedRoundHasItsSlopeTurnedRound) {
  // The sum of the slopes stays positive: the turned one is the smallest.
  Rng rng(Seed{54});
  const Predictions data = simulate_regression(factor_options.prior(), planted, 300, rng).predictions;
  Predictions turned = data;
  for (std::size_t i = 0; i < 300; ++i) turned.values[4 * i + 2] *= -1.0;
  const RegressionFit one = fit_regression(data, factor_options);
  const RegressionFit two = fit_regression(turned, factor_options);
  for (std::size_t j = 0; j < 4; ++j) {
    const double sign = j == 2 ? -1.0 : 1.0;
    EXPECT_NEAR(two.model.judges[j].theta, sign * one.model.judges[j].theta, 1e-7);
    EXPECT_NEAR(two.model.judges[j].line.intercept, sign * one.model.judges[j].line.intercept, 1e-7);
    EXPECT_NEAR(two.model.judges[j].line.residual, one.model.judges[j].line.residual, 1e-7);
  }
}

TEST(Factor, JudgesThatFollowNothingInCommonHaveNoLines) {
  const Predictions apart = make_predictions({{1.0, missing, missing},
                                              {2.0, missing, missing},
                                              {missing, 3.0, missing},
                                              {missing, 1.0, missing},
                                              {missing, missing, 2.0},
                                              {missing, missing, 5.0}});
  expect_error(ErrorKind::unanswerable,
               "the predictions do not determine the judges' lines; at least three judges that follow the truth must "
               "have rated the same items",
               [&] { fit_regression(apart, {.noise = RegressionNoise::factor}); });
}

}  // namespace
}  // namespace motet::judges::factor_test
