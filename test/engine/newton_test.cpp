#include "motet/engine/newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/cancelled.h"

namespace motet::newton_test {
namespace {

constexpr double machine = 1e-12;

// -(1 - x)^2 - 100 (y - x^2)^2, whose Hessian is indefinite on the way: Rosenbrock's valley, turned over.
Curvature valley(std::span<const double> v) {
  const double x = v[0];
  const double y = v[1];
  const double gap = y - x * x;
  return {-(1.0 - x) * (1.0 - x) - 100.0 * gap * gap,
          {2.0 * (1.0 - x) + 400.0 * x * gap, -200.0 * gap},
          {-2.0 + 400.0 * gap - 800.0 * x * x, 400.0 * x, 400.0 * x, -200.0}};
}

TEST(Newton, ClimbsAValley) {
  const NewtonResult result = maximize(valley, {-1.2, 1.0}, {}, {});
  EXPECT_EQ(result.summary.stop, Stop::converged);
  EXPECT_NEAR(result.at[0], 1.0, machine);
  EXPECT_NEAR(result.at[1], 1.0, machine);
  for (std::size_t i = 1; i < result.summary.objective.size(); ++i) {
    EXPECT_GE(result.summary.objective[i], result.summary.objective[i - 1] - machine);
  }
}

TEST(Newton, StopsAtABound) {
  const std::vector<double> lower = {1.5, -10.0};  // the best y is then x^2
  const NewtonResult result = maximize(valley, {3.0, 0.0}, lower, {});
  EXPECT_EQ(result.summary.stop, Stop::converged);
  EXPECT_EQ(result.at[0], 1.5);
  EXPECT_NEAR(result.at[1], 2.25, machine);
  EXPECT_EQ(result.at_bound, (std::vector<bool>{true, false}));
}

TEST(Newton, LeavesABoundItStartedFrom) {
  const std::vector<double> lower = {-2.0, 0.0};
  const NewtonResult result = maximize(valley, {-2.0, 0.0}, lower, {});
  EXPECT_NEAR(result.at[0], 1.0, machine);
  EXPECT_NEAR(result.at[1], 1.0, machine);
}

TEST(Newton, CanBeCancelled) {
  EXPECT_EQ(maximize(valley, {-1.2, 1.0}, {}, cancelled_run()).summary.stop, Stop::interrupted);
}

TEST(Newton, NeedsASlopeOrSaysWhyItEnded) {
  // Without end to the rise: -exp(-x).
  const NewtonResult result = maximize(
      [](std::span<const double> x) {
        const double e = std::exp(-x[0]);
        return Curvature{-e, {e}, {-e}};
      },
      {0.0}, {}, {});
  EXPECT_EQ(result.summary.stop, Stop::converged);
  EXPECT_GT(result.at[0], 5.0);
}

// log x - x / 3, whose maximum is at 3.
Slopes of_logarithm(double x) { return {1.0 / x - 1.0 / 3.0, -1.0 / (x * x)}; }
constexpr BracketRule strict{60, 1e-13};

TEST(MaximumWithin, FindsItFromBothSides) {
  EXPECT_NEAR(maximum_within({0.1, 10.0}, 0.2, strict, of_logarithm), 3.0, machine);
  EXPECT_NEAR(maximum_within({0.1, 10.0}, 9.0, strict, of_logarithm), 3.0, machine);
  EXPECT_NEAR(maximum_within({0.1, 10.0, true}, 9.0, strict, of_logarithm), 3.0, machine);
  EXPECT_NEAR(maximum_within({0.1, 10.0}, 9.0, {60, 0.0, 1e-13}, of_logarithm), 3.0, machine);
}

TEST(MaximumWithin, EndsOnAnEndThatIsTheMaximum) {
  EXPECT_EQ(maximum_within({0.1, 2.0}, 0.2, strict, of_logarithm), 2.0);
  EXPECT_EQ(maximum_within({4.0, 10.0}, 9.0, strict, of_logarithm), 4.0);
}

TEST(MaximumWithin, HalvesWhereNewtonWouldLeave) {
  // tanh's slope is flat far from 0: Newton's first step would go to the far side and beyond.
  std::size_t asked = 0;
  const auto flat_far_away = [&](double x) {
    ++asked;
    EXPECT_LE(std::abs(x), 8.0);
    return Slopes{-std::tanh(x), -1.0 / (std::cosh(x) * std::cosh(x))};
  };
  EXPECT_NEAR(maximum_within({-8.0, 6.0, true}, 5.0, strict, flat_far_away), 0.0, machine);
  EXPECT_LT(asked, 15U);
}

TEST(Newton, InverseOfInformationKnowsSingular) {
  const std::vector<double> inverse = inverse_of_information(std::vector<double>{2e10, 1e5, 1e5, 1.0}, 2);
  ASSERT_EQ(inverse.size(), 4U);
  EXPECT_NEAR(inverse[0], 1e-10, 1e-20);
  EXPECT_NEAR(inverse[3], 2.0, machine);
  EXPECT_TRUE(inverse_of_information(std::vector<double>{4.0, 2.0, 2.0, 1.0}, 2).empty());
  EXPECT_TRUE(inverse_of_information(std::vector<double>{1.0, 0.0, 0.0, 0.0}, 2).empty());
}

}  // namespace
}  // namespace motet::newton_test
