#include "motet/data/preparation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/base/rng.h"
#include "motet/data/leading_eigen.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::preparation_test {
namespace {

constexpr double rounding = 1e-9;  // sums of a few thousand products of numbers near 1

NumberTable random_features(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  NumberTable features;
  Rng rng{Seed{seed}};
  for (std::size_t d = 0; d < columns; ++d) features.columns.push_back("x" + std::to_string(d));
  for (std::size_t i = 0; i < rows * columns; ++i) {
    features.values.push_back(5.0 + (1.0 + static_cast<double>(i % columns)) * rng.normal());
  }
  return features;
}

double column_moment(const std::vector<double>& x, std::size_t columns, std::size_t i, std::size_t j) {
  double sum = 0.0;
  for (std::size_t n = 0; n < x.size() / columns; ++n) sum += x[n * columns + i] * x[n * columns + j];
  return sum / static_cast<double>(x.size() / columns);
}

TEST(Preparation, WithoutOptionsFeaturesStayAsTheyAre) {
  const NumberTable features = random_features(20, 3, 1);
  const Preparation preparation = learn_preparation(features, {}, {});
  EXPECT_EQ(prepare(preparation, features, {}), features.values);
}

TEST(Preparation, StandardizedColumnsHaveMeanZeroAndVarianceOne) {
  NumberTable features = random_features(700, 3, 2);
  for (std::size_t n = 0; n < features.rows(); ++n) features.values[n * 3 + 1] = 7.0;
  const Preparation preparation = learn_preparation(features, {.standardize = true}, {});
  EXPECT_EQ(preparation.constant, std::vector<std::string>{"x1"});
  const std::vector<double> x = prepare(preparation, features, {});
  EXPECT_NEAR(column_moment(x, 3, 0, 0), 1.0, rounding);
  EXPECT_NEAR(column_moment(x, 3, 2, 2), 1.0, rounding);
  EXPECT_EQ(column_moment(x, 3, 1, 1), 0.0);
}

TEST(Preparation, PrincipalComponentsAreUncorrelatedAndLargestFirst) {
  for (const std::size_t rows : {300U, 5U}) {  // more rows than columns, and fewer
    const NumberTable features = random_features(rows, 8, 3);
    const Preparation preparation = learn_preparation(features, {.pca = 4}, {});
    ASSERT_EQ(preparation.outputs(), 4U);
    const std::vector<double> x = prepare(preparation, features, {});
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(column_moment(x, 4, i, j), 0.0, 1e3 * rounding);
      EXPECT_LE(preparation.explained[i], preparation.explained[i == 0 ? 0 : i - 1]);
    }
  }
}

TEST(Preparation, KernelComponentsReproduceTheCentredKernel) {
  // With all components, inner products of what comes out are those of the centred kernel.
  const std::size_t rows = 30;
  const NumberTable features = random_features(rows, 4, 4);
  const Preparation preparation =
      learn_preparation(features, {.standardize = true, .pca = rows - 1, .kernel = 1000, .kernel_width = 0.8}, {});
  const std::vector<double> z = prepare(preparation, features, {});
  const Preparation scaled = learn_preparation(features, {.standardize = true}, {});
  const std::vector<double> u = prepare(scaled, features, {});
  std::vector<double> kernel(rows * rows);
  std::vector<double> mean(rows, 0.0);
  double all = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      double square = 0.0;
      for (std::size_t d = 0; d < 4; ++d) square += std::pow(u[i * 4 + d] - u[j * 4 + d], 2);
      kernel[i * rows + j] = std::exp(-square / (0.64 * 4.0));
      mean[i] += kernel[i * rows + j] / rows;
      all += kernel[i * rows + j] / (rows * rows);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      double product = 0.0;
      for (std::size_t d = 0; d + 1 < rows; ++d) product += z[i * (rows - 1) + d] * z[j * (rows - 1) + d];
      EXPECT_NEAR(product, kernel[i * rows + j] - mean[i] - mean[j] + all, 1e-7);
    }
  }
}

TEST(Preparation, ColumnsAreFoundByNameInAnyOrder) {
  const NumberTable features = random_features(10, 2, 6);
  NumberTable other = features;
  other.columns = {"x1", "x0"};
  for (std::size_t n = 0; n < 10; ++n) std::swap(other.values[2 * n], other.values[2 * n + 1]);
  const Preparation preparation = learn_preparation(features, {.standardize = true}, {});
  EXPECT_EQ(prepare(preparation, features, {}), prepare(preparation, other, {}));
  other.columns = {"x1", "y"};
  EXPECT_EQ(error_of([&] { prepare(preparation, other, {}); }),
            "the items lack 1 of the 2 features of the model: 'x0'; columns are found by name, in any order");
}

