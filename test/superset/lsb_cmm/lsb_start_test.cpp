#include "motet/superset/lsb_cmm/lsb_start.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::superset::lsb_start_test {
namespace {

TEST(LsbStart, SharesFallLinearlyAndClassesTakeTurnsInTheirOrder) {
  const std::vector<std::uint32_t> order{2, 0, 1};
  const LsbStart start = class_start(4, 3, order);
  EXPECT_EQ(start.components, 4U);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(start.shares[k], (4.0 - static_cast<double>(k)) / 10.0, 1e-15);
  EXPECT_EQ(start.concentration, (std::vector<double>{1, 1, 11, 11, 1, 1, 1, 11, 1, 1, 1, 11}));
}

TEST(LsbStart, WithoutJitterEveryRowHasTheSharesAsTheyAre) {
  LsbStart start = class_start(3, 2, std::vector<std::uint32_t>{0, 1});
  start.jitter = 0.0;
  std::vector<double> phi(3);
  free_shares(start, Rng(Seed{1}), 7, phi);
  EXPECT_EQ(phi, start.shares);
}

TEST(LsbStart, SharesOfTheirOwnGoToTheirRow) {
  const LsbStart start{2, {0.9, 0.1, 0.2, 0.8}, {}, 0.0};
  std::vector<double> phi(2);
  free_shares(start, Rng(Seed{1}), 1, phi);
  EXPECT_EQ(phi, (std::vector<double>{0.2, 0.8}));
}

// The logarithm of a share has mean 0 and deviation 0.01 around that of the start: of 20,000 the mean has a standard
// error of 0.00007 and the deviation, of a uniform distribution, one of 0.00003. Five of them.
TEST(LsbStart, JitterIsOfTheSizeItSaysAndARowsOwn) {
  const LsbStart start = class_start(2, 2, std::vector<std::uint32_t>{0, 1});
  const Rng rng(Seed{3});
  double sum = 0.0, squares = 0.0;
  std::vector<double> phi(2);
  for (std::size_t n = 0; n < 10'000; ++n) {
    free_shares(start, rng, n, phi);
    for (std::size_t k = 0; k < 2; ++k) {
      const double by = std::log(phi[k] / start.shares[k]);
      EXPECT_LE(std::abs(by), 0.01 * std::sqrt(3.0) + 1e-15);
      sum += by;
      squares += by * by;
    }
  }
  EXPECT_NEAR(sum / 20'000.0, 0.0, 0.00035);
  EXPECT_NEAR(std::sqrt(squares / 20'000.0), 0.01, 0.00015);
  std::vector<double> again(2), other(2);
  free_shares(start, rng, 9'999, again);
  free_shares(start, rng, 9'998, other);
  EXPECT_EQ(again, phi);
  EXPECT_NE(other, phi);
}

}  // namespace
}  // namespace motet::superset::lsb_start_test
