#include "motet/roles/mac/user_noise.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace motet::roles::user_noise_test {
namespace {

TEST(UserNoise, CellsAreCountedByHeldAndCovered) {
  // Ten columns; the user holds five, the set covers four, three are both.
  const UserCells cells = user_cells(3.0, 5.0, 4.0, 10.0);
  EXPECT_EQ(cells.covered.ones, 3U);
  EXPECT_EQ(cells.covered.zeros, 1U);
  EXPECT_EQ(cells.other.ones, 2U);
  EXPECT_EQ(cells.other.zeros, 4U);
}

// B(a + y, b + n) / B(a, b): each cell after those before it, as from an urn to which balls return with another.
double by_urn(double a, double b, std::size_t yes, std::size_t no) {
  double product = 1.0;
  for (std::size_t i = 0; i < yes; ++i) product *= (a + static_cast<double>(i)) / (a + b + static_cast<double>(i));
  for (std::size_t i = 0; i < no; ++i) {
    product *= (b + static_cast<double>(i)) / (a + b + static_cast<double>(yes + i));
  }
  return product;
}

TEST(BetaTable, LikelihoodsAreThoseOfAnUrn) {
  for (const auto& [a, b] : {std::pair{1.0, 1.0}, {0.3, 2.5}, {40.0, 3.0}}) {
    const BetaTable table(a, b, 12);
    for (std::size_t yes = 0; yes <= 12; ++yes) {
      for (std::size_t no = 0; yes + no <= 12; ++no) {
        EXPECT_NEAR(table.log_likelihood(yes, no), std::log(by_urn(a, b, yes, no)), 1e-12) << yes << ' ' << no;
      }
    }
  }
}

// E log p of a Beta distribution is the derivative of log B(a, b) by a, and E log(1 - p) that by b.
TEST(BetaTable, MeansAreTheDerivativesOfTheBetaFunction) {
  constexpr double h = 1e-5;
  const double a = 2.5, b = 0.75;
  const BetaTable table(a, b, 6);
  const auto log_beta = [](double x, double y) { return std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y); };
  for (std::size_t yes = 0; yes <= 4; ++yes) {
    const double x = a + static_cast<double>(yes), y = b + 2.0;
    EXPECT_NEAR(table.mean_log(yes, 2), (log_beta(x + h, y) - log_beta(x - h, y)) / (2.0 * h), 1e-8) << yes;
    EXPECT_NEAR(table.mean_log_rest(yes, 2), (log_beta(x, y + h) - log_beta(x, y - h)) / (2.0 * h), 1e-8) << yes;
  }
}

TEST(UserNoise, CoveredAndOtherCellsHaveTheirOwnLevels) {
  const std::array<double, 2> p0{1.0, 9.0}, p1{8.0, 2.0};
  const UserNoise noise(p0, p1, 10.0);
  EXPECT_NEAR(noise.log_likelihood({3, 1, 2, 4}), std::log(by_urn(8.0, 2.0, 3, 1) * by_urn(1.0, 9.0, 2, 4)), 1e-12);
}

}  // namespace
}  // namespace motet::roles::user_noise_test
