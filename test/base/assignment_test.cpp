#include "motet/base/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "motet/base/rng.h"

namespace motet::assignment_test {
namespace {

double total(const std::vector<double>& gains, const std::vector<std::size_t>& column_of) {
  double sum = 0.0;
  for (std::size_t row = 0; row < column_of.size(); ++row) sum += gains[row * column_of.size() + column_of[row]];
  return sum;
}

TEST(Assignment, IsAsGoodAsTryingAllPermutations) {
  Rng rng(Seed{11});
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 1 + rng.below(6);
    std::vector<double> gains(size * size);
    // Whole numbers on odd rounds, so that ties are frequent.
    for (double& gain : gains) gain = round % 2 == 0 ? rng.normal() : static_cast<double>(rng.below(4));
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), 0U);
    double best = total(gains, order);
    while (std::next_permutation(order.begin(), order.end())) best = std::max(best, total(gains, order));
    std::vector<std::size_t> found = best_assignment(gains, size);
    EXPECT_NEAR(total(gains, found), best, 1e-12) << "round " << round;
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(found[i], i);
  }
}

}  // namespace
}  // namespace motet::assignment_test