TEST(Preparation, ImpossibleNumbersOfComponentsAreRefused) {
  const NumberTable features = random_features(10, 4, 7);
  EXPECT_EQ(error_of([&] { learn_preparation(features, {.pca = 5}, {}); }),
            "--pca 5 is too many for 10 items with 4 features; at most 4 components are there");
  EXPECT_EQ(error_of([&] { learn_preparation(features, {.pca = 9, .kernel = 6}, {}); }),
            "--pca 9 is too many for 10 items with 4 features and 6 landmarks; at most 5 components are there");
  EXPECT_EQ(error_of([&] { learn_preparation(features, {.kernel = 6}, {}); }),
            "--kernel 6 needs --pca: how many components of the kernel to keep, at most 5");
}

TEST(Preparation, SurvivesItsRecord) {
  const NumberTable features = random_features(40, 4, 8);
  for (const PreparationOptions& options :
       {PreparationOptions{}, PreparationOptions{true, 2, 0, 1.0}, PreparationOptions{true, 5, 30, 1.3}}) {
    const Preparation learnt = learn_preparation(features, options, {});
    const Preparation read = preparation_from(to_value(learnt));
    EXPECT_EQ(to_value(read), to_value(learnt));
    EXPECT_EQ(prepare(read, features, {}), prepare(learnt, features, {}));
  }
  Value broken = to_value(learn_preparation(features, {true, 5, 30, 1.3}, {}));
  broken.set("kernel_scale", 0.0);
  EXPECT_EQ(error_of([&] { preparation_from(broken); }), "kernel_scale = 0 is not above 0");
}

TEST(Preparation, LandmarksThatDoNotFitTheColumnsAreRefused) {
  const NumberTable features = random_features(40, 4, 8);
  Value broken = to_value(learn_preparation(features, {true, 2, 0, 1.0}, {}));
  broken.set("landmarks", Value::list({0.0}));
  EXPECT_EQ(error_of([&] { preparation_from(broken); }), "field 'landmarks' has 1 entries; a multiple of 4 is needed");
  broken.set("landmarks", Value::list({0.0, 0.0, 0.0, 0.0}));
  broken.set("kernel_scale", 1.0);
  EXPECT_EQ(error_of([&] { preparation_from(broken); }), "field 'components' has 8 entries; 2 are needed");
  broken = to_value(learn_preparation(features, {true, 0, 0, 1.0}, {}));
  broken.set("landmarks", Value::list({0.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(error_of([&] { preparation_from(broken); }), "field 'landmarks' is given without components");
  broken.set("columns", Value::List{});
  broken.set("centre", Value::List{});
  broken.set("scale", Value::List{});
  EXPECT_EQ(error_of([&] { preparation_from(broken); }),
            "field 'landmarks' has 4 entries; none are needed without columns");
}

TEST(Preparation, GivesTheSameBitsOnAnyNumberOfThreads) {
  const NumberTable features = random_features(1500, 6, 9);
  for (const PreparationOptions& options :
       {PreparationOptions{true, 3, 0, 1.0}, PreparationOptions{true, 5, 50, 1.0}}) {
    const Preparation one = learn_preparation(features, options, {1});
    const Preparation four = learn_preparation(features, options, StartedThreads(4));
    EXPECT_EQ(to_value(one), to_value(four));
    EXPECT_EQ(prepare(one, features, {1}), prepare(one, features, StartedThreads(4)));
  }
}

TEST(LeadingEigen, SubspaceIterationFindsTheLargestEigenvalues) {
  // Diagonal matrix turned by a reflection: eigenvalues are known.
  constexpr std::size_t side = 500;
  std::vector<double> v(side);
  Rng rng{Seed{10}};
  double length = 0.0;
  for (double& x : v) {
    x = rng.normal();
    length += x * x;
  }
  const auto value = [](std::size_t i) { return 10.0 * std::pow(0.7, static_cast<double>(i)); };
  std::vector<double> matrix(side * side, 0.0);
  std::vector<double> weighted(side);  // D v
  double form = 0.0;                   // v' D v
  for (std::size_t i = 0; i < side; ++i) {
    weighted[i] = value(i) * v[i];
    form += v[i] * weighted[i];
  }
  for (std::size_t i = 0; i < side; ++i) {
    matrix[i * side + i] += value(i);
    for (std::size_t j = 0; j < side; ++j) {
      matrix[i * side + j] -= 2.0 / length * (v[i] * weighted[j] + weighted[i] * v[j]);
      matrix[i * side + j] += 4.0 / (length * length) * form * v[i] * v[j];
    }
  }
  const LeadingEigen eigen = leading_eigen(matrix, side, 5);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(eigen.values[i], value(i), 1e-8);
}

TEST(LearnPreparation, ValuesTooLargeToBeSquaredAreRefused) {
  NumberTable features;
  features.columns = {"x"};
  features.values = {1e308, -1e308, 1.0};
  try {
    learn_preparation(features, {}, {1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_STREQ(error.what(),
                 "feature 'x' has values whose squares are beyond all numbers; divide it by a large number");
  }
}

}  // namespace
}  // namespace motet::preparation_test
