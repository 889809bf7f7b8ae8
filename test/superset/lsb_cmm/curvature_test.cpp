#include "motet/superset/lsb_cmm/curvature.h"

#include <gtest/gtest.h>

#include "superset/lsb_cases.h"
#include "support/threads.h"

namespace motet::superset::curvature_test {
namespace {

struct Given {
  CandidateItems items;  // has no labels: only the features count
  LsbPrior prior{0.05, 2.0, 50.0};

  Given(std::size_t rows, std::size_t dimensions) {
    Rng rng(Seed{8});
    items.starts.assign(rows + 1, 0);
    items.features.columns.resize(dimensions);
    for (std::size_t i = 0; i < rows * dimensions; ++i) items.features.values.push_back(rng.normal());
  }

  double x(std::size_t n, std::size_t d) const {
    const std::size_t dimensions = items.features.columns.size();
    return d == dimensions ? 1.0 : items.features.values[n * dimensions + d];
  }
};

// What comes back of c X'X + P times z, for each column: r, when z solves it.
void expect_solves(const Given& given, const StickCurvature& curvature, bool only_diagonal) {
  const std::size_t size = curvature.size(), width = 4;
  const std::vector<double> c{0.25, 0.0, 0.01, 3.0};
  std::vector<double> r(size * width), z(size * width);
  Rng rng(Seed{9});
  for (double& value : r) value = rng.normal();
  curvature.solve(c, width, r, z);
  std::vector<double> product(size * size);
  for (std::size_t n = 0; n < given.items.rows(); ++n) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        if (i == j || !only_diagonal) product[i * size + j] += given.x(n, i) * given.x(n, j);
      }
    }
  }
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      double back = z[i * width + k] / (i + 1 == size ? given.prior.bias_variance : given.prior.weight_variance);
      for (std::size_t j = 0; j < size; ++j) back += c[k] * product[i * size + j] * z[j * width + k];
      EXPECT_NEAR(back, r[i * width + k], 1e-10) << i << ' ' << k;
    }
  }
}

TEST(StickCurvature, SolvesWithTheSecondMomentsAndThePrior) {
  const Given given(333, 5);  // six tasks, the last tile not full
  const StickCurvature curvature(rows_of_items(given.items), given.prior, {1});
  EXPECT_TRUE(curvature.is_bound());
  EXPECT_EQ(curvature.rows(), 333.0);
  EXPECT_EQ(curvature.size(), 6U);
  EXPECT_EQ(curvature.precision()[0], 0.5);
  EXPECT_EQ(curvature.precision()[5], 0.02);
  expect_solves(given, curvature, false);
}

TEST(StickCurvature, OfFewerRowsThanFeaturesIsSolvedByThePrior) {
  const Given given(3, 6);
  expect_solves(given, StickCurvature(rows_of_items(given.items), given.prior, {1}), false);
}

TEST(StickCurvature, OfVeryManyFeaturesIsTheDiagonalAndNoBound) {
  const Given given(70, StickCurvature::most_exact + 1);
  const StickCurvature curvature(rows_of_items(given.items), given.prior, {1});
  EXPECT_FALSE(curvature.is_bound());
  expect_solves(given, curvature, true);
}

TEST(StickCurvature, HasTheSameBitsOnAnyNumberOfThreads) {
  const Given given(333, 5);
  const std::vector<double> c(4, 0.25), r(24, 1.0);
  const auto solved = [&](Threads threads) {
    std::vector<double> z(24);
    StickCurvature(rows_of_items(given.items), given.prior, threads).solve(c, 4, r, z);
    return z;
  };
  const std::vector<double> one = solved({1});
  for (const unsigned threads : {2U, 4U}) EXPECT_EQ(solved(StartedThreads(threads)), one);
}

}  // namespace
}  // namespace motet::superset::curvature_test
