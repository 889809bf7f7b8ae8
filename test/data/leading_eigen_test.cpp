#include "motet/data/leading_eigen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/rng.h"

namespace motet::leading_eigen_test {
namespace {

// sum_i values[i] q_i q_i' with q_i orthonormal: unit vectors, turned by the reflection I - 2 u u'.
struct Planted {
  std::size_t side = 0;
  std::vector<double> values;  // of the first; the others are 0
  std::vector<double> u;       // of length 1

  double vector(std::size_t i, std::size_t at) const { return (i == at ? 1.0 : 0.0) - 2.0 * u[i] * u[at]; }
  std::vector<double> matrix() const {
    std::vector<double> result(side * side, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t a = 0; a < side; ++a) {
        for (std::size_t b = 0; b < side; ++b) result[a * side + b] += values[i] * vector(i, a) * vector(i, b);
      }
    }
    return result;
  }
};

Planted planted(std::size_t side, std::vector<double> values) {
  Planted result{side, std::move(values), std::vector<double>(side)};
  Rng rng(Seed{5});
  double square = 0.0;
  for (double& x : result.u) {
    x = rng.normal();
    square += x * x;
  }
  for (double& x : result.u) x /= std::sqrt(square);
  return result;
}

void expect_planted(const LeadingEigen& found, const Planted& truth, std::size_t count, double tolerance) {
  ASSERT_EQ(found.values.size(), count);
  ASSERT_EQ(found.vectors.size(), count * truth.side);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NEAR(found.values[i], truth.values[i], tolerance * truth.values[0]) << i;
    std::size_t largest = 0;
    for (std::size_t a = 1; a < truth.side; ++a) {
      if (std::abs(truth.vector(i, a)) > std::abs(truth.vector(i, largest))) largest = a;
    }
    const double sign = truth.vector(i, largest) > 0.0 ? 1.0 : -1.0;
    for (std::size_t a = 0; a < truth.side; ++a) {
      EXPECT_NEAR(found.vectors[i * truth.side + a], sign * truth.vector(i, a), tolerance) << i << " " << a;
    }
  }
}

TEST(LeadingEigen, AreTheLargestWithTheirVectors) {
  const Planted truth = planted(30, {9.0, 7.0, 4.0, 2.5, 1.0, 0.5});
  expect_planted(leading_eigen(truth.matrix(), 30, 4), truth, 4, 1e-10);
}

TEST(LeadingEigen, OfALargeMatrixAreThoseOfSubspaceIteration) {
  // Beyond 20 values more than wanted nothing is left, so that the iteration is exact.
  const Planted truth = planted(450, {50.0, 30.0, 20.0, 10.0, 5.0});
  expect_planted(leading_eigen(truth.matrix(), 450, 3), truth, 3, 1e-9);
}

TEST(LeadingEigen, AreNeverBelowZeroAndOrthonormalBeyondTheRank) {
  const Planted truth = planted(20, {3.0});
  const LeadingEigen found = leading_eigen(truth.matrix(), 20, 5);
  EXPECT_NEAR(found.values[0], 3.0, 1e-12);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_GE(found.values[i], 0.0);
    EXPECT_NEAR(found.values[i], 0.0, 1e-12);
  }
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0.0;
      for (std::size_t a = 0; a < 20; ++a) product += found.vectors[i * 20 + a] * found.vectors[j * 20 + a];
      EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-12) << i << " " << j;
    }
  }
}

TEST(LeadingEigen, TheSameMatrixHasTheSameBytes) {
  const std::vector<double> matrix = planted(420, {5.0, 4.0, 3.0, 2.0}).matrix();
  const LeadingEigen one = leading_eigen(matrix, 420, 2);
  const LeadingEigen two = leading_eigen(matrix, 420, 2);
  EXPECT_EQ(one.values, two.values);
  EXPECT_EQ(one.vectors, two.vectors);
}

}  // namespace
}  // namespace motet::leading_eigen_test
