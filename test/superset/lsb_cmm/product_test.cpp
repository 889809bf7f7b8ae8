#include "motet/superset/lsb_cmm/product.h"

#include <gtest/gtest.h>

#include "support/processor.h"

namespace motet::superset::product_test {
namespace {

template <class T>
std::vector<T> numbers(std::size_t count, std::uint64_t seed) {
  const std::vector<double> all = numbers_of_many_sizes(count, seed);
  return {all.begin(), all.end()};
}

// Both products, with a bias and without, one after the other.
template <class T>
std::vector<T> products(std::size_t rows, std::size_t dimensions, std::size_t width) {
  const std::vector<T> x = numbers<T>(rows * dimensions, 1);
  const std::vector<T> w = numbers<T>(dimensions * width, 2);
  const std::vector<T> bias = numbers<T>(width, 3);
  const RowBlock<T> block{x.data(), rows, dimensions};
  std::vector<T> all(2 * rows * width);
  multiply_rows(block, w.data(), bias.data(), width, all.data());
  multiply_rows(block, w.data(), nullptr, width, all.data() + rows * width);
  std::vector<T> gradient = numbers<T>(dimensions * width, 4);
  add_transposed(block, numbers<T>(rows * width, 5).data(), width, gradient.data());
  all.insert(all.end(), gradient.begin(), gradient.end());
  return all;
}

// Every number of groups of lanes in a strip, and rows and dimensions around the four that are done together.
const std::vector<std::size_t> counts{1, 3, 4, 5, 11};

TEST(Product, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t rows : counts) {
    for (const std::size_t dimensions : counts) {
      for (const std::size_t groups : {1U, 2U, 3U, 4U, 8U}) {
        expect_same_bits_at_every_level([&] { return products<double>(rows, dimensions, 4 * groups); });
        expect_same_bits_at_every_level([&] { return products<float>(rows, dimensions, 8 * groups); });
      }
    }
  }
}

// Sums go along the rows, or the dimensions, from the first to the last.
TEST(Product, IsThatOfPlainLoops) {
  for (const std::size_t rows : counts) {
    for (const std::size_t dimensions : counts) {
      const std::size_t width = 28;
      const std::vector<double> x = numbers<double>(rows * dimensions, 1);
      const std::vector<double> w = numbers<double>(dimensions * width, 2);
      const std::vector<double> r = numbers<double>(rows * width, 5);
      std::vector<double> u(rows * width);
      std::vector<double> free(rows * width, 0.0);
      std::vector<double> gradient = numbers<double>(dimensions * width, 4);
      for (std::size_t n = 0; n < rows; ++n) {
        for (std::size_t k = 0; k < width; ++k) {
          u[n * width + k] = numbers<double>(width, 3)[k];
          for (std::size_t d = 0; d < dimensions; ++d) {
            u[n * width + k] += x[n * dimensions + d] * w[d * width + k];
            free[n * width + k] += x[n * dimensions + d] * w[d * width + k];
            gradient[d * width + k] += x[n * dimensions + d] * r[n * width + k];
          }
        }
      }
      EXPECT_EQ(products<double>(rows, dimensions, width), joined({u, free, gradient}));
    }
  }
}

}  // namespace
}  // namespace motet::superset::product_test
