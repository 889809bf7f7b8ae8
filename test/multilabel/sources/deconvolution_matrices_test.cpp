#include "motet/multilabel/sources/deconvolution_matrices.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/training_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"

namespace motet::multilabel::deconvolution_matrices_test {
namespace {

TrainOptions exactly(TrainOptions options) {
  options.shrinkage = 0.0;
  options.tolerance = 1e-13;
  return options;
}

// Of one feature a matrix is a variance, which other code learns.
TEST(DeconvolutionMatrices, OfOneFeatureIsThatOfVariances) {
  for (const Combination combine : {Combination::sum, Combination::mean}) {
    for (const bool background : {false, true}) {
      TrainOptions options = exactly(trained_as(Family::gaussian, combine, Covariance::full, background));
      const KnownItems drawn = drawn_items(options, 4, 1, 400, 9);
      const SourceFit matrices = fit_of(drawn, options);
      options.covariance = Covariance::diagonal;
      const SourceFit variances = fit_of(drawn, options);
      EXPECT_NEAR(matrices.summary.objective.back(), variances.summary.objective.back(), 1e-8);
      for (std::size_t k = 0; k < drawn.sources.count; ++k) {
        EXPECT_NEAR(matrices.sources.location[k], variances.sources.location[k], 1e-6);
        EXPECT_NEAR(matrices.sources.spread[k], variances.sources.spread[k], 1e-6);
      }
    }
  }
}

// Where every item has one label, sources have the moments of their items; a weight w of shrinkage takes covariances so
// far towards the pooled one, which itself is shrunk to its diagonal.
TEST(DeconvolutionMatrices, OfSingleLabelsIsTheMomentsOfTheirItems) {
  for (const double weight : {0.0, 0.3}) {
    TrainOptions options = trained_as(Family::gaussian, Combination::sum, Covariance::full);
    options.shrinkage = weight;
    options.tolerance = 1e-13;
    const KnownItems drawn = single_label_items(options, 3, 2, 150, 10);
    const SetStatistics s = gather(drawn.index, drawn.x, 2, Family::gaussian, true, {1});
    const Sources found = fit_of(drawn, options).sources;
    double pooled[4] = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < 12; ++i) pooled[i % 4] += s.scatter[i] / 150.0;
    for (const std::size_t cell : {1, 2}) pooled[cell] *= 1.0 - weight;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(found.location[2 * k + d], s.mean[2 * k + d], 1e-9);
      for (std::size_t i = 0; i < 4; ++i) {
        const double expected = (1.0 - weight) * s.scatter[4 * k + i] / s.count[k] + weight * pooled[i];
        EXPECT_NEAR(found.spread[4 * k + i], expected, 1e-9);
      }
    }
  }
}

// Sources that nothing connects are learnt as if each group were alone.
TEST(DeconvolutionMatrices, OfTwoGroupsIsThatOfEachAlone) {
  TrainOptions options = exactly(trained_as(Family::gaussian, Combination::sum, Covariance::full));
  const KnownItems all = with_sets({{0}, {0, 2}, {2}, {1}, {1, 3}, {3}}, 4, 40, 2);
  const SourceFit together = fit_of(all, options);
  const KnownItems even = with_sets({{0}, {0, 1}, {1}}, 2, 40, 2);
  const SourceFit alone = fit_of(even, options);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(together.sources.location[4 * k + d], alone.sources.location[2 * k + d], 1e-6);
    }
  }
}

// A step on many features takes minutes, so it is not waited for.
TEST(DeconvolutionMatrices, EndsInTheMiddleOfAStep) {
  const TrainOptions options = trained_as(Family::gaussian, Combination::sum, Covariance::full);
  const KnownItems drawn = drawn_items(options, 3, 2, 100, 5);
  EXPECT_EQ(error_of([&] { fit_sources(drawn.index, drawn.x, 2, options, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while fitting covariances");
}

// Features that are turned have means and covariances that are turned.
TEST(DeconvolutionMatrices, TurnsWithTheFeatures) {
  const TrainOptions options = exactly(trained_as(Family::gaussian, Combination::sum, Covariance::full));
  const KnownItems drawn = drawn_items(options, 3, 2, 400, 11);
  KnownItems turned = drawn;
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  for (std::size_t n = 0; n < 400; ++n) {
    turned.x[2 * n] = c * drawn.x[2 * n] - s * drawn.x[2 * n + 1];
    turned.x[2 * n + 1] = s * drawn.x[2 * n] + c * drawn.x[2 * n + 1];
  }
  const SourceFit one = fit_of(drawn, options);
  const SourceFit two = fit_of(turned, options);
  EXPECT_NEAR(one.summary.objective.back(), two.summary.objective.back(), 1e-7);
  for (std::size_t k = 0; k < 3; ++k) {
    const double* const mean = one.sources.location.data() + 2 * k;
    const double* const a = one.sources.spread.data() + 4 * k;
    const double* const b = two.sources.spread.data() + 4 * k;
    EXPECT_NEAR(two.sources.location[2 * k], c * mean[0] - s * mean[1], 1e-5);
    EXPECT_NEAR(two.sources.location[2 * k + 1], s * mean[0] + c * mean[1], 1e-5);
    EXPECT_NEAR(b[0], c * c * a[0] - 2.0 * c * s * a[1] + s * s * a[3], 1e-5);
    EXPECT_NEAR(b[1], c * s * (a[0] - a[3]) + (c * c - s * s) * a[1], 1e-5);
    EXPECT_NEAR(b[3], s * s * a[0] + 2.0 * c * s * a[1] + c * c * a[3], 1e-5);
    EXPECT_EQ(b[1], b[2]);
  }
}

}  // namespace
}  // namespace motet::multilabel::deconvolution_matrices_test
