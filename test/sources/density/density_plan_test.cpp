// Plans are read as their header describes them, with plain sums, and give the densities of the formulas.
#include "motet/sources/density/density_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "motet/base/numeric.h"
#include "motet/sources/density/density_block.h"
#include "sources/source_cases.h"
#include "support/errors.h"

namespace motet::density_plan_test {
namespace {

using enum Combination;

DensityPlan plan_of(const Sources& sources, const BitMatrix& sets) {
  return plan_densities(sources, sets, 0, sets.rows(), {1});
}

// y = T x of a lower triangle in tiles of four lines.
std::vector<double> times_triangle(const double* tiles, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t first = 0; first < x.size(); first += density_tile) {
    for (std::size_t j = 0; j < std::min(first + density_tile, x.size()); ++j) {
      for (std::size_t i = first; i < first + density_tile; ++i, ++tiles) {
        if (i < x.size()) y[i] += *tiles * x[j];
      }
    }
  }
  return y;
}

double read_density(const DensityPlan& plan, std::size_t set, const std::vector<double>& x) {
  std::vector<double> features(plan.lines * density_rows);
  std::vector<double> terms(density_rows);
  const double* const rows[] = {x.data()};
  make_features(plan, rows, features.data(), terms.data());
  std::vector<double> line;
  for (std::size_t f = 0; f < plan.lines; ++f) line.push_back(features[f * density_rows]);
  const double* const w = plan.weights_of(set);
  double sum = 0.0;
  if (plan.form == DensityForm::diagonal) {
    for (std::size_t d = 0; d < line.size(); ++d) sum -= 0.5 * std::pow(line[d] - w[d], 2) * w[line.size() + d];
  } else if (plan.form == DensityForm::linear) {
    for (std::size_t f = 0; f < line.size(); ++f) sum += w[f] * line[f];
  } else if (plan.form == DensityForm::full) {
    for (std::size_t d = 0; d < line.size(); ++d) line[d] -= w[d];
    for (const double y :
         times_triangle(plan.triangles.data() + plan.triangle_of[set] * triangle_size(line.size()), line)) {
      sum -= 0.5 * y * y;
    }
  } else {
    std::vector<double> y =
        times_triangle(plan.triangles.data() + plan.triangle_of[set] * triangle_size(line.size()), line);
    double square = 0.0;
    if (plan.bases.empty()) {
      for (std::size_t d = 0; d < y.size(); ++d) square += std::pow(y[d] - w[d], 2);
    } else {  // the mean is told in the basis of its class
      const double* const basis = plan.bases.data() + plan.triangle_of[set] * plan.weights_a_set * plan.lines;
      for (std::size_t i = 0; i < plan.weights_a_set; ++i) {
        for (std::size_t d = 0; d < y.size(); ++d) y[d] -= w[i] * basis[i * plan.lines + d];
      }
      for (const double value : y) square += value * value;
    }
    sum = -0.5 * square * plan.inverse_scale[set];
  }
  return sum + plan.constant[set] + terms[0];
}

std::vector<double> some_row(std::size_t dimensions, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> x(dimensions);
  for (double& value : x) value = 2.0 * rng.normal();
  return x;
}

TEST(DensityPlan, OfGaussianSourcesIsTheDensityOfTheMomentsOfEachSet) {
  struct Case {
    Covariance covariance;
    bool noise;
    DensityForm form;
  };
  for (const Case& one :
       {Case{Covariance::spherical, false, DensityForm::diagonal},
        Case{Covariance::diagonal, false, DensityForm::diagonal}, Case{Covariance::diagonal, true, DensityForm::full},
        Case{Covariance::full, false, DensityForm::full}, Case{Covariance::shared, false, DensityForm::whitened},
        Case{Covariance::shared, true, DensityForm::whitened}, Case{Covariance::point, true, DensityForm::whitened}}) {
    for (const Combination combination : {sum, mean}) {
      for (const std::size_t dimensions : {1U, 5U, 13U}) {  // from 12 on means are told in a basis
        const Sources sources =
            random_sources(Family::gaussian, combination, one.covariance, 3, dimensions, true, one.noise, 31);
        const BitMatrix sets = all_sets(3, true);
        const DensityPlan plan = plan_of(sources, sets);
        const bool is_alone =
            dimensions == 1 && one.form == DensityForm::full && one.covariance == Covariance::diagonal;
        EXPECT_EQ(plan.form, is_alone ? DensityForm::diagonal : one.form);  // a 1 x 1 noise is diagonal
        EXPECT_EQ(plan.bases.empty(), plan.form != DensityForm::whitened || dimensions < 12);
        const std::vector<double> x = some_row(dimensions, 9);
        for (std::size_t j = 0; j < sets.rows(); ++j) {
          const SetMoments moments = set_moments(sources, sets.row(j));
          const double expected = plain_gaussian(x, moments.mean, moments.covariance);
          EXPECT_NEAR(read_density(plan, j, x), expected, 1e-10 * (1.0 + std::abs(expected))) << j;
        }
      }
    }
  }
}

TEST(DensityPlan, ATriangleServesEverySetWithItsCovariance) {
  const BitMatrix sets = all_sets(3, false);
  const DensityPlan one =
      plan_of(random_sources(Family::gaussian, sum, Covariance::shared, 3, 4, false, false, 2), sets);
  EXPECT_EQ(one.triangles.size(), triangle_size(4));
  const DensityPlan by_degree =
      plan_of(random_sources(Family::gaussian, sum, Covariance::shared, 3, 4, false, true, 2), sets);
  EXPECT_EQ(by_degree.triangles.size(), 3 * triangle_size(4));
  EXPECT_EQ(by_degree.triangle_of[0], by_degree.triangle_of[1]);  // {0} and {1}
  EXPECT_NE(by_degree.triangle_of[0], by_degree.triangle_of[2]);  // {0, 1}
}

TEST(DensityPlan, OfAPartAreThoseOfItsSets) {
  const Sources sources = random_sources(Family::gaussian, sum, Covariance::full, 4, 3, false, false, 2);
  const BitMatrix sets = all_sets(4, false);
  const DensityPlan whole = plan_of(sources, sets);
  const DensityPlan part = plan_densities(sources, sets, 5, 9, {2});
  ASSERT_EQ(part.sets(), 4U);
  const std::vector<double> x = some_row(3, 4);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(read_density(part, j, x), read_density(whole, j + 5, x));
}

TEST(DensityPlan, OfCountsIsTheDensityOfTheAddedRates) {
  const Sources sources = random_sources(Family::poisson, sum, {}, 2, 2, false, false, 3);
  const DensityPlan plan = plan_of(sources, all_sets(2, true));
  EXPECT_EQ(plan.form, DensityForm::linear);
  EXPECT_EQ(plan.constant[0], -infinity);  // nobody makes the items of the empty set
  double expected = 0.0;
  const std::vector<double> x{2.0, 0.0};
  for (std::size_t d = 0; d < 2; ++d) {
    const double rate = sources.location[d] + sources.location[2 + d];
    expected += x[d] * std::log(rate) - rate - std::lgamma(x[d] + 1.0);
  }
  EXPECT_NEAR(read_density(plan, 3, x), expected, 1e-12);
  EXPECT_EQ(read_density(plan, 3, {2.0, 0.5}), -infinity);
}

TEST(DensityPlan, MatricesOfManySetsAreSharedOutToSeveralPlans) {
  const auto sets = [](Covariance covariance, std::size_t dimensions) {
    return sets_a_plan(random_sources(Family::gaussian, sum, covariance, 2, dimensions, false, false, 3));
  };
  EXPECT_EQ(sets(Covariance::diagonal, 40), std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(sets(Covariance::full, 40), 1'000'000 / triangle_size(40));
  EXPECT_EQ(sets(Covariance::full, 600), 16U);
  EXPECT_EQ(triangle_size(4), 16U);
  EXPECT_EQ(triangle_size(6), 16U + 24U);  // lines 4 and 5 in a tile of four
}

TEST(DensityPlan, ASingularCovarianceIsSaidToBe) {
  for (const Covariance covariance : {Covariance::diagonal, Covariance::full, Covariance::shared}) {
    Sources sources = random_sources(Family::gaussian, sum, covariance, 1, 2, false, false, 1);
    std::fill(sources.spread.begin(), sources.spread.end(), covariance == Covariance::diagonal ? 0.0 : 1.0);
    EXPECT_EQ(refusal([&] { plan_of(sources, one_set(1, {0})); }, ErrorKind::unanswerable),
              "the covariance of a label set is not positive definite; a larger shrinkage or noise makes it so");
  }
}

}  // namespace
}  // namespace motet::density_plan_test
