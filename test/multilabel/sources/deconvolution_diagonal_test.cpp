#include "motet/multilabel/sources/deconvolution_diagonal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multilabel/training_cases.h"

namespace motet::multilabel::deconvolution_diagonal_test {
namespace {

constexpr std::size_t labels = 4;
constexpr std::size_t dimensions = 3;
constexpr std::size_t rows = 400;

TrainOptions exactly(TrainOptions options) {
  options.shrinkage = 0.0;
  options.tolerance = 1e-13;
  return options;
}

// One EM step at a time, the means by Gauss-Seidel sweeps of (5.15): a slower way to the same optimum.
TEST(DeconvolutionDiagonal, SlowerSweepsEndAtTheSameOptimum) {
  TrainOptions options = exactly(trained_as(Family::gaussian, Combination::sum, Covariance::spherical));
  const KnownItems drawn = drawn_items(options, labels, dimensions, rows, 6);
  const SourceFit found = fit_of(drawn, options);
  const SetStatistics s = gather(drawn.index, drawn.x, dimensions, Family::gaussian, false, {1});
  std::vector<double> mean(labels * dimensions, 0.0);
  std::vector<double> variance(labels, 1.0);
  const auto sum = [&](std::size_t l, std::size_t d) {
    double total = 0.0;
    for (std::size_t k = 0; k < labels; ++k) total += s.sets(l, k) ? mean[k * dimensions + d] : 0.0;
    return total;
  };
  const auto spread = [&](std::size_t l) {
    double total = 0.0;
    for (std::size_t k = 0; k < labels; ++k) total += s.sets(l, k) ? variance[k] : 0.0;
    return total;
  };
  for (int iteration = 0; iteration < 600; ++iteration) {
    for (std::size_t k = 0; k < labels; ++k) {
      for (std::size_t d = 0; d < dimensions; ++d) {
        double above = 0.0;
        double below = 0.0;
        for (std::size_t l = 0; l < s.size(); ++l) {
          if (!s.sets(l, k)) continue;
          const double weight = s.count[l] / spread(l);
          above += weight * (s.mean[l * dimensions + d] - sum(l, d) + mean[k * dimensions + d]);
          below += weight;
        }
        mean[k * dimensions + d] = above / below;
      }
    }
    std::vector<double> next(labels);
    for (std::size_t k = 0; k < labels; ++k) {
      double above = 0.0;
      double items = 0.0;
      for (std::size_t l = 0; l < s.size(); ++l) {
        if (!s.sets(l, k)) continue;
        items += s.count[l];
        for (std::size_t d = 0; d < dimensions; ++d) {
          const double r = s.mean[l * dimensions + d] - sum(l, d);
          const double square = s.scatter[l * dimensions + d] + s.count[l] * r * r;
          above += (square / spread(l) - s.count[l]) / spread(l);
        }
      }
      next[k] = variance[k] + variance[k] * variance[k] * above / (items * dimensions);
    }
    variance = next;
  }
  for (std::size_t k = 0; k < labels; ++k) EXPECT_NEAR(found.sources.spread[k], variance[k], 1e-7);
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(found.sources.location[i], mean[i], 1e-7);
}

// Where every item has one label, sources have the moments of their items; a weight w of shrinkage takes variances so
// far towards the pooled one.
TEST(DeconvolutionDiagonal, OfSingleLabelsIsTheMomentsOfTheirItems) {
  for (const double weight : {0.0, 0.3}) {
    for (const Covariance covariance : {Covariance::diagonal, Covariance::spherical}) {
      TrainOptions options = trained_as(Family::gaussian, Combination::sum, covariance);
      options.shrinkage = weight;
      options.tolerance = 1e-13;
      const KnownItems drawn = single_label_items(options, 3, 2, 150, 7);
      const SetStatistics s = gather(drawn.index, drawn.x, 2, Family::gaussian, false, {1});
      const Sources found = fit_of(drawn, options).sources;
      double pooled[2] = {0.0, 0.0};
      for (std::size_t i = 0; i < 6; ++i) pooled[i % 2] += s.scatter[i] / 150.0;
      for (std::size_t k = 0; k < 3; ++k) {
        double variance[2];
        for (std::size_t d = 0; d < 2; ++d) {
          EXPECT_NEAR(found.location[2 * k + d], s.mean[2 * k + d], 1e-9);
          variance[d] = (1.0 - weight) * s.scatter[2 * k + d] / s.count[k] + weight * pooled[d];
        }
        if (covariance == Covariance::spherical) {
          EXPECT_NEAR(found.spread[k], 0.5 * (variance[0] + variance[1]), 1e-9);
        } else {
          for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(found.spread[2 * k + d], variance[d], 1e-9);
        }
      }
    }
  }
}

// Each feature is a problem of its own.
TEST(DeconvolutionDiagonal, FeaturesDoNotHearEachOther) {
  const TrainOptions options =
      exactly(trained_as(Family::gaussian, Combination::mean, Covariance::diagonal, true, true));
  const KnownItems both = drawn_items(options, labels, 2, rows, 8);
  const Sources together = fit_of(both, options).sources;
  for (std::size_t d = 0; d < 2; ++d) {
    KnownItems one = both;
    one.sources.dimensions = 1;
    one.x.clear();
    for (std::size_t n = 0; n < rows; ++n) one.x.push_back(both.x[2 * n + d]);
    const Sources alone = fit_of(one, options).sources;
    constexpr double flat = 1e-4;  // noise beside sources: the optimum is flat, and fits end at different steps
    for (std::size_t k = 0; k <= labels; ++k) {
      EXPECT_NEAR(alone.location[k], together.location[2 * k + d], flat);
      EXPECT_NEAR(alone.spread[k], together.spread[2 * k + d], flat);
    }
    EXPECT_NEAR(alone.noise[0], together.noise[3 * d], flat);
  }
}

}  // namespace
}  // namespace motet::multilabel::deconvolution_diagonal_test
