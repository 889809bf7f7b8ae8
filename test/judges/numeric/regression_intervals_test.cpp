#include "judges/regression_cases.h"

namespace motet::judges::regression_intervals_test {
namespace {

constexpr int repeats = 300;
// A share of 300 has a binomial standard error of sqrt(.95 * .05 / 300) = .0126. Four of them, and one
// hundredth for the normal approximation at these sizes.
constexpr double coverage_tolerance = 4.0 * 0.0126 + 0.01;

struct Coverage {
  std::vector<double> theta;
  std::vector<double> mse;
};

Coverage coverage_of(const RegressionOptions& options, std::span<const JudgeLine> lines, std::span<const double> thetas,
                     std::size_t items, double gaps) {
  Coverage coverage{std::vector<double>(lines.size()), std::vector<double>(lines.size())};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Rng rng = Rng(Seed{61}).child(static_cast<std::uint64_t>(repeat));
    const Predictions data =
        with_gaps(simulate_regression(options.prior(), lines, items, rng).predictions, gaps, rng.child(1));
    const RegressionFit fit = fit_regression(data, options);
    for (std::size_t j = 0; j < lines.size(); ++j) {
      const RegressionJudge& judge = fit.model.judges[j];
      const double risk = mean_squared_error(options, thetas[j], lines[j]);
      coverage.theta[j] += (judge.theta_interval.contains(thetas[j]) ? 1.0 : 0.0) / repeats;
      coverage.mse[j] += (judge.mse_interval.contains(risk) ? 1.0 : 0.0) / repeats;
    }
  }
  return coverage;
}

void expect_coverage(const RegressionOptions& options, std::span<const JudgeLine> lines, std::span<const double> thetas,
                     std::size_t items, double gaps) {
  const Coverage coverage = coverage_of(options, lines, thetas, items, gaps);
  for (std::size_t j = 0; j < lines.size(); ++j) {
    EXPECT_NEAR(coverage.theta[j], options.confidence, coverage_tolerance) << "theta " << j;
    // An interval that is the image of another may hold more, never less.
    EXPECT_GE(coverage.mse[j], options.confidence - coverage_tolerance) << "mse " << j;
  }
}

std::vector<JudgeLine> lines_of(const RegressionOptions& options, std::span<const double> thetas) {
  std::vector<JudgeLine> lines;
  for (const double theta : thetas) lines.push_back(line_of(options, theta));
  return lines;
}

TEST(RegressionIntervals, CoverProportionalJudges) {
  RegressionOptions options{.mean = 1.0, .variance = 2.0, .noise_variance = 0.5};
  const std::vector<double> thetas = {0.4, 6.0 / 7.0, 1.7};  // 6/7: where the mse is least and the delta method flat
  expect_coverage(options, lines_of(options, thetas), thetas, 100, 0.3);
  options.separately = true;
  expect_coverage(options, lines_of(options, thetas), thetas, 100, 0.3);
}

TEST(RegressionIntervals, CoverChannels) {
  const RegressionOptions options{.mean = 1.0, .variance = 2.0, .noise = RegressionNoise::channel};
  const std::vector<double> thetas = {0.8, 1.0, 1.7};
  expect_coverage(options, lines_of(options, thetas), thetas, 200, 0.2);
}

TEST(RegressionIntervals, CoverPerfectChannelFromAbove) {
  const RegressionOptions options{.noise = RegressionNoise::channel};
  const std::vector<double> thetas = {0.0, 0.7, 1.0};
  const Coverage coverage = coverage_of(options, lines_of(options, thetas), thetas, 200, 0.0);
  EXPECT_GE(coverage.theta[0], 0.95 - coverage_tolerance);
  EXPECT_NEAR(coverage.theta[1], 0.95, coverage_tolerance);
  EXPECT_NEAR(coverage.theta[2], 0.95, coverage_tolerance);
}

TEST(RegressionIntervals, CoverFactorJudges) {
  const RegressionOptions options{.mean = 1.5, .variance = 2.0, .noise = RegressionNoise::factor};
  const std::vector<JudgeLine> lines = {{0.5, 0.8, 0.3}, {-1.0, 1.2, 0.6}, {0.0, 0.5, 0.2}, {2.0, -0.4, 0.5}};
  const std::vector<double> thetas = {0.8, 1.2, 0.5, -0.4};
  expect_coverage(options, lines, thetas, 200, 0.2);
}

TEST(RegressionIntervals, NinetyPercentIsNarrower) {
  RegressionOptions options{.mean = 0.5, .variance = 1.0, .noise_variance = 0.64};
  const RegressionJudge wide = fit_regression(golden_predictions(), options).model.judges[0];
  options.confidence = 0.9;
  const RegressionJudge narrow = fit_regression(golden_predictions(), options).model.judges[0];
  EXPECT_EQ(wide.theta_error, narrow.theta_error);
  // On the log scale the widths are as the normal quantiles 1.6449 and 1.9600.
  const auto width = [](const RegressionJudge& judge) {
    return std::log(judge.theta_interval.high / judge.theta_interval.low);
  };
  EXPECT_NEAR(width(narrow) / width(wide), 1.6448536269514722 / 1.959963984540054, 1e-12);
}

}  // namespace
}  // namespace motet::judges::regression_intervals_test
