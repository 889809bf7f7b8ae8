#include "motet/multilabel/theory/precision_gaussian.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "multilabel/precision_cases.h"

namespace motet::multilabel::precision_gaussian_test {
namespace {

TEST(GaussianPrecision, EqualsTheClosedFormsOfTwoSources) {
  const GaussianPair pair{{-3.5, 2.0}, {1.0, 4.0}};
  const PairShares shares{0.5, 0.2, 0.3};
  for (const Covariance covariance : {Covariance::spherical, Covariance::diagonal, Covariance::full}) {
    expect_pair(gaussian_pair(pair, covariance), pair, shares);
  }
  const GaussianPair equal{{-3.5, 2.0}, {2.0, 2.0}};
  expect_pair(gaussian_pair(equal, Covariance::shared), equal, shares);
}

// Matrices that are diagonal must say what variances say, though all means are then looked at together.
TEST(GaussianPrecision, OfDiagonalMatricesIsThatOfVariances) {
  for (const Combination combination : {Combination::sum, Combination::mean}) {
    for (const bool background : {false, true}) {
      const Sources variances = sources_of({"", Family::gaussian, combination, Covariance::diagonal, background});
      Sources matrices = variances;
      matrices.covariance = Covariance::full;
      matrices.spread.clear();
      for (std::size_t k = 0; k < variances.count; ++k) {
        const double* const v = variances.spread.data() + 2 * k;
        matrices.spread.insert(matrices.spread.end(), {v[0], 0.0, 0.0, v[1]});
      }
      std::vector<std::string> rows = few_sets;
      std::vector<double> count = few_counts;
      if (background) {
        rows.push_back("000");
        count.push_back(45.0);
      }
      const Precision one = gaussian_location_precision(variances, sets_of(rows), count, {1});
      const Precision two = gaussian_location_precision(matrices, sets_of(rows), count, {1});
      for (std::size_t i = 0; i < one.error.size(); ++i) {
        EXPECT_NEAR(one.error[i], two.error[i], 1e-10);
        EXPECT_NEAR(one.bias[i], two.bias[i], 1e-10);
      }
    }
  }
}

// An estimated variance of n items is worth n, and so is the error that it gives; a pooled one is worth all items.
TEST(GaussianPrecision, ErrorsAreAsSureAsTheVariancesBehindThem) {
  const BitMatrix singles = sets_of({"10", "01"});
  const std::vector<double> count{30.0, 50.0};
  Sources sources = alone_in_their_sets(Family::gaussian, Combination::sum, {1.0, 2.0});
  sources.spread = {4.0, 9.0};
  const Precision own = gaussian_location_precision(sources, singles, count, {1});
  EXPECT_NEAR(own.error[0], 2.0 / std::sqrt(30.0), 1e-12);
  EXPECT_NEAR(own.error[1], 3.0 / std::sqrt(50.0), 1e-12);
  EXPECT_NEAR(own.degrees[0], 30.0, 1e-9);
  EXPECT_NEAR(own.degrees[1], 50.0, 1e-9);
  sources.covariance = Covariance::shared;
  sources.spread = {4.0};
  const Precision shared = gaussian_location_precision(sources, singles, count, {1});
  for (const double degrees : shared.degrees) EXPECT_NEAR(degrees, 80.0, 1e-9);
}

TEST(GaussianSetFits, AreThoseOfSourcesFittedWithoutTheSet) {
  const Sources sources = sources_of({"", Family::gaussian, Combination::sum, Covariance::diagonal});
  SetStatistics statistics = drawn(sources, sets_of(few_sets), few_counts, 400, Rng(Seed{4}));
  const std::vector<SetFit> fits = gaussian_set_fits(sources, statistics, {});
  const std::size_t tested = find_set(statistics.sets, sets_of({"011"}).row(0));
  // Leave the set out: generalised least squares with its items counted as none.
  double statistic = 0.0;
  for (std::size_t d = 0; d < 2; ++d) {
    Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    const auto row = [&](std::size_t j) {
      Eigen::Vector3d z;
      for (int k = 0; k < 3; ++k) z(k) = statistics.sets(j, static_cast<std::size_t>(k)) ? 1.0 : 0.0;
      return z;
    };
    const auto variance = [&](std::size_t j) { return set_moments(sources, statistics.sets.row(j)).covariance[d * 3]; };
    for (std::size_t j = 0; j < statistics.size(); ++j) {
      if (j == tested) continue;
      information += statistics.count[j] / variance(j) * row(j) * row(j).transpose();
      right += statistics.count[j] / variance(j) * statistics.mean[j * 2 + d] * row(j);
    }
    const Eigen::Matrix3d covariance = information.inverse();
    const double difference = statistics.mean[tested * 2 + d] - row(tested).dot(covariance * right);
    statistic += difference * difference /
                 (variance(tested) / statistics.count[tested] + row(tested).dot(covariance * row(tested)));
  }
  // The statistic is told with variances made unbiased: 400 items, 3 means.
  EXPECT_NEAR(fits[tested].statistic, statistic * (1.0 - 3.0 / 400.0), 1e-9);
  EXPECT_EQ(fits[tested].degrees, 2.0);
}

TEST(GaussianSetFits, ASetThatAloneKnowsASourceCannotBeTested) {
  const Sources sources = sources_of({"", Family::gaussian, Combination::sum, Covariance::full});
  const SetStatistics statistics = drawn(sources, sets_of({"100", "010", "111"}), {1, 1, 1}, 90, Rng(Seed{5}));
  for (const SetFit& fit : gaussian_set_fits(sources, statistics, {})) EXPECT_EQ(fit.degrees, 0.0);
}

// Means are solved for anew: what the sources say of them does not matter, only their covariances.
TEST(GaussianSetFits, DoNotDependOnTheMeansThatAreGiven) {
  for (const Covariance covariance : {Covariance::diagonal, Covariance::full, Covariance::shared}) {
    Sources sources = sources_of({"", Family::gaussian, Combination::sum, covariance});
    const SetStatistics statistics = drawn(sources, sets_of(few_sets), few_counts, 400, Rng(Seed{6}));
    const std::vector<SetFit> one = gaussian_set_fits(sources, statistics, {1});
    for (double& mean : sources.location) mean = 0.0;
    const std::vector<SetFit> two = gaussian_set_fits(sources, statistics, {1});
    for (std::size_t j = 0; j < one.size(); ++j) {
      EXPECT_NEAR(one[j].statistic, two[j].statistic, 1e-9 * (1.0 + one[j].statistic));
      EXPECT_NEAR(one[j].p_value, two[j].p_value, 1e-9);
      EXPECT_NEAR(one[j].shift, two[j].shift, 1e-9);
    }
  }
}

}  // namespace
}  // namespace motet::multilabel::precision_gaussian_test
