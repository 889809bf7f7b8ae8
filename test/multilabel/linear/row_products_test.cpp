#include "motet/multilabel/linear/row_products.h"

#include <gtest/gtest.h>

namespace motet::multilabel::row_products_test {
namespace {

// Three features, two columns of weights, the intercepts last.
const std::vector<double> weights{1, 2, 3, 4, 5, 6, 7, 8};

void expect_products(const RowProducts& products, const std::vector<double>& x) {
  const std::size_t rows = x.size() / 3;
  std::vector<double> expected(rows * 2);
  std::vector<double> slopes(8, 0.5);
  std::vector<double> residuals(rows * 2);
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = static_cast<double>(i) - 2.0;
  std::vector<double> expected_slopes = slopes;
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < 2; ++k) {
      expected[n * 2 + k] = weights[6 + k];
      expected_slopes[6 + k] += residuals[n * 2 + k];
      for (std::size_t d = 0; d < 3; ++d) {
        expected[n * 2 + k] += x[n * 3 + d] * weights[d * 2 + k];
        expected_slopes[d * 2 + k] += x[n * 3 + d] * residuals[n * 2 + k];
      }
    }
  }
  std::vector<double> found(rows * 2);
  products.times(0, rows, weights, 2, found);
  products.add_transposed(0, rows, residuals, 2, slopes);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_DOUBLE_EQ(found[i], expected[i]);
  for (std::size_t i = 0; i < slopes.size(); ++i) EXPECT_DOUBLE_EQ(slopes[i], expected_slopes[i]);
  std::vector<double> last(2);
  products.times(rows - 1, rows, weights, 2, last);
  EXPECT_DOUBLE_EQ(last[1], expected.back());
}

TEST(RowProducts, OfDenseRows) {
  const std::vector<double> x{1, -2, 3, 0.5, 0, 4};
  const RowProducts products(x, 3);
  EXPECT_FALSE(products.is_sparse());
  EXPECT_DOUBLE_EQ(products.mean_square(), (1 + 4 + 9 + 0.25 + 16) / 2.0);
  expect_products(products, x);
}

TEST(RowProducts, OfSparseRowsAreTheSame) {
  const std::vector<double> x{0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 2, 0};
  const RowProducts products(x, 3);
  EXPECT_TRUE(products.is_sparse());
  EXPECT_DOUBLE_EQ(products.mean_square(), 13.0 / 4.0);
  expect_products(products, x);
}

TEST(RowProducts, RowsOfZerosCountAsOfLengthOne) {
  const std::vector<double> x(6, 0.0);
  EXPECT_EQ(RowProducts(x, 3).mean_square(), 1.0);
}

}  // namespace
}  // namespace motet::multilabel::row_products_test
