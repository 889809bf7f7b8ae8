#include "motet/roles/mac/bit_product.h"

#include <gtest/gtest.h>

#include <cmath>

#include <numeric>
#include "roles/mac_cases.h"
#include "support/processor.h"

namespace motet::roles::bit_product_test {
namespace {

// Sums of at most 600 numbers of size 1, added in another order.
constexpr double rounding = 1e-12;

struct Product {
  BitMatrix bits;
  std::vector<double> weights;
  std::size_t width;
};

Product random_product(std::size_t rows, std::size_t columns, std::size_t width, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Product product{drawn_bits(rows, columns, 0.3, rng), std::vector<double>(columns * width), width};
  for (double& w : product.weights) w = rng.normal();
  return product;
}

std::vector<double> naive(const Product& product, std::size_t begin, std::size_t end, double start) {
  std::vector<double> scores((end - begin) * product.width, start);
  for (std::size_t n = begin; n < end; ++n) {
    for (std::size_t l = 0; l < product.width; ++l) {
      long double sum = start;
      for (std::size_t d = 0; d < product.bits.columns(); ++d) {
        if (product.bits(n, d)) sum += product.weights[d * product.width + l];
      }
      scores[(n - begin) * product.width + l] = static_cast<double>(sum);
    }
  }
  return scores;
}

void expect_equal_product(const Product& product, std::size_t begin, std::size_t end) {
  std::vector<double> scores((end - begin) * product.width, 0.25);
  add_bit_product(product.bits, begin, end, product.weights, product.width, scores);
  const std::vector<double> wanted = naive(product, begin, end, 0.25);
  ASSERT_EQ(scores.size(), wanted.size());
  for (std::size_t i = 0; i < scores.size(); ++i) ASSERT_NEAR(scores[i], wanted[i], rounding) << i;
}

TEST(BitProduct, EqualsTheSumOverOnesAroundEveryBoundary) {
  std::uint64_t seed = 0;
  for (const std::size_t columns : {1U, 7U, 8U, 9U, 31U, 32U, 33U, 63U, 64U, 65U, 95U, 96U, 97U, 127U, 128U, 129U}) {
    for (const std::size_t width : {1U, 31U, 32U, 33U}) {
      // Below and above the number of rows from which tables are made.
      for (const std::size_t rows : {1U, 95U, 96U, 130U}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << columns << " x " << width);
        expect_equal_product(random_product(rows, columns, width, ++seed), 0, rows);
      }
    }
  }
}

TEST(BitProduct, TakesAnyRangeOfRows) {
  const Product product = random_product(300, 600, 40, 7);
  expect_equal_product(product, 0, 300);
  expect_equal_product(product, 17, 250);
  expect_equal_product(product, 250, 300);
  expect_equal_product(product, 40, 40);
}

TEST(BitProduct, IsTheSameEachTimeAndForEachRowOfATable) {
  const Product product = random_product(256, 200, 45, 8);
  std::vector<double> whole(256 * product.width);
  std::vector<double> again(256 * product.width);
  add_bit_product(product.bits, 0, 256, product.weights, product.width, whole);
  add_bit_product(product.bits, 0, 256, product.weights, product.width, again);
  EXPECT_EQ(whole, again);
  // A block that also makes tables gives a row the same bits, whatever its neighbours are.
  std::vector<double> part(100 * product.width);
  add_bit_product(product.bits, 50, 150, product.weights, product.width, part);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(50 * product.width)));
}

TEST(CountCommonOnes, EqualsCountingCells) {
  Rng rng(Seed{3});
  for (const std::size_t columns : {1U, 63U, 64U, 65U, 255U, 256U, 257U, 319U, 511U, 512U, 513U, 577U, 833U}) {
    const BitMatrix rows = drawn_bits(5, columns, 0.5, rng);
    const BitMatrix sets = drawn_bits(37, columns, 0.4, rng);
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      std::vector<std::uint32_t> counts(sets.rows(), 999U);  // overwritten
      count_common_ones(rows.row(n), sets, counts);
      for (std::size_t l = 0; l < sets.rows(); ++l) {
        std::uint32_t wanted = 0;
        for (std::size_t d = 0; d < columns; ++d) wanted += rows(n, d) && sets(l, d) ? 1U : 0U;
        ASSERT_EQ(counts[l], wanted) << columns;
      }
    }
  }
}

TEST(BitProduct, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t columns : {7U, 33U, 129U}) {
    for (const std::size_t width : {1U, 31U, 33U, 45U}) {
      for (const std::size_t rows : {5U, 95U, 130U}) {
        Product product = random_product(rows, columns, width, rows);
        product.weights = numbers_of_many_sizes(columns * width, columns);
        std::vector<std::uint32_t> all(rows);
        std::iota(all.begin(), all.end(), 0U);
        expect_same_bits_at_every_level([&] {
          std::vector<double> scores(rows * width, 0.25);
          add_bit_product(product.bits, 0, rows, product.weights, width, scores);
          std::vector<double> sums(columns * width, 0.25);
          add_transposed_product(product.bits, all, numbers_of_many_sizes(rows * width, width), width, sums);
          return joined({scores, sums});
        });
      }
    }
  }
}

TEST(CountCommonOnes, IsTheSameAtEveryLevelOfTheProcessor) {
  Rng rng(Seed{4});
  for (const std::size_t columns : {63U, 257U, 577U, 833U}) {
    const BitMatrix sets = drawn_bits(37, columns, 0.4, rng);
    expect_same_bits_at_every_level([&] {
      std::vector<std::uint32_t> counts(sets.rows());
      count_common_ones(sets.row(3), sets, counts);
      for (std::size_t l = 0; l < sets.rows(); ++l) EXPECT_EQ(common_ones(sets.row(3), sets.row(l)), counts[l]);
      return counts;
    });
  }
}

}  // namespace
}  // namespace motet::roles::bit_product_test
