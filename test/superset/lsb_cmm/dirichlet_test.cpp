#include "motet/superset/lsb_cmm/dirichlet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace motet::superset::dirichlet_test {
namespace {

TEST(Dirichlet, DigammaHasItsKnownValues) {
  constexpr double euler = 0.57721566490153286;
  EXPECT_NEAR(digamma(1.0), -euler, 1e-15);
  EXPECT_NEAR(digamma(0.5), -euler - 2.0 * std::numbers::ln2, 1e-15);
  EXPECT_NEAR(digamma(0.25), -euler - std::numbers::pi / 2 - 3.0 * std::numbers::ln2, 1e-14);
  // psi(x + 1) = psi(x) + 1 / x, down to the smallest concentration that may be asked for.
  for (const double x : {1e-6, 1e-3, 0.05, 0.7, 3.0, 40.0, 1e5}) {
    EXPECT_NEAR(digamma(x + 1.0), digamma(x) + 1.0 / x, 1e-14 * (1.0 + 1.0 / x)) << x;
  }
}

TEST(Dirichlet, TheDivergenceIsZeroAtThePriorAndPositiveElsewhere) {
  std::vector<double> logs(3);
  const std::vector<double> prior(3, 0.05);
  expected_logs(prior, logs);
  EXPECT_NEAR(divergence_of(prior, logs, 0.05), 0.0, 1e-14);
  const std::vector<double> a{7.0, 0.1, 0.05};
  expected_logs(a, logs);
  const double divergence = divergence_of(a, logs, 0.05);
  EXPECT_GT(divergence, 0.0);
  // d KL / d a_l = (a_l - alpha) psi'(a_l) - (A - L alpha) psi'(A); finite differences see psi' too.
  constexpr double h = 1e-6;
  const auto at = [&](double first) {
    const std::vector<double> moved{first, 0.1, 0.05};
    std::vector<double> of(3);
    expected_logs(moved, of);
    return divergence_of(moved, of, 0.05);
  };
  const auto trigamma = [](double x) { return (digamma(x + 1e-6) - digamma(x - 1e-6)) / 2e-6; };
  EXPECT_NEAR((at(7.0 + h) - at(7.0 - h)) / (2 * h), 6.95 * trigamma(7.0) - 7.0 * trigamma(7.15), 1e-6);
}

TEST(Dirichlet, TheTableHoldsWhatATinyConcentrationAsksFor) {
  const std::vector<double> a{5.0, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};  // two components, three classes
  const ScaledTable table = scaled_table(a, 3, 1e-6, 4);
  EXPECT_EQ(table.table[0 * 4 + 0], 1.0);
  EXPECT_EQ(table.table[1 * 4 + 0], 0.0);  // exp(-1e6)
  EXPECT_EQ(table.table[2 * 4 + 1], 1.0);  // equal classes of the empty component
  EXPECT_EQ(table.total[1], 3.0);
  EXPECT_EQ(table.total[2], 0.0);
  EXPECT_LT(table.largest[1], -1e5);
  EXPECT_EQ(table.scale[0], 1.0);
}

}  // namespace
}  // namespace motet::superset::dirichlet_test
