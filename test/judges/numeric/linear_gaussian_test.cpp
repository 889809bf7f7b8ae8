#include "motet/judges/numeric/linear_gaussian.h"

#include "judges/regression_cases.h"

namespace motet::judges::linear_gaussian_test {
namespace {

constexpr TruthPrior prior{0.7, 1.3};
const std::vector<JudgeLine> lines = {{0.2, 0.9, 0.4}, {-0.5, 1.4, 0.8}, {0.1, -0.3, 0.2}, {1.0, 0.6, 1.1}};

Predictions gappy() {
  Rng rng(Seed{11});
  return with_gaps(simulate_regression(prior, lines, 60, rng).predictions, 0.3, rng.child(1));
}

std::vector<JudgeLine> unpack(std::span<const double> x) {
  const std::size_t k = x.size() / 3;
  std::vector<JudgeLine> result;
  for (std::size_t j = 0; j < k; ++j) result.push_back({x[j], x[k + j], x[2 * k + j]});
  return result;
}

const std::vector<double> packed = {0.3, -0.4, 0.0, 0.9, 0.8, 1.5, -0.2, 0.7, 0.5, 0.7, 0.3, 1.0};

TEST(LinearGaussian, LikelihoodIsTheIntegralOverTheTruth) {
  constexpr double quadrature = 1e-9;  // of both sums
  const Predictions data = gappy();
  double sum = 0.0;
  for (std::size_t i = 0; i < data.item_count(); ++i) {
    sum += std::log(integrate_over_truth(prior, [&](double y) {
      double density = normal_density(y, prior.mean, prior.variance);
      for (std::size_t j = 0; j < lines.size(); ++j) {
        const double said = data.row(i)[j];
        if (!std::isnan(said))
          density *= normal_density(said, lines[j].intercept + lines[j].slope * y, lines[j].residual);
      }
      return density;
    }));
  }
  EXPECT_NEAR(line_log_likelihood(gather_patterns(data), lines, prior), sum, quadrature);
}

TEST(LinearGaussian, DerivativesMatchDifferences) {
  const std::vector<PredictionPattern> patterns = gather_patterns(gappy());
  EXPECT_GT(patterns.size(), 8U);
  expect_derivatives([&](std::span<const double> x) { return line_curvature(patterns, unpack(x), prior); }, packed,
                     difference_tolerance);
}

TEST(LinearGaussian, ObservedInformationAveragesToTheExpected) {
  constexpr std::size_t items = 40'000;
  Rng rng(Seed{12});
  const std::vector<PredictionPattern> patterns =
      gather_patterns(simulate_regression(prior, lines, items, rng).predictions);
  const Curvature observed = line_curvature(patterns, lines, prior);
  const Curvature expected = line_curvature(patterns, lines, prior, LineInformation::expected);
  // An entry is a mean of n products with fourth moments of a few tens of its scale.
  constexpr double tolerance = 10.0 / 200.0;
  const std::size_t width = 3 * lines.size();
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const double scale = std::sqrt(expected.hessian[i * width + i] * expected.hessian[j * width + j]);
      EXPECT_NEAR(observed.hessian[i * width + j], expected.hessian[i * width + j], tolerance * scale)
          << i << ", " << j;
    }
  }
}

TEST(LinearGaussian, PosteriorIsBayesRule) {
  constexpr double quadrature = 1e-10;
  const std::vector<double> row = {0.4, missing, -0.1, 2.0};
  const auto joint = [&](double y) {
    double density = normal_density(y, prior.mean, prior.variance);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (!std::isnan(row[j]))
        density *= normal_density(row[j], lines[j].intercept + lines[j].slope * y, lines[j].residual);
    }
    return density;
  };
  const double total = integrate_over_truth(prior, joint);
  const double mean = integrate_over_truth(prior, [&](double y) { return y * joint(y); }) / total;
  const double square = integrate_over_truth(prior, [&](double y) { return y * y * joint(y); }) / total;
  const ValuePosterior posterior = line_posterior(row, lines, prior);
  EXPECT_NEAR(posterior.mean, mean, quadrature);
  EXPECT_NEAR(posterior.sd, std::sqrt(square - mean * mean), quadrature);
}

TEST(LinearGaussian, PosteriorOfSilenceIsThePriorAndOfCertaintyTheTruth) {
  const ValuePosterior silent = line_posterior(std::vector<double>(4, missing), lines, prior);
  EXPECT_DOUBLE_EQ(silent.mean, prior.mean);
  EXPECT_DOUBLE_EQ(silent.sd, std::sqrt(prior.variance));
  const std::vector<JudgeLine> certain = {{1.0, 2.0, 0.0}, {0.0, 1.0, 0.5}};
  const ValuePosterior known = line_posterior(std::vector<double>{5.0, 9.0}, certain, prior);
  EXPECT_DOUBLE_EQ(known.mean, 2.0);
  EXPECT_DOUBLE_EQ(known.sd, 0.0);
}

TEST(LinearGaussian, SingularCovarianceIsOutsideTheDomain) {
  const std::vector<PredictionPattern> patterns = gather_patterns(make_predictions({{1.0, 2.0}, {2.0, 1.0}}));
  const std::vector<JudgeLine> certain = {{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
  EXPECT_EQ(line_curvature(patterns, certain, prior).value, -std::numeric_limits<double>::infinity());
}

TEST(LinearGaussian, PatternsKeepEveryPrediction) {
  const std::vector<PredictionPattern> patterns =
      gather_patterns(make_predictions({{1.0, missing}, {2.0, 4.0}, {missing, missing}, {3.0, missing}, {4.0, 8.0}}));
  ASSERT_EQ(patterns.size(), 2U);
  EXPECT_EQ(patterns[0].judges, std::vector<std::uint32_t>{0});
  EXPECT_EQ(patterns[0].mean, std::vector<double>{2.0});
  EXPECT_EQ(patterns[1].scatter, (std::vector<double>{2.0, 4.0, 4.0, 8.0}));
  const PredictionPattern first = pattern_of_judge(patterns, 0);
  EXPECT_EQ(first.count, 4.0);
  EXPECT_DOUBLE_EQ(first.mean[0], 2.5);
  EXPECT_DOUBLE_EQ(first.scatter[0], 5.0);
}

}  // namespace
}  // namespace motet::judges::linear_gaussian_test
