#include "motet/sources/density/divided_exp.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::divided_exp_test {
namespace {

constexpr double rounding = 1e-13;

TEST(DividedExp, OfEqualPointsIsADerivative) {
  EXPECT_NEAR(log_divided_exp(std::vector<double>{0.7}), 0.7, rounding);
  EXPECT_NEAR(log_divided_exp(std::vector<double>{-3.0, -3.0}), -3.0, rounding);
  EXPECT_NEAR(log_divided_exp(std::vector<double>{1.0, 1.0, 1.0, 1.0}), 1.0 - std::log(6.0), rounding);
}

TEST(DividedExp, FollowsItsRecurrence) {
  // (e[b, c] - e[a, b]) / (c - a), written out.
  const auto two = [](double a, double b) { return (std::exp(b) - std::exp(a)) / (b - a); };
  for (const double shift : {-500.0, 0.0, 300.0}) {
    const std::vector<double> points{shift + 2.0, shift - 1.0, shift + 0.5};
    EXPECT_NEAR(log_divided_exp(points), shift + std::log((two(0.5, 2.0) - two(-1.0, 0.5)) / 3.0), 1e-12 * 500.0);
  }
}

// Both ways of computing meet where points lie 32 apart, and points far beyond neither overflow nor vanish.
TEST(DividedExp, IsContinuousWhereTheWayChanges) {
  const auto of = [](double far) { return log_divided_exp(std::vector<double>{0.0, 0.3, 5.0, far}); };
  EXPECT_NEAR(of(32.0 + 1e-9) - of(32.0 - 1e-9), 2e-9 * 0.9, 1e-10);
  EXPECT_NEAR(log_divided_exp(std::vector<double>{-3000.0, -1.0, 0.0}),
              std::log(-std::expm1(-1.0) / 3000.0 - std::exp(-1.0) / 2999.0 / 3000.0 * 0.0), 1e-3);
}

}  // namespace
}  // namespace motet::divided_exp_test
