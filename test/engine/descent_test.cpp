#include "motet/engine/descent.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::descent_test {
namespace {

constexpr double near = 1e-5;  // the gradient is at most 1e-6, the least curvature 0.4

// (1 - x)^2 + 100 (y - x^2)^2: Rosenbrock's valley.
double valley(std::span<const double> w, std::span<double> gradient) {
  const double gap = w[1] - w[0] * w[0];
  gradient[0] = -2.0 * (1.0 - w[0]) - 400.0 * w[0] * gap;
  gradient[1] = 200.0 * gap;
  return (1.0 - w[0]) * (1.0 - w[0]) + 100.0 * gap * gap;
}

constexpr DescentRule to_the_end{300, 0.0, 1e-6, 10};

TEST(Descent, FollowsAValleyToItsEndAndNeverRises) {
  std::vector<double> w{-1.2, 1.0};
  const FitSummary summary = descend(valley, w, to_the_end, {});
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_NEAR(w[0], 1.0, near);
  EXPECT_NEAR(w[1], 1.0, near);
  EXPECT_NEAR(summary.objective.front(), -24.2, 1e-12);
  for (std::size_t i = 1; i < summary.iterations(); ++i) EXPECT_GT(summary.objective[i], summary.objective[i - 1]);
}

TEST(Descent, StaysWhereTheGradientIsSmall) {
  std::vector<double> w{1.0, 1.0};
  const FitSummary summary = descend(valley, w, to_the_end, {});
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(summary.objective, std::vector<double>{-0.0});
  EXPECT_EQ(w, (std::vector<double>{1.0, 1.0}));
}

TEST(Descent, EndsAfterSoManySteps) {
  std::vector<double> w{-1.2, 1.0};
  const FitSummary summary = descend(valley, w, {5, 0.0, 1e-6, 10}, {});
  EXPECT_EQ(summary.stop, Stop::iteration_limit);
  EXPECT_EQ(summary.iterations(), 6U);  // the start is the first
}

TEST(Descent, EndsWhenAStepFallsLittle) {
  std::vector<double> w{-1.2, 1.0};
  const FitSummary summary = descend(valley, w, {300, 0.5, 0.0, 10}, {});
  EXPECT_EQ(summary.stop, Stop::converged);
  const std::size_t last = summary.iterations() - 1;
  const double value = -summary.objective[last];
  EXPECT_LE(-summary.objective[last - 1] - value, 0.5 * (value + 1.0));
  EXPECT_LT(last, 5U);
}

TEST(Descent, CanBeCancelledAndTellsHowFarItIs) {
  CancelFlag flag;
  RunContext run;
  run.cancel = &flag;
  double done = 0.0;
  run.observer = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 100.0);
    EXPECT_GE(progress.done, done);
    done = progress.done;
    flag.set(2);
  };
  std::vector<double> w{-1.2, 1.0};
  const FitSummary summary = descend(valley, w, DescentRule{}, run);
  EXPECT_EQ(summary.stop, Stop::interrupted);
  EXPECT_EQ(summary.iterations(), 2U);
  EXPECT_NE(w[0], -1.2);
}

}  // namespace
}  // namespace motet::descent_test
