#include "motet/multilabel/sources/gaussian_problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/set_cases.h"
#include "multilabel/training_cases.h"
#include "support/expect_error.h"

namespace motet::multilabel::gaussian_problem_test {
namespace {

constexpr double rounding = 1e-10;
constexpr std::size_t labels = 4;
constexpr std::size_t dimensions = 3;

SetStatistics statistics_of(const KnownItems& drawn, bool full, Family family = Family::gaussian) {
  return gather(drawn.index, drawn.x, drawn.sources.dimensions, family, full, {1});
}

TEST(GaussianProblem, KnowsWhichCovariancesAreMatricesAndWhichAreOne) {
  const auto asked = [](Covariance covariance, bool noise) {
    const TrainOptions options = trained_as(Family::gaussian, Combination::sum, covariance, false, noise);
    return std::pair(needs_matrices(options), has_one_covariance(options));
  };
  using Answer = std::pair<bool, bool>;
  for (const bool noise : {false, true}) {
    EXPECT_EQ(asked(Covariance::spherical, noise), Answer(false, false));
    EXPECT_EQ(asked(Covariance::diagonal, noise), Answer(false, false));
    EXPECT_EQ(asked(Covariance::full, noise), Answer(true, false));
    EXPECT_EQ(asked(Covariance::point, noise), Answer(true, true));
  }
  EXPECT_EQ(asked(Covariance::shared, false), Answer(true, true));
  EXPECT_EQ(asked(Covariance::shared, true), Answer(true, false));
}

TEST(DiagonalWeight, IsSamplingVarianceOverSquaredCorrelation) {
  const std::vector<double> half{4.0, 1.0, 1.0, 1.0};  // a correlation of 1/2
  EXPECT_DOUBLE_EQ(diagonal_weight(half, 2, 100.0), 1.25 / 100.0 / 0.25);
  EXPECT_EQ(diagonal_weight(half, 2, 5.0), 1.0);  // as much noise as there is correlation
  const std::vector<double> none{4.0, 0.0, 0.0, 1.0};
  EXPECT_EQ(diagonal_weight(none, 2, 100.0), 1.0);
  EXPECT_EQ(diagonal_weight(std::vector<double>{3.0}, 1, 100.0), 0.0);
}

TEST(DiagonalWeight, ShrinksWhatIsOffTheDiagonal) {
  std::vector<double> covariance{4.0, 1.0, 1.0, 2.0};
  shrink_to_diagonal(covariance, 2, 0.25);
  EXPECT_EQ(covariance, (std::vector<double>{4.0, 0.75, 0.75, 2.0}));
}

// Two sources and three sets, one dimension: normal equations by hand, with weights n / q.
TEST(PooledFit, IsWeightedLeastSquares) {
  SetStatistics statistics;
  statistics.sets = sets_of({"10", "01", "11"});
  statistics.dimensions = 1;
  statistics.count = {10.0, 20.0, 30.0};
  statistics.mean = {1.0, 3.0, 5.0};
  statistics.scatter = {12.0, 15.0, 80.0};
  const SetDesign design = design_of(statistics.sets, statistics.count, Combination::sum, false);
  const PooledFit found = pooled_fit(statistics, design, 0.0, {}, false, {});
  // 10 + 15, 15; 15, 20 + 15 on the left; 10 + 75, 60 + 75 on the right.
  const double determinant = 25.0 * 35.0 - 15.0 * 15.0;
  const double first = (85.0 * 35.0 - 15.0 * 135.0) / determinant;
  const double second = (25.0 * 135.0 - 15.0 * 85.0) / determinant;
  EXPECT_NEAR(found.means[0], first, rounding);
  EXPECT_NEAR(found.means[1], second, rounding);
  const auto square = [](double x) { return x * x; };
  const double sum = 12.0 + 10.0 * square(1.0 - first) + 15.0 + 20.0 * square(3.0 - second) +
                     (80.0 + 30.0 * square(5.0 - first - second)) / 2.0;
  EXPECT_NEAR(found.covariance[0], sum / 60.0, rounding);
  const double mean = (10.0 + 60.0 + 150.0) / 60.0;
  const double total = 107.0 + 10.0 * square(1.0 - mean) + 20.0 * square(3.0 - mean) + 30.0 * square(5.0 - mean);
  EXPECT_NEAR(found.total[0], total / 60.0, rounding);
  EXPECT_GE(found.strength, 1.0);
  EXPECT_LE(found.strength, 60.0);
}

TEST(PooledFit, APriorOfTheMeansPullsThemToItsCentre) {
  SetStatistics statistics;
  statistics.sets = sets_of({"10", "01"});
  statistics.dimensions = 1;
  statistics.count = {10.0, 30.0};
  statistics.mean = {1.0, 5.0};
  statistics.scatter = {8.0, 20.0};
  const SetDesign design = design_of(statistics.sets, statistics.count, Combination::sum, false);
  const std::vector<double> centre{4.0};
  const PooledFit found = pooled_fit(statistics, design, 5.0, centre, false, {});
  EXPECT_NEAR(found.means[0], (10.0 * 1.0 + 5.0 * 4.0) / 15.0, rounding);
  EXPECT_NEAR(found.means[1], (30.0 * 5.0 + 5.0 * 4.0) / 35.0, rounding);
}

TEST(PooledFit, IsTheSameFromMatricesFromDiagonalsAndFromOneMatrix) {
  for (const Combination combine : {Combination::sum, Combination::mean}) {
    const TrainOptions options = trained_as(Family::gaussian, combine, Covariance::shared, true);
    const KnownItems drawn = drawn_items(options, labels, dimensions, 300, 31);
    const SetStatistics full = statistics_of(drawn, true);
    const SetStatistics diagonals = statistics_of(drawn, false);
    const SetDesign design = design_of(full.sets, full.count, combine, true);
    const PooledFit matrices = pooled_fit(full, design, 0.0, {}, false, {});
    const PooledFit variances = pooled_fit(diagonals, design, 0.0, {}, false, {});
    const std::vector<double> within = pooled_scatter(drawn.index, drawn.x, diagonals, design, options, {1});
    const PooledFit one = pooled_fit(diagonals, design, 0.0, {}, false, within);
    ASSERT_EQ(variances.covariance.size(), dimensions);
    for (std::size_t i = 0; i < dimensions * dimensions; ++i) {
      EXPECT_NEAR(one.covariance[i], matrices.covariance[i], rounding);
      // The scatter inside sets, each by its own q.
      double sum = 0.0;
      for (std::size_t l = 0; l < full.size(); ++l) {
        sum += full.scatter[l * dimensions * dimensions + i] / design.unit(l);
      }
      EXPECT_NEAR(within[i], sum, 300.0 * rounding);
    }
    for (std::size_t d = 0; d < dimensions; ++d) {
      EXPECT_NEAR(variances.covariance[d], matrices.covariance[d * (dimensions + 1)], rounding);
    }
    for (std::size_t i = 0; i < matrices.means.size(); ++i)
      EXPECT_NEAR(variances.means[i], matrices.means[i], rounding);
  }
}

TEST(PooledScatter, OfPointsCountsEverySetAlikeAndOfLognormalsIsOfTheLogarithms) {
  const TrainOptions options = trained_as(Family::lognormal, Combination::product, Covariance::point, false, true);
  const KnownItems drawn = drawn_items(options, labels, 2, 200, 32);
  const SetStatistics full = statistics_of(drawn, true, Family::lognormal);
  const SetDesign design = design_of(full.sets, full.count, options.combine, false);
  const std::vector<double> found = pooled_scatter(drawn.index, drawn.x, full, design, options, {1});
  for (std::size_t i = 0; i < 4; ++i) {
    double sum = 0.0;
    for (std::size_t l = 0; l < full.size(); ++l) sum += full.scatter[l * 4 + i];
    EXPECT_NEAR(found[i], sum, 200.0 * rounding);
  }
}

// One covariance for all is the same from items, from statistics, and as own covariances shrunk wholly.
TEST(SharedCovariance, needs_only_one_matrix_of_scatter) {
  for (const bool background : {false, true}) {
    for (const Combination combine : {Combination::sum, Combination::mean}) {
      const TrainOptions options = trained_as(Family::gaussian, combine, Covariance::shared, background);
      const KnownItems drawn = drawn_items(options, labels, dimensions, 400, 7);
      const SourceFit from_items = fit_of(drawn, options);
      const SourceFit from_statistics =
          fit_sources(gather(drawn.index, drawn.x, dimensions, Family::gaussian, true, {1}), options, {});
      for (std::size_t i = 0; i < from_items.sources.spread.size(); ++i) {
        EXPECT_NEAR(from_items.sources.spread[i], from_statistics.sources.spread[i], 1e-11);
      }
      EXPECT_NEAR(from_items.summary.objective.back(), from_statistics.summary.objective.back(), 1e-7);
    }
  }
}

std::string singular(const std::string& what) {
  return "--shrinkage 0 leaves a covariance that cannot be inverted: " + what +
         "; leave shrinkage to be estimated, or use fewer features";
}

TEST(FitGaussian, MoreFeaturesThanItemsNeedShrinkage) {
  const KnownItems drawn = with_sets({{0}, {1}, {0, 1}}, 2, 5, 20);
  for (const Covariance covariance : {Covariance::full, Covariance::shared, Covariance::diagonal}) {
    TrainOptions options = trained_as(Family::gaussian, Combination::sum, covariance);
    EXPECT_NO_THROW(fit_of(drawn, options));  // shrinkage is estimated
    options.shrinkage = 0.0;
    if (covariance == Covariance::diagonal) continue;
    expect_error(ErrorKind::unanswerable, singular("20 features and 15 items"), [&] { fit_of(drawn, options); });
  }
}

TEST(FitGaussian, AFeatureThatDoesNotVaryNeedsShrinkage) {
  KnownItems drawn = with_sets({{0}, {1}, {0, 1}}, 2, 20, 3);
  for (std::size_t n = 0; n < 60; ++n) drawn.x[n * 3 + 1] = 0.0;
  for (const Covariance covariance :
       {Covariance::full, Covariance::shared, Covariance::diagonal, Covariance::spherical}) {
    TrainOptions options = trained_as(Family::gaussian, Combination::sum, covariance);
    EXPECT_NO_THROW(fit_of(drawn, options));
    options.shrinkage = 0.0;
    expect_error(ErrorKind::unanswerable, singular("feature 2 does not vary inside the label sets"),
                 [&] { fit_of(drawn, options); });
  }
}

// Shrunk wholly, every source has the covariance that all have together.
TEST(FitGaussian, WholeShrinkageGivesEverySourceThePooledCovariance) {
  TrainOptions options = trained_as(Family::gaussian, Combination::sum, Covariance::diagonal);
  options.shrinkage = 1.0;
  const KnownItems drawn = drawn_items(options, labels, 2, 300, 33);
  const SetStatistics statistics = statistics_of(drawn, false);
  const SetDesign design = design_of(statistics.sets, statistics.count, Combination::sum, false);
  const PooledFit pooled = pooled_fit(statistics, design, 0.0, {}, false, {});
  const Sources found = fit_gaussian(statistics, design, options, {}).sources;
  for (std::size_t i = 0; i < found.spread.size(); ++i) {
    EXPECT_NEAR(found.spread[i], pooled.covariance[i % 2], rounding);
  }
  for (std::size_t i = 0; i < found.location.size(); ++i) EXPECT_NEAR(found.location[i], pooled.means[i], rounding);
}

}  // namespace
}  // namespace motet::multilabel::gaussian_problem_test
