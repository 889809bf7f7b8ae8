#include "motet/judges/numeric/regression_simulation.h"

#include "judges/regression_cases.h"
#include "motet/base/numeric.h"

namespace motet::judges::regression_simulation_test {
namespace {

constexpr std::size_t items = 20'000;

std::vector<double> column(const Predictions& predictions, std::size_t judge) {
  std::vector<double> values;
  for (std::size_t i = 0; i < predictions.item_count(); ++i) values.push_back(predictions.row(i)[judge]);
  return values;
}

// A mean within four standard errors, and a variance within four of its own, sqrt(2 / n) of a normal one.
void expect_normal(const std::vector<double>& values, double mean, double variance) {
  const MeanSd found = mean_sd(values);
  EXPECT_NEAR(found.mean, mean, four_errors * found.error);
  EXPECT_NEAR(found.sd * found.sd / variance, 1.0, four_errors * std::sqrt(2.0 / static_cast<double>(values.size())));
}

TEST(SimulateRegression, JudgesFollowTheirLines) {
  Rng rng(Seed{71});
  const TruthPrior prior{1.5, 2.0};
  const SimulatedPredictions data = simulate_regression(prior, planted, items, rng);
  ASSERT_EQ(data.truth.size(), items);
  ASSERT_EQ(data.predictions.item_count(), items);
  expect_normal(data.truth, prior.mean, prior.variance);
  for (std::size_t j = 0; j < planted.size(); ++j) {
    std::vector<double> rest = column(data.predictions, j);
    for (std::size_t i = 0; i < items; ++i) rest[i] -= planted[j].intercept + planted[j].slope * data.truth[i];
    expect_normal(rest, 0.0, planted[j].residual);
  }
}

TEST(SimulateRegression, ThetasAreTheLinesOfTheirNoise) {
  const std::vector<double> thetas{0.5, 1.25};
  for (const RegressionNoise noise :
       {RegressionNoise::proportional, RegressionNoise::channel, RegressionNoise::factor}) {
    const RegressionOptions options{.mean = 0.5, .variance = 1.0, .noise_variance = 0.64, .noise = noise};
    std::vector<JudgeLine> lines;
    for (const double theta : thetas) lines.push_back(line_of(options, theta));
    Rng one(Seed{72});
    Rng two(Seed{72});
    const SimulatedPredictions by_theta = simulate_regression(options, thetas, 30, one);
    const SimulatedPredictions by_line = simulate_regression(options.prior(), lines, 30, two);
    EXPECT_EQ(by_theta.truth, by_line.truth) << name_of(noise);
    EXPECT_EQ(by_theta.predictions.values, by_line.predictions.values) << name_of(noise);
  }
}

TEST(SimulateRegression, DeterministicJudgesAreMultiplesOfWhatTheyAllSee) {
  Rng rng(Seed{73});
  const RegressionOptions options{
      .mean = 1.0, .variance = 2.0, .noise_variance = 0.5, .noise = RegressionNoise::deterministic};
  const SimulatedPredictions data = simulate_regression(options, std::vector<double>{0.25, 2.0}, items, rng);
  std::vector<double> seen = column(data.predictions, 1);
  std::vector<double> unseen;
  for (std::size_t i = 0; i < items; ++i) {
    seen[i] /= 2.0;
    EXPECT_EQ(data.predictions.row(i)[0], 0.25 * seen[i]);
    unseen.push_back(data.truth[i] - seen[i]);
  }
  expect_normal(seen, 1.0, 1.5);
  expect_normal(unseen, 0.0, 0.5);
  expect_normal(data.truth, 1.0, 2.0);
}

TEST(SimulateRegression, ItemsAndJudgesAreNumberedFromOne) {
  Rng rng(Seed{74});
  const SimulatedPredictions data = simulate_regression({}, std::vector<double>{1.0, 2.0}, 3, rng);
  EXPECT_EQ(data.predictions.items, (NameList(std::vector<std::string>{"i1", "i2", "i3"})));
  EXPECT_EQ(data.predictions.judges, (NameList(std::vector<std::string>{"j1", "j2"})));
  EXPECT_EQ(data.predictions.values.size(), 6U);
}

TEST(SimulateRegression, OptionsThatCannotBeAreRefused) {
  Rng rng(Seed{75});
  expect_error(ErrorKind::usage, "--variance 0 is too small; the truth must vary, so give a variance above 0",
               [&] { simulate_regression({.variance = 0.0}, std::vector<double>{1.0}, 3, rng); });
}

}  // namespace
}  // namespace motet::judges::regression_simulation_test
