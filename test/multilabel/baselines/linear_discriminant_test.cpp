#include "motet/multilabel/baselines/linear_discriminant.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "multilabel/baseline_cases.h"

namespace motet::multilabel::linear_discriminant_test {
namespace {

using Matrix = std::vector<std::vector<double>>;

// One dimension: the classes part at the middle of the means, moved by log(n0 / n1) s^2 over their distance.
TEST(LinearDiscriminant, OfOneFeaturePartsWhereItsFormulaSays) {
  BaselineCase made;
  made.data.dimensions = 1;
  made.data.train = {-1.0, 0.0, 1.0, 0.5, -0.5, 0.0, 3.0, 5.0};
  made.of = {0, 0, 0, 0, 0, 0, 1, 1};
  const double square = (1.0 + 0.0 + 1.0 + 0.25 + 0.25 + 0.0 + 1.0 + 1.0) / 8.0;  // inside the classes
  const double border = 0.5 * (0.0 + 4.0) + square / 4.0 * std::log(6.0 / 2.0);
  made.data.test = {border - 1e-9, border + 1e-9, -100.0, 100.0};
  EXPECT_EQ(linear_discriminant(made.data, made.of, 2, {}), (std::vector<std::uint32_t>{0, 1, 0, 1}));
}

// Ledoit and Wolf's weight of the diagonal, in units in which every column of the class has variance 1.
double shrinkage_of(const Matrix& residuals) {
  const std::size_t rows = residuals.size();
  const std::size_t columns = residuals[0].size();
  Matrix z = residuals;
  for (std::size_t d = 0; d < columns; ++d) {
    double square = 0.0;
    for (const auto& row : residuals) square += row[d] * row[d] / static_cast<double>(rows);
    for (auto& row : z) row[d] /= std::sqrt(square);
  }
  double scatter = 0.0;  // of the outer products about their mean
  double away = 0.0;     // of their mean from the unit matrix
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double mean = 0.0;
      for (const auto& row : z) mean += row[i] * row[j] / static_cast<double>(rows);
      for (const auto& row : z) scatter += std::pow(row[i] * row[j] - mean, 2) / static_cast<double>(rows);
      away += std::pow(mean - (i == j ? 1.0 : 0.0), 2);
    }
  }
  return std::clamp(scatter / static_cast<double>(rows) / away, 0.0, 1.0);
}

std::vector<std::uint32_t> plain_discriminant(const BaselineCase& made, std::size_t classes) {
  const std::size_t D = made.data.dimensions;
  const auto size = static_cast<Eigen::Index>(D);
  const std::size_t rows = made.of.size();
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(size, size);
  std::vector<Eigen::VectorXd> means;
  std::vector<double> counts;
  for (std::size_t c = 0; c < classes; ++c) {
    Matrix own;
    for (std::size_t n = 0; n < rows; ++n) {
      if (made.of[n] == c) own.emplace_back(&made.data.train[n * D], &made.data.train[n * D] + D);
    }
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(size);
    for (const auto& row : own)
      mean += Eigen::Map<const Eigen::VectorXd>(row.data(), size) / static_cast<double>(own.size());
    for (auto& row : own) {
      for (std::size_t d = 0; d < D; ++d) row[d] -= mean(static_cast<Eigen::Index>(d));
    }
    const double kept = 1.0 - shrinkage_of(own);
    for (const auto& row : own) {
      for (std::size_t i = 0; i < D; ++i) {
        for (std::size_t j = 0; j < D; ++j) {
          covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) +=
              (i == j ? 1.0 : kept) * row[i] * row[j] / static_cast<double>(rows);
        }
      }
    }
    means.push_back(mean);
    counts.push_back(static_cast<double>(own.size()));
  }
  const Eigen::MatrixXd inverse = covariance.inverse();
  std::vector<std::uint32_t> classes_of;
  for (std::size_t n = 0; n < made.data.test_rows(); ++n) {
    const Eigen::Map<const Eigen::VectorXd> x(&made.data.test[n * D], size);
    std::vector<double> scores;
    for (std::size_t c = 0; c < classes; ++c) {
      const Eigen::VectorXd away = x - means[c];
      scores.push_back(std::log(counts[c]) - 0.5 * away.dot(inverse * away));
    }
    classes_of.push_back(static_cast<std::uint32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
  }
  return classes_of;
}

// With few items of many dimensions the weight is large, with many of two it is small.
TEST(LinearDiscriminant, ShrinksEachClassAsLedoitAndWolfSay) {
  for (const auto& [items, dimensions] : {std::pair<std::size_t, std::size_t>{30, 2}, {4, 6}}) {
    const BaselineCase made = classes_on_a_circle(3, items, dimensions, 1.5, Rng(Seed{1}));
    const std::vector<std::uint32_t> found = linear_discriminant(made.data, made.of, 3, {});
    EXPECT_EQ(found, plain_discriminant(made, 3));
    for (const std::uint32_t c : {0U, 1U, 2U}) EXPECT_GT(std::count(found.begin(), found.end(), c), 10);
  }
}

TEST(LinearDiscriminant, AFeatureThatDoesNotVaryDoesNotMatter) {
  const BaselineCase made = classes_on_a_circle(3, 20, 2, 1.5, Rng(Seed{2}));
  BaselineCase wider = made;
  wider.data.dimensions = 3;
  wider.data.train.clear();
  wider.data.test.clear();
  const auto widen = [](const std::vector<double>& from, std::vector<double>& to) {
    for (std::size_t i = 0; i < from.size(); i += 2) to.insert(to.end(), {from[i], from[i + 1], 0.0});
  };
  widen(made.data.train, wider.data.train);
  widen(made.data.test, wider.data.test);
  EXPECT_EQ(linear_discriminant(wider.data, made.of, 3, {}), linear_discriminant(made.data, made.of, 3, {}));
}

}  // namespace
}  // namespace motet::multilabel::linear_discriminant_test
